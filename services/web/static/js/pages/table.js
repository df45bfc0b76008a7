// The table: the ring of cities with ours in front, the hand, what was just told, and the sheet at the end.
// @ts-check
import { Away, Refused, ask } from "../api.js";
import { copy } from "../clipboard.js";
import { acting, h, icon, morph, say, toast } from "../dom.js";
import { Finale } from "../finale.js";
import { fit } from "../fit.js";
import { begin, fillWithBots, recommit, reveal, sitDown } from "../gather.js";
import { roman, t } from "../i18n.js";
import { complain } from "../refusals.js";
import { Moving, arrive } from "../moving.js";
import { entitle, toggleNotify, toggleSound, yourTurn } from "../notify.js";
import { called, openQuestion, slots } from "../plays.js";
import { Reveal, worthTelling } from "../reveal.js";
import { commandId, hasSubtle } from "../secrets.js";
import { keep, keysOf, like, likes } from "../session.js";
import { open } from "../shell.js";
import { Sitting } from "../sitting.js";
import { tell } from "../story.js";
import { gathering, table, tools } from "../elements/board.js";
import { sheetOf } from "../elements/sheets.js";

const GAME = document.body.dataset.game ?? "";
/** @returns {import("../elements/hand.js").Picking} */
const FRESH = () => ({ open: null, join: false, option: null, changing: null, sending: false, all: null });

class TablePage extends HTMLElement {
  /** @type {import("../elements/hand.js").Picking} */
  picking = FRESH();
  /** @type {string[]} what was told last */
  justNow = [];
  link = "open";
  busy = false;
  preparing = false;
  /** @type {{ kind: string, city?: number } | null} */
  sheet = null;
  /** @type {any} the table before the reveal that is being told */
  shown = null;
  sitting = new Sitting(GAME, {
    changed: (before, doc, told, lines) => this.changed(before, doc, told, lines),
    state: (state) => { this.link = state; this.head(); },
    refused: (error, letter) => this.refused(error, letter),
    missing: (error) => this.missing(error),
  });
  finale = new Finale(this.sitting, () => this.draw());
  moving = new Moving(GAME, this);

  connectedCallback() {
    this.listen();
    void this.sitting.open();
  }

  /** The table as it is shown: during a reveal still the one before it. */
  get doc() { return this.shown ?? this.sitting.doc; }
  get me() { return this.sitting.me; }

  // ---- what the house tells ---------------------------------------------------------------------------------------
  /** @param {any} before @param {any} doc @param {any[]} told @param {any[]} lines */
  async changed(before, doc, told, lines) {
    const sentences = lines.map((line) => tell(line, (city) => called(doc, city)));
    if (before && sentences.length) this.justNow = sentences;
    const turns = told.filter((one) => one.event.type === "TurnRevealed").length;
    if (before?.cities.length && turns <= 1 && worthTelling(told)) {
      // The face-down cards first lie there for a moment as they were; then the story; then the table as it is now.
      this.shown = before;
      this.picking = FRESH();
      this.draw();
      await new Reveal(before, told, sentences, this.me).play();
      this.shown = null;
    } else if (before && sentences.length) say(sentences.join(" "));
    this.tidy(before, doc);
    this.draw();
    if (!before && this.me !== null && doc.phase !== "over" && !keysOf(GAME).sign) toast(t(hasSubtle ? "menu.unsigned-seat" : "menu.unsigned"));
    if (doc.phase === "gathering") await this.prepare(doc);
    if (doc.phase === "over") void this.finale.show();
    else if (this.sheet?.kind === "score") void this.finale.fetchScore();
  }

  /** Forgets what was being picked when the question is another one. @param {any} before @param {any} doc */
  tidy(before, doc) {
    const moved = !before || before.age !== doc.age || before.turn !== doc.turn || before.phase !== doc.phase;
    const question = openQuestion(doc, this.picking.changing);
    if (moved || !question || (this.picking.open && !slots(question.cards).some((one) => one.slot === this.picking.open))) this.picking = { ...FRESH(), changing: moved ? null : this.picking.changing };
    const waiting = this.sitting.outbox.letters.length > 0;
    this.picking.sending = waiting;
    const asked = Boolean(openQuestion(doc, null)) && !waiting;
    entitle(this.heading());
    yourTurn(asked, this.heading());
  }

