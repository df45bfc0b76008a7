// Before the start: the chairs around the table, the link to share, and what is still missing.
// @ts-check
import { Island, h, icon } from "../dom.js";
import { nameOf, t } from "../i18n.js";
import { likes } from "../session.js";
import { optionLines } from "../options.js";
import "./qr.js";

/** @param {any} doc @param {any} one @param {number | null} me @param {boolean} host */
function chair(doc, one, me, host) {
  const name = one.taken ? one.name ?? t("seat.n", { n: one.seat + 1 }) : t("gather.free");
  return h("li", { class: ["chair", one.taken ? "taken" : "free", one.seat === me && "mine"], key: one.seat },
    h("span", { class: "chair-sign" }, icon(one.bot ? "bot" : one.taken ? "person" : "chair")),
    h("span", { class: "chair-words" }, h("b", { text: name }), h("span", { class: "note", text: one.seat === me ? t("seat.you") : one.bot ? t(`bot.${one.bot}-name`) : t("seat.n", { n: one.seat + 1 }) }),
      one.wonder ? h("span", { class: "note", text: nameOf("wonder", one.wonder) }) : null),
    one.taken ? h("span", { class: ["state", one.ready && "ready"], text: t(one.ready ? "gather.ready" : "gather.sitting") }) : null,
    one.seat === me ? h("button", { type: "button", class: "link", data: { act: "leave", seat: one.seat }, text: t("gather.leave") }) : null,
    host && one.taken && one.seat !== me ? h("button", { type: "button", class: "link", data: { act: "remove", seat: one.seat }, "aria-label": t("gather.remove-name", { name }), text: t("gather.remove") }) : null);
}

/** @param {any} doc @param {boolean} busy */
function form(doc, busy) {
  const options = doc.ruleset.options, taken = doc.seats.map((/** @type {any} */ one) => one.wonder);
  return h("form", { class: "sit", data: { form: "sit" } },
    h("h2", { text: t("gather.sit") }),
    h("label", { class: "field" }, h("span", { text: t("lobby.name") }), h("input", { type: "text", name: "name", required: true, maxlength: 40, autocomplete: "nickname", value: likes().name ?? "" })),
    options.boards === "chosen" ? [
      h("label", { class: "field" }, h("span", { text: t("gather.board") }), h("select", { name: "wonder" }, h("option", { value: "", text: t("gather.any-board") }), options.wonders.filter((/** @type {string} */ one) => !taken.includes(one)).map((/** @type {string} */ one) => h("option", { value: one, text: nameOf("wonder", one) })))),
      options.sides === "dealt" ? h("label", { class: "field" }, h("span", { text: t("gather.side") }), h("select", { name: "side" }, h("option", { value: "", text: t("gather.any-side") }), ["day", "night"].map((one) => h("option", { value: one, text: t(`side.${one}`) })))) : null,
    ] : null,
    h("button", { type: "submit", class: "button", disabled: busy, text: t("gather.sit-down") }));
}

/** What is missing, in a sentence. @param {any} doc @param {boolean} host */
function missing(doc, host) {
  const free = doc.seats.filter((/** @type {any} */ one) => !one.taken).length;
  if (free) return t("gather.waiting-seats", { n: free });
  if (!doc.gathering.startable) return t("gather.waiting-ready");
  return t(host ? "gather.you-start" : "gather.host-starts");
}

/** `<wl-gathering>`.  view: { doc, me, host, link, busy }. */
class Gathering extends Island {
  draw(/** @type {any} */ { doc, me, host, link, busy }) {
    const free = doc.seats.some((/** @type {any} */ one) => !one.taken);
    return h("section", { class: "gathering" },
      h("div", { class: "gather-main" },
        h("h2", { class: "display", text: t("gather.title") }),
        h("p", { class: "lead", role: "status", text: missing(doc, host) }),
        h("ol", { class: "chairs" }, doc.seats.map((/** @type {any} */ one) => chair(doc, one, me, host))),
        host ? h("div", { class: "row" },
          free ? [h("button", { type: "button", class: "button quiet", data: { act: "fill", bot: "builder" }, disabled: busy }, icon("bot"), h("span", { text: t("gather.fill") }))] : null,
          h("button", { type: "button", class: "button", data: { act: "start" }, disabled: busy || !doc.gathering.startable, text: t("gather.start") }),
          h("button", { type: "button", class: "link", data: { act: "cancel" }, text: t("gather.cancel") })) : null,
        me === null && free ? form(doc, busy) : null),
      h("aside", { class: "gather-side" },
        h("h3", { text: t("gather.invite") }),
        h("wl-qr", { ".view": { text: link, label: t("gather.qr") }, key: "qr" }),
        h("p", { class: "code" }, h("span", { text: t("gather.code") }), h("code", { text: doc.game })),
        h("button", { type: "button", class: "button quiet", data: { act: "copy", text: link } }, icon("copy"), h("span", { text: t("gather.copy") })),
        h("h3", { text: t("gather.rules") }),
        h("ul", { class: "rules" }, optionLines(doc.ruleset).map((line) => h("li", { text: line })))));
  }
}
customElements.define("wl-gathering", Gathering);

