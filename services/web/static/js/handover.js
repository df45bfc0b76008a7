// Moves a seat to another device: a link whose fragment holds the secrets, short enough for a camera, never sent to a server.
// @ts-check
import { hex, unhex } from "./secrets.js";
import { keep, keysOf } from "./session.js";

/** The secrets and their letters in the link. @type {[("seat" | "entropy" | "host" | "sign"), string][]} */
const LETTERS = [["seat", "s"], ["entropy", "e"], ["host", "h"], ["sign", "k"]];

/** @param {string} secret hex */
const short = (secret) => btoa(String.fromCharCode(...unhex(secret))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {string} text @returns {string} hex */
const long = (text) => hex(Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)));

/** The link that is this device's seat; null without one.  waiting: the game has not begun, so that the part of the deal goes too. @param {string} game @param {boolean} waiting */
export function seatLink(game, waiting) {
  const keys = keysOf(game);
  if (!keys.seat) return null;
  const parts = LETTERS.flatMap(([name, letter]) => { const secret = keys[name]; return secret && (waiting || name !== "entropy") ? [`${letter}=${short(secret)}`] : []; });
  return `${location.origin}/table/${game}#${parts.join("&")}`;
}

/** Takes a seat over that stands in the fragment, and takes it out of the address at once. @param {string} game */
export function takeOver(game) {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.get("s")) return;
  history.replaceState(null, "", location.pathname);
  /** @type {Record<string, string>} */
  const found = {};
  for (const [name, letter] of LETTERS) {
    const text = given.get(letter);
    if (text && /^[A-Za-z0-9_-]{43}$/.test(text)) found[name] = long(text);
  }
  if (found.seat) keep(game, found);
}