  /** The page's title. */
  heading() {
    const { doc } = this;
    return doc?.age && doc.phase !== "over" ? `${t("turn.short", { age: roman(doc.age), turn: doc.turn })} · Wonderlog` : `${t("table.title")} · Wonderlog`;
  }

  /** Our part of what must happen before the start: it is done without being asked. @param {any} doc */
  async prepare(doc) {
    if (this.me === null || this.preparing) return;
    const seat = doc.seats[this.me];
    this.preparing = true;
    try {
      if (doc.gathering.recommit && !seat.committed) await recommit(GAME);
      else if (doc.gathering.revealable && !seat.ready) await reveal(GAME);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
    } finally { this.preparing = false; }
  }

  /** @param {any} error @param {any} letter the command that was refused, if it came from the outbox */
  refused(error, letter) {
    this.picking = FRESH();
    complain(error);
    if (letter) void this.sitting.sync();
    this.draw();
  }

  /** @param {any} error */
  missing(error) {
    morph(this, [h("section", { class: "nothing" }, icon("flag"), h("h2", { text: t(error.reason === "archived" ? "error.archived" : "error.unknown-game") }), h("p", {}, h("a", { href: "/", class: "button", text: t("nav.lobby") })))]);
  }

  // ---- what the player does -----------------------------------------------------------------------------------------
  listen() {
    acting(document.body, {
      lift: (element) => this.lift(element.dataset.slot ?? ""),
      "lay-back": () => this.layBack(),
      option: (element) => { this.picking.option = element.dataset.option ?? null; this.draw(); },
      "all-ways": (element) => { this.picking.all = element.dataset.kind ?? null; this.draw(); },
      play: (element) => this.play(element.dataset),
      change: (element) => { this.picking = { ...FRESH(), changing: Number(element.dataset.city) }; this.draw(); this.focusHand(); },
      "keep-choice": () => { this.picking = FRESH(); this.draw(); },
      withdraw: (element) => this.withdraw(Number(element.dataset.city)),
      "show-city": (element) => this.show({ kind: "city", city: Number(element.dataset.city) }),
      score: () => { void this.finale.fetchScore(); this.show({ kind: "score" }); },
      menu: () => this.show({ kind: "menu" }),
      "close-sheet": () => this.show(null),
      chronicle: () => { like({ chronicle: likes().chronicle === false }); this.draw(); },
      sound: () => { toggleSound(); this.draw(); },
      notify: () => { void toggleNotify().then(() => this.draw()); },
      copy: (element) => { void copy(element.dataset.text ?? "", this.dialog.open ? this.dialog : document.body); },
      fill: (element) => this.doing(() => fillWithBots(GAME, element.dataset.bot ?? "builder")),
      start: () => this.doing(() => begin(GAME)),
      cancel: () => { if (confirm(t("gather.cancel-sure"))) void this.doing(() => ask("DELETE", `/games/${GAME}`, { token: keysOf(GAME).host, body: { command_id: commandId() } })); },
      leave: (element) => this.leave(Number(element.dataset.seat)),
      remove: (element) => this.doing(() => ask("DELETE", `/games/${GAME}/seats/${element.dataset.seat}`, { token: keysOf(GAME).host, body: { command_id: commandId() } })),
      reclaim: () => this.doing(() => this.seat("reclaim")),
      "call-bot": () => this.doing(() => this.seat("bot", { bot: "builder" })),
      abort: () => { if (confirm(t("menu.abort-sure"))) void this.doing(() => ask("POST", `/games/${GAME}/abort`, { token: keysOf(GAME).seat, body: { command_id: commandId() } })); },
      ...this.moving.acts,
      rematch: () => this.doing(async () => { location.assign(`/table/${await this.finale.playAgain(this.doc.seats[this.me ?? 0]?.name ?? t("lobby.default-name"))}`); }),
    });
    this.addEventListener("change", (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      if (input.dataset.act === "join") { this.picking.join = input.checked; this.draw(); }
    });
    this.addEventListener("submit", (event) => { event.preventDefault(); void this.sit(new FormData(/** @type {HTMLFormElement} */ (event.target))); });
    this.addEventListener("keydown", (event) => this.key(event));
    this.moving.listen(this.dialog);
    this.dialog.addEventListener("close", () => { this.sheet = null; });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
  }

  /** @returns {HTMLDialogElement} */
  get dialog() {
    let found = /** @type {HTMLDialogElement | null} */ (document.getElementById("sheet"));
    if (!found) { found = h("dialog", { id: "sheet", class: "sheet" }); document.body.append(/** @type {any} */ (found)); }
    return /** @type {HTMLDialogElement} */ (found);
  }

