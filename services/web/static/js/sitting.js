// One table as this page knows it: its document, the live events, and the choices on their way; it never needs a reload.
// @ts-check
import { Away, Refused, ask, backoff, once, wait } from "./api.js";
import { unpack } from "./box.js";
import { Live } from "./live.js";
import { Outbox } from "./outbox.js";
import { keep, keysOf, reading } from "./session.js";
import { canSign } from "./ed25519.js";
import { signatures } from "./signing.js";

const TELLING = new Set(["ActionChosen", "ActionWithdrawn", "ExtraChosen", "ExtraWithdrawn", "SeatTimedOut", "ClockExtended"]);

/**
 * @typedef {{
 *   changed: (before: any, doc: any, told: { version: number, event: any }[], lines: any[]) => Promise<void> | void,
 *   state: (state: string) => void, refused: (error: any, letter: any) => void, missing: (error: any) => void }} Listener
 */

export class Sitting {
  /** @param {string} game @param {Listener} listener */
  constructor(game, listener) {
    this.game = game;
    this.listener = listener;
    /** @type {any} */
    this.doc = null;
    /** @type {any} */
    this.chronicle = { chapters: [], version: 0 };
    /** @type {import("./live.js").Line[]} */
    this.lines = [];
    this.link = null;
    this.wanted = 0;
    this.syncing = false;
    this.live = new Live(game, { token: () => this.token, line: (line) => this.heard(line), state: (state) => this.state(state) });
    this.outbox = new Outbox(game, (letter, answer, error) => this.answered(letter, answer, error));
  }

  get keys() { return keysOf(this.game); }
  get token() { return reading(this.keys); }
  /** The viewer's seat, null for a spectator. */
  get me() { return this.doc?.you?.seat ?? null; }

  /** The first look; then live. */
  async open() {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const doc = await once("GET", `/games/${this.game}`, { token: this.token });
        await unpack(doc.ruleset.catalogue);
        await this.look(doc, []);
        this.live.start(Math.max(0, doc.version - 1)); // the last one again, for its link
        return;
      } catch (error) {
        if (error instanceof Refused && error.status === 401 && this.token) { this.forget(); continue; }
        if (!(error instanceof Away)) { this.listener.missing(error); if (error instanceof Refused) return; throw error; }
        this.listener.state("lost");
        await wait(backoff(attempt));
      }
    }
  }

  /** Our secrets are of no use here any more (the seat was left, or taken from us). */
  forget() {
    if (this.keys.seat) keep(this.game, { seat: undefined, entropy: undefined }); else keep(this.game, { host: undefined });
  }

  /** Somebody sat down or stood up here: look with other eyes. */
  async again() {
    this.live.stop();
    await new Promise((go) => { setTimeout(go); });
    this.live = new Live(this.game, { token: () => this.token, line: (line) => this.heard(line), state: (state) => this.state(state) });
    await this.open();
  }

  /** @param {"open" | "lost" | "over" | "stranger"} state */
  state(state) {
    if (state === "stranger") { this.forget(); void this.again(); return; }
    this.listener.state(state);
    if (state === "open" || state === "over") void this.sync();
  }

  /** @param {import("./live.js").Line} line */
  heard(line) {
    this.lines.push(line);
    this.wanted = Math.max(this.wanted, line.version);
    if (this.doc && line.version === this.doc.version) this.link = line.link;
    clearTimeout(this.settling);
    // Events of one append come together; a breath later the table is asked for once.
    this.settling = setTimeout(() => { void this.sync(); }, 25);
  }

  async sync() {
    if (this.syncing || !this.doc) return;
    this.syncing = true;
    try {
      for (let attempt = 1; this.wanted > this.doc.version;) {
        try {
          const doc = await once("GET", `/games/${this.game}?version=${this.wanted}`, { token: this.token });
          attempt = 1;
          if (doc.version > this.doc.version) await this.look(doc, this.lines);
        } catch (error) {
          if (error instanceof Refused && error.status === 401) { this.forget(); void this.again(); return; }
          if (!(error instanceof Away) && !(error instanceof Refused && error.status === 409)) throw error;
          await wait(backoff(attempt));
          attempt += 1;
        }
      }
    } finally { this.syncing = false; }
  }

  /** Takes a document in.  @param {any} doc @param {import("./live.js").Line[]} lines */
  async look(doc, lines) {
    const before = this.doc, from = before?.version ?? doc.version;
    const told = lines.filter((line) => line.version > from && line.version <= doc.version);
    this.lines = this.lines.filter((line) => line.version > doc.version);
    this.link = told.find((line) => line.version === doc.version)?.link ?? null;
    const fresh = !before || told.some((line) => !TELLING.has(line.event.type)) ? await this.tellings(from) : [];
    this.doc = doc;
    await this.listener.changed(before, doc, told, fresh);
  }

  /** The chronicle's new lines. @param {number} from */
  async tellings(from) {
    try {
      this.chronicle = await once("GET", `/games/${this.game}/chronicle`, { token: this.token });
    } catch (error) { if (!(error instanceof Away) && !(error instanceof Refused)) throw error; }
    return this.chronicle.chapters.flatMap((/** @type {any} */ chapter) => chapter.lines).filter((/** @type {any} */ line) => line.version > from);
  }

  /** What the player has before the eyes, for the record of a choice. */
  get seen() { return this.link ? { seen: { version: this.doc.version, link: this.link } } : {}; }

  /** Sends a choice or an answer. @param {any} question @param {any} play */
  choose(question, play) { return this.send("POST", question, play); }

  /** Takes it back. @param {any} question */
  withdraw(question) { return this.send("DELETE", question, null); }

  /** Signed, where the seat has a key. @param {string} method @param {any} question @param {any} play null: taken back */
  async send(method, question, play) {
    const where = question.kind === "choose" ? "choices" : "extras", { doc, keys } = this;
    const body = { age: doc.age, turn: doc.turn, city: question.city, ...play, ...this.seen };
    try {
      if (keys.sign && await canSign()) Object.assign(body, await signatures(keys.sign, doc, question, play, await this.head(doc.version)));
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      this.listener.refused(error, null);
      return;
    }
    this.outbox.post(method, `/games/${this.game}/${where}`, body);
  }

  /** The head of the log at a version, as a signature names it. @param {number} version */
  async head(version) {
    if (this.link && this.doc.version === version) return { version, link: this.link };
    const [line] = await ask("GET", `/games/${this.game}/events?after=${version - 1}&limit=1`, { token: this.token });
    return { version, link: line.link };
  }

  /** @param {any} letter @param {any} answer @param {any} error */
  answered(letter, answer, error) {
    if (error) { this.listener.refused(error, letter); return; }
    this.wanted = Math.max(this.wanted, answer.version);
    void this.sync();
  }
}
