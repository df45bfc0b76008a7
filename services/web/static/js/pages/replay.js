// The replay: any moment of a game, with the eyes of whoever sat there, or with every card open once it is over.
// @ts-check
import { Away, Refused, ask } from "../api.js";
import { unpack } from "../box.js";
import { acting, h, icon, morph, s, toast } from "../dom.js";
import { controls, toggled } from "../elements/controls.js";
import { fit } from "../fit.js";
import { unfold } from "../frames.js";
import { nameOf, roman, t } from "../i18n.js";
import { Live } from "../live.js";
import { Ruler } from "../moments.js";
import { called } from "../plays.js";
import { keep, keysOf, reading } from "../session.js";
import { open } from "../shell.js";
import { tell } from "../story.js";
import { RulerView } from "../elements/ruler.js";
import { sheetOf } from "../elements/sheets.js";
import { Said } from "../elements/said.js";
import { SeenTable } from "../seen-table.js";
import "../elements/score.js";

const GAME = document.body.dataset.game ?? "";
const FIGURES = /** @type {Record<string, string>} */ ({ totals: "points", coins: "coin", shields: "shield" });
/** How long a moment is looked at, in ms at speed 1; what is not named: the first one. */
const PACE = /** @type {Record<string, number>} */ ({ "": 420, ActionChosen: 90, ExtraChosen: 160, TurnRevealed: 700, HandsPassed: 700, ConflictsResolved: 1500, AgeDealt: 1100, CoinsPaid: 240, CoinsReceived: 240, SeatTaken: 200, EntropyRevealed: 90 });

class Replay extends HTMLElement {
  connectedCallback() {
    this.documents = /** @type {any[]} */ ([null]);
    this.version = 0;
    this.speed = 1;
    this.figure = "totals";
    this.score = null;
    /** @type {any} */
    this.playing = null;
    this.whose = keysOf(GAME).seat ? "" : "table"; // "": our own seat
    void this.begin();
  }

  get token() { return reading(keysOf(GAME)); }
  get doc() { return this.documents[this.version]; }
  get me() { return this.doc?.you?.seat ?? null; }

  // ---- what the house knows -----------------------------------------------------------------------------------------
  /** @param {string} path @returns {Promise<any>} */
  async fetch(path) {
    try { return await ask("GET", `/games/${GAME}/${path}`, { token: this.token }); } catch (error) {
      if (!(error instanceof Refused && error.status === 401 && this.token)) throw error;
      keep(GAME, keysOf(GAME).seat ? { seat: undefined } : { host: undefined });
      if (this.whose === "") this.whose = "table";
      return this.fetch(path);
    }
  }

  frames(after = 0) { return this.fetch(`frames?after=${after}${this.whose ? `&as=${this.whose}` : ""}`); }

  async begin() {
    const words = new URLSearchParams(location.hash.slice(1)), wanted = words.get("as");
    if (wanted && /^(table|all|[0-6])$/.test(wanted)) this.whose = wanted;
    try {
      const [told, moments, chronicle, own] = await Promise.all([this.eyes(), this.fetch("moments"), this.fetch("chronicle"), keysOf(GAME).seat ? this.fetch("replay?at=1") : null]);
      this.mine = own?.you?.seat ?? null;
      this.documents = unfold(told.frames);
      this.take(moments.slice(0, this.documents.length - 1), chronicle);
      await unpack(this.documents[1].ruleset.catalogue);
      this.build();
      this.go(this.ruler.find(words) ?? this.ruler.last, false);
      this.ready = true;
      addEventListener("hashchange", () => this.named());
      if (!this.closed) this.live();
    } catch (error) { this.missing(error); }
  }

  /** The frames of the eyes that were asked for; of the spectator's if they are not ours to use. */
  async eyes() {
    try { return await this.frames(); } catch (error) {
      if (!(error instanceof Refused) || !["not-open-yet", "unknown-seat"].includes(error.reason) || this.whose === "table") throw error;
      toast(t("replay.not-yet"), "error");
      this.whose = keysOf(GAME).seat ? "" : "table";
      return this.frames();
    }
  }

