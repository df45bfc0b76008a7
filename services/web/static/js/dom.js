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

/** The sprites' drawings by name. @type {Map<string, Element>} */
const symbols = new Map();

/** Fetches the sprites; await it before anything is drawn. */
export async function learnPictures() {
  const found = await Promise.all([body.dataset.icons, body.dataset.wonders].map((address) => new Promise((done, failed) => {
    const asking = new XMLHttpRequest(); // it reads SVG as a document, which no other way does without parsing text here
    asking.open("GET", address ?? "");
    asking.responseType = "document";
    asking.onload = () => done(asking.responseXML);
    asking.onerror = failed;
    asking.send();
  })));
  for (const sprite of found) for (const symbol of sprite?.querySelectorAll("symbol") ?? []) symbols.set(symbol.id, symbol);
}

/** A drawing from a sprite, with lines of its own: a browser is slow with hundreds of `<use>` of another file.  Copied where it was drawn before, which is much quicker. @param {string} key @param {string} name @param {Record<string, any>} props @returns {Element} */
function drawn(key, name, props) {
  let made = pictures.get(key);
  if (!made) {
    const symbol = symbols.get(name), lines = [...symbol?.children ?? []].map((one) => document.importNode(one, true));
    pictures.set(key, made = /** @type {Element} */ (s("svg", { ...props, viewBox: symbol?.getAttribute("viewBox") }, lines)));
  }
  return /** @type {Element} */ (made.cloneNode(true));
}

/** A picture from the sprite.  label: what it says to who cannot see it; without one it is decoration. @param {string} name @param {string} [label] @param {string} [more] */
export function icon(name, label, more = "") {
  const props = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return drawn(`${name} ${more} ${label ?? ""}`, name, { class: `icon i-${name} ${more}`.trim(), ...props });
}

/** A wonder as a line drawing. @param {string} wonder */
export const drawing = (wonder) => drawn(`wonder ${wonder}`, wonder, { class: "drawing", "aria-hidden": "true" });

/** Whether a part that should have stayed as it was could not be found. */
let lost = false;

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
    if (!found && /** @type {any} */ (wanted).same) { lost = true; continue; }
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
  if (/** @type {any} */ (after).same) return;
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
  /** @type {Map<string, { depends: any[], tag: string }>} */
  #parts = new Map();
  get view() { return this.#view; }
  set view(value) { this.#view = value; if (this.isConnected) this.redraw(); }
  connectedCallback() { if (this.#view !== undefined) this.redraw(); }

  redraw() {
    if (this.#view === undefined) return;
    const outside = lost; // an island inside another one is drawn in the middle of the other's drawing
    lost = false;
    morph(this, [this.draw(this.#view)]);
    const again = lost;
    lost = outside;
    if (!again) return;
    this.#parts.clear();
    morph(this, [this.draw(this.#view)]);
  }

  /** A part that is built only if something that it shows is another one than before; else the old one stays, untouched.  Always an element. @param {string} key @param {any[]} depends @param {() => any} build @returns {any} */
  part(key, depends, build) {
    const before = this.#parts.get(key);
    if (before && alikeAll(before.depends, depends)) return Object.assign(h(before.tag, { key }), { same: true });
    const made = build();
    made.setAttribute("data-key", key);
    this.#parts.set(key, { depends, tag: made.localName });
    return made;
  }

  /** What it shows. @param {any} view @returns {any} */
  draw(view) { throw new Error(`draw ${view}`); }
}

/** @param {any[]} before @param {any[]} now */
const alikeAll = (before, now) => before.length === now.length && before.every((one, place) => one === now[place]);

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
