// Keeps the house's signed receipts on this device: with one of them, a log that was changed behind it is found out.
// @ts-check

/** @typedef {{ game: string, version: number, link: string, at: number, signature?: string }} Receipt */

const MOST = 300;
const place = (/** @type {string} */ game) => `wonderlog.receipts.${game}`;

/** What this device kept of a game, the oldest first. @param {string} game @returns {Receipt[]} */
export function receiptsOf(game) {
  try { const found = JSON.parse(localStorage.getItem(place(game)) ?? "[]"); return Array.isArray(found) ? found : []; } catch { return []; }
}

/** Keeps an answer, if it is a signed receipt. @param {any} answer */
export function keepReceipt(answer) {
  if (!answer || typeof answer.game !== "string" || typeof answer.link !== "string" || !answer.signature) return;
  const { game, version, link, at, signature } = answer;
  const before = receiptsOf(game);
  if (before.some((one) => one.version === version && one.link === link)) return;
  try { localStorage.setItem(place(game), JSON.stringify([...before, { game, version, link, at, signature }].slice(-MOST))); } catch { /* a full or forbidden store: the game goes on without */ }
}