  /** @param {any[]} moments @param {any} chronicle */
  take(moments, chronicle) {
    this.ruler = new Ruler(moments);
    this.moments = moments;
    const last = this.documents.at(-1);
    this.closed = Boolean(last.closed);
    /** @type {{ version: number, text: string }[]} */
    this.sayings = chronicle.chapters.flatMap((/** @type {any} */ chapter) => chapter.lines).map((/** @type {any} */ line) => ({ version: line.version, text: tell(line, (city) => called(last, city)) })).sort((/** @type {any} */ a, /** @type {any} */ b) => a.version - b.version);
  }

  /** A running game grows. */
  live() {
    const live = new Live(GAME, { token: () => this.token, state: () => {}, line: () => { clearTimeout(this.settling); this.settling = setTimeout(() => { void this.grow(); }, 200); } });
    live.start(this.ruler.last);
    this.hearing = live;
  }

  async grow() {
    const known = this.documents.length - 1, atEnd = this.version === known;
    try {
      const [told, moments, chronicle] = await Promise.all([this.frames(known), this.fetch("moments"), this.fetch("chronicle")]);
      if (!told.frames.length || this.documents.length - 1 !== known) return;
      this.documents = unfold(told.frames, this.documents);
      this.take(moments.slice(0, this.documents.length - 1), chronicle);
      this.view.set(this.ruler);
      this.said.set(this.sayings, this.ruler);
      this.who();
      this.go(atEnd ? this.ruler.last : this.version, false);
    } catch (error) { if (!(error instanceof Away) && !(error instanceof Refused)) throw error; }
  }

  /** @param {any} error */
  missing(error) {
    const text = error instanceof Refused ? t(error.reason === "archived" ? "error.archived" : "error.unknown-game") : t("error.away");
    if (!(error instanceof Refused) && !(error instanceof Away)) console.error(error);
    morph(this, [h("section", { class: "nothing" }, icon("flag"), h("h2", { text }), h("p", {}, h("a", { href: "/", class: "button", text: t("nav.lobby") })))]);
  }

  // ---- the page -----------------------------------------------------------------------------------------------------
  build() {
    const doc = this.documents[this.ruler.last];
    this.view = new RulerView((version) => { this.pause(); this.go(version); });
    this.view.set(this.ruler);
    this.table = new SeenTable();
    this.said = new Said();
    this.moment = h("p", { class: "moment-words", "aria-live": "off" });
    this.legend = h("ul", { class: "legend" });
    this.control = controls((speed) => { this.speed = speed; });
    this.figures = h("div", { class: "segments figures", role: "group", "aria-label": t("replay.figures") }, Object.keys(FIGURES).map((one) => h("button", { type: "button", data: { act: "figure", figure: one }, "aria-pressed": String(one === this.figure), title: t(`replay.${one}`) }, icon(FIGURES[one]), h("span", { text: t(`replay.${one}`) }))));
    this.top = h("div", { class: "replay-top" });
    this.replaceChildren(this.top, h("div", { class: "replay-main" }, this.table.ring, this.said.node), h("section", { class: "replay-panel", "aria-label": t("replay.panel") }, h("div", { class: "panel-head" }, this.control, this.moment, this.figures), this.view.node, this.legend));
    this.who();
    this.said.set(this.sayings, this.ruler);
    this.listen();
    this.table.front = doc.you?.seat ?? 0;
  }

