// Sheets over the table: a city in full view, the score so far, and the table's own menu with the seat to hand over.
// @ts-check
import { h, icon } from "../dom.js";
import { duration, roman, t } from "../i18n.js";
import { houseNow } from "../api.js";
import { optionLines } from "../options.js";
import { called } from "../plays.js";
import { hasSubtle } from "../secrets.js";
import { keysOf } from "../session.js";
import "./qr.js";

/** @param {string} title @param {...any} content */
const sheet = (title, ...content) => [h("div", { class: "sheet-head", key: "head" }, h("h2", { text: title }), h("button", { type: "button", class: "tool", data: { act: "close-sheet" }, "aria-label": t("sheet.close") }, icon("cross"))), h("div", { class: "sheet-body", key: "body" }, content)];

/** What lies in the sheet. @param {{ kind: string, city?: number }} which @param {any} page */
export function sheetOf(which, page) {
  const { doc, me } = page;
  if (which.kind === "city") return sheet(called(doc, Number(which.city)), h("wl-city", { ".view": { doc, city: which.city, me, how: "full" }, key: `full-${which.city}` }));
  if (which.kind === "score") return sheet(t("score.title"), h("p", { class: "note", text: doc.phase === "over" ? "" : t("score.now", { age: roman(doc.age), turn: doc.turn }) }), page.finale.score ? h("wl-score", { ".view": { ...page.finale.score, wonders: doc.cities.map((/** @type {any} */ one) => one.wonder) }, key: "score" }) : h("div", { class: "skeleton skeleton-rows", "aria-hidden": "true" }));
  if (which.kind === "moved") return sheet(t("move.moved"), moved());
  return sheet(t("menu.title"), menu(page));
}

/** The seat is on another device now: what of this one? */
const moved = () => h("div", { class: "menu" }, h("p", { class: "lead", text: t("move.moved-line") }),
  h("div", { class: "row" }, h("button", { type: "button", class: "button", autofocus: true, data: { act: "forget-moved" }, text: t("menu.forget") }), h("button", { type: "button", class: "button quiet", data: { act: "keep-moved" }, text: t("move.keep") })));

/** The seat's own code, or the button that makes one. @param {import("../handover.js").Handover} handover @param {boolean} busy */
function giving({ state, words, link, until }, busy) {
  if (state !== "open") return h("div", { class: "row", key: "give" }, h("button", { type: "button", class: "button", data: { act: "give" }, disabled: busy || state === "making", text: t(state === "making" ? "move.making" : "move.give") }), h("button", { type: "button", class: "button quiet", data: { act: "forget-seat" }, text: t("menu.forget") }));
  return h("div", { class: "giving", key: "giving" },
    h("wl-qr", { ".view": { text: link, label: t("menu.hand-over-qr") }, key: "qr" }),
    h("div", { class: "giving-words" },
      h("p", { class: "note", text: t("move.type-it", { where: location.host }) }), h("p", { class: "seat-code" }, h("code", { text: words })),
      h("p", { class: "note", role: "status", text: t("move.waiting", { time: duration(until - houseNow()) }) }),
      h("div", { class: "row" }, h("button", { type: "button", class: "button quiet", data: { act: "copy", text: link } }, icon("copy"), h("span", { text: t("menu.copy-seat") })), h("button", { type: "button", class: "button quiet", data: { act: "take-back" }, disabled: busy, text: t("move.withdraw") }))));
}

/** For whoever comes with a code from another device. @param {boolean} busy */
const taking = (busy) => h("form", { class: "code-form", data: { form: "seat-code" }, key: "taking" },
  h("label", { class: "field" }, h("span", { text: t("move.have-code") }), h("input", { type: "text", name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "XXXX-XXXX-XXXX" })),
  h("button", { type: "submit", class: "button quiet", disabled: busy, text: t("move.take") }));

/** @param {any} page */
function menu({ doc, me, busy, moving }) {
  const seat = me === null ? null : doc.seats[me];
  const running = !["gathering", "over"].includes(doc.phase);
  return h("div", { class: "menu" },
    h("section", { key: "watch" }, h("h3", { text: t("menu.watch") }), h("p", { class: "note", text: t("menu.watch-line") }),
      h("button", { type: "button", class: "button quiet", data: { act: "copy", text: `${location.origin}/table/${doc.game}` } }, icon("copy"), h("span", { text: t("gather.copy") }))),
    seat ? h("details", { class: "hand-over", key: "hand-over" }, h("summary", {}, icon("device"), h("span", { text: t("menu.hand-over") })), h("p", { class: "note", text: t("menu.hand-over-line") }), giving(moving.handover, busy)) : taking(busy),
    seat && running ? h("section", { key: "seat" }, h("h3", { text: t("menu.seat") }), h("div", { class: "row" },
      seat.stand_in ? h("button", { type: "button", class: "button", data: { act: "reclaim" }, disabled: busy, text: t("seat.back") }) : h("button", { type: "button", class: "button quiet", data: { act: "call-bot" }, disabled: busy }, icon("bot"), h("span", { text: t("menu.call-bot") })),
      h("button", { type: "button", class: "button quiet", data: { act: "abort" }, disabled: busy || seat.agrees_to_abort }, icon("flag"), h("span", { text: t(seat.agrees_to_abort ? "menu.aborting" : "menu.abort") })))) : null,
    h("section", { key: "rules" }, h("h3", { text: t("gather.rules") }), h("ul", { class: "rules" }, optionLines(doc.ruleset).map((line) => h("li", { text: line }))),
      seat ? h("p", { class: "note", text: keysOf(doc.game).sign ? t("menu.signed") : hasSubtle ? t("menu.unsigned-seat") : t("menu.unsigned") }) : null),
    h("p", { class: "row", key: "links" }, h("a", { href: `/replay/${doc.game}`, class: "link" }, icon("replay"), h("span", { text: t("end.replay") })), h("a", { href: `/audit/${doc.game}`, class: "link" }, icon("audit"), h("span", { text: t("end.audit") }))));
}
