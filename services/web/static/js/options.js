// How a table plays, in words: every option with its line.
// @ts-check
import { duration, nameOf, t, tn } from "./i18n.js";

/** The options that presets fix, with their values, the booklet's first. */
export const RULES = {
  edifice_tokens: ["cities-1", "printed"],
  edifice_reward: ["age-end", "at-once"],
  edifice_penalty: ["after-conflicts", "before-conflicts"],
  free_city_control: ["age", "turn"],
};

/** The options of a table, one line each. @param {any} ruleset */
export function optionLines({ preset, options }) {
  const lines = [
    `${tn("players", options.players)}, ${t(options.edifice ? "rules.with-edifice" : "rules.without-edifice")}`,
    t(`preset.${preset}`),
    options.turn_ms ? t("rules.clock", { time: duration(options.turn_ms) }) : t("rules.no-clock"),
    t(`rules.boards-${options.boards}`),
  ];
  if (options.sides !== "dealt") lines.push(t(`rules.sides-${options.sides}`));
  for (const [name, values] of Object.entries(RULES)) {
    if (options[name] !== values[0] && (name.startsWith("edifice") ? options.edifice : options.players === 2)) lines.push(t(`rule.${name}.${options[name]}`));
  }
  if (options.free_city) lines.push(t("rules.free-city", { wonder: nameOf("wonder", options.free_city[0]), side: t(`side.${options.free_city[1]}`) }));
  return lines;
}
