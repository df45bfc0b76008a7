// What a card, stage or project does: as a picture first, and as a sentence for whoever asks.
// @ts-check
import { RAW } from "../box.js";
import { h, icon } from "../dom.js";
import { list, nameOf, innerName, roman, t, tn } from "../i18n.js";

/** A number on a coin or in a laurel. @param {"coin" | "points"} kind @param {number | string} n */
export const figure = (kind, n) => h("span", { class: `figure ${kind}` }, icon(kind === "coin" ? "coin" : "points"), h("b", { text: n }));

/** @param {string} resource */
export const good = (resource) => icon(resource, undefined, `good ${RAW.includes(resource) ? "is-raw" : "is-made"}`);

/** The glyph of a card type, on its colour. @param {string} type */
export const glyph = (type) => h("span", { class: `glyph type-${type}` }, icon(type));

/** @param {string[]} scope */
const where = (scope) => h("span", { class: "scope" }, ["left", "self", "right"].filter((one) => scope.includes(one)).map((one) => icon(one === "self" ? "down" : one)));

/** @param {any[]} items @param {string} text */
const joinedBy = (items, text) => items.flatMap((item, place) => (place ? [h("span", { class: "or", text }), item] : [item]));

/** @type {Record<string, (effect: any) => any[]>} */
const PICTURES = {
  produce: (e) => joinedBy(Array.from({ length: e.amount }, () => e.any_of).flat().map(good), e.any_of.length > 1 ? "/" : ""),
  discount: (e) => [h("span", { class: "deal" }, e.sellers.includes("left") && icon("left"), e.resources.map(good), e.sellers.includes("right") && icon("right")), figure("coin", e.price)],
  points: (e) => [figure("points", e.amount)],
  coins: (e) => [figure("coin", e.amount)],
  shields: (e) => Array.from({ length: e.amount }, () => icon("shield", undefined, "is-shield")),
  science: (e) => joinedBy(e.any_of.map((/** @type {string} */ one) => icon(one, undefined, "is-symbol")), "/"),
  coins_per_card: (e) => [figure("coin", e.amount), h("span", { class: "each" }, e.types.map(glyph)), where(e.scope)],
  points_per_card: (e) => [figure("points", e.amount), h("span", { class: "each" }, e.types.map(glyph)), where(e.scope)],
  coins_per_stage: (e) => [figure("coin", e.amount), h("span", { class: "each" }, icon("stage")), where(e.scope)],
  points_per_stage: (e) => [figure("points", e.amount), h("span", { class: "each" }, icon("stage")), where(e.scope)],
  points_if_wonder_complete: (e) => [figure("points", e.amount), h("span", { class: "each" }, icon("wonder"))],
  play_last_card: () => [icon("last-card")],
  build_from_discard: () => [icon("from-discard")],
  free_first_of_colour: () => [icon("free-colour")],
  free_first_of_age: () => [icon("free-first")],
  free_last_of_age: () => [icon("free-last")],
  victory_token: (e) => [h("span", { class: "figure victory" }, icon("token"), h("b", { text: `+${e.points}` }))],
  drop_defeats: () => [h("span", { class: "figure struck" }, icon("defeat"))],
  points_per_pair: (e) => [figure("points", e.points), h("span", { class: "each" }, e.types.map(glyph))],
  points_per_colour: (e) => [figure("points", e.points), h("span", { class: "each rainbow" }, icon("cards"))],
  repeat_guild: () => [h("span", { class: "each" }, glyph("guild")), h("b", { class: "times", text: "×2" })],
  token: (e) => [icon("token"), h("b", { class: "times", text: e.ages.map(roman).join("/") })],
  one_of: (e) => joinedBy(Object.values(e.options).map((effects) => h("span", { class: "choice" }, pictures(effects))), "/"),
};

/** Every effect as a picture. @param {any[]} effects @returns {any[]} */
export const pictures = (effects) => effects.map((effect) => h("span", { class: `effect e-${effect.kind}` }, PICTURES[effect.kind]?.(effect) ?? []));

