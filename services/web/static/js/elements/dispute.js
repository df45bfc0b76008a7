// The sheet of a disputed turn: what was offered, chosen, accepted and paid, what followed, and by which rulings.
// @ts-check
import { h, icon } from "../dom.js";
import { nameOf, t } from "../i18n.js";
import { optionWords } from "../plays.js";

const cards = (/** @type {string[]} */ ids) => ids.map((id) => nameOf("card", id)).join(", ");

/** @param {any} act @param {string | null} card */
function actWords(act, card) {
  if (!act && !card) return t("dispute.face-down");
  const words = [t(`dispute.act-${act?.kind ?? "build"}`, { card: card ? nameOf("card", card) : t("dispute.hidden-card") })];
  if (act?.option) words.push(optionWords(act.option));
  if (act?.participate) words.push(t("dispute.joins"));
  if (act && (act.left || act.right)) words.push(t("dispute.pays", { left: act.left, right: act.right }));
  return words.join(" · ");
}

/** @param {any} one @param {(version: number) => Node} at */
const choice = (one, at) => h("li", { class: `choice is-${one.fate.replace(" ", "-")}` },
  h("b", { text: actWords(one.act, one.card) }),
  h("span", { class: "note" }, at(one.version), " · ", t(`dispute.fate-${one.fate.replace(" ", "-")}`), " · ", t(`dispute.signature-${one.signature.replaceAll(" ", "-")}`), one.timed_out ? ` · ${t("dispute.timed-out")}` : ""));

/** The sheet. @param {any} doc @param {(version: number) => Node} at a way to an event of the ledger */
export function disputeSheet(doc, at) {
  return h("div", { class: "dispute-sheet" },
    h("p", { class: "note", text: doc.key ? t("dispute.key", { key: `${doc.key.slice(0, 12)}…` }) : t("dispute.no-key") }),
    doc.questions.map((/** @type {any} */ one) => h("section", {},
      h("h4", {}, icon("cards"), h("span", { text: `${t(`dispute.ask-${one.question}`)} · ${one.name}` })),
      h("dl", {},
        h("dt", { text: t("dispute.offer") }), h("dd", {}, one.offer.cards ? cards(one.offer.cards) : t("dispute.face-down"), one.offer.drawn ? ` + ${nameOf("card", one.offer.drawn)}` : "", " ", at(one.offer.version)),
        h("dt", { text: t("dispute.choices") }), h("dd", {}, h("ul", {}, one.choices.map((/** @type {any} */ each) => choice(each, at)), one.taken_back.map((/** @type {any} */ each) => h("li", {}, h("span", { text: t("dispute.taken-back") }), " ", at(each.version))))),
        one.price ? [h("dt", { text: t("dispute.price") }), h("dd", { lang: "en", text: one.price.text })] : null,
        one.followed.length ? [h("dt", { text: t("dispute.followed") }), h("dd", {}, h("ul", { lang: "en" }, one.followed.map((/** @type {any} */ step) => h("li", {}, at(step.version), " ", step.text.join(" ")))))] : null,
        Object.keys(one.rulings).length ? [h("dt", { text: t("dispute.rulings") }), h("dd", {}, h("ul", { lang: "en" }, Object.entries(one.rulings).map(([number, text]) => h("li", {}, h("b", { text: number }), " ", String(text)))))] : null))));
}
