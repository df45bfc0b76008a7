// Checks a bundle from its raw bytes, event by event: links, seals, keys, entropies, signatures, receipts.  It trusts no word of the house.
// @ts-check
import { canSign, verify } from "./ed25519.js";
import { hex, hmac, sha256, unhex, utf8 } from "./secrets.js";
import { joined } from "./sha256.js";
import { hostMessage, message } from "./signing.js";

/** @typedef {{ key: string, values?: Record<string, any> }} Fault what does not hold: the key of a sentence and what goes into it */
/** @typedef {{ version: number, event: any, link: string, faults: Fault[], opened: { path: string, bytes: string }[] }} Entry */

const HEADED = new Set(["AgeDealt", "ExtraAsked", "HandsPassed", "AgeEnded", "EdificeEvaluated", "GameClosed"]);
const MOVES = new Set(["ActionChosen", "ExtraChosen", "ActionWithdrawn", "ExtraWithdrawn"]);
const decode = (/** @type {Uint8Array} */ bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

/** @template T @param {T[]} list @param {(one: T) => number} by @returns {Map<number, T[]>} */
function grouped(list, by) {
  /** @type {Map<number, T[]>} */
  const found = new Map();
  for (const one of list) { const key = by(one); const there = found.get(key); if (there) there.push(one); else found.set(key, [one]); }
  return found;
}

export class Check {
  /** @param {import("./bundle.js").Bundle} bundle @param {import("./receipts.js").Receipt[]} receipts that this device kept @param {string | null} hostKey as this house tells it, null for a game from elsewhere */
  constructor(bundle, receipts, hostKey) {
    this.bundle = bundle;
    this.game = bundle.manifest.game;
    this.receipts = grouped(receipts, (one) => one.version);
    this.hostKey = hostKey ?? bundle.manifest.host_key;
    this.told = hostKey;
    this.openings = grouped(bundle.openings, (one) => one.version);
    this.heads = grouped(bundle.heads, (one) => one.version);
    this.counted = { events: 0, seals: 0, signatures: 0, heads: 0, receipts: 0 };
    /** @type {Map<string, { seal: string, readers?: number[] }>} */
    this.seals = new Map();
    this.unopened = new Set();
    /** @type {Map<number, { entropy: string | null, key: string | null }>} */
    this.seats = new Map();
    /** @type {Uint8Array | null} */
    this.secret = null;
    this.commitment = null;
    this.at = 0;
    this.signs = false;
  }

  /** Every event in turn, with what does not hold of it. @returns {AsyncGenerator<Entry>} */
  async *entries() {
    const { bundle } = this;
    this.signs = await canSign();
    await this.published();
    let before = await sha256(utf8(`wonderlog/1${this.game}`));
    for (const [place, bytes] of bundle.events.entries()) {
      const version = place + 1, recorded = bundle.links[place] ?? "", link = hex(await sha256(joined(before, bytes)));
      /** @type {Entry} */
      const entry = { version, event: null, link: recorded || link, faults: [], opened: [] };
      if (link !== recorded) entry.faults.push({ key: "link", values: { recorded: recorded.slice(0, 12) || "–", link: link.slice(0, 12) } });
      before = /^[0-9a-f]{64}$/.test(recorded) ? unhex(recorded) : unhex(link); // each event is held against the link before it: one change is one break
      await this.event(entry, bytes);
      this.counted.events += 1;
      yield entry;
    }
  }

  /** The game's key, if its last event publishes it. */
  async published() {
    try {
      const last = JSON.parse(decode(this.bundle.events.at(-1) ?? new Uint8Array()));
      if (last.type === "GameClosed" && /^[0-9a-f]{64}$/.test(last.key)) this.secret = unhex(last.key);
    } catch { /* said at that event */ }
  }

  /** @param {Entry} entry @param {Uint8Array} bytes */
  async event(entry, bytes) {
    const { version, faults } = entry;
    try { entry.event = JSON.parse(decode(bytes)); } catch { faults.push({ key: "json" }); return; }
    const event = entry.event;
    if (event.at < this.at) faults.push({ key: "time" });
    this.at = event.at;
    if ((version === 1) !== (event.type === "GameOpened") || (version === 1 && event.game !== this.game)) faults.push({ key: "first" });
    this.sealed(version, event);
    for (const opening of this.openings.get(version) ?? []) await this.opening(entry, opening);
    for (const opening of event.openings ?? []) await this.opening(entry, opening);
    await this.commitments(entry);
    await this.host(entry);
    if (MOVES.has(event.type)) await this.move(entry);
  }

  /** Notes every seal in an event. @param {number} version @param {any} event */
  sealed(version, event) {
    for (const [name, value] of Object.entries(event)) {
      const several = Array.isArray(value) ? value.map((one, place) => [`${name}/${place}`, one]) : [[name, value]];
      for (const [path, one] of several) if (one && typeof one.seal === "string") {
        this.seals.set(`${version}/${path}`, one);
        if (one.readers) this.unopened.add(`${version}/${path}`);
      }
    }
  }

  /** One seal that is opened. @param {Entry} entry @param {import("./bundle.js").Opening} opening */
  async opening(entry, { version, path, nonce, bytes }) {
    const place = `${version}/${path}`, sealed = this.seals.get(place);
    if (!sealed) { entry.faults.push({ key: "no-seal", values: { version, path } }); return; }
    this.counted.seals += 1;
    this.unopened.delete(place);
    const seal = hex(await hmac(unhex(nonce), utf8(`${this.game}\n${version}\n${path}\n${bytes}`)));
    if (seal !== sealed.seal) entry.faults.push({ key: "seal", values: { version, path } });
    else if (this.secret && sealed.readers && hex(await hmac(this.secret, utf8(`nonce\n${version}\n${path}`))) !== nonce) entry.faults.push({ key: "nonce", values: { version, path } });
    entry.opened.push({ path: version === entry.version ? path : place, bytes });
  }

  /** What was committed to first and shown later: the game's key and each seat's part of the deal. @param {Entry} entry */
  async commitments({ event, faults }) {
    if (event.type === "GameOpened") this.commitment = event.key;
    if (event.type === "SeatTaken") this.seats.set(event.seat, { entropy: event.entropy, key: event.public_key ?? null });
    if (event.type === "EntropyCommitted") this.seats.set(event.seat, { entropy: event.entropy, key: this.seats.get(event.seat)?.key ?? null });
    if (event.type === "EntropyRevealed") {
      const seat = this.seats.get(event.seat);
      if (!event.derived) { if (!seat?.entropy || hex(await sha256(unhex(event.entropy))) !== seat.entropy) faults.push({ key: "entropy", values: { seat: event.seat } }); }
      else if (this.secret && hex(await hmac(this.secret, utf8(`entropy\n${event.seat}`))) !== event.entropy) faults.push({ key: "entropy", values: { seat: event.seat } });
    }
    if (event.type === "GameClosed" && (!this.secret || hex(await sha256(this.secret)) !== this.commitment)) faults.push({ key: "key" });
  }

  /** What the host signed of this version: heads in the bundle, receipts on this device. @param {Entry} entry */
  async host({ version, event, link, faults }) {
    const heads = this.heads.get(version) ?? [];
    if (HEADED.has(event.type) && this.bundle.manifest.host_key && !heads.length) faults.push({ key: "no-head" });
    const signed = /** @type {[("head" | "receipt"), any][]} */ ([...heads.map((one) => ["head", one]), ...(this.receipts.get(version) ?? []).map((one) => ["receipt", one])]);
    for (const [kind, one] of signed) {
      this.counted[/** @type {"heads"} */ (`${kind}s`)] += 1;
      const fits = !this.signs || !this.hostKey || await verify(this.hostKey, hostMessage(kind, this.game, one.version, one.link), one.signature);
      if (!fits) faults.push({ key: `${kind}-signature` });
      else if (one.link !== link) faults.push({ key: `${kind}-link`, values: { kept: one.link.slice(0, 12), link: link.slice(0, 12) } });
    }
  }

  /** A seat's move: the head that it saw, and its signatures as far as they are open. @param {Entry} entry */
  async move({ version, event, faults }) {
    const { seen } = event, key = this.seats.get(event.seat)?.key;
    if (seen && (seen.version >= version || this.bundle.links[seen.version - 1] !== seen.link)) faults.push({ key: "seen", values: { version: seen.version } });
    if (!key || !event.by.startsWith("seat:") || !seen || !this.signs) return;
    const asked = { game: this.game, seat: event.seat, city: event.city, age: event.age, turn: event.turn, question: event.question ?? "", number: event.number, seen };
    const wanted = /** @type {[Uint8Array, unknown][]} */ ([]);
    if ("signature" in event) wanted.push([message("withdraw", asked), event.signature]);
    for (const what of /** @type {const} */ (["act", "card"])) {
      const opened = (this.openings.get(version) ?? []).find((one) => one.path === what);
      const parts = opened && /^(.*),"signature":(?:"([0-9a-f]*)"|null)\}$/.exec(opened.bytes);
      if (opened) wanted.push([message(what, asked, parts ? `${parts[1]}}` : opened.bytes), parts?.[2]]);
    }
    for (const [text, signature] of wanted) {
      this.counted.signatures += 1;
      if (!await verify(key, text, signature)) { faults.push({ key: "signature", values: { seat: event.seat } }); return; }
    }
  }

  /** What does not hold of the bundle as a whole; ask after the last event. @returns {Promise<Fault[]>} */
  async whole() {
    const { manifest, events, links, catalogue, openings, heads } = this.bundle, faults = /** @type {Fault[]} */ ([]);
    if (manifest.versions !== events.length || links.length !== events.length) faults.push({ key: "count", values: { said: manifest.versions, events: events.length, links: links.length } });
    if (manifest.link !== links.at(-1)) faults.push({ key: "head" });
    let opened = null, last = null;
    try { opened = JSON.parse(decode(events[0])); last = JSON.parse(decode(/** @type {Uint8Array} */ (events.at(-1)))); } catch { /* said at those events */ }
    if (opened && (hex(await sha256(catalogue)) !== opened.catalogue || manifest.catalogue !== opened.catalogue)) faults.push({ key: "catalogue" });
    if (last && manifest.closed !== (last.type === "GameClosed" ? last.reason : null)) faults.push({ key: "closed" });
    if (this.told && manifest.host_key !== this.told) faults.push({ key: "host-key" });
    if (openings.some((one) => one.version > events.length) || heads.some((one) => one.version > events.length)) faults.push({ key: "beyond" });
    const later = [...this.receipts.keys()].filter((version) => version > events.length);
    if (later.length) faults.push({ key: "receipt-later", values: { version: Math.max(...later), events: events.length } });
    if (manifest.viewer === "everything" && this.unopened.size) faults.push({ key: "unopened", values: { n: this.unopened.size } });
    return faults;
  }
}
