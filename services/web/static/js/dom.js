// Builds pages out of nodes, never out of HTML text, and redraws them in place so that focus and scroll stay where they are.
// @ts-check

const SVG = "http://www.w3.org/2000/svg";
const body = document.body;

/**
 * An element.  props: `class`, `text`, `data` (an object), `on` (an object of listeners; only for nodes that are never
 * redrawn), `.name` for a property, `key` to find it again when redrawn; any other is an attribute (null, false: left out).
 * @param {string} tag @param {Record<string, any>} [props] @param {...any} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  dress(node, props);
  append(node, children);
  return node;
}

/** The same for SVG. @param {string} tag @param {Record<string, any>} [props] @param {...any} children @returns {any} */
export function s(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  dress(node, props);
  append(node, children);
  return node;
}

/** @param {Element} node @param {Record<string, any>} props */
function dress(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
    else if (name === "text") node.textContent = String(value);
    else if (name === "key") node.setAttribute("data-key", String(value));
    else if (name === "data") for (const [key, one] of Object.entries(value)) { if (one !== null && one !== undefined) /** @type {HTMLElement} */ (node).dataset[key] = String(one); }
    else if (name === "on") for (const [kind, listener] of Object.entries(value)) node.addEventListener(kind, listener);
    else if (name === "vars") for (const [key, one] of Object.entries(value)) /** @type {any} */ (node).style.setProperty(key, String(one));
    else if (name[0] === ".") /** @type {any} */ (node)[name.slice(1)] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Node} node @param {any[]} children */
function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** @type {Map<string, Element>} */
const pictures = new Map();

/** A picture from the sprite.  label: what it says to who cannot see it; without one it is decoration. @param {string} name @param {string} [label] @param {string} [more] */
export function icon(name, label, more = "") {
  const key = `${name} ${more} ${label ?? ""}`;
  let made = pictures.get(key);
  if (!made) {
    const props = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
    pictures.set(key, made = /** @type {Element} */ (s("svg", { class: `icon i-${name} ${more}`.trim(), ...props }, s("use", { href: `${body.dataset.icons}#${name}` }))));
  }
  return /** @type {Element} */ (made.cloneNode(true)); // a table has hundreds of them: a copy is much quicker than a new one
}

/** A wonder as a line drawing. @param {string} wonder */
export function drawing(wonder) {
  return s("svg", { class: "drawing", viewBox: "0 0 120 64", "aria-hidden": "true" }, s("use", { href: `${body.dataset.wonders}#${wonder}` }));
}

/** Makes `old`'s children what `fresh` are, touching only what differs.  Elements with `data-key` are found again by it. @param {Element} old @param {any[]} fresh */
export function morph(old, fresh) {
  const holder = document.createDocumentFragment();
  append(holder, fresh);
  children(old, holder);
}

/** @param {Element} old @param {Element | DocumentFragment} fresh */
function children(old, fresh) {
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (const child of old.childNodes) { const key = keyOf(child); if (key) keyed.set(key, child); }
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const key = keyOf(wanted);
    let found = key ? keyed.get(key) ?? null : null;
    if (!key) {
      while (place && keyOf(place) && keyed.has(String(keyOf(place))) && !alike(place, wanted)) place = place.nextSibling;
      if (place && !keyOf(place) && alike(place, wanted)) found = place;
    }
    if (found && alike(found, wanted)) {
      if (found !== place) old.insertBefore(found, place); else place = place?.nextSibling ?? null;
      if (key) keyed.delete(key);
      one(found, wanted);
      /** @type {any} */ (found).kept = true;
    } else {
      /** @type {any} */ (wanted).kept = true;
      old.insertBefore(wanted, place);
    }
  }
  for (const child of [...old.childNodes]) {
    if (/** @type {any} */ (child).kept) /** @type {any} */ (child).kept = false;
    else child.remove();
  }
}

/** @param {Node} node */
function keyOf(node) { return node instanceof Element ? node.getAttribute("data-key") : null; }

/** @param {Node} a @param {Node} b */
function alike(a, b) { return a.nodeName === b.nodeName && a.nodeType === b.nodeType && keyOf(a) === keyOf(b); }

/** @param {Node} old @param {Node} fresh */
function one(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) { if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue; return; }
  const before = /** @type {Element} */ (old), after = /** @type {Element} */ (fresh);
  if ((before instanceof SVGElement || (before.localName === "li" && !after.querySelector("input"))) && before.isEqualNode(after)) return;
  for (const { name, value } of [...after.attributes]) if (before.getAttribute(name) !== value) before.setAttribute(name, value);
  for (const { name } of [...before.attributes]) if (!after.hasAttribute(name) && name !== "open" && name !== "data-stay") before.removeAttribute(name);
  if (before instanceof Island) { before.view = /** @type {Island} */ (after).view; return; }
  if (before instanceof HTMLInputElement && before.type !== "text" && after instanceof HTMLInputElement) { if (before.checked !== after.checked) before.checked = after.checked; }
  children(before, after);
}

/** A custom element that draws itself from one value, `view`. */
export class Island extends HTMLElement {
  /** @type {any} */
  #view;
  get view() { return this.#view; }
  set view(value) { this.#view = value; if (this.isConnected) this.redraw(); }
  connectedCallback() { if (this.#view !== undefined) this.redraw(); }
  redraw() { if (this.#view !== undefined) morph(this, [this.draw(this.#view)]); }
  /** What it shows. @param {any} view @returns {any} */
  draw(view) { throw new Error(`draw ${view}`); }
}

/** Listens once for every `data-act` inside; the handler gets the element that bears it. @param {Element} root @param {Record<string, (element: HTMLElement, event: Event) => void>} acts */
export function acting(root, acts) {
  root.addEventListener("click", (event) => {
    const element = /** @type {Element} */ (event.target).closest("[data-act]");
    if (!(element instanceof HTMLElement) || !root.contains(element) || element.getAttribute("aria-disabled") === "true") return;
    acts[element.dataset.act ?? ""]?.(element, event);
  });
}

/** Says something to screen readers. @param {string} text */
export function say(text) {
  const place = document.getElementById("status");
  if (place && place.textContent !== text) place.textContent = text;
}

/** A note that goes away by itself, unless somebody reads on. @param {string} text @param {"info" | "error"} [kind] @param {Element | null} [more] */
export function toast(text, kind = "info", more = null) {
  const place = document.getElementById("toasts");
  if (!place) return;
  for (const other of place.children) if (other.firstChild?.textContent === text) other.remove();
  const note = h("div", { class: `toast ${kind}` }, h("span", { text }), more);
  place.append(note);
  const leave = () => { if (note.querySelector("details[open]")) setTimeout(leave, 5000); else note.remove(); };
  setTimeout(leave, kind === "error" ? 9000 : 5000);
}

/** Whether things may move. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
