// Signatures, where the browser has them: Ed25519 by WebCrypto; without HTTPS there is none, and seats play unsigned.
// @ts-check
import { hasSubtle, hex, unhex } from "./secrets.js";

const PKCS8 = unhex("302e020100300506032b657004220420"); // what stands before the 32 bytes of a private key (RFC 8410)
/** @type {Map<string, Promise<CryptoKey>>} */
const keys = new Map();
/** @type {Promise<boolean> | null} */
let able = null;

/** Whether this browser signs and verifies here. @returns {Promise<boolean>} */
export function canSign() {
  able ??= hasSubtle ? crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]).then(() => true, () => false) : Promise.resolve(false);
  return able;
}

/** A new pair, in hex. @returns {Promise<{ private: string, public: string }>} */
export async function newPair() {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]));
  const whole = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  return { private: hex(whole.slice(-32)), public: hex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))) };
}

/** A signature, in hex. @param {string} secret hex @param {Uint8Array} message */
export async function sign(secret, message) {
  const whole = new Uint8Array([...PKCS8, ...unhex(secret)]);
  const key = await crypto.subtle.importKey("pkcs8", whole, "Ed25519", false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("Ed25519", key, /** @type {BufferSource} */ (message))));
}

/** Whether a signature (hex) over a message was made with the private part of a key (hex). @param {string} key @param {Uint8Array} message @param {unknown} signature */
export async function verify(key, message, signature) {
  if (!/^[0-9a-f]{64}$/.test(key) || typeof signature !== "string" || !/^[0-9a-f]{128}$/.test(signature)) return false;
  let found = keys.get(key);
  if (!found) keys.set(key, found = crypto.subtle.importKey("raw", unhex(key), "Ed25519", false, ["verify"]));
  try { return await crypto.subtle.verify("Ed25519", await found, unhex(signature), /** @type {BufferSource} */ (message)); } catch { return false; }
}
