// The ring of a replay: the table as it was at a version, of which a step draws only what has changed.
// @ts-check
import { h, icon, morph } from "./dom.js";
import { t } from "./i18n.js";
import { called } from "./plays.js";
import "./elements/city.js";
import { awaited } from "./elements/middle.js";
import { fillLot } from "./elements/open-hands.js";

const NONE = /** @type {string[]} */ ([]);

export class SeenTable {
  constructor() {
    this.ring = h("div", { class: "replay-table" });
    /** @type {Map<any, any[]>} */
    this.shown = new Map();
    this.front = 0;
    this.laid = "";
    /** @type {any[]} */
    this.places = [];
    /** @type {any[]} */
    this.lots = [];
  }

  /** Draws a part anew if something that it shows is another one than before. @param {any} part @param {any[]} depends @param {() => void} redraw */
  give(part, depends, redraw) {
    const before = this.shown.get(part);
    if (before && before.every((one, place) => one === depends[place])) return;
    this.shown.set(part, depends);
    redraw();
  }

  /** Only what is different is drawn: a step must be done within a frame. @param {any} doc */
  draw(doc) {
    if (!doc.cities.length) { this.gathering(doc); return; }
    const me = doc.you?.seat ?? null, n = doc.cities.length, front = me ?? Math.min(this.front, n - 1), key = `${n}-${front}-${me}-${doc.open ? 1 : 0}`;
    if (this.laid !== key) { this.lay(doc, front); this.laid = key; }
    for (const element of this.places) this.city(doc, element, me);
    const { middle, hand } = this;
    this.give(middle, [doc.age, doc.turn, doc.phase, doc.edifice, doc.discard.count, doc.conflicts, doc.free_city, doc.closed], () => { middle.view = { doc, me }; });
    const words = middle.querySelector(".awaited > span"), waiting = awaited(doc, me);
    if (words.textContent !== waiting) words.textContent = waiting;
    if (hand) { const city = doc.cities[front]; this.give(hand, [doc.you, doc.edifice, city.coins, city.built, city.stages, ...[city, doc.cities[city.left], doc.cities[city.right]].map((one) => one.produces)], () => { hand.view = { doc }; }); }
    this.lots.forEach((lot, city) => {
      const free = doc.cities[city].free, laid = doc.open.chosen.find((/** @type {any} */ one) => one.city === city), cards = free ? (doc.open.drawn ? [doc.open.drawn] : NONE) : doc.open.hands[city];
      this.give(lot, [free ? doc.open.drawn : cards, laid?.card, laid?.kind], () => fillLot(lot, called(doc, city), cards, laid));
    });
  }

  /** A city, if anything that it shows is new; it looks itself which of its parts that is. @param {any} doc @param {any} element @param {number | null} me */
  city(doc, element, me) {
    const { place, how } = element.dataset, city = doc.cities[place];
    const beside = how === "own" ? [doc.cities[city.left].produces, doc.cities[city.right].produces] : how === "far" || me === null ? [] : [doc.cities[me].buys];
    const seen = Object.keys(city).filter((key) => key !== "hand_size").map((key) => city[key]);
    const asked = doc.awaiting.find((/** @type {any} */ one) => one.city === city.city);
    this.give(element, [...seen, ...beside, Boolean(asked), asked?.chosen, doc.seats[place]], () => { element.view = { doc, city: Number(place), me, how }; });
  }

  /** Before the start: who sits there. @param {any} doc */
  gathering(doc) {
    this.laid = "gathering";
    morph(this.ring, [h("div", { class: "replay-chairs", key: "chairs" }, h("h2", { text: t("chronicle-part.gathering") }), h("ol", {}, doc.seats.map((/** @type {any} */ seat) => h("li", { class: seat.taken ? "" : "free", key: seat.seat }, icon(seat.bot ? "bot" : seat.taken ? "person" : "chair"), h("b", { text: seat.taken ? seat.name ?? t("seat.n", { n: seat.seat + 1 }) : t("gather.free") }), seat.taken ? h("span", { class: "note", text: t(seat.ready ? "gather.ready" : "gather.sitting") }) : null))))]);
  }

  /** Puts the elements of the ring in their places; their views come after. @param {any} doc @param {number} front */
  lay(doc, front) {
    const n = doc.cities.length, { left, right } = doc.cities[front], far = Array.from({ length: n - 3 }, (_, place) => (front + 2 + place) % n);
    const put = (/** @type {string} */ tag, /** @type {number} */ place, /** @type {string} */ how) => h(tag, { class: tag === "wl-city" ? `area-${how}` : null, data: { place, how } });
    const away = far.map((place) => put("wl-plaque", place, "far")), near = [put("wl-city", left, "left"), put("wl-city", right, "right"), put("wl-city", front, "own")];
    this.shown = new Map();
    this.places = [...away, ...near];
    this.middle = h("wl-middle", { class: "area-middle" });
    this.hand = doc.you ? h("wl-seen-hand") : null;
    this.lots = doc.open ? doc.cities.map(() => h("section", { class: "lot" })) : [];
    this.ring.replaceChildren(h("div", { class: ["table", `of-${n}`, away.length && "has-far"] },
      away.length ? h("div", { class: "area-far" }, away) : null, near[0], this.middle, near[1], near[2],
      this.hand ? h("div", { class: "area-hand" }, this.hand) : null, this.lots.length ? h("div", { class: "area-hand open-hands" }, this.lots) : null));
  }
}
