// Remembers on this device which seats are ours, and how we like our tables.  Secrets never leave it but in a header.
// @ts-check

/** @typedef {{ seat?: string, entropy?: string, host?: string, name?: string, sign?: string }} Keys seat, host: secrets; entropy, sign (the seat's private key): hex */

const KEYS = "wonderlog.keys", LIKES = "wonderlog.likes";

/** @param {string} name @returns {any} */
function read(name) {
  try { return JSON.parse(localStorage.getItem(name) ?? "null") ?? {}; } catch { return {}; }
}

/** @param {string} name @param {any} value */
function write(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* a full or forbidden store: this visit still works */ }
}

/** What this device holds of a game. @param {string} game @returns {Keys} */
export const keysOf = (game) => read(KEYS)[game] ?? {};

/** Every game this device holds something of, the newest last. @returns {string[]} */
export const games = () => Object.keys(read(KEYS));

/** Adds to what is held of a game; undefined forgets. @param {string} game @param {Partial<Keys>} more */
export function keep(game, more) {
  const all = read(KEYS), now = { ...(all[game] ?? {}), ...more };
  delete all[game];
  for (const name of Object.keys(now)) if (now[name] === undefined) delete now[name];
  if (Object.keys(now).length) all[game] = now;
  write(KEYS, all);
}

/** How this visitor likes things: name, sound, notify, chronicle. @returns {any} */
export const likes = () => read(LIKES);

/** @param {Record<string, any>} more */
export const like = (more) => write(LIKES, { ...likes(), ...more });

/** The token to read with: the seat's, else the host's. @param {Keys} keys */
export const reading = (keys) => keys.seat ?? keys.host;

/** A cookie that the server reads: language and theme, nothing else. @param {string} name @param {string} value */
export function cookie(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
