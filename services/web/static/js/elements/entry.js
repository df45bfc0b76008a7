// One line of the ledger: the event in words, its link, the thread in the margin; unfolded, its exact bytes and what was sealed.
// @ts-check
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { sentence } from "../ledger.js";

const clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** A fault in words. @param {import("../verify.js").Fault} fault @param {import("../ledger.js").Names} names */
export const faultWords = ({ key, values }, names) => t(`broken.${key}`, { ...values, ...(values && "seat" in values ? { who: names.called(values.seat) } : {}) });

/** @param {import("../verify.js").Entry} entry @param {import("../ledger.js").Names} names @param {boolean} after whether the thread has broken before it */
export function row(entry, names, after) {
  const { version, event, link, faults } = entry;
  const state = faults.length ? "broken" : after ? "after" : "holds";
  const line = h("details", { class: `entry is-${state}`, id: `v${version}` },
    h("summary", {},
      h("span", { class: "thread" }, icon(faults.length ? "cross" : "check", t(`audit.${state}`))),
      h("span", { class: "n", text: version }),
      h("span", { class: "when", text: Number.isFinite(event?.at) ? clock.format(event.at) : "" }),
      h("span", { class: "says" }, h("span", { text: sentence(event, names) }), faults.map((one) => h("b", { class: "fault", text: faultWords(one, names) }))),
      h("code", { class: "link-code", text: link.slice(0, 12) })));
  line.addEventListener("toggle", () => { if (line.open && line.childElementCount === 1) line.append(inside(entry)); });
  return line;
}

/** @param {import("../verify.js").Entry} entry */
function inside({ event, link, opened }) {
  return h("dl", { class: "inside" },
    h("dt", { text: t("audit.type") }), h("dd", {}, h("code", { text: event?.type ?? "?" }), ` · ${event?.by ?? "?"}`),
    h("dt", { text: t("audit.link") }), h("dd", {}, h("code", { text: link })),
    h("dt", { text: t("audit.bytes") }), h("dd", {}, h("pre", { tabindex: "0" }, h("code", { text: JSON.stringify(event, null, 1) }))),
    opened.length ? [h("dt", { text: t("audit.opened") }), h("dd", {}, h("ul", {}, opened.map((one) => h("li", {}, h("code", { text: one.path }), " ", h("code", { text: one.bytes })))))] : null);
}
