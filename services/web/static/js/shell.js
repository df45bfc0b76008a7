// What every page has: its words, the switch of languages, light and dark.
// @ts-check
import { learnPictures } from "./dom.js";
import { learn } from "./i18n.js";
import { unpack } from "./box.js";
import { cookie } from "./session.js";

/** Gets words and box, and brings the header to life; await it first. */
export async function open() {
  const language = document.getElementById("language"), theme = document.getElementById("theme");
  language?.addEventListener("change", () => { cookie("wonderlog-language", /** @type {HTMLSelectElement} */ (language).value); location.reload(); });
  theme?.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    cookie("wonderlog-theme", root.dataset.theme);
  });
  await Promise.all([learn(), learnPictures(), unpack()]);
}
