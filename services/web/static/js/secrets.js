// Makes the secrets that prove who sits where, and their hashes, which are all that the house ever learns.
// @ts-check
import { hmac as ownHmac, sha256 as ownSha256 } from "./sha256.js";

/** Whether the browser's own cryptography may be used here; not on a local network without HTTPS. */
export const hasSubtle = Boolean(globalThis.crypto?.subtle);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);

/** Random bytes as hex; 32 unless told. */
export const randomHex = (bytes = 32) => hex(crypto.getRandomValues(new Uint8Array(bytes)));

/** A new id for a command. */
export const commandId = () => randomHex(12);

/** @param {Uint8Array} data @returns {Promise<Uint8Array>} */
export async function sha256(data) {
  return hasSubtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (data))) : ownSha256(data);
}

/** @param {Uint8Array} key @param {Uint8Array} data @returns {Promise<Uint8Array>} */
export async function hmac(key, data) {
  if (!hasSubtle) return ownHmac(key, data);
  const made = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, /** @type {BufferSource} */ (data)));
}

/** SHA-256 (hex) of a secret's characters: what the house knows of it. @param {string} secret */
export const hashOf = async (secret) => hex(await sha256(utf8(secret)));

/** SHA-256 (hex) of bytes given as hex: the commitment to a seat's part of the deal. @param {string} bytes */
export const commitmentTo = async (bytes) => hex(await sha256(unhex(bytes)));
