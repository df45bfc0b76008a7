// The code by which a seat moves: twelve letters that a person can type, and what follows from them (docs/api.md).
// @ts-check
import { pbkdf2 as ownPbkdf2, joined } from "./sha256.js";
import { hasSubtle, hex, hmac, unhex, utf8 } from "./secrets.js";

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's base 32: nothing that looks like something else
const LENGTH = 12, ROUNDS = 8192, TAG = 32;

/** A new code: 60 random bits. */
export const newCode = () => Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => LETTERS[byte % 32]).join("");

/** As it is shown: "AB3D-0F9H-JK2M". @param {string} code */
export const grouped = (code) => (code.match(/.{4}/g) ?? []).join("-");

/** What somebody typed as a code; null if it is none. @param {string} text */
export function typed(text) {
  const code = text.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** @typedef {{ ticket: string, seal: Uint8Array, tag: Uint8Array }} CodeKeys ticket: what the house is told, hex */

/** What follows from a code. @param {string} code @returns {Promise<CodeKeys>} */
export async function keysFrom(code) {
  const root = await stretched(utf8(code), utf8("wonderlog/1 seat code"));
  const [ticket, seal, tag] = await Promise.all(["ticket", "seal", "tag"].map((name) => hmac(root, utf8(name))));
  return { ticket: hex(ticket), seal, tag };
}

/** @param {Uint8Array} code @param {Uint8Array} salt @returns {Promise<Uint8Array>} */
async function stretched(code, salt) {
  if (!hasSubtle) return ownPbkdf2(code, salt, ROUNDS);
  const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (code), "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: /** @type {BufferSource} */ (salt), iterations: ROUNDS }, key, 256));
}

/** The same forwards and backwards.  Each code seals one text only, so that no key stream is used twice. @param {Uint8Array} key @param {Uint8Array} text */
async function streamed(key, text) {
  const out = text.slice();
  for (let block = 0; block * 32 < text.length; block += 1) (await hmac(key, utf8(String(block)))).forEach((byte, i) => { if (block * 32 + i < out.length) out[block * 32 + i] ^= byte; });
  return out;
}

/** @param {CodeKeys} keys @param {string} game @param {Uint8Array} cipher */
const tagOf = (keys, game, cipher) => hmac(keys.tag, joined(utf8(`${game}\n`), cipher));

/** A text that only the code opens, hex. @param {CodeKeys} keys @param {string} game @param {string} text */
export async function sealText(keys, game, text) {
  const cipher = await streamed(keys.seal, utf8(text));
  return hex(joined(await tagOf(keys, game, cipher), cipher));
}

/** The text again; null if it was changed on the way, or belongs to another game. @param {CodeKeys} keys @param {string} game @param {string} sealed */
export async function openText(keys, game, sealed) {
  const bytes = unhex(sealed), cipher = bytes.subarray(TAG), right = await tagOf(keys, game, cipher);
  if (right.reduce((odd, byte, i) => odd | (byte ^ bytes[i]), 0)) return null;
  return new TextDecoder().decode(await streamed(keys.seal, cipher));
}
