// The end: who won, the score sheet, every card that lay face down, and where to go from here.
// @ts-check
import { Island, h, icon } from "../dom.js";
import { list, t, tn } from "../i18n.js";
import { called } from "../plays.js";
import { building } from "./card.js";
import "./score.js";

/** @param {any} doc @param {number | null} me */
function verdict(doc, me) {
  if (!doc.result) return t(`closed.${doc.closed ?? "aborted"}`);
  const first = doc.result.places[0];
  if (first.length > 1) return t("end.shared", { who: list(first.map((/** @type {number} */ city) => called(doc, city))) });
  if (first[0] === me) return t("end.you-won", { points: tn("points", doc.result.totals[first[0]]) });
  return t("end.won", { who: called(doc, first[0]), points: tn("points", doc.result.totals[first[0]]) });
}

/** @param {any} doc @param {any} open */
function hidden(doc, open) {
  return h("details", { class: "hidden-cards", key: "hidden" }, h("summary", {}, icon("eye"), h("span", { text: t("end.hidden") })),
    open.under.map((/** @type {string[]} */ cards, /** @type {number} */ city) => (cards.length ? h("div", { class: "lot", key: `under-${city}` }, h("h4", { text: t("end.under", { who: called(doc, city) }) }), h("ul", { class: "chips" }, cards.map(building))) : null)),
    open.discard.length ? h("div", { class: "lot", key: "discard" }, h("h4", { text: tn("discard", open.discard.length) }), h("ul", { class: "chips" }, open.discard.map(building))) : null);
}

/** `<wl-ending>`.  view: { doc, me, score, opened, rematch, busy, may }. */
class Ending extends Island {
  draw(/** @type {any} */ { doc, me, score, opened, rematch, busy, may }) {
    return h("section", { class: "ending", "aria-label": t("end.title") },
      h("h2", { class: "display", text: verdict(doc, me) }),
      doc.result ? (score ? h("wl-score", { ".view": { ...score, wonders: doc.cities.map((/** @type {any} */ one) => one.wonder) }, key: "score" }) : h("div", { class: "skeleton skeleton-rows", "aria-hidden": "true" })) : null,
      h("div", { class: "row ending-acts", key: "acts" },
        rematch ? h("a", { class: "button", href: `/table/${rematch}`, text: t("end.join-rematch") }) : may ? h("button", { type: "button", class: "button", data: { act: "rematch" }, disabled: busy }, icon("again"), h("span", { text: t("end.rematch") })) : null,
        h("a", { class: "button quiet", href: `/replay/${doc.game}` }, icon("replay"), h("span", { text: t("end.replay") })),
        h("a", { class: "button quiet", href: `/audit/${doc.game}` }, icon("audit"), h("span", { text: t("end.audit") })),
        h("a", { class: "button quiet", href: "/" , text: t("nav.lobby") })),
      opened?.open ? hidden(doc, opened.open) : null);
  }
}
customElements.define("wl-ending", Ending);
