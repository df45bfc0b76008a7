// The ruler under a replay: three Ages, eighteen turns, a mark for each event; above it every city's line over the whole game.
// @ts-check
import { h, s } from "../dom.js";
import { roman, t } from "../i18n.js";

const HEIGHT = 100, STRONG = new Set(["AgeDealt", "TurnRevealed", "ConflictsResolved", "EdificeEvaluated", "GameScored"]);
const QUIET = new Set(["ActionChosen", "ActionWithdrawn", "ExtraChosen", "ExtraWithdrawn", "CoinsPaid", "CoinsReceived"]);

/** A number for an attribute. @param {number} n */
const n2 = (n) => Number(n.toFixed(2));

export class RulerView {
  /** moved: called with a version when somebody moves along the ruler. @param {(version: number) => void} moved */
  constructor(moved) {
    this.moved = moved;
    this.kind = "totals";
    /** @type {any} */
    this.ruler = null;
    this.low = 0;
    this.high = 1;
    this.chart = s("svg", { class: "chart", viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.scale = h("div", { class: "scale", "aria-hidden": "true" });
    this.marks = s("svg", { class: "marks", viewBox: "0 0 1000 20", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.names = h("div", { class: "ruler-names", "aria-hidden": "true" });
    this.cursor = h("div", { class: "cursor", "aria-hidden": "true" }, h("i"));
    this.dots = h("div", { class: "dots", "aria-hidden": "true" });
    this.node = h("div", { class: "ruler", role: "slider", tabindex: "0", "aria-label": t("replay.ruler"), "aria-valuemin": "1", "aria-orientation": "horizontal" }, this.scale, h("div", { class: "plot" }, this.chart, this.dots), h("div", { class: "band" }, this.marks, this.names), this.cursor);
    this.listen();
  }

  listen() {
    let wanted = 0, waiting = false;
    const go = (/** @type {PointerEvent} */ event) => {
      const box = this.node.getBoundingClientRect();
      wanted = this.ruler.at(Math.max(0, Math.min(0.9999, (event.clientX - box.left) / box.width)));
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.moved(wanted); });
    };
    this.node.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => { if (event.button === 0) { this.node.setPointerCapture(event.pointerId); go(event); } });
    this.node.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => { if (this.node.hasPointerCapture(event.pointerId)) go(event); });
  }

  /** @param {import("../moments.js").Ruler} ruler */
  set(ruler) {
    this.ruler = ruler;
    this.node.setAttribute("aria-valuemax", String(ruler.last));
    this.band();
    this.plot();
  }

  /** Ages, turns, events. */
  band() {
    const { ruler } = this, marks = [], names = [];
    for (const age of [1, 2, 3]) {
      const x = ruler.zero + (age - 1) * 6 * ruler.unit;
      marks.push(s("rect", { class: `age age-${age}`, x: n2(1000 * x), y: 0, width: n2(6000 * ruler.unit), height: 20 }));
      names.push(h("span", { class: "age-name", vars: { left: `${n2(100 * x)}%` }, text: roman(age) }));
      for (let turn = 1; turn <= 6; turn += 1) {
        const at = x + (turn - 1) * ruler.unit;
        marks.push(s("path", { class: turn === 1 ? "tick first" : "tick", d: `M${n2(1000 * at)} 0V20` }));
        if (turn > 1) names.push(h("span", { class: "turn-name", vars: { left: `${n2(100 * at)}%` }, text: turn }));
      }
    }
    const path = (/** @type {(type: string) => boolean} */ fits, /** @type {number} */ top) => ruler.moments.filter((one) => fits(one.type)).map((one) => `M${n2(1000 * ruler.x(one.version))} ${top}V20`).join("");
    marks.push(s("path", { class: "event quiet", d: path((type) => QUIET.has(type), 16) }), s("path", { class: "event", d: path((type) => !QUIET.has(type) && !STRONG.has(type), 14) }), s("path", { class: "event strong", d: path((type) => STRONG.has(type), 12) }));
    this.marks.replaceChildren(...marks);
    this.names.replaceChildren(...names);
  }

  /** Every city's line. */
  plot() {
    const { ruler, kind } = this, moments = /** @type {any[]} */ (ruler.moments);
    const all = moments.flatMap((one) => one[kind]);
    this.low = Math.min(0, ...all);
    this.high = Math.max(kind === "totals" ? 10 : 4, ...all);
    const step = [1, 2, 5, 10, 20, 25, 50, 100].find((one) => (this.high - this.low) / one <= 4) ?? 100;
    const grid = [], words = [];
    for (let value = Math.ceil(this.low / step) * step; value <= this.high; value += step) {
      grid.push(`M0 ${n2(this.y(value))}H1000`);
      words.push(h("span", { vars: { top: `${n2(this.y(value))}%` }, text: value }));
    }
    const places = moments.at(-1)?.[kind].length ?? 0;
    const lines = Array.from({ length: places }, (_, city) => {
      let d = "", before = null;
      for (const one of moments) {
        const value = one[kind][city];
        if (value === undefined || value === before) continue;
        const x = n2(1000 * ruler.x(one.version)), y = n2(this.y(value));
        d += before === null ? `M${x} ${y}` : `H${x}V${y}`;
        before = value;
      }
      return s("path", { class: `line city-${city}`, d: `${d}H${n2(1000 * ruler.x(ruler.last))}` });
    });
    const ages = [1, 2].map((age) => `M${n2(1000 * (ruler.zero + age * 6 * ruler.unit))} 0V${HEIGHT}`).join("");
    this.chart.replaceChildren(s("path", { class: "grid", d: grid.join("") }), s("path", { class: "grid ages", d: ages }), ...lines);
    this.scale.replaceChildren(...words);
    this.dots.replaceChildren(...Array.from({ length: places }, (_, city) => h("i", { class: `dot city-${city}` })));
  }

  /** @param {number} value */
  y(value) { return 4 + (HEIGHT - 8) * (1 - (value - this.low) / Math.max(1, this.high - this.low)); }

  /** Which figure the lines show. @param {string} kind @param {number} version */
  show(kind, version) { this.kind = kind; this.plot(); this.at(version, ""); }

  /** Puts the cursor on a version. @param {number} version @param {string} words what is heard there */
  at(version, words) {
    const x = 100 * this.ruler.x(version), figures = this.ruler.moments[version - 1][this.kind];
    this.cursor.style.transform = `translateX(${n2(x)}%)`;
    this.dots.style.transform = `translateX(${n2(x)}%)`;
    [...this.dots.children].forEach((dot, city) => { /** @type {HTMLElement} */ (dot).style.top = figures[city] === undefined ? "-100%" : `${n2(this.y(figures[city]))}%`; });
    this.node.setAttribute("aria-valuenow", String(version));
    if (words) this.node.setAttribute("aria-valuetext", words);
  }

  /** Lifts one city's line out of the others, or none. @param {number | null} city */
  stress(city) { this.chart.classList.toggle("stressed", city !== null); [...this.chart.querySelectorAll(".line")].forEach((line, place) => line.classList.toggle("on", place === city)); }
}
