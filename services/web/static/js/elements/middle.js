// The middle of the table: the Age, the six turns, where the hands will go, the projects, the pile, the battles so far.
// @ts-check
import { houseNow } from "../api.js";
import { Island, h, icon } from "../dom.js";
import { duration, list, roman, t, tn } from "../i18n.js";
import { called, waitingFor } from "../plays.js";
import "./project.js";

/** @param {any} doc @param {number | null} me */
export function awaited(doc, me) {
  if (doc.phase === "over") return t(doc.closed && doc.closed !== "finished" ? `closed.${doc.closed}` : "wait.over");
  if (doc.phase === "closing") return t("wait.closing");
  const mine = doc.awaiting.some((/** @type {any} */ one) => one.seat === me && !one.chosen);
  const others = waitingFor(doc, me);
  if (mine) return t(doc.phase === "extra" ? "wait.your-answer" : "wait.you");
  return others.length ? t("wait.for", { who: list(others) }) : t("wait.reveal");
}

/** @param {any} doc */
function conflicts(doc) {
  return h("details", { class: "conflicts" },
    h("summary", {}, icon("military"), h("span", { text: t("conflicts.title") })),
    doc.conflicts.map((/** @type {any} */ battle) => h("div", { class: "battle", key: battle.age },
      h("b", { text: t("age", { age: roman(battle.age) }) }),
      h("ul", {}, battle.cities.map((/** @type {any} */ one) => {
        const { own, theirs, neighbour, token } = one.left;
        const back = battle.cities.find((/** @type {any} */ other) => other.city === neighbour)?.right.token ?? 0;
        return h("li", { key: one.city },
          h("span", { class: ["side", token > 0 && "won"], text: called(doc, one.city) }), h("b", { text: own }), icon("military"), h("b", { text: theirs }), h("span", { class: ["side", back > 0 && "won"], text: called(doc, neighbour) }),
          h("span", { class: "spoils", text: token === 0 ? t("conflicts.tie") : `${token > 0 ? "+" : ""}${token} / ${back > 0 ? "+" : ""}${back}` }));
      })))));
}

/** `<wl-middle>`.  view: { doc, me }. */
class Middle extends Island {
  draw(/** @type {any} */ { doc, me }) {
    const now = doc.edifice.findIndex((/** @type {any} */ one) => one.age === doc.age);
    return h("section", { class: "middle", "aria-label": t("middle.title") },
      this.part("moment", [doc.age, doc.turn, doc.phase, doc.passing], () => h("div", { class: "moment" },
        h("span", { class: "age-mark", title: t("age", { age: roman(doc.age) }) }, h("span", { class: "age-word", text: t("age.word") }), h("b", { text: roman(doc.age) })),
        h("ol", { class: "turns", "aria-label": t("turn.of", { turn: doc.turn }) }, [1, 2, 3, 4, 5, 6].map((turn) => h("li", { class: turn < doc.turn || doc.phase === "over" ? "past" : turn === doc.turn ? "now" : "to-come", key: turn, text: turn }))),
        doc.passing ? h("span", { class: `passing to-${doc.passing}`, title: t(`passing.${doc.passing}`) }, icon(doc.passing === "border" ? "border" : "left"), h("span", { class: "sr-only", text: t(`passing.${doc.passing}`) })) : null)),
      h("p", { class: "awaited" }, h("span", { text: awaited(doc, me) }), doc.clock.deadline ? h("wl-clock", { ".view": doc.clock.deadline }) : null),
      doc.edifice.length ? h("div", { class: "projects" }, doc.edifice.map((/** @type {any} */ _, /** @type {number} */ place) => h("wl-project", { ".view": { doc, place, small: place !== now }, key: `project-${place}` }))) : null,
      this.part("facts", [doc.discard.count, doc.free_city], () => h("ul", { class: "facts" },
        h("li", { title: tn("discard", doc.discard.count) }, icon("discard"), h("b", { text: doc.discard.count, "aria-hidden": "true" }), h("span", { text: t("discard.short") })),
        doc.free_city ? h("li", { title: t("free-city.pile", { n: doc.free_city.pile }) }, icon("cards"), h("b", { text: doc.free_city.pile }), h("span", { text: t("free-city.pile-short") })) : null,
        doc.free_city && doc.free_city.holder !== null ? h("li", { class: "holder" }, icon("flag"), h("span", { text: t("free-city.holder", { who: called(doc, doc.free_city.holder) }) })) : null)),
      doc.conflicts.length ? this.part("conflicts", [doc.conflicts], () => conflicts(doc)) : null);
  }
}
customElements.define("wl-middle", Middle);

/** `<wl-clock>`: the time that is left.  view: the deadline (ms, by the house's clock). */
class Clock extends Island {
  connectedCallback() { super.connectedCallback(); this.ticking = setInterval(() => this.redraw(), 1000); }
  disconnectedCallback() { clearInterval(this.ticking); }
  draw(/** @type {number} */ deadline) {
    const left = deadline - houseNow();
    return h("span", { class: ["clock", left < 15_000 && "short"], role: "timer" }, icon("clock"), h("span", { text: left > 0 ? duration(left) : t("time.over") }));
  }
}
customElements.define("wl-clock", Clock);
