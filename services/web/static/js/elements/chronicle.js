// The chronicle beside the table: what happened, in sentences, turn by turn.
// @ts-check
import { Island, h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { heading, sign, tell } from "../story.js";

/** `<wl-chronicle>`.  view: { chapters, called }: the chronicle's document and what each city is called. */
class Chronicle extends Island {
  draw(/** @type {any} */ { chapters, called }) {
    const told = chapters.filter((/** @type {any} */ one) => one.lines.length);
    return h("section", { class: "chronicle", "aria-label": t("chronicle.title") },
      h("h2", {}, icon("book"), h("span", { text: t("chronicle.title") })),
      h("div", { class: "scroll", tabindex: "0", role: "log", "aria-live": "off", "aria-label": t("chronicle.title") }, [...told].reverse().map((chapter) => h("section", { class: `chapter of-${chapter.part}`, key: `${chapter.part}-${chapter.age}-${chapter.turn}` },
        h("h3", { text: heading(chapter) }),
        h("ul", {}, chapter.lines.map((/** @type {any} */ line, /** @type {number} */ place) => { const mark = sign(line.key); return h("li", { key: `${line.version}-${place}`, class: `l-${line.key}` }, mark ? icon(mark) : null, h("span", { text: tell(line, called) })); }))))));
  }
}
customElements.define("wl-chronicle", Chronicle);
