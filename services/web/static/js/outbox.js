// Choices on their way: each keeps its command id until the house has answered, over reloads and lost connections.
// @ts-check
import { Away, Refused, backoff, once } from "./api.js";
import { commandId } from "./secrets.js";
import { keysOf } from "./session.js";

/** @typedef {{ method: string, path: string, who: "seat" | "host", body: any }} Letter body.command_id: its stable id */

export class Outbox {
  /** told: called with each letter's fate. @param {string} game @param {(letter: Letter, answer: any, error: Refused | null) => void} told */
  constructor(game, told) {
    this.name = `wonderlog.outbox.${game}`;
    this.game = game;
    this.told = told;
    this.busy = false;
    this.wake = () => {};
    addEventListener("online", () => this.wake());
    void this.send();
  }

  /** @returns {Letter[]} */
  get letters() {
    try { return JSON.parse(localStorage.getItem(this.name) ?? "[]"); } catch { return []; }
  }

  set letters(letters) {
    if (letters.length) localStorage.setItem(this.name, JSON.stringify(letters)); else localStorage.removeItem(this.name);
  }

  /** Puts a command on its way. @param {string} method @param {string} path @param {any} body @param {"seat" | "host"} [who] */
  post(method, path, body, who = "seat") {
    const letter = { method, path, who, body: { command_id: commandId(), ...body } };
    this.letters = [...this.letters, letter];
    void this.send();
    return letter;
  }

  /** Sends what is there, in order, one at a time; a letter leaves only with an answer. */
  async send() {
    if (this.busy) return;
    this.busy = true;
    for (let attempt = 1; this.letters.length;) {
      const [letter] = this.letters;
      try {
        const answer = await once(letter.method, letter.path, { token: keysOf(this.game)[letter.who], body: letter.body });
        this.done(letter, answer, null);
        attempt = 1;
      } catch (error) {
        if (error instanceof Refused && error.status < 500) { this.done(letter, null, error); continue; }
        if (!(error instanceof Away) && !(error instanceof Refused)) { this.busy = false; throw error; }
        await new Promise((go) => { this.wake = () => go(undefined); setTimeout(go, backoff(attempt)); });
        attempt += 1;
      }
    }
    this.busy = false;
  }

  /** @param {Letter} letter @param {any} answer @param {Refused | null} error */
  done(letter, answer, error) {
    this.letters = this.letters.filter((other) => other.body.command_id !== letter.body.command_id);
    this.told(letter, answer, error);
  }
}
