// Tells what happened in sentences: the chronicle's lines in the visitor's language.
// @ts-check
import { list, nameOf, roman, spoken, t, thing, tn } from "./i18n.js";
import { optionWords } from "./plays.js";

const CITIES = new Set(["city", "other", "to"]);
const COUNTED = new Set(["coins", "points", "cards", "tokens", "players"]);
const THINGS = new Set(["card", "chain", "thing"]);

/** @param {string} name @param {any} value @param {(city: number) => string} called */
function put(name, value, called) {
  if (CITIES.has(name)) return called(value);
  if (name === "cities") return value.length ? list(value.map(called)) : t("chronicle.nobody");
  if (COUNTED.has(name)) return tn(name, value);
  if (THINGS.has(name)) return thing(value);
  if (name === "project" || name === "wonder") return nameOf(name, value);
  if (name === "side") return t(`side.${value}`);
  if (name === "option") return optionWords(value);
  if (name === "bot") return t(`bot.${value}`);
  if (name === "age") return roman(value);
  return String(value);
}

/** @param {any} line @param {(city: number) => string} called */
const filled = (line, called) => t(`chronicle.${line.key}`, Object.fromEntries(Object.entries(line.params ?? {}).map(([name, value]) => [name, put(name, value, called)])));

/** One line of the chronicle as a sentence; what belongs to it stands in brackets. @param {any} line @param {(city: number) => string} called */
export function tell(line, called) {
  if (!spoken(`chronicle.${line.key}`)) return line.text;
  const text = filled(line, called);
  if (text.endsWith(".")) return text[0].toLocaleUpperCase() + text.slice(1);
  const parts = (line.parts ?? []).map((/** @type {any} */ part) => filled(part, called)).join(", ");
  const whole = `${text}${parts ? ` (${parts})` : ""}.`;
  return whole[0].toLocaleUpperCase() + whole.slice(1);
}

/** The sign that stands before a line. @param {string} key */
export function sign(key) {
  if (key.startsWith("built")) return "civilian";
  if (key.startsWith("stage")) return "stage";
  if (key.startsWith("discarded")) return "coin";
  if (key === "won") return "victory";
  if (key.startsWith("passed-")) return key === "passed-border" ? "border" : key.slice(7);
  if (key.startsWith("penalty")) return "minus";
  if (["completed", "rewarded", "failed", "joined", "joined-box", "project-open", "evaluated"].includes(key)) return "project";
  if (key.startsWith("received")) return "coin";
  if (key.startsWith("scored")) return "medal";
  return null;
}

/** The heading of a chapter. @param {any} chapter */
export const heading = (chapter) =>
  chapter.part === "turn" ? t("chronicle-part.turn", { age: roman(chapter.age), turn: chapter.turn }) : t(`chronicle-part.${chapter.part}`, { age: roman(chapter.age) });
