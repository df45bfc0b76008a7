// A game as it is taken home: every event's exact bytes, the links, what may be opened, the signed heads, the edition's data.
// @ts-check
import { Unreadable, unzip } from "./zip.js";

/** @typedef {{ version: number, path: string, nonce: string, bytes: string }} Opening */
/** @typedef {{ version: number, link: string, signature: string }} Head */
/** @typedef {{ manifest: any, events: Uint8Array[], links: string[], openings: Opening[], heads: Head[], catalogue: Uint8Array }} Bundle */

const MEMBERS = ["manifest.json", "events.jsonl", "links.txt", "openings.jsonl", "heads.jsonl", "catalogue.json"];
const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

/** The lines of a member, as bytes without their line feeds. @param {Uint8Array} content */
function lines(content) {
  const found = [];
  let start = 0;
  for (let place = 0; place < content.length; place += 1) if (content[place] === 10) { found.push(content.subarray(start, place)); start = place + 1; }
  if (start < content.length) found.push(content.subarray(start));
  return found;
}

/** Reads a bundle; what it says is not checked yet.  Raises Unreadable. @param {Uint8Array} raw @returns {Bundle} */
export function readBundle(raw) {
  const members = unzip(raw);
  for (const name of MEMBERS) if (!members.has(name)) throw new Unreadable("zip.member", { name });
  const member = (/** @type {string} */ name) => /** @type {Uint8Array} */ (members.get(name));
  const json = (/** @type {string} */ name) => lines(member(name)).map((line) => {
    try { return JSON.parse(text(line)); } catch { throw new Unreadable("zip.member", { name }); }
  });
  const [manifest] = json("manifest.json");
  if (manifest?.format !== "wonderlog/1 bundle" || typeof manifest.game !== "string") throw new Unreadable("zip.format");
  return { manifest, events: lines(member("events.jsonl")), links: lines(member("links.txt")).map(text), openings: json("openings.jsonl"), heads: json("heads.jsonl"), catalogue: member("catalogue.json") };
}
