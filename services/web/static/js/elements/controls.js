// The keys under a replay: play and pause, an event or a turn on or back, and how fast.
// @ts-check
import { h, s } from "../dom.js";
import { t } from "../i18n.js";

const SPEEDS = [1, 2, 4, 8];
const SIGNS = { play: "M8 5v14l11-7z", pause: "M7 5h4v14H7zM13 5h4v14h-4z", next: "M7 5v14l9-7zM16 5h2.4v14H16z", back: "M17 5v14l-9-7zM8 5H5.6v14H8z", "turn-next": "M4 5v14l8-7zM12 5v14l8-7z", "turn-back": "M20 5v14l-8-7zM12 5v14l-8-7z" };

/** Drawn here: no other page needs them. @param {keyof typeof SIGNS} name */
const sign = (name) => s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: SIGNS[name], fill: "currentColor" }));

/** @param {keyof typeof SIGNS} act */
const key = (act) => h("button", { type: "button", class: act === "play" ? "tool play" : "tool", data: { act }, "aria-label": t(`replay.${act}`), title: t(`replay.${act}`) }, sign(act));

/** All keys; each tells by its `data-act`. @param {(speed: number) => void} faster */
export function controls(faster) {
  const speed = h("select", { autocomplete: "off", title: t("replay.speed") }, SPEEDS.map((one) => h("option", { value: one, text: `${one}×` })));
  speed.addEventListener("change", () => faster(Number(speed.value)));
  return h("div", { class: "controls", role: "group", "aria-label": t("replay.controls") }, key("turn-back"), key("back"), key("play"), key("next"), key("turn-next"), h("label", { class: "speed" }, h("span", { class: "sr-only", text: t("replay.speed") }), speed));
}

/** Shows whether it plays. @param {HTMLElement} bar @param {boolean} playing */
export function toggled(bar, playing) {
  const button = /** @type {HTMLElement} */ (bar.querySelector(".play")), label = t(playing ? "replay.pause" : "replay.play");
  button.replaceChildren(sign(playing ? "pause" : "play"));
  button.setAttribute("aria-label", label);
  button.setAttribute("title", label);
}
