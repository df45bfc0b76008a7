// Puts a link on the clipboard, also where the browser has none to offer.
// @ts-check
import { h, toast } from "./dom.js";
import { t } from "./i18n.js";

/** @param {string} text @param {Element} place where a field may stand for a moment */
export async function copy(text, place) {
  try { await navigator.clipboard.writeText(text); } catch {
    // Without HTTPS there is no clipboard: the old way still works.
    const field = h("textarea", { class: "sr-only", text });
    place.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toast(t("gather.copied"));
}
