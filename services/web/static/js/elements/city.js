// A city: its board with the stages as steps, its buildings by type, its coins, shields, science and conflict tokens.
// @ts-check
import { TYPES, card as facts, orderOf } from "../box.js";
import { Island, drawing, h, icon } from "../dom.js";
import { nameOf, t, tn, roman, thing } from "../i18n.js";
import { building, costColumn } from "./card.js";
import { costWords, figure, good, pictures, sentence } from "./effect.js";

/** @param {string} name @param {any} value @param {string} label @param {string} [more] */
const number = (name, value, label, more = "") => h("li", { class: `num n-${name} ${more}`, title: label }, icon(name), h("b", { text: value, "aria-hidden": "true" }), h("span", { class: "sr-only", text: label }));

/** Coins, shields, science, tokens in one line. @param {any} city */
export function numbers(city) {
  const won = city.tokens.filter((/** @type {number} */ one) => one > 0), lost = city.tokens.filter((/** @type {number} */ one) => one < 0);
  const sum = city.tokens.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
  const symbols = ["compass", "gear", "tablet"].filter((one) => city.symbols[one]);
  return h("ul", { class: "numbers" },
    number("coin", city.coins, tn("coins", city.coins)),
    number("shield", city.shields, tn("shields", city.shields)),
    symbols.map((one) => number(one, city.symbols[one], `${nameOf("symbol", one)}: ${city.symbols[one]}`, "is-symbol")),
    city.symbols.any ? number("gear", `+${city.symbols.any}`, t("city.any-symbol", { n: city.symbols.any }), "is-symbol any") : null,
    won.length || lost.length
      ? h("li", { class: "num n-tokens", title: t("city.tokens", { won: won.length, lost: lost.length, points: tn("points", sum) }) }, icon(sum < 0 ? "defeat" : "victory"), h("b", { text: sum > 0 ? `+${sum}` : sum, "aria-hidden": "true" }), h("span", { class: "sr-only", text: t("city.tokens", { won: won.length, lost: lost.length, points: tn("points", sum) }) }))
      : null,
    city.participates.map((/** @type {number} */ age) => h("li", { class: "num n-part", title: t("city.participates", { age: roman(age) }) }, icon("token"), h("b", { text: roman(age), "aria-hidden": "true" }), h("span", { class: "sr-only", text: t("city.participates", { age: roman(age) }) }))),
    city.debts.map((/** @type {number} */ debt) => number("debt", debt, t("city.debt", { points: tn("points", debt) }))),
    city.rewards.map((/** @type {string} */ one) => h("li", { class: "num n-reward", title: t("city.reward", { project: nameOf("project", one) }) }, icon("project"), h("span", { class: "sr-only", text: t("city.reward", { project: nameOf("project", one) }) }))));
}

/** The stages of the board as steps. @param {any} city @param {any[]} [cities] @param {boolean} [small] */
export function steps(city, cities, small = false) {
  return h("ol", { class: ["steps", small && "small"], "aria-label": t("city.stages", { built: city.stages, of: city.board.length }) },
    city.board.map((/** @type {any} */ stage) => {
      const effects = stage.option ? stage.effects.flatMap((/** @type {any} */ one) => (one.kind === "one_of" ? one.options[stage.option] : [one])) : stage.effects;
      const words = `${t("stage.n", { n: stage.number })}: ${sentence(effects)}. ${stage.built ? t("stage.built") : t("card.costs", { cost: costWords(stage.cost) })}.`;
      return h("li", { class: ["step", stage.built && "built", stage.number === city.stages + 1 && "next"], title: words, key: stage.number, vars: { "--step": stage.number } },
        h("span", { class: "sr-only", text: words }),
        h("span", { class: "step-body", "aria-hidden": "true" },
          small ? (stage.built ? icon("check") : h("b", { text: stage.number })) : [h("span", { class: "picture" }, pictures(effects)), stage.built ? icon("check") : costColumn(stage.cost, city, cities)]));
    }));
}

/** What the city makes each turn, source by source. @param {any} city @param {boolean} sold only what neighbours may buy */
export const goods = (city, sold) => h("ul", { class: "goods", "aria-label": t(sold ? "city.sells" : "city.produces") },
  city.produces.filter((/** @type {any} */ unit) => !sold || unit.sold).map((/** @type {any} */ unit, /** @type {number} */ place) => {
    const words = `${unit.amount > 1 ? `${unit.amount} × ` : ""}${unit.any_of.map((/** @type {string} */ one) => nameOf("resource", one)).join(` ${t("word.or")} `)} (${unit.source === "board" ? nameOf("wonder", city.wonder) : unit.source.startsWith("stage:") ? t("stage.n", { n: unit.source.slice(6) }) : thing(unit.source)}${unit.sold ? "" : `, ${t("city.not-sold")}`})`;
    return h("li", { class: ["made", !unit.sold && "own-only"], key: `${unit.source}-${place}`, title: words },
      h("span", { class: "sr-only", text: words }),
      h("span", { "aria-hidden": "true" }, Array.from({ length: unit.amount }, () => unit.any_of.map((/** @type {string} */ one, /** @type {number} */ at) => [at ? h("i", { text: "/" }) : null, good(one)]))));
  }));

