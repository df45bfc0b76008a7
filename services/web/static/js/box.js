// What every card, board and project does, as the edition on the table has it.
// @ts-check

/** @type {any} */
let box = { cards: {}, wonders: {}, projects: {} };

/** Fetches an edition; the current one unless a digest is given. @param {string} [digest] */
export async function unpack(digest) {
  if (box.digest && (!digest || box.digest === digest)) return;
  const answer = await fetch(digest ? `/box/${digest}.json` : document.body.dataset.box ?? "");
  box = await answer.json();
  /** @type {Record<string, string>} */
  const order = {};
  Object.keys(box.cards).forEach((id, place) => { order[id] = String(place).padStart(3, "0"); });
  box.order = order;
}

/** @param {string} id */
export const card = (id) => box.cards[id];
/** @param {string} id */
export const project = (id) => box.projects[id];
/** @param {string} wonder @param {string} side */
export const board = (wonder, side) => box.wonders[wonder]?.[side];
export const wonders = () => Object.keys(box.wonders);
/** @param {string} id */
export const orderOf = (id) => box.order[id] ?? "999";

export const TYPES = ["raw", "manufactured", "civilian", "commercial", "scientific", "military", "guild"];
export const RAW = ["wood", "stone", "clay", "ore"];
export const MADE = ["glass", "loom", "papyrus"];
