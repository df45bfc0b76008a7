// The ring as it lies on the table: who sits where, seen from one chair.
// @ts-check
import { h } from "../dom.js";
import "./city.js";
import "./middle.js";

/**
 * The table seen from a city: it in front, its neighbours at the sides, the farther ones along the top.
 * @param {any} doc @param {{ front: number, me: number | null, key?: string, more?: string[], ending?: any, hand?: any, side?: any }} seen
 */
export function ring(doc, { front, me, key = "table", more = [], ending = null, hand = null, side = null }) {
  const n = doc.cities.length, { left, right } = doc.cities[front];
  const far = Array.from({ length: n - 3 }, (_, place) => (front + 2 + place) % n);
  const city = (/** @type {number} */ place, /** @type {string} */ how) => h("wl-city", { class: `area-${how}`, ".view": { doc, city: place, me, how }, key: `${how}-${place}` });
  return h("div", { class: ["table", `of-${n}`, far.length && "has-far", side && "has-aside", `phase-${doc.phase}`, ...more], key },
    far.length ? h("div", { class: "area-far", key: "far" }, far.map((place) => h("wl-plaque", { ".view": { doc, city: place, me }, key: `far-${place}` }))) : null,
    city(left, "left"),
    h("wl-middle", { class: "area-middle", ".view": { doc, me }, key: "middle" }),
    city(right, "right"),
    ending,
    city(front, "own"),
    hand,
    side);
}