  /** @param {string} slot */
  lift(slot) {
    const open = this.picking.open === slot ? null : slot;
    this.picking = { ...FRESH(), changing: this.picking.changing, open };
    this.draw();
    this.querySelector(".slot.open")?.scrollIntoView({ block: "nearest", inline: "center", behavior: "auto" });
  }

  layBack() {
    const slot = this.picking.open;
    this.picking = { ...FRESH(), changing: this.picking.changing };
    this.draw();
    /** @type {HTMLElement | null} */ (this.querySelector(`.card[data-slot="${slot}"]`))?.focus();
  }

  focusHand() { /** @type {HTMLElement | null} */ (this.querySelector(".fan .card"))?.focus(); }

  /** @param {DOMStringMap} data */
  play({ kind, card, left, right, participate, option }) {
    const question = openQuestion(this.doc, this.picking.changing);
    if (!question || !kind || this.picking.sending) return;
    /** @type {any} */
    const play = kind === "decline" ? { decline: true } : { [kind]: card };
    if (kind === "build" || kind === "stage") Object.assign(play, { left: Number(left), right: Number(right) });
    if (kind === "stage") Object.assign(play, { participate: participate === "1", ...(option ? { option } : {}) });
    this.sitting.choose(question, play);
    this.picking = { ...FRESH(), sending: true };
    this.draw();
    say(t("laid.sent"));
  }

  /** @param {number} city */
  withdraw(city) {
    const question = this.doc.you.questions.find((/** @type {any} */ one) => one.city === city);
    if (!question) return;
    this.sitting.withdraw(question);
    this.picking = { ...FRESH(), sending: true };
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const element = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.picking.open) { event.preventDefault(); this.layBack(); return; }
    if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) || !element.matches(".slot > .card")) return;
    const cards = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(".fan .slot > button.card")]);
    const at = cards.indexOf(element);
    const next = event.key === "Home" ? 0 : event.key === "End" ? cards.length - 1 : Math.max(0, Math.min(cards.length - 1, at + (event.key === "ArrowLeft" ? -1 : 1)));
    event.preventDefault();
    cards[next].focus();
  }

  /** Does something that the house answers, once at a time, and says what went wrong. @param {() => Promise<any>} what */
  async doing(what) {
    if (this.busy) return;
    this.busy = true;
    this.draw();
    try { await what(); } catch (error) {
      if (error instanceof Refused) this.refused(error, null); else if (error instanceof Away) complain(error); else throw error;
    } finally { this.busy = false; this.draw(); }
  }

  /** @param {string} what @param {any} [more] */
  seat(what, more = {}) { return ask("POST", `/games/${GAME}/seats/${this.me}/${what}`, { token: keysOf(GAME).seat, body: { command_id: commandId(), ...more } }); }

  /** @param {FormData} given */
  sit(given) {
    return this.doing(async () => {
      const wonder = String(given.get("wonder") ?? ""), side = String(given.get("side") ?? "");
      await sitDown(GAME, { name: String(given.get("name")).trim(), ...(wonder ? { wonder } : {}), ...(side ? { side } : {}) });
      await this.sitting.again();
    });
  }

  /** @param {number} seat */
  leave(seat) {
    return this.doing(async () => {
      await ask("DELETE", `/games/${GAME}/seats/${seat}`, { token: keysOf(GAME).seat, body: { command_id: commandId() } });
      keep(GAME, { seat: undefined, entropy: undefined });
      await this.sitting.again();
    });
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------------
  /** @param {{ kind: string, city?: number } | null} sheet */
  show(sheet) {
    this.sheet = sheet;
    if (!sheet) { this.dialog.close(); return; }
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
  }

  draw() {
    const { doc } = this;
    if (!doc) return;
    fit(doc.phase === "over" ? 0 : doc.cities.length);
    this.head();
    if (this.sheet) morph(this.dialog, sheetOf(this.sheet, this));
    if (doc.phase === "gathering" || !doc.cities.length) { morph(this, [gathering(this)]); return; }
    morph(this, [table(this)]);
  }

  head() {
    const place = document.getElementById("site-table");
    if (place) morph(place, tools(this));
  }
}

await open();
await arrive(GAME);
customElements.define("wl-table", TablePage);