  /** Whose eyes, and where else to go. */
  who() {
    const doc = this.documents.at(-1), now = this.whose === "" ? String(this.mine ?? "table") : this.whose;
    const eyes = [["table", t("replay.as-table")]];
    doc.seats.forEach((/** @type {any} */ seat) => { if (this.closed || seat.seat === this.mine) eyes.push([String(seat.seat), seat.name ?? t("seat.n", { n: seat.seat + 1 })]); });
    if (this.closed && doc.cities.length) eyes.push(["all", t("replay.as-all")]);
    this.top.replaceChildren(
      h("h1", { class: "display", text: t("replay.title") }),
      h("label", { class: "eyes" }, icon("eye"), h("span", { text: t("replay.as") }), h("select", { autocomplete: "off", on: { change: (/** @type {any} */ event) => { void this.look(event.target.value); } } }, eyes.map(([value, text]) => h("option", { value, text, selected: value === now })))),
      h("p", { class: "row replay-links" },
        doc.result ? h("button", { type: "button", class: "link", data: { act: "score" } }, icon("score"), h("span", { text: t("score.title") })) : null,
        h("a", { class: "link", href: `/table/${GAME}` }, icon("cards"), h("span", { text: t("table.title") })),
        h("a", { class: "link", href: `/audit/${GAME}` }, icon("audit"), h("span", { text: t("end.audit") })),
        h("button", { type: "button", class: "link", data: { act: "copy-moment" } }, icon("copy"), h("span", { text: t("replay.copy") }))));
  }

  /** Looks with other eyes at the same moment. @param {string} whose */
  async look(whose) {
    const before = this.whose;
    this.whose = whose;
    try {
      this.documents = unfold((await this.frames()).frames);
      const moments = this.documents.length - 1;
      if (moments < this.ruler.last) this.ruler = new Ruler(this.moments.slice(0, moments));
      this.table.front = this.documents.at(-1).you?.seat ?? this.table.front;
      this.go(Math.min(this.version, moments));
    } catch (error) {
      this.whose = before;
      toast(error instanceof Refused ? t("replay.not-yet") : t("error.away"), "error");
      this.who();
    }
  }

