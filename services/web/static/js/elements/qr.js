// A link as a picture for another device's camera.
// @ts-check
import { Island, s } from "../dom.js";
import { LONGEST, qr } from "../qr.js";

/** `<wl-qr>`.  view: { text, label }.  Nothing is drawn for a text that is too long. */
class Qr extends Island {
  draw(/** @type {any} */ { text, label }) {
    if (new TextEncoder().encode(text).length > LONGEST) return null;
    const rows = qr(text), size = rows.length + 8;
    const path = rows.flatMap((row, r) => row.map((dark, c) => (dark ? `M${c + 4} ${r + 4}h1v1h-1z` : ""))).join("");
    return s("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" }, s("rect", { class: "qr-paper", width: size, height: size }), s("path", { class: "qr-ink", d: path }));
  }
}
customElements.define("wl-qr", Qr);
