// A card: what it costs you at its left, its name on its colour, what it does as a picture, and its chains at the foot.
// @ts-check
import { card as facts } from "../box.js";
import { Island, h, icon } from "../dom.js";
import { nameOf, t, thing } from "../i18n.js";
import { paid } from "../trade.js";
import { costWords, figure, good, pictures, sentence } from "./effect.js";

/** @typedef {{ resource: string, how: string }} Unit */

/** A cost as this city would pay it, unit by unit: own production first, then what is bought, then what is missing. @param {any} cost @param {any} [city] @param {any[]} [cities] @returns {Unit[]} */
function unitsOf(cost, city, cities) {
  const units = city && cities ? paid(cost, city, cities) : [], order = /** @type {Record<string, number>} */ ({ own: 0, bought: 1, missing: 2 });
  return units.length ? units.slice().sort((a, b) => order[a.how] - order[b.how])
    : Object.entries(cost).flatMap(([what, amount]) => (what === "coins" ? [] : Array.from({ length: Number(amount) }, () => ({ resource: what, how: "own" }))));
}

/** @param {any} cost @param {Unit[]} units */
const column = (cost, units) => h("span", { class: ["cost", units.length + (cost.coins ? 1 : 0) > 5 && "many"] },
  units.map(({ resource, how }) => h("span", { class: `unit ${how}` }, good(resource))),
  cost.coins ? figure("coin", cost.coins) : null);

/** The cost as this city would pay it: own production filled, bought units outlined, coins last. @param {any} cost @param {any} [city] @param {any[]} [cities] */
export const costColumn = (cost, city, cities) => column(cost, unitsOf(cost, city, cities));

/** The card in words, for who does not see it. @param {string} id */
export function cardWords(id) {
  const one = facts(id);
  const parts = [nameOf("card", id), t(`kind.${one.type}`), t("card.costs", { cost: costWords(one.cost) }), sentence(one.effects)];
  if (one.free_from.length) parts.push(t("card.free-from", { cards: one.free_from.map(thing).join(", ") }));
  if (one.allows.length) parts.push(t("card.leads-to", { cards: one.allows.map(thing).join(", ") }));
  return `${parts.join(". ")}.`;
}

/** @type {Map<string, Element>} */
const faces = new Map();

/** The face of a card.  Copied where it was drawn before with the same price. @param {string} id @param {{ city?: any, cities?: any[], ribbon?: string | null }} [more] @returns {any} */
export function face(id, { city, cities, ribbon } = {}) {
  const units = unitsOf(facts(id).cost, city, cities), key = `${id} ${units.map(({ resource, how }) => `${how} ${resource}`)} ${ribbon ?? ""}`;
  let made = faces.get(key);
  if (!made) faces.set(key, made = /** @type {Element} */ (front(id, units, ribbon)));
  return made.cloneNode(true);
}

/** @param {string} id @param {Unit[]} units @param {string | null} [ribbon] */
function front(id, units, ribbon) {
  const one = facts(id);
  const long = nameOf("card", id).length > 15;
  return h("span", { class: ["face", `type-${one.type}`, !Object.keys(one.cost).length && "costless"] },
    h("span", { class: "edge", "aria-hidden": "true" }),
    h("span", { class: ["banner", long && "long"] }, icon(one.type), h("span", { class: "name", text: nameOf("card", id) })),
    column(one.cost, units),
    h("span", { class: `picture n${one.effects.length}` }, pictures(one.effects)),
    ribbon ? h("span", { class: "ribbon", text: ribbon }) : null,
    h("span", { class: "foot" },
      one.free_from.length ? h("span", { class: "from" }, icon("chain"), h("span", { text: one.free_from.map(thing).join(", ") })) : null,
      one.allows.length ? h("span", { class: "to" }, icon("right"), h("span", { text: one.allows.map(thing).join(", ") })) : null),
    h("span", { class: "age", text: ["", "I", "II", "III"][one.age], "aria-hidden": "true" }));
}

/** The back of a card of an Age. @param {number} age */
export const back = (age) => h("span", { class: "face back" }, icon("brand"), h("span", { class: "age", text: ["", "I", "II", "III"][age] }));

/** @type {Map<string, Element>} */
const banners = new Map();

/** A building in a city: its banner only, with the rest on hover or focus.  Copied, for it looks the same everywhere. @param {string} id @returns {any} */
export function building(id) {
  let made = banners.get(id);
  if (!made) banners.set(id, made = /** @type {Element} */ (banner(id)));
  return made.cloneNode(true);
}

/** @param {string} id */
function banner(id) {
  const one = facts(id);
  return h("li", { class: `building type-${one.type}`, key: id, title: cardWords(id) },
    h("span", { class: "edge", "aria-hidden": "true" }), icon(one.type), h("span", { class: "name", text: nameOf("card", id) }),
    h("span", { class: "small-picture", "aria-hidden": "true" }, pictures(one.effects)));
}

/** `<wl-card>`: a card that only lies there.  view: an id, or { back: age }. */
class Card extends Island {
  draw(/** @type {any} */ view) {
    return typeof view === "string" ? h("span", { class: "card still", title: cardWords(view) }, face(view)) : h("span", { class: "card still" }, back(view.back));
  }
}
customElements.define("wl-card", Card);
