// What a city makes of a cost by itself and what it must buy: only for drawing and for words; the house decides.
// @ts-check
import { MADE, RAW } from "./box.js";

/** @param {any} cost @returns {string[]} the cost unit by unit, without coins */
export function unitsOf(cost) {
  return [...RAW, ...MADE].flatMap((resource) => Array.from({ length: cost[resource] ?? 0 }, () => resource));
}

/** @param {any[]} produces @param {boolean} [soldOnly] @returns {string[][]} */
const spread = (produces, soldOnly = false) =>
  produces.filter((unit) => !soldOnly || unit.sold).flatMap((unit) => Array.from({ length: unit.amount }, () => unit.any_of));

/** Matches units of a cost with sources, own ones as many as possible, then bought ones. @param {string[]} needs @param {string[][]} own @param {string[][]} bought @returns {number[]} for each need its source or -1 */
export function matched(needs, own, bought) {
  const sources = [...own, ...bought], of = sources.map(() => -1);
  /** @param {number} need @param {Set<number>} seen @param {number} limit @returns {boolean} */
  const place = (need, seen, limit) => {
    for (let source = 0; source < limit; source += 1) {
      if (seen.has(source) || !sources[source].includes(needs[need])) continue;
      seen.add(source);
      if (of[source] < 0 || place(of[source], seen, limit)) { of[source] = need; return true; }
    }
    return false;
  };
  needs.forEach((_, need) => place(need, new Set(), own.length));
  // A source that is used stays used when others join, so the own ones stay as many as they can be.
  needs.forEach((_, need) => { if (!of.includes(need)) place(need, new Set(), sources.length); });
  return needs.map((_, need) => of.indexOf(need));
}

/**
 * How a cost looks for a city: each unit "own", "bought" or "missing" (nobody sells it).
 * @param {any} cost @param {any} city @param {any[]} cities
 * @returns {{ resource: string, how: "own" | "bought" | "missing" }[]}
 */
export function paid(cost, city, cities) {
  const needs = unitsOf(cost), own = spread(city.produces);
  const bought = [...spread(cities[city.left].produces, true), ...spread(cities[city.right].produces, true)];
  return matched(needs, own, bought).map((source, place) => ({
    resource: needs[place],
    how: source < 0 ? "missing" : source < own.length ? "own" : "bought",
  }));
}

/** The fewest coins at which neighbours would complete a cost, or null. Only rough: prices are taken unit by unit. @param {any} cost @param {any} city @param {any[]} cities */
export function price(cost, city, cities) {
  const units = paid(cost, city, cities);
  if (units.some((unit) => unit.how === "missing")) return null;
  let coins = cost.coins ?? 0;
  for (const { resource, how } of units) {
    if (how !== "bought") continue;
    const kind = RAW.includes(resource) ? "raw" : "manufactured";
    const sells = (/** @type {number} */ other) => cities[other].produces.some((/** @type {any} */ unit) => unit.sold && unit.any_of.includes(resource));
    const prices = [sells(city.left) ? city.buys.left[kind] : 99, sells(city.right) ? city.buys.right[kind] : 99];
    coins += Math.min(...prices);
  }
  return coins;
}
