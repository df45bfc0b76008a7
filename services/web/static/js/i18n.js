// Says everything in the visitor's language, from the one catalogue that the server uses too.
// @ts-check

const language = document.documentElement.lang || "en";
const plural = new Intl.PluralRules(language);
const lists = new Intl.ListFormat(language, { type: "conjunction" });

/** @type {{ language: string, words: Record<string, string>, names: Record<string, Record<string, string>> }} */
let catalogue = { language, words: {}, names: {} };

/** Fetches the catalogue; await it before anything is drawn. */
export async function learn() {
  const answer = await fetch(document.body.dataset.words ?? "", { credentials: "same-origin" });
  catalogue = await answer.json();
}

/** The text of a key, its {placeholders} filled.  A missing key shows itself. @param {string} key @param {Record<string, any>} [values] @returns {string} */
export function t(key, values = {}) {
  const text = catalogue.words[key];
  if (text === undefined) { console.warn(`no words for ${key}`); return key; }
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether there are words for a key. @param {string} key */
export const spoken = (key) => key in catalogue.words;

/** The form of a key for a number: `key.one` or `key.other`. @param {string} key @param {number} n @param {Record<string, any>} [values] */
export const tn = (key, n, values = {}) => t(`${key}.${plural.select(Math.abs(n)) === "one" ? "one" : "other"}`, { n, ...values });

/** "Bo, Cy and Dee". @param {string[]} items */
export const list = (items) => lists.format(items);

/** The name of a thing of the box. @param {string} kind @param {string} id */
export const nameOf = (kind, id) => catalogue.names[kind]?.[id] ?? id;

/** A name in the middle of a sentence: lower case where the language does so. @param {string} kind @param {string} id */
export const innerName = (kind, id) => nameOf(kind, id).toLocaleLowerCase(language);

/** Any card, project or wonder by its id. @param {string} id */
export const thing = (id) => catalogue.names.card?.[id] ?? catalogue.names.project?.[id] ?? catalogue.names.wonder?.[id] ?? id;

/** @param {number} age */
export const roman = (age) => ["", "I", "II", "III"][age] ?? String(age);

/** "2 min", "3 s": a rest of time. @param {number} ms */
export function duration(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 100) return t("time.s", { n: seconds });
  if (seconds < 100 * 60) return t("time.min", { n: Math.round(seconds / 60) });
  if (seconds < 48 * 3600) return t("time.h", { n: Math.round(seconds / 3600) });
  return t("time.d", { n: Math.round(seconds / 86400) });
}

export { language };