/** @param {string[]} scope */
const scoped = (scope) => t(`scope.${["left", "self", "right"].filter((one) => scope.includes(one)).join("-")}`);
/** @param {string[]} types */
const kinds = (types) => list(types.map((type) => t(`cards-of.${type}`)));
/** @param {string[]} items @param {string} kind */
const either = (items, kind) => items.map((item) => innerName(kind, item)).join(` ${t("word.or")} `);

/** @type {Record<string, (effect: any) => string>} */
const SENTENCES = {
  produce: (e) => t(e.sellable ? "effect.produce" : "effect.produce-own", { what: e.amount > 1 ? `${e.amount} × ${either(e.any_of, "resource")}` : either(e.any_of, "resource") }),
  discount: (e) => t("effect.discount", { price: tn("coins", e.price), what: list(e.resources.map((/** @type {string} */ one) => innerName("resource", one))), from: t(`sellers.${e.sellers.join("-")}`) }),
  points: (e) => t("effect.points", { points: tn("points", e.amount) }),
  coins: (e) => t("effect.coins", { coins: tn("coins", e.amount) }),
  shields: (e) => tn("shields", e.amount),
  science: (e) => t("effect.science", { what: either(e.any_of, "symbol") }),
  coins_per_card: (e) => t("effect.coins-per-card", { coins: tn("coins", e.amount), cards: kinds(e.types), where: scoped(e.scope) }),
  points_per_card: (e) => t("effect.points-per-card", { points: tn("points", e.amount), cards: kinds(e.types), where: scoped(e.scope) }),
  coins_per_stage: (e) => t("effect.coins-per-stage", { coins: tn("coins", e.amount), where: scoped(e.scope) }),
  points_per_stage: (e) => t("effect.points-per-stage", { points: tn("points", e.amount), where: scoped(e.scope) }),
  points_if_wonder_complete: (e) => t("effect.points-if-complete", { points: tn("points", e.amount) }),
  play_last_card: () => t("effect.last-card"),
  build_from_discard: () => t("effect.from-discard"),
  free_first_of_colour: () => t("effect.free-colour"),
  free_first_of_age: () => t("effect.free-first"),
  free_last_of_age: () => t("effect.free-last"),
  victory_token: (e) => t("effect.victory", { points: tn("points", e.points) }),
  drop_defeats: () => t("effect.drop-defeats"),
  points_per_pair: (e) => t("effect.per-pair", { points: tn("points", e.points), cards: kinds(e.types) }),
  points_per_colour: (e) => t("effect.per-colour", { points: tn("points", e.points) }),
  repeat_guild: () => t("effect.repeat-guild"),
  token: (e) => t("effect.token", { ages: e.ages.map(roman).join(` ${t("word.or")} `) }),
  one_of: (e) => Object.values(e.options).map((effects) => sentence(/** @type {any} */ (effects))).join(` ${t("word.or")} `),
};

/** Every effect in words. @param {any[]} effects @returns {string} */
export const sentence = (effects) => effects.map((effect) => SENTENCES[effect.kind]?.(effect) ?? effect.kind).join("; ");

/** A penalty in words. @param {any} penalty */
export const penaltyWords = (penalty) =>
  penalty.kind === "discard" ? t("penalty.discard", { cards: t(`card-of.${penalty.type}`) })
    : penalty.kind === "lose_coins" ? t("penalty.coins", { coins: tn("coins", penalty.amount) })
      : tn("penalty.tokens", penalty.amount);

/** A penalty as a picture. @param {any} penalty */
export const penaltyPicture = (penalty) =>
  penalty.kind === "discard" ? [icon("minus"), glyph(penalty.type)]
    : penalty.kind === "lose_coins" ? [icon("minus"), figure("coin", penalty.amount)]
      : [icon("minus"), h("span", { class: "figure victory" }, icon("victory"), h("b", { text: penalty.amount }))];

/** "2 clay, 1 cloth, 1 coin", or "nothing". @param {any} cost */
export function costWords(cost) {
  const parts = Object.entries(cost).map(([what, amount]) => (what === "coins" ? tn("coins", amount) : `${amount} ${innerName("resource", what)}`));
  return parts.length ? parts.join(", ") : t("cost.nothing");
}

