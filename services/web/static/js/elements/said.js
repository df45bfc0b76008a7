// The chronicle beside a replay: each sentence a way back to its moment, the present one marked.
// @ts-check
import { h, icon } from "../dom.js";
import { roman, t } from "../i18n.js";

export class Said {
  constructor() {
    this.node = h("aside", { class: "replay-said", "aria-label": t("chronicle.title") });
    /** @type {{ version: number, text: string, line: HTMLElement }[]} */
    this.sayings = [];
    /** @type {HTMLElement | null} */
    this.line = null;
  }

  /** @param {{ version: number, text: string }[]} sayings by version @param {import("../moments.js").Ruler} ruler */
  set(sayings, ruler) {
    let chapter = "";
    const list = h("ol", { class: "scroll", tabindex: "0", "aria-label": t("chronicle.title") });
    this.sayings = sayings.map(({ version, text }) => {
      const { age, turn } = ruler.span(version), title = age ? t("turn.short", { age: roman(age), turn }) : t("chronicle-part.gathering");
      if (title !== chapter) { chapter = title; list.append(h("li", { class: "said-title" }, h("h3", { text: title }))); }
      const line = h("li", {}, h("button", { type: "button", class: "said", data: { act: "go", version }, text }));
      list.append(line);
      return { version, text, line };
    });
    this.node.replaceChildren(h("h2", {}, icon("book"), h("span", { text: t("chronicle.title") })), list);
    this.scroll = list;
    this.line = null;
  }

  /** Marks the last sentence that was said by a version, and returns it. @param {number} version */
  at(version) {
    let low = 0, high = this.sayings.length - 1;
    while (low < high) { const middle = (low + high + 1) >> 1; if (this.sayings[middle].version <= version) low = middle; else high = middle - 1; }
    const now = this.sayings[low]?.version <= version ? this.sayings[low] : null;
    if (now?.line !== this.line) this.mark(now?.line ?? null);
    return now?.text ?? "";
  }

  /** @param {HTMLElement | null} line */
  mark(line) {
    this.line?.classList.remove("now");
    this.line?.firstElementChild?.removeAttribute("aria-current");
    line?.classList.add("now");
    line?.firstElementChild?.setAttribute("aria-current", "true");
    this.line = line;
    clearTimeout(this.scrolling);
    this.scrolling = setTimeout(() => { if (this.line && !this.scroll.matches(":hover")) this.scroll.scrollTop = this.line.offsetTop - this.scroll.clientHeight / 2; }, 90); // once, after the last of many steps
  }
}
