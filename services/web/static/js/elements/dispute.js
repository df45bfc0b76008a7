// The sheet of a disputed turn: what was offered, chosen, accepted and paid, what followed, and by which rulings.
// @ts-check
import { h, icon } from "../dom.js";
import { nameOf, t, tn } from "../i18n.js";
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

/** A printed price. @param {Record<string, number>} cost */
const costWords = (cost) => Object.entries(cost).map(([what, n]) => (what === "coins" ? tn("coins", n) : `${n} ${nameOf("resource", what).toLocaleLowerCase()}`)).join(", ") || t("dispute.price-nothing");

/** What it cost and every way in which it could be paid. @param {any} price @param {string | null} card what was built; null: a stage */
function priceWords(price, card) {
  const { cost, held, project, free, ways } = price, plain = ways.length === 1 && ways[0][0] + ways[0][1] === 0;
  const how = free ? t(`dispute.free-${free}`) : plain ? t("dispute.no-purchase") : t("dispute.ways", { ways: ways.map((/** @type {number[]} */ [left, right]) => t("dispute.way", { left, right })).join(" / ") });
  const what = card ? nameOf("card", card) : t("stage.n", { n: price.what.split(" ")[1] });
  return t("dispute.price-line", { what, cost: project ? t("dispute.price-joining", { cost: costWords(cost), n: project }) : costWords(cost), coins: tn("coins", held), how });
}

/** @param {any} one a question's sheet */
function priceOf(one) {
  const counted = one.choices.find((/** @type {any} */ each) => each.fate === "counted");
  return priceWords(one.price, counted?.act?.kind === "stage" ? null : counted?.card ?? null);
}

/** The sheet. @param {any} doc @param {(version: number) => Node} at a way to an event of the ledger @param {(version: number) => string | null} told an event of the ledger in words */
export function disputeSheet(doc, at, told) {
  return h("div", { class: "dispute-sheet" },
    h("p", { class: "note", text: doc.key ? t("dispute.key", { key: `${doc.key.slice(0, 12)}…` }) : t("dispute.no-key") }),
    doc.questions.map((/** @type {any} */ one) => h("section", {},
      h("h4", {}, icon("cards"), h("span", { text: `${t(`dispute.ask-${one.question}`)} · ${one.name}` })),
      h("dl", {},
        h("dt", { text: t("dispute.offer") }), h("dd", {}, one.offer.cards ? cards(one.offer.cards) : t("dispute.face-down"), one.offer.drawn ? ` + ${nameOf("card", one.offer.drawn)}` : "", " ", at(one.offer.version)),
        h("dt", { text: t("dispute.choices") }), h("dd", {}, h("ul", {}, one.choices.map((/** @type {any} */ each) => choice(each, at)), one.taken_back.map((/** @type {any} */ each) => h("li", {}, h("span", { text: t("dispute.taken-back") }), " ", at(each.version))))),
        one.price ? [h("dt", { text: t("dispute.price") }), h("dd", { text: priceOf(one) })] : null,
        one.followed.length ? [h("dt", { text: t("dispute.followed") }), h("dd", {}, h("ul", {}, one.followed.map((/** @type {any} */ step) => { const words = told(step.version); return h("li", {}, at(step.version), " ", h("span", words ? { text: words } : { lang: "en", text: step.text.join(" ") })); })))] : null,
        Object.keys(one.rulings).length ? [h("dt", { text: t("dispute.rulings") }), h("dd", {}, h("ul", {}, Object.keys(one.rulings).map((number) => h("li", {}, h("b", { text: number === "clock" ? t("dispute.clock") : number }), " ", t(`ruling.${number}`)))))] : null))));
}