/** Buildings in columns by type. @param {any} city @param {string[]} types */
export const columns = (city, types) => types.map((type) => {
  const built = city.built.filter((/** @type {string} */ id) => facts(id).type === type).sort((/** @type {string} */ a, /** @type {string} */ b) => orderOf(a).localeCompare(orderOf(b)));
  return built.length ? h("ul", { class: `column type-${type}`, key: type, "aria-label": nameOf("type", type) }, built.map(building)) : null;
});

/** Who it is and what is asked of it now. @param {any} city @param {any} doc @param {number | null} me */
export function title(city, doc, me) {
  const seat = doc.seats[city.city];
  const asked = doc.awaiting.find((/** @type {any} */ one) => one.city === city.city);
  const name = city.free ? t("free-city.name") : city.name;
  return h("header", { class: "city-title" },
    h("span", { class: "who" },
      city.free ? icon("flag") : seat?.bot || seat?.stand_in ? icon("bot", t("seat.bot")) : icon("person"),
      h("b", { text: name }),
      city.city === me ? h("span", { class: "you", text: t("seat.you") }) : null,
      seat?.stand_in ? h("span", { class: "note", text: t("seat.stand-in") }) : null),
    h("span", { class: "board-name", text: `${nameOf("wonder", city.wonder)} · ${t(`side.${city.side}`)}` }),
    asked ? h("span", { class: ["asked", asked.chosen ? "chosen" : "waiting"], title: t(asked.chosen ? "seat.has-chosen" : "seat.is-choosing") },
      h("span", { class: "tiny-back", "aria-hidden": "true" }, asked.chosen ? icon("check") : h("i")), h("span", { class: "sr-only", text: t(asked.chosen ? "seat.has-chosen" : "seat.is-choosing") })) : null);
}

/** What a title depends on. @param {any} doc @param {number} place @param {number | null} me */
function asking(doc, place, me) {
  const city = doc.cities[place], asked = doc.awaiting.find((/** @type {any} */ one) => one.city === place);
  return [city.name, city.wonder, city.side, city.free, doc.seats[city.city], Boolean(asked), asked?.chosen, me];
}

/** What the line of figures depends on. @param {any} city */
const counted = (city) => [city.coins, city.shields, city.symbols, city.tokens, city.participates, city.debts, city.rewards];

/** What one unit costs the viewer here, for both classes. @param {any} doc @param {number} me @param {"left" | "right"} side */
const prices = (doc, me, side) => {
  const at = doc.cities[me].buys[side];
  return h("span", { class: "prices", title: t("city.prices", { raw: tn("coins", at.raw), made: tn("coins", at.manufactured) }) },
    h("span", { class: "glyph type-raw" }, icon("raw")), figure("coin", at.raw),
    h("span", { class: "glyph type-manufactured" }, icon("manufactured")), figure("coin", at.manufactured),
    h("span", { class: "sr-only", text: t("city.prices", { raw: tn("coins", at.raw), made: tn("coins", at.manufactured) }) }));
};

/** `<wl-city>`.  view: { doc, city (index), me (seat or null), how: "own" | "left" | "right" | "full" }. */
class City extends Island {
  draw(/** @type {any} */ { doc, city: place, me, how }) {
    const city = doc.cities[place];
    const wide = how === "own" || how === "full", priced = (how === "left" || how === "right") && me !== null;
    const neighbours = wide ? [doc.cities[city.left].produces, doc.cities[city.right].produces] : [];
    return h("section", { class: `city is-${how}`, data: { city: place }, "aria-label": city.free ? t("free-city.name") : city.name },
      this.part("title", asking(doc, place, me), () => title(city, doc, me)),
      this.part("numbers", counted(city), () => numbers(city)),
      this.part("board", [city.wonder, city.board, city.stages, city.produces, city.buys, city.coins, ...neighbours], () => h("div", { class: "board" }, drawing(city.wonder), steps(city, doc.cities, !wide))),
      this.part("market", [city.produces, priced, priced && doc.cities[me].buys], () => (priced
        ? h("div", { class: "market" }, h("span", { class: "label", text: t("city.sells") }), goods(city, true), prices(doc, me, how))
        : h("div", { class: "market" }, h("span", { class: "label", text: t("city.produces") }), goods(city, false)))),
      this.part("buildings", [city.built], () => h("div", { class: "buildings" }, columns(city, wide ? TYPES : TYPES.filter((type) => type !== "raw" && type !== "manufactured")))));
  }
}
customElements.define("wl-city", City);

/** `<wl-plaque>`: a farther city in a few signs; a click shows it whole.  view: { doc, city, me }. */
class Plaque extends Island {
  draw(/** @type {any} */ { doc, city: place, me }) {
    const city = doc.cities[place];
    return h("section", { class: "plaque", data: { city: place }, "aria-label": city.name },
      h("button", { type: "button", class: "plaque-open", data: { act: "show-city", city: place } },
        this.part("title", asking(doc, place, me), () => title(city, doc, me)),
        h("span", { class: "signs" }, this.part("numbers", counted(city), () => numbers(city)), this.part("counts", [city.types, city.stages], () => h("span", { class: "counts" },
          h("span", { class: "count", title: t("city.stages", { built: city.stages, of: city.board.length }) }, icon("stage"), h("b", { text: `${city.stages}/${city.board.length}` })),
          TYPES.map((type) => { const n = city.types.filter((/** @type {string} */ one) => one === type).length; return n ? h("span", { class: `count type-${type}`, title: `${nameOf("type", type)}: ${n}` }, icon(type), h("b", { text: n })) : null; }))))));
  }
}
customElements.define("wl-plaque", Plaque);
