// The replay: any moment of a game, with the eyes of whoever sat there, or with every card open once it is over.
// @ts-check
import { Away, Refused, ask } from "../api.js";
import { unpack } from "../box.js";
import { acting, h, icon, morph, s, toast } from "../dom.js";
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
import { title } from "../elements/city.js";
import { awaited } from "../elements/middle.js";
import { fillLot } from "../elements/open-hands.js";
import "../elements/score.js";

const GAME = document.body.dataset.game ?? "";
const NONE = /** @type {string[]} */ ([]);
const FIGURES = ["totals", "coins", "shields"], SPEEDS = [1, 2, 4, 8];
/** How long a moment is looked at, in ms at speed 1; what is not named: the first one. */
const PACE = /** @type {Record<string, number>} */ ({ "": 420, ActionChosen: 90, ExtraChosen: 160, TurnRevealed: 700, HandsPassed: 700, ConflictsResolved: 1500, AgeDealt: 1100, CoinsPaid: 240, CoinsReceived: 240, SeatTaken: 200, EntropyRevealed: 90 });

/** Drawn here: no other page needs them. @param {string} d */
const sign = (d) => s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d, fill: "currentColor" }));
const SIGNS = { play: "M8 5v14l11-7z", pause: "M7 5h4v14H7zM13 5h4v14h-4z", next: "M7 5v14l9-7zM16 5h2.4v14H16z", back: "M17 5v14l-9-7zM8 5H5.6v14H8z", "turn-next": "M4 5v14l8-7zM12 5v14l8-7z", "turn-back": "M20 5v14l-8-7zM12 5v14l-8-7z" };

class Replay extends HTMLElement {
  connectedCallback() {
    this.documents = /** @type {any[]} */ ([null]);
    this.version = 0;
    this.speed = 1;
    this.figure = "totals";
    this.front = 0;
    this.sheet = null;
    this.score = null;
    /** @type {any} */
    this.playing = null;
    this.whose = keysOf(GAME).seat ? "" : "table"; // "": our own seat
    /** @type {Map<HTMLElement, any[]>} */
    this.shown = new Map();
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
      const [told, moments, chronicle] = await Promise.all([this.eyes(), this.fetch("moments"), this.fetch("chronicle")]);
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
      this.tell();
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
    this.ring = h("div", { class: "replay-table" });
    this.beside = h("aside", { class: "replay-said", "aria-label": t("chronicle.title") });
    this.moment = h("p", { class: "moment-words", "aria-live": "off" });
    this.legend = h("ul", { class: "legend" });
    this.control = h("div", { class: "controls", role: "group", "aria-label": t("replay.controls") });
    this.top = h("div", { class: "replay-top" });
    this.replaceChildren(this.top, h("div", { class: "replay-main" }, this.ring, this.beside), h("section", { class: "replay-panel", "aria-label": t("replay.panel") }, h("div", { class: "panel-head" }, this.moment, this.legend), this.view.node, this.control));
    const button = (/** @type {string} */ act, /** @type {Node} */ picture, /** @type {string} */ label) => h("button", { type: "button", class: "tool", data: { act }, "aria-label": label, title: label }, picture);
    this.control.append(
      button("turn-back", sign(SIGNS["turn-back"]), t("replay.turn-back")), button("back", sign(SIGNS.back), t("replay.back")),
      h("button", { type: "button", class: "tool play", data: { act: "play" }, "aria-label": t("replay.play"), title: t("replay.play") }, sign(SIGNS.play)),
      button("next", sign(SIGNS.next), t("replay.next")), button("turn-next", sign(SIGNS["turn-next"]), t("replay.turn-next")),
      h("label", { class: "speed" }, h("span", { class: "sr-only", text: t("replay.speed") }), h("select", { autocomplete: "off", title: t("replay.speed") }, SPEEDS.map((one) => h("option", { value: one, text: `${one}×` })))),
      h("div", { class: "segments figures", role: "group", "aria-label": t("replay.figures") }, FIGURES.map((one) => h("button", { type: "button", data: { act: "figure", figure: one }, "aria-pressed": String(one === this.figure), text: t(`replay.${one}`) }))));
    this.control.querySelector("select")?.addEventListener("change", (/** @type {any} */ event) => { this.speed = Number(event.target.value); });
    this.who();
    this.tell();
    this.listen();
    this.front = doc.you?.seat ?? 0;
  }

