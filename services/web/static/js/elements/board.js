// All that the table's page shows around what the player is doing: the ring, the hand, what was just told, the header's tools.
// @ts-check
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { called } from "../plays.js";
import { keysOf, likes } from "../session.js";
import { ring } from "./ring.js";
import "./chronicle.js";
import "./ending.js";
import "./gathering.js";
import "./hand.js";

/** Before the start, or where it never came to one. @param {any} page */
export function gathering({ doc, me, busy }) {
  if (doc.closed) return h("section", { class: "nothing" }, icon("flag"), h("h2", { text: t(`closed.${doc.closed}`) }), h("p", {}, h("a", { class: "button", href: "/", text: t("nav.lobby") })));
  return h("wl-gathering", { ".view": { doc, me, host: Boolean(keysOf(doc.game).host), link: `${location.origin}/table/${doc.game}`, busy }, key: "gathering" });
}

/** The table while it is played, and at the end. @param {any} page */
export function table(page) {
  const { doc, me } = page, over = doc.phase === "over";
  return ring(doc, {
    front: me ?? 0,
    me,
    ending: over ? h("wl-ending", { class: "area-ending", key: "ending", ".view": { doc, me, ...page.finale.view, busy: page.busy, may: me !== null || Boolean(keysOf(doc.game).host) } }) : null,
    hand: over ? null : hand(page),
    side: likes().chronicle === false ? null : side(page),
  });
}

/** @param {any} page */
function hand({ doc, me, picking }) {
  const seat = me === null ? null : doc.seats[me];
  if (!seat) return h("div", { class: "area-hand", key: "hand" }, h("p", { class: "watching" }, icon("eye"), h("span", { text: t("table.watching") })));
  return h("div", { class: "area-hand", key: "hand" },
    seat.stand_in ? h("div", { class: "banner-line" }, icon("bot"), h("span", { text: t("seat.bot-plays") }), h("button", { type: "button", class: "button", data: { act: "reclaim" }, text: t("seat.back") })) : null,
    seat.missed > 0 && !seat.stand_in ? h("p", { class: "note missed", text: t("seat.missed", { n: seat.missed }) }) : null,
    h("wl-hand", { ".view": { doc, picking, me }, key: "wl-hand" }));
}

/** @param {any} page */
function side({ doc, justNow, sitting }) {
  return h("aside", { class: "area-side", key: "side" },
    justNow.length ? h("section", { class: "just-now", "aria-label": t("table.just-now") }, h("h2", { text: t("table.just-now") }), h("ul", {}, justNow.slice(-9).map((/** @type {string} */ text, /** @type {number} */ place) => h("li", { key: `${place}-${text}`, text })))) : null,
    h("wl-chronicle", { ".view": { chapters: sitting.chronicle.chapters, called: (/** @type {number} */ city) => called(doc, city) }, key: "chronicle" }));
}

/** What the header shows of this table. @param {any} page @returns {any[]} */
export function tools({ doc, me, link, sitting }) {
  const tool = (/** @type {string} */ act, /** @type {string} */ sign, /** @type {string} */ label, /** @type {any} */ pressed = null) =>
    h("button", { type: "button", class: "tool", data: { act }, "aria-label": label, title: label, "aria-pressed": pressed === null ? null : String(Boolean(pressed)), key: act }, icon(sign));
  return [
    h("span", { class: ["line-state", `is-${link}`], key: "state" }, link === "lost" ? [icon("again"), h("span", { text: t("live.lost") })] : sitting.outbox.letters.length ? [icon("clock"), h("span", { text: t("live.sending") })] : null),
    doc?.cities.length ? [tool("score", "score", t("score.title")), tool("chronicle", "book", t("chronicle.title"), likes().chronicle !== false)] : null,
    me !== null ? [tool("sound", likes().sound ? "sound" : "mute", t("notify.sound"), likes().sound ?? false), "Notification" in globalThis && isSecureContext ? tool("notify", "bell", t("notify.notification"), likes().notify ?? false) : null] : null,
    doc ? tool("menu", "menu", t("menu.title")) : null,
  ];
}
