// Why the house says no, in the visitor's language: a sentence for each reason, the house's own words one click behind it.
// @ts-check
import { Away } from "./api.js";
import { h, toast } from "./dom.js";
import { spoken, t } from "./i18n.js";

/** The sentence for a reason; where there is none, that the house has refused. @param {string} reason */
export const reasonWords = (reason) => t(spoken(`refused.${reason}`) ? `refused.${reason}` : "refused.other");

/** The house's own words, which are English, to be unfolded. @param {string | undefined} detail */
export const ownWords = (detail) => (detail ? h("details", { class: "own-words" }, h("summary", { text: t("refused.detail") }), h("span", { lang: "en", text: detail })) : null);

/** A note about what did not work. @param {import("./api.js").Refused | import("./api.js").Away} error */
export function complain(error) {
  if (error instanceof Away) toast(t("error.away"), "error");
  else toast(reasonWords(error.reason), "error", ownWords(error.message));
}

/** A value in a sentence. @param {any} value */
function short(value) {
  if (value === null || value === undefined || value === "") return t("finding.nothing");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What the house's audit found, by its kind. @param {any} finding */
export function findingWords({ kind, field, recorded, recomputed }) {
  return t(`finding.${kind}`, { field, recorded: short(recorded), recomputed: short(recomputed), why: kind === "not-allowed" ? reasonWords(recomputed) : "" });
}
