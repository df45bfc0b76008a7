// The score pad: categories as rows in their colours, cities as columns; a figure unfolds the buildings behind it.
// @ts-check
import { Island, acting, h, icon } from "../dom.js";
import { nameOf, t, thing, tn } from "../i18n.js";

export const ROWS = ["military", "treasury", "wonder", "civilian", "commercial", "guilds", "science", "edifice"];
/** @type {Record<string, string>} */
const SIGNS = { military: "military", treasury: "coins", wonder: "wonder", civilian: "civilian", commercial: "commercial", guilds: "guild", science: "gear", edifice: "project" };

/** Where points come from, in words. @param {string} source @param {number | null} count */
export function sourceWords(source, count) {
  const [kind, id] = source.split(":");
  if (kind === "token") return t(Number(id) > 0 ? "from.victory" : "from.defeat", { n: count ?? 1, points: tn("points", Number(id)) });
  if (kind === "coins") return tn("coins", count ?? 0);
  if (kind === "symbol") return `${count} × ${nameOf("symbol", id)}`;
  if (kind === "sets") return tn("from.sets", count ?? 0);
  if (kind === "stage") return t("stage.n", { n: id });
  if (kind === "debt") return t("from.debt");
  return count === null || count === undefined ? thing(source) : `${thing(source)} (${count})`;
}

/** `<wl-score>`.  view: the score document and `wonders` (by city). */
class Score extends Island {
  /** @type {string | null} */
  #open = null;

  constructor() {
    super();
    acting(this, { unfold: (element) => { const key = element.dataset.cell ?? null; this.#open = this.#open === key ? null : key; this.redraw(); } });
  }

  draw(/** @type {any} */ { names, sheets, places, final, free, wonders }) {
    /** @type {Record<number, number>} */
    const rank = {};
    let place = 1;
    for (const shared of places) { for (const seat of shared) rank[seat] = place; place += shared.length; }
    const order = sheets.map((/** @type {any} */ sheet) => sheet.city);
    if (final) order.sort((/** @type {number} */ a, /** @type {number} */ b) => (rank[a] ?? 99) - (rank[b] ?? 99));
    const rows = ROWS.filter((row) => row !== "edifice" || sheets.some((/** @type {any} */ sheet) => sheet.rows.edifice?.length || sheet.points.edifice));
    const best = Object.fromEntries(rows.map((row) => [row, Math.max(...sheets.map((/** @type {any} */ one) => one.points[row]))]));
    return h("section", { class: ["score", final && "final"], "aria-label": t("score.title") },
      h("div", { class: "score-scroll", tabindex: "0", role: "region", "aria-label": t("score.title") }, h("table", {},
        h("thead", {}, h("tr", {}, h("td", {}), order.map((/** @type {number} */ city) => h("th", { scope: "col", class: rank[city] === 1 ? "winner" : "", key: city },
          rank[city] ? h("span", { class: "rank", text: rank[city] === 1 ? t("score.first") : t("score.place", { n: rank[city] }) }) : city === free ? h("span", { class: "rank", text: t("score.unranked") }) : null,
          h("b", { text: city === free ? t("free-city.name") : names[city] }), h("span", { class: "wonder", text: nameOf("wonder", wonders?.[city] ?? "") }))))),
        h("tbody", {}, rows.map((row) => [
          h("tr", { class: `row-${row}`, key: row }, h("th", { scope: "row" }, icon(SIGNS[row]), h("span", { text: t(`score.${row}`) })),
            order.map((/** @type {number} */ city) => { const sheet = sheets[city], cell = `${row}-${city}`, lines = sheet.rows[row] ?? [], points = sheet.points[row];
              return h("td", { key: cell, class: points === best[row] && points > 0 ? "best" : "" }, lines.length
                ? h("button", { type: "button", data: { act: "unfold", cell }, "aria-expanded": String(this.#open === cell), "aria-label": `${t(`score.${row}`)}, ${names[city]}: ${tn("points", points)}`, text: points })
                : h("span", { class: "none", text: points })); })),
          order.some((/** @type {number} */ city) => this.#open === `${row}-${city}`) ? this.#lines(row, Number(this.#open?.split("-").pop()), sheets, names, order.length) : null])),
        h("tfoot", {}, h("tr", {}, h("th", { scope: "row", text: t(final ? "score.total" : "score.total-now") }), order.map((/** @type {number} */ city) => h("td", { key: city, class: rank[city] === 1 ? "winner" : "", text: sheets[city].total })))))));
  }

  #lines(/** @type {string} */ row, /** @type {number} */ city, /** @type {any[]} */ sheets, /** @type {string[]} */ names, /** @type {number} */ wide) {
    return h("tr", { class: `unfolded row-${row}`, key: `${row}-lines` }, h("td", { colspan: wide + 1 }, h("div", { class: "origins" }, h("b", { text: `${names[city]} · ${t(`score.${row}`)}` }),
      h("ul", {}, sheets[city].rows[row].map((/** @type {any} */ line, /** @type {number} */ place) => h("li", { key: place }, h("span", { text: sourceWords(line.source, line.count) }), h("b", { text: line.points })))))));
  }
}
customElements.define("wl-score", Score);
