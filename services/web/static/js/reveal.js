// The reveal, told in two seconds: cards turn over clockwise, coins travel to neighbours, effects pop where they land.
// @ts-check
import { calm, h, icon, say } from "./dom.js";
import { nameOf, roman, t } from "./i18n.js";
import { called } from "./plays.js";
import { back, face } from "./elements/card.js";
import { figure } from "./elements/effect.js";

/** @typedef {{ version: number, event: any }} Told */

const TURN = 480, STEP = 45, REST = 340, COINS = 540, POP = 520, SHIELDS = 800; // ms; a turn takes about two seconds

/** Whether these events tell a story worth the two seconds. @param {Told[]} told */
export const worthTelling = (told) => told.some(({ event }) => event.type === "TurnRevealed" || event.type === "ConflictsResolved" || event.type === "ExtraRevealed");

/** Where a city's card lies on the ring: the viewer's at the bottom, the left neighbour at the left. @param {number} city @param {number} me @param {number} n */
function spot(city, me, n) {
  const angle = Math.PI / 2 + (2 * Math.PI * ((city - me + n) % n)) / n;
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

export class Reveal {
  /** lines: the same story in sentences. @param {any} doc as it was before @param {Told[]} told @param {string[]} lines @param {number | null} me */
  constructor(doc, told, lines, me) {
    this.doc = doc;
    this.told = told.map((one) => one.event);
    this.lines = lines;
    this.me = me ?? 0;
    this.skipped = false;
    this.skip = () => { this.skipped = true; this.hurry(); };
    this.hurry = () => {};
  }

  /** Plays it over the table and takes itself away.  With reduced motion the story is only written. */
  async play() {
    const { doc, lines } = this;
    say(lines.join(" "));
    if (calm() || document.hidden || !doc.cities.length) return;
    this.build();
    const onKey = (/** @type {KeyboardEvent} */ event) => { if (["Escape", "Enter", " "].includes(event.key)) { event.preventDefault(); this.skip(); } };
    document.addEventListener("keydown", onKey, { capture: true });
    try {
      for (const act of [() => this.turnOver(), () => Promise.all([this.pay(), this.pop()]), () => this.fight()]) { if (this.skipped) break; await act(); }
    } finally {
      document.removeEventListener("keydown", onKey, { capture: true });
      await this.#run(this.stage, [{ opacity: 1 }, { opacity: 0 }], 160, true);
      this.stage.remove();
    }
  }

  build() {
    const { doc, me } = this, n = doc.cities.length;
    this.spots = doc.cities.map((/** @type {any} */ _, /** @type {number} */ city) => spot(city, me, n));
    const acts = Object.fromEntries(this.told.filter((event) => ["CardBuilt", "StageBuilt", "CardDiscarded"].includes(event.type) && event.why !== "leftover" && event.why !== "pile").map((event) => [event.city, event]));
    this.acts = acts;
    this.stage = h("div", { class: `reveal of-${n}`, role: "presentation" },
      h("div", { class: "reveal-ring", vars: { "--n": n } },
        doc.cities.map((/** @type {any} */ _, /** @type {number} */ city) => h("div", { class: "reveal-spot", data: { spot: city }, vars: { "--x": this.spots[city].x.toFixed(4), "--y": this.spots[city].y.toFixed(4) } },
          acts[city] ? h("div", { class: "flip" }, h("div", { class: "flip-back card" }, back(doc.age)), h("div", { class: "flip-front card" }, this.front(acts[city]))) : null,
          h("span", { class: "reveal-name", text: called(doc, city) })))),
      h("p", { class: "reveal-title", text: this.told.some((event) => event.type === "TurnRevealed") ? t("reveal.turn", { age: roman(doc.age), turn: doc.turn }) : t("reveal.more") }),
      h("button", { type: "button", class: "button quiet reveal-skip", on: { click: this.skip } }, icon("skip"), h("span", { text: t("reveal.skip") })));
    document.body.append(this.stage);
  }

  /** What lies there when the card is turned over. @param {any} event */
  front(event) {
    if (event.type === "CardBuilt") return face(event.card, { ribbon: event.free ? t("free.ribbon") : null });
    if (event.type === "StageBuilt") return h("span", { class: "face stage-face" }, icon("stage"), h("b", { text: t("stage.n", { n: event.stage }) }), h("span", { text: nameOf("wonder", this.doc.cities[event.city].wonder) }));
    return h("span", { class: "face discard-face" }, icon("discard"), figure("coin", 3), h("span", { text: t("reveal.discarded") }));
  }

  /** @param {Element} element @param {Keyframe[]} frames @param {number} duration */
  async #run(element, frames, duration, last = false, delay = 0) {
    const animation = element.animate(frames, { duration, delay, easing: "cubic-bezier(.3,.7,.2,1)", fill: "both" });
    if (last || !this.skipped) await Promise.race([animation.finished, new Promise((go) => { const before = this.hurry; this.hurry = () => { before(); go(undefined); }; })]);
  }

  /** @param {number} city @returns {HTMLElement} */
  at(city) { return /** @type {HTMLElement} */ (this.stage.querySelector(`[data-spot="${city}"]`)); }

  async turnOver() {
    const n = this.doc.cities.length;
    const flips = Object.keys(this.acts).map(Number).map((city) => {
      const flip = this.at(city).querySelector(".flip");
      const delay = STEP * ((city - this.me + n) % n);
      return flip && this.#run(flip, [{ transform: "rotateY(0deg)" }, { transform: "rotateY(180deg)" }], TURN, false, delay);
    });
    await Promise.all(flips);
    if (flips.length) await this.#run(this.stage, [{ opacity: 1 }, { opacity: 1 }], REST);
  }

  async pay() {
    const paid = this.told.filter((event) => event.type === "CoinsPaid");
    await Promise.all(paid.map((event) => {
      const from = this.spots[event.city], to = event.to === null ? { x: 0, y: 0 } : this.spots[event.to];
      const coin = h("span", { class: "flying" }, figure("coin", event.amount));
      this.stage.querySelector(".reveal-ring").append(coin);
      const where = (/** @type {any} */ p) => `translate(calc(var(--rx) * ${p.x.toFixed(4)}), calc(var(--ry) * ${p.y.toFixed(4)})) translate(-50%, -50%)`;
      return this.#run(coin, [{ transform: where(from), opacity: 0 }, { transform: where(from), opacity: 1, offset: 0.15 }, { transform: where(to), opacity: 1, offset: 0.85 }, { transform: where(to), opacity: 0 }], COINS);
    }));
  }

  async pop() {
    const gains = this.told.filter((event) => event.type === "CoinsReceived" || event.type === "ParticipationTaken");
    await Promise.all(gains.map((event) => this.#bubble(event.city, event.type === "CoinsReceived" ? figure("coin", `+${event.amount}`) : icon("token"), POP)));
  }

  async fight() {
    const battle = this.told.find((event) => event.type === "ConflictsResolved");
    if (!battle) return;
    /** @type {HTMLElement} */ (this.stage.querySelector(".reveal-title")).textContent = t("reveal.conflicts", { age: roman(battle.age) });
    for (const flip of this.stage.querySelectorAll(".flip")) flip.classList.add("gone");
    await Promise.all(battle.cities.map((/** @type {any} */ one) => this.#bubble(one.city, h("span", { class: "battle-pop" }, icon("shield", undefined, "is-shield"), h("b", { text: one.shields })), SHIELDS)));
    await Promise.all(battle.cities.map((/** @type {any} */ one) => {
      const tokens = [one.left.token, one.right.token].filter(Boolean);
      return tokens.length ? this.#bubble(one.city, h("span", { class: "battle-pop" }, tokens.map((/** @type {number} */ token) => h("span", { class: token > 0 ? "won" : "lost" }, icon(token > 0 ? "victory" : "defeat"), h("b", { text: token > 0 ? `+${token}` : token })))), SHIELDS + 200) : null;
    }));
  }

  /** @param {number} city @param {Node} content @param {number} duration */
  async #bubble(city, content, duration) {
    const bubble = h("span", { class: "bubble" }, content);
    this.at(city).append(bubble);
    await this.#run(bubble, [{ transform: "translate(-50%, -30%) scale(.5)", opacity: 0 }, { transform: "translate(-50%, -60%) scale(1.1)", opacity: 1, offset: 0.3 }, { transform: "translate(-50%, -70%) scale(1)", opacity: 1, offset: 0.8 }, { transform: "translate(-50%, -110%) scale(1)", opacity: 0 }], duration);
    bubble.remove();
  }
}
