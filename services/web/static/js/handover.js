// Moves a seat to another device by a code that is good once; the house carries what it cannot open.
// @ts-check
import { Away, Refused, ask, houseNow, once, wait } from "./api.js";
import { commandId, utf8 } from "./secrets.js";
import { grouped, keysFrom, newCode, openText, sealText, typed } from "./seat-code.js";
import { keep, keysOf } from "./session.js";

/** What moves with a seat. @type {["seat", "entropy", "host", "sign", "name"]} */
const PARTS = ["seat", "entropy", "host", "sign", "name"];
const LOOK_MS = 1500, PENDING = "wonderlog.claim", GIVING = "wonderlog.giving";

/** The code in a link's fragment, or typed; null if there is none. @param {string} text */
export const codeIn = (text) => typed(/#move=([^&#\s]+)/.exec(text)?.[1] ?? text);

/** The giving side: one code at a time. */
export class Handover {
  /** told: called when something has changed. @param {string} game @param {() => void} told */
  constructor(game, told) {
    this.game = game;
    this.told = told;
    /** @type {"none" | "making" | "open" | "moved"} */
    this.state = "none";
    /** @type {string | null} */
    this.code = null;
    this.ticket = "";
    this.until = 0;
    this.resume();
  }

  get place() { return `${GIVING}.${this.game}`; }

  /** A code that this page had made before it was loaded anew. */
  resume() {
    const { code, ticket, until } = JSON.parse(sessionStorage.getItem(this.place) ?? "{}");
    if (!ticket || until <= houseNow() || !this.token) return;
    Object.assign(this, { code, ticket, until, state: "open" });
    void this.watch(ticket);
  }

  get link() { return `${location.origin}/table/${this.game}#move=${this.code}`; }
  get words() { return this.code ? grouped(this.code) : ""; }
  get path() { return `/games/${this.game}/handovers`; }
  get token() { return keysOf(this.game).seat; }

  /** @param {"none" | "making" | "open" | "moved"} state */
  become(state) {
    this.state = state;
    if (state === "open") sessionStorage.setItem(this.place, JSON.stringify({ code: this.code, ticket: this.ticket, until: this.until }));
    else { this.code = null; sessionStorage.removeItem(this.place); }
    this.told();
  }

  /** Lays the seat down under a new code.  Raises Refused or Away. */
  async give() {
    this.become("making");
    try {
      const code = newCode(), keys = await keysFrom(code), held = keysOf(this.game);
      const text = JSON.stringify(Object.fromEntries(PARTS.map((name) => [name, held[name]])));
      const { until } = await ask("POST", this.path, { token: this.token, body: { command_id: commandId(), ticket: keys.ticket, sealed: await sealText(keys, this.game, text) } });
      Object.assign(this, { code, ticket: keys.ticket, until });
    } catch (error) { this.become("none"); throw error; }
    this.become("open");
    void this.watch(this.ticket);
  }

  /** Until the code was used or has run out. @param {string} ticket */
  async watch(ticket) {
    for (;;) {
      await wait(LOOK_MS);
      if (this.state !== "open" || this.ticket !== ticket) return;
      try {
        const { state } = await once("GET", this.path, { token: this.token });
        if (this.state !== "open" || this.ticket !== ticket) return;
        if (state !== "open") { this.become(state === "taken" ? "moved" : "none"); return; }
      } catch (error) { if (!(error instanceof Away)) { this.become("none"); if (!(error instanceof Refused)) throw error; return; } }
    }
  }

  /** Takes the code back; if somebody was quicker, the seat has moved. */
  async withdraw() {
    const { state } = await ask("DELETE", this.path, { token: this.token, body: { command_id: commandId(), ticket: this.ticket } });
    this.become(state === "taken" ? "moved" : "none");
  }
}

/** At which table a code belongs.  Raises Refused or Away. @param {string} code @returns {Promise<string>} */
export async function tableOf(code) {
  const { ticket } = await keysFrom(code);
  return (await ask("POST", "/handovers/find", { body: { ticket } })).game;
}

/** Takes the seat under a code.  Raises Refused or Away; a lost answer is asked for again, also after a reload. @param {string} game @param {string} code */
export async function takeSeat(game, code) {
  const keys = await keysFrom(code), place = `${PENDING}.${keys.ticket.slice(0, 16)}`;
  const id = sessionStorage.getItem(place) ?? commandId();
  sessionStorage.setItem(place, id);
  const { sealed } = await ask("POST", `/games/${game}/handovers/claim`, { body: { command_id: id, ticket: keys.ticket } });
  const text = await openText(keys, game, sealed);
  if (text === null) throw new Refused(422, { reason: "unknown-code", detail: "What was laid down does not fit its code." });
  const held = JSON.parse(text);
  // Nothing of another seat may stay beside the new one.
  keep(game, Object.fromEntries(PARTS.map((name) => [name, typeof held[name] === "string" && utf8(held[name]).length < 400 ? held[name] : undefined])));
  sessionStorage.removeItem(place);
}

/** Takes the code out of the address at once, before anything else can see it; null if there was none. */
export function codeFromAddress() {
  if (!location.hash.startsWith("#move=")) return null;
  const text = location.hash;
  history.replaceState(null, "", location.pathname);
  return codeIn(text) ?? "";
}