  /** Whose eyes, and where else to go. */
  who() {
    const doc = this.documents.at(-1), mine = keysOf(GAME).seat ? String(this.documents[1].you?.seat ?? "") : null;
    const now = this.whose === "" ? String(this.documents[1].you?.seat ?? "table") : this.whose;
    const eyes = [["table", t("replay.as-table")]];
    doc.seats.forEach((/** @type {any} */ seat) => { if (this.closed || String(seat.seat) === mine || (this.whose === "" && seat.seat === doc.you?.seat)) eyes.push([String(seat.seat), seat.name ?? t("seat.n", { n: seat.seat + 1 })]); });
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
      this.front = this.documents.at(-1).you?.seat ?? this.front;
      this.go(Math.min(this.version, moments));
    } catch (error) {
      this.whose = before;
      toast(error instanceof Refused ? t("replay.not-yet") : t("error.away"), "error");
      this.who();
    }
  }

  /** The chronicle, each sentence a way back to its moment. */
  tell() {
    let chapter = "";
    const list = h("ol", { class: "scroll", tabindex: "0", "aria-label": t("chronicle.title") });
    this.said = this.sayings.map(({ version, text }) => {
      const { age, turn } = this.ruler.span(version), title = age ? t("turn.short", { age: roman(age), turn }) : t("chronicle-part.gathering");
      if (title !== chapter) { chapter = title; list.append(h("li", { class: "said-title" }, h("h3", { text: title }))); }
      const line = h("li", {}, h("button", { type: "button", class: "said", data: { act: "go", version }, text }));
      list.append(line);
      return { version, line };
    });
    this.beside.replaceChildren(h("h2", {}, icon("book"), h("span", { text: t("chronicle.title") })), list);
    this.scroll = list;
    this.line = null;
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
      "show-city": (element) => { const city = Number(element.dataset.city); if (this.me === null) { this.front = city; this.go(this.version); } else this.show({ kind: "city", city }); },
      score: () => { void this.fetch("score").then((score) => { this.score = score; this.show({ kind: "score" }); }); },
      "close-sheet": () => this.dialog.close(),
      "copy-moment": () => { void this.copy(); },
      stress: (element) => { this.front = Number(element.dataset.city); if (this.me === null) this.go(this.version); },
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
    this.toggled();
  }

  pause() { if (!this.playing) return; clearTimeout(this.playing); this.playing = null; this.toggled(); }

  toggled() {
    const button = this.control.querySelector(".play"), label = t(this.playing ? "replay.pause" : "replay.play");
    button.replaceChildren(sign(this.playing ? SIGNS.pause : SIGNS.play));
    button.setAttribute("aria-label", label);
    button.setAttribute("title", label);
  }

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
    for (const one of this.control.querySelectorAll("[data-figure]")) one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.figure === figure));
    this.view.show(figure, this.version);
    this.draw();
  }

  /** @param {any} sheet */
  show(sheet) { this.sheet = sheet; morph(this.dialog, sheetOf(sheet, this)); if (!this.dialog.open) this.dialog.showModal(); }

  /** @returns {HTMLDialogElement} */
  get dialog() {
    let found = /** @type {HTMLDialogElement | null} */ (document.getElementById("sheet"));
    if (!found) { found = h("dialog", { id: "sheet", class: "sheet" }); document.body.append(/** @type {any} */ (found)); }
    return /** @type {HTMLDialogElement} */ (found);
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------------
  draw() {
    const { doc } = this, { age, turn } = this.ruler.span(this.version);
    this.cities(doc);
    this.said_now();
    const title = age ? t("turn.short", { age: roman(age), turn }) : t("chronicle-part.gathering"), words = this.words;
    morph(this.moment, [h("b", { text: title }), h("span", { text: words })]);
    this.view.at(this.version, `${title}. ${words}`);
    this.figures();
  }

  /** What the event of this moment says; of a quiet one the last that spoke. */
  get words() {
    let low = 0, high = this.sayings.length - 1;
    while (low < high) { const middle = (low + high + 1) >> 1; if (this.sayings[middle].version <= this.version) low = middle; else high = middle - 1; }
    return this.sayings[low]?.version <= this.version ? this.sayings[low].text : "";
  }

  said_now() {
    let now = null;
    for (const one of this.said) { if (one.version > this.version) break; now = one.line; }
    if (now === this.line) return;
    this.line?.classList.remove("now");
    this.line?.firstElementChild?.removeAttribute("aria-current");
    now?.classList.add("now");
    now?.firstElementChild?.setAttribute("aria-current", "true");
    this.line = now;
    clearTimeout(this.scrolling);
    this.scrolling = setTimeout(() => { if (this.line && !this.scroll.matches(":hover")) this.scroll.scrollTop = this.line.offsetTop - this.scroll.clientHeight / 2; }, 90); // once, after the last of many steps
  }

  figures() {
    const values = this.moments[this.version - 1][this.figure], doc = this.documents.at(-1);
    if (this.legend.children.length !== doc.cities.length) this.legend.replaceChildren(...doc.cities.map((/** @type {any} */ _, /** @type {number} */ city) => h("li", {}, h("button", { type: "button", class: `key city-${city}`, data: { act: "stress", city }, title: nameOf("wonder", doc.cities[city].wonder) }, s("svg", { class: "swatch", viewBox: "0 0 22 8", "aria-hidden": "true" }, s("path", { class: `line city-${city}`, d: "M0 4H22" })), h("span", { text: called(doc, city) }), h("b", {})))));
    [...this.legend.querySelectorAll("b")].forEach((place, city) => { const text = values[city] === undefined ? "–" : String(values[city]); if (place.textContent !== text) place.textContent = text; });
  }

  /** Draws a part anew if something that it shows is another one than before. @param {any} part @param {any[]} depends @param {() => void} redraw */
  give(part, depends, redraw) {
    const before = this.shown.get(part);
    if (before && before.every((one, place) => one === depends[place])) return;
    this.shown.set(part, depends);
    redraw();
  }

  /** Only what is different is drawn: a step must be done within a frame. @param {any} doc */
  cities(doc) {
    if (!doc.cities.length) { this.gathering(doc); return; }
    const me = this.me, n = doc.cities.length, front = me ?? Math.min(this.front, n - 1), key = `${n}-${front}-${me}-${doc.open ? 1 : 0}`;
    if (this.laid !== key) { this.lay(doc, front); this.laid = key; }
    for (const element of this.places) this.city(doc, element, me);
    const { middle, hand } = this;
    this.give(middle, [doc.age, doc.turn, doc.phase, doc.edifice, doc.discard.count, doc.conflicts, doc.free_city, doc.closed], () => { middle.view = { doc, me }; });
    const words = middle.querySelector(".awaited > span"), waiting = awaited(doc, me);
    if (words.textContent !== waiting) words.textContent = waiting;
    if (hand) { const city = doc.cities[front]; this.give(hand, [doc.you, doc.edifice, city.coins, city.built, city.stages, ...[city, doc.cities[city.left], doc.cities[city.right]].map((one) => one.produces)], () => { hand.view = { doc }; }); }
    this.lots.forEach((lot, city) => {
      const free = doc.cities[city].free, laid = doc.open.chosen.find((/** @type {any} */ one) => one.city === city), cards = free ? (doc.open.drawn ? [doc.open.drawn] : NONE) : doc.open.hands[city];
      this.give(lot, [free ? doc.open.drawn : cards, laid?.card, laid?.kind], () => fillLot(lot, called(doc, city), cards, laid));
    });
  }

  /** A city, or only its title where nothing but its choice is new. @param {any} doc @param {any} element @param {number | null} me */
  city(doc, element, me) {
    const { place, how } = element.dataset, city = doc.cities[place];
    const own = how === "own" ? [doc.cities[city.left].produces, doc.cities[city.right].produces] : how === "far" || me === null ? [] : [doc.cities[me].buys];
    const seen = Object.keys(city).filter((key) => key !== "hand_size").map((key) => city[key]);
    const asked = doc.awaiting.find((/** @type {any} */ one) => one.city === city.city), seat = doc.seats[place];
    this.give(element, [...seen, ...own], () => { element.view = { doc, city: Number(place), me, how }; this.shown.set(element.querySelector(".city-title"), [asked?.chosen, seat]); });
    const head = element.querySelector(".city-title");
    const fresh = [asked?.chosen, seat], before = this.shown.get(head);
    if (before && before[0] === fresh[0] && before[1] === fresh[1]) return;
    const now = title(city, doc, me);
    head.replaceWith(now);
    this.shown.set(now, fresh);
  }

  /** Before the start: who sits there. @param {any} doc */
  gathering(doc) {
    this.laid = "gathering";
    morph(this.ring, [h("div", { class: "replay-chairs", key: "chairs" }, h("h2", { text: t("chronicle-part.gathering") }), h("ol", {}, doc.seats.map((/** @type {any} */ seat) => h("li", { class: seat.taken ? "" : "free", key: seat.seat }, icon(seat.bot ? "bot" : seat.taken ? "person" : "chair"), h("b", { text: seat.taken ? seat.name ?? t("seat.n", { n: seat.seat + 1 }) : t("gather.free") }), seat.taken ? h("span", { class: "note", text: t(seat.ready ? "gather.ready" : "gather.sitting") }) : null))))]);
  }

  /** Puts the elements of the ring in their places; their views come after. @param {any} doc @param {number} front */
  lay(doc, front) {
    const n = doc.cities.length, { left, right } = doc.cities[front], far = Array.from({ length: n - 3 }, (_, place) => (front + 2 + place) % n);
    const put = (/** @type {string} */ tag, /** @type {number} */ place, /** @type {string} */ how) => h(tag, { class: tag === "wl-city" ? `area-${how}` : null, data: { place, how } });
    const away = far.map((place) => put("wl-plaque", place, "far")), near = [put("wl-city", left, "left"), put("wl-city", right, "right"), put("wl-city", front, "own")];
    this.shown = new Map();
    this.places = [...away, ...near];
    this.middle = h("wl-middle", { class: "area-middle" });
    this.hand = doc.you ? h("wl-seen-hand") : null;
    this.lots = doc.open ? doc.cities.map(() => h("section", { class: "lot" })) : [];
    this.ring.replaceChildren(h("div", { class: ["table", `of-${n}`, away.length && "has-far"] },
      away.length ? h("div", { class: "area-far" }, away) : null, near[0], this.middle, near[1], near[2],
      this.hand ? h("div", { class: "area-hand" }, this.hand) : null, this.lots.length ? h("div", { class: "area-hand open-hands" }, this.lots) : null));
  }
}

await open();
customElements.define("wl-replay", Replay);