  listen() {
    acting(document.body, {
      play: () => (this.playing ? this.pause() : this.play()),
      next: () => { this.pause(); this.go(this.version + 1); },
      back: () => { this.pause(); this.go(this.version - 1); },
      "turn-next": () => { this.pause(); this.go(this.ruler.turn(this.version, 1)); },
      "turn-back": () => { this.pause(); this.go(this.ruler.turn(this.version, -1)); },
      figure: (element) => this.plot(element.dataset.figure ?? "totals"),
      go: (element) => { this.pause(); this.go(Number(element.dataset.version)); },
      "show-city": (element) => { const city = Number(element.dataset.city); if (this.me === null) { this.table.front = city; this.go(this.version); } else this.show({ kind: "city", city }); },
      score: () => { void this.fetch("score").then((score) => { this.score = score; this.show({ kind: "score" }); }); },
      "close-sheet": () => this.dialog.close(),
      "copy-moment": () => { void this.copy(); },
      stress: (element) => { this.table.front = Number(element.dataset.city); if (this.me === null) this.go(this.version); },
    });
    document.addEventListener("keydown", (event) => this.key(event));
    for (const [kind, on] of /** @type {[string, boolean][]} */ ([["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]])) {
      this.legend.addEventListener(kind, (/** @type {Event} */ event) => { const line = /** @type {Element} */ (event.target).closest("[data-city]"); this.view.stress(on && line instanceof HTMLElement ? Number(line.dataset.city) : null); });
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const element = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open || element.matches("input, select, textarea")) return;
    if (event.key === " ") { if (element.matches("button, a, summary")) return; event.preventDefault(); if (this.playing) this.pause(); else this.play(); return; }
    const wide = event.shiftKey, steps = /** @type {Record<string, () => number>} */ ({
      ArrowRight: () => (wide ? this.ruler.turn(this.version, 1) : this.version + 1), ArrowLeft: () => (wide ? this.ruler.turn(this.version, -1) : this.version - 1),
      PageDown: () => this.ruler.turn(this.version, 1), PageUp: () => this.ruler.turn(this.version, -1), Home: () => 1, End: () => this.ruler.last });
    const scrolls = element.closest(".scroll") && !event.key.startsWith("ArrowL") && !event.key.startsWith("ArrowR");
    if (!(event.key in steps) || scrolls) return;
    event.preventDefault();
    this.pause();
    this.go(steps[event.key]());
  }

  // ---- moving ---------------------------------------------------------------------------------------------------------
  play() {
    if (this.version >= this.ruler.last) this.go(1);
    const step = () => {
      if (this.version >= this.ruler.last) { this.pause(); return; }
      this.go(this.version + 1);
      this.playing = setTimeout(step, (PACE[this.moments[this.version - 1].type] ?? PACE[""]) / this.speed);
    };
    this.playing = setTimeout(step, 60);
    toggled(this.control, Boolean(this.playing));
  }

  pause() { if (!this.playing) return; clearTimeout(this.playing); this.playing = null; toggled(this.control, Boolean(this.playing)); }

  /** The address was changed by hand or by a link. */
  named() {
    const words = new URLSearchParams(location.hash.slice(1)), version = this.ruler.find(words), whose = words.get("as");
    const move = () => { if (version !== null && version !== this.version) { this.pause(); this.go(version); } };
    if (whose && whose !== (this.whose || String(this.me ?? "table")) && /^(table|all|[0-6])$/.test(whose)) void this.look(whose).then(() => { this.who(); move(); }); else move();
  }

  /** The address of the moment. */
  get address() { return `#${this.ruler.name(this.version)}&as=${this.whose || (this.me ?? "table")}`; }

  async copy() {
    history.replaceState(null, "", this.address);
    try { await navigator.clipboard.writeText(location.href); toast(t("gather.copied")); } catch { toast(location.href); }
  }

  /** Shows a version. @param {number} version */
  go(version, named = true) {
    this.version = Math.max(1, Math.min(this.ruler.last, version));
    this.draw();
    if (!named) return;
    clearTimeout(this.naming);
    this.naming = setTimeout(() => history.replaceState(null, "", this.address), 120); // browsers allow few changes a second
  }

  /** Another figure over the ruler. @param {string} figure */
  plot(figure) {
    this.figure = figure;
    for (const one of this.figures.querySelectorAll("[data-figure]")) one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.figure === figure));
    this.view.show(figure, this.version);
    this.draw();
  }

  /** @param {any} sheet */
  show(sheet) { morph(this.dialog, sheetOf(sheet, this)); if (!this.dialog.open) this.dialog.showModal(); }

  /** @returns {HTMLDialogElement} */
  get dialog() {
    let found = /** @type {HTMLDialogElement | null} */ (document.getElementById("sheet"));
    if (!found) { found = h("dialog", { id: "sheet", class: "sheet" }); document.body.append(/** @type {any} */ (found)); }
    return /** @type {HTMLDialogElement} */ (found);
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------------
  draw() {
    const { doc } = this, { age, turn } = this.ruler.span(this.version);
    fit(doc.cities.length, "replay");
    this.table.draw(doc);
    const title = age ? t("turn.short", { age: roman(age), turn }) : t("chronicle-part.gathering"), words = this.said.at(this.version);
    morph(this.moment, [h("b", { text: title }), h("span", { text: words })]);
    this.view.at(this.version, `${title}. ${words}`);
    this.values();
  }

  /** What each city has now of what the lines show. */
  values() {
    const values = this.moments[this.version - 1][this.figure], doc = this.documents.at(-1);
    if (this.legend.children.length !== doc.cities.length) this.legend.replaceChildren(...doc.cities.map((/** @type {any} */ _, /** @type {number} */ city) => h("li", {}, h("button", { type: "button", class: `key city-${city}`, data: { act: "stress", city }, title: nameOf("wonder", doc.cities[city].wonder) }, s("svg", { class: "swatch", viewBox: "0 0 22 8", "aria-hidden": "true" }, s("path", { class: `line city-${city}`, d: "M0 4H22" })), h("span", { text: called(doc, city) }), h("b", {})))));
    [...this.legend.querySelectorAll("b")].forEach((place, city) => { const text = values[city] === undefined ? "–" : String(values[city]); if (place.textContent !== text) place.textContent = text; });
  }

}

await open();
customElements.define("wl-replay", Replay);
