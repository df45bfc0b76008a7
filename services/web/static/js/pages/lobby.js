// The lobby: a game against bots in one click, a friend's table by its code, and the tables that are open or being played.
// @ts-check
import { Away, Refused, once } from "../api.js";
import { acting, drawing, h, icon, morph, toast } from "../dom.js";
import { againstBots } from "../gather.js";
import { duration, roman, t, tn } from "../i18n.js";
import { codeIn, tableOf } from "../handover.js";
import { complain } from "../refusals.js";
import { games, keysOf, like, likes } from "../session.js";
import { open } from "../shell.js";

const GAME = /[0-9a-f]{20}/;

/** @param {any} row */
function entry(row) {
  const mine = Boolean(keysOf(row.game).seat), full = row.free_seats === 0;
  const people = row.seats.map((/** @type {any} */ one) => h("li", { class: one.taken ? "taken" : "free" }, icon(one.bot ? "bot" : one.taken ? "person" : "chair"), h("span", { text: one.taken ? one.name ?? "…" : t("gather.free") })));
  const facts = [tn("players", row.players), row.edifice ? t("lobby.edifice") : null, t(`preset.${row.preset}`), row.turn_ms ? t("rules.clock", { time: duration(row.turn_ms) }) : null].filter(Boolean);
  return h("li", { class: ["table-row", mine && "mine"], key: row.game },
    h("div", { class: "row-state" }, row.state === "open" ? h("b", { class: "open", text: t("lobby.open") }) : h("b", { text: t("lobby.at", { age: roman(row.age), turn: row.turn }) })),
    h("div", { class: "row-words" }, h("ul", { class: "people" }, people), h("p", { class: "note", text: facts.join(" · ") })),
    h("a", { class: ["button", row.state === "open" && !full ? "" : "quiet"], href: `/table/${row.game}`, text: mine ? t("lobby.return") : row.state === "open" && !full ? t("lobby.join") : t("lobby.watch") }));
}

class Lobby extends HTMLElement {
  busy = false;
  players = 3;
  /** @type {any[] | null} */
  rows = null;

  connectedCallback() {
    acting(this, {
      players: (element) => { this.players = Number(element.dataset.n); this.draw(); },
    });
    this.addEventListener("submit", (event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target), given = new FormData(form);
      if (form.dataset.form === "code") void this.join(String(given.get("code")));
      else void this.play(String(given.get("name")).trim(), given.get("edifice") === "on");
    });
    this.draw();
    void this.watch();
  }

  async watch() {
    for (;;) {
      if (!document.hidden) {
        try { this.rows = await once("GET", "/lobby"); this.draw(); } catch { /* the next look may succeed */ }
      }
      await new Promise((go) => { setTimeout(go, 3000); });
    }
  }

  /** A table's link or code, or a seat's from another device. @param {string} text */
  async join(text) {
    const game = GAME.exec(text)?.[0], code = codeIn(text);
    if (game) { location.assign(`/table/${game}${code ? `#move=${code}` : ""}`); return; }
    if (!code) { toast(t("lobby.bad-code"), "error"); return; }
    try { location.assign(`/table/${await tableOf(code)}#move=${code}`); } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      complain(error);
    }
  }

  /** @param {string} name @param {boolean} edifice */
  async play(name, edifice) {
    if (this.busy) return;
    this.busy = true;
    this.draw();
    like({ name });
    try {
      location.assign(`/table/${await againstBots({ name, edifice, players: this.players, bot: "builder" })}`);
    } catch (error) {
      if (error instanceof Refused || error instanceof Away) complain(error);
      this.busy = false;
      this.draw();
    }
  }

  draw() {
    const rows = this.rows, mine = rows?.filter((row) => keysOf(row.game).seat) ?? [], others = rows?.filter((row) => !keysOf(row.game).seat) ?? [];
    morph(this, [
      h("section", { class: "hero" },
        h("div", { class: "hero-words" }, h("h1", { text: t("lobby.title") }), h("p", { class: "lead", text: t("lobby.lead") }), h("div", { class: "skyline", "aria-hidden": "true" }, ["gizah", "alexandria", "babylon", "rhodos", "ephesos"].map(drawing))),
        h("form", { class: "quick", data: { form: "play" } },
          h("h2", { text: t("lobby.quick") }),
          h("label", { class: "field" }, h("span", { text: t("lobby.name") }), h("input", { type: "text", name: "name", required: true, maxlength: 40, autocomplete: "nickname", value: likes().name ?? t("lobby.default-name") })),
          h("fieldset", { class: "field" }, h("legend", { text: t("lobby.players") }), h("div", { class: "segments" }, [2, 3, 4, 5, 6, 7].map((n) => h("button", { type: "button", key: n, "aria-pressed": String(this.players === n), data: { act: "players", n }, text: n })))),
          h("label", { class: "check" }, h("input", { type: "checkbox", name: "edifice", checked: true }), h("span", { text: t("lobby.with-edifice") })),
          h("button", { type: "submit", class: "button big", disabled: this.busy, text: t(this.busy ? "lobby.opening" : "lobby.play") }),
          h("p", { class: "note", text: t("lobby.quick-note") }))),
      h("section", { class: "tables", "aria-label": t("lobby.tables") },
        h("div", { class: "section-head" }, h("h2", { text: t("lobby.tables") }), h("a", { class: "button quiet", href: "/new" }, icon("plus"), h("span", { text: t("nav.new") }))),
        rows === null ? h("div", { class: "skeleton skeleton-rows", "aria-hidden": "true" }) : [
          mine.length ? h("ul", { class: "table-list own", key: "own" }, mine.map(entry)) : null,
          others.length ? h("ul", { class: "table-list", key: "others" }, others.map(entry)) : mine.length ? null : h("p", { class: "empty", text: t("lobby.none") })]),
      h("section", { class: "by-code" },
        h("form", { class: "code-form", data: { form: "code" } },
          h("label", { class: "field" }, h("span", { text: t("lobby.code") }), h("input", { type: "text", name: "code", required: true, autocomplete: "off", spellcheck: "false", placeholder: t("lobby.code-hint") })),
          h("button", { type: "submit", class: "button quiet", text: t("lobby.go") })),
        this.before()),
    ]);
  }

  /** Tables of this device that the lobby does not list. */
  before() {
    const listed = new Set((this.rows ?? []).map((row) => row.game));
    const rest = games().filter((game) => keysOf(game).seat && !listed.has(game)).reverse().slice(0, 5);
    return rest.length && this.rows ? h("div", { class: "before" }, h("h3", { text: t("lobby.before") }), h("ul", {}, rest.map((game) => h("li", { key: game }, h("a", { href: `/table/${game}` }, h("code", { text: game.slice(0, 8) }), h("span", { text: ` ${keysOf(game).name ?? ""}` })))))) : null;
  }
}

await open();
customElements.define("wl-lobby", Lobby);
