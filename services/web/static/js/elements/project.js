// A project: its tokens as a row of places, who holds one, what it gives and what it costs those who stayed away.
// @ts-check
import { Island, h, icon } from "../dom.js";
import { list, nameOf, roman, t, tn } from "../i18n.js";
import { called } from "../plays.js";
import { figure, penaltyPicture, penaltyWords, pictures, sentence } from "./effect.js";

/** `<wl-project>`.  view: { doc, place (0 to 2), small }. */
class Project extends Island {
  draw(/** @type {any} */ { doc, place, small }) {
    return this.part("project", [doc.edifice[place], small, ...doc.edifice[place].holders.map((/** @type {number} */ city) => called(doc, city))], () => this.whole(doc, place, small));
  }

  /** @param {any} doc @param {number} place @param {boolean} small */
  whole(doc, place, small) {
    const one = doc.edifice[place];
    const holders = one.holders.map((/** @type {number} */ city) => called(doc, city));
    const words = `${nameOf("project", one.project)}, ${t("age", { age: roman(one.age) })}. ${t(`project.${one.state}`, { tokens: tn("tokens", one.tokens) })} ${t("project.joining", { coins: tn("coins", one.coins) })} ${t("project.reward", { what: sentence(one.reward) })} ${t("project.penalty", { what: penaltyWords(one.penalty) })}${holders.length ? ` ${t("project.holders", { who: list(holders) })}` : ""}`;
    return h("section", { class: ["project", `is-${one.state}`, small && "small"], "aria-label": words, title: words },
      h("header", {}, icon("project"), h("span", { class: "project-name", text: nameOf("project", one.project) }), h("span", { class: "project-age", text: roman(one.age) })),
      h("ol", { class: "places", "aria-hidden": "true" }, Array.from({ length: one.of }, (_, at) => {
        const holder = at < one.holders.length ? called(doc, one.holders[at]) : null;
        return h("li", { class: ["place", holder ? "taken" : at < one.of - one.tokens ? "gone" : "free"], title: holder ?? t("project.free-place"), key: at }, icon(holder ? "hex" : "token"), holder ? h("b", { text: [...holder][0] }) : null);
      })),
      h("div", { class: "stakes", "aria-hidden": "true" },
        one.state === "open" ? h("span", { class: "join-price" }, icon("plus"), figure("coin", one.coins)) : icon(one.state === "completed" ? "check" : "cross"),
        h("span", { class: "reward" }, pictures(one.reward)), h("span", { class: "penalty" }, penaltyPicture(one.penalty))),
      small ? null : h("dl", { class: "stake-words" },
        h("dt", { text: t("project.reward-short") }), h("dd", { text: sentence(one.reward) }),
        h("dt", { text: t("project.penalty-short") }), h("dd", { text: penaltyWords(one.penalty) })));
  }
}
customElements.define("wl-project", Project);
