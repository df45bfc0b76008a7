// Opens tables and takes seats: every step has a stable command id, so that it may be repeated until it is done.
// @ts-check
import { ask } from "./api.js";
import { commandId, commitmentTo, hashOf, randomHex } from "./secrets.js";
import { keep, keysOf, like } from "./session.js";
import { seatKey } from "./signing.js";

/** Opens a table; this device is its host. @param {any} options what POST /games takes, without host and command id @returns {Promise<string>} the game */
export async function openTable(options) {
  const host = randomHex(), body = { command_id: commandId(), host: await hashOf(host), ...options };
  const { game } = await ask("POST", "/games", { body });
  keep(game, { host });
  return game;
}

/** Opens the same table again. @param {string} old @param {string} token @returns {Promise<string>} */
export async function openRematch(old, token) {
  const host = randomHex();
  const { game } = await ask("POST", `/games/${old}/rematch`, { token, body: { command_id: commandId(), host: await hashOf(host) } });
  keep(game, { host });
  return game;
}

/** Sits down. @param {string} game @param {{ name: string, seat?: number, wonder?: string, side?: string }} who */
export async function sitDown(game, who) {
  const seat = randomHex(), entropy = randomHex(), key = await seatKey();
  const body = { command_id: commandId(), token: await hashOf(seat), entropy: await commitmentTo(entropy), ...key.told, ...who };
  keep(game, { seat, entropy, name: who.name, sign: key.kept.sign }); // first: a lost answer must not lose the seat
  try { await ask("POST", `/games/${game}/seats`, { body }); } catch (error) {
    keep(game, { seat: undefined, entropy: undefined, sign: undefined });
    throw error;
  }
  like({ name: who.name });
}

/** Gives every free seat to a bot. @param {string} game @param {string} fill */
export const fillWithBots = (game, fill) => ask("POST", `/games/${game}/seats`, { token: keysOf(game).host, body: { command_id: commandId(), fill } });

/** Opens this seat's part of the deal. @param {string} game */
export const reveal = (game) => ask("POST", `/games/${game}/ready`, { token: keysOf(game).seat, body: { command_id: commandId(), entropy: keysOf(game).entropy } });

/** Commits anew, after somebody has left in the middle. @param {string} game */
export async function recommit(game) {
  const entropy = randomHex();
  keep(game, { entropy });
  await ask("POST", `/games/${game}/ready`, { token: keysOf(game).seat, body: { command_id: commandId(), commitment: await commitmentTo(entropy) } });
}

/** @param {string} game */
export const begin = (game) => ask("POST", `/games/${game}/start`, { token: keysOf(game).host, body: { command_id: commandId() } });

/** A whole game against bots, from nothing to the first hand. @param {{ name: string, players: number, edifice: boolean, bot: string }} wish @returns {Promise<string>} */
export async function againstBots({ name, players, edifice, bot }) {
  const game = await openTable({ players, edifice, listed: false });
  await sitDown(game, { name });
  await fillWithBots(game, bot);
  await reveal(game);
  await begin(game);
  return game;
}
