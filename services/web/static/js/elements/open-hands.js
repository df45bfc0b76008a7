// Hands in a replay: one seat's as that seat saw it, or every hand face up once the game is closed.
// @ts-check
import { Island, h, icon } from "../dom.js";
import { nameOf, t } from "../i18n.js";
import { called, chosenWords, whyNot } from "../plays.js";
import { building, cardWords, face } from "./card.js";

/** A card held twice is shown twice. @param {string[]} cards @returns {[string, number][]} */
const numbered = (cards) => { /** @type {Record<string, number>} */ const seen = {}; return cards.map((card) => [card, (seen[card] = (seen[card] ?? 0) + 1)]); };

/** `<wl-seen-hand>`: what a seat held, with what it had chosen.  view: { doc }. */
class SeenHand extends Island {
  draw(/** @type {any} */ { doc }) {
    const { you } = doc, laid = you.questions.filter((/** @type {any} */ one) => one.chosen), city = doc.cities[you.seat];
    const asked = you.questions.find((/** @type {any} */ one) => one.kind !== "choose") ?? you.questions.find((/** @type {any} */ one) => one.city === you.seat) ?? null;
    const cards = asked ? asked.cards : you.hand;
    return h("section", { class: "hand seen", "aria-label": t("replay.hand", { who: called(doc, you.seat) }) },
      h("p", { class: "hand-line" }, laid.length
        ? laid.map((/** @type {any} */ one) => h("span", { class: "prompt", key: one.city }, h("b", { text: `${called(doc, one.city)}: ` }), h("span", { text: chosenWords(doc, one) })))
        : h("span", { class: "prompt" }, h("span", { text: cards.length ? t("replay.hand", { who: called(doc, you.seat) }) : t("replay.no-hand") }))),
      h("ul", { class: "fan" }, numbered(cards).map(([card, place]) => {
        const why = asked && asked.refused[card] && !asked.plays.some((/** @type {any} */ one) => one.build === card || one.pick === card || one.lose === card) ? whyNot(doc, asked, card, true) : null;
        return h("li", { class: ["slot", why && "unable", laid.some((/** @type {any} */ one) => one.chosen.card === card) && "was-chosen"], key: `${card}-${place}` },
          h("span", { class: "card still", title: cardWords(card) }, face(card, { city, cities: doc.cities }), why ? h("span", { class: "reason" }, icon("lock"), h("span", { text: why })) : null, h("span", { class: "sr-only", text: cardWords(card) })));
      })));
  }
}
customElements.define("wl-seen-hand", SeenHand);

const SIGNS = /** @type {Record<string, string>} */ ({ build: "civilian", stage: "stage", discard: "coin", pick: "from-discard", lose: "cross", decline: "minus" });
/** @param {any} one a face-down choice, now open */
const sign = (one) => icon(SIGNS[one.kind] ?? "check", t(`replay.laid-${one.kind}`));

/** @type {Map<string, Element>} */
const chips = new Map();
/** A card's banner, copied: a replay shows each of them hundreds of times. @param {string} card */
function chip(card) {
  let made = chips.get(card);
  if (!made) {
    chips.set(card, made = /** @type {Element} */ (building(card)));
    made.querySelector(".small-picture")?.remove(); // names are enough, seven hands wide
  }
  return /** @type {Element} */ (made.cloneNode(true));
}

/** Marks a card as the one that is chosen, or takes the mark away. @param {any} line @param {any} laid */
function mark(line, laid) {
  if (line.laid === (laid?.kind ?? "")) return;
  line.laid = laid?.kind ?? "";
  line.classList.toggle("laid-open", Boolean(laid));
  line.querySelector(":scope > .sign")?.remove();
  if (laid) line.append(h("span", { class: "sign" }, sign(laid)));
}

/** Fills a hand that lies open; what is chosen is marked, and cards that stay are left where they are. @param {any} lot @param {string} title @param {string[]} cards @param {any} laid */
export function fillLot(lot, title, cards, laid) {
  if (!lot.list) { lot.list = h("ul", { class: "cards-open" }); lot.lines = new Map(); lot.replaceChildren(h("h3", { text: title }), lot.list); }
  const before = lot.lines, lines = lot.lines = new Map();
  const wanted = numbered(cards).map(([card, place]) => {
    const key = `${card}-${place}`, line = before.get(key) ?? chip(card);
    lines.set(key, line);
    mark(line, laid?.card === card && place === 1 ? laid : null);
    return line;
  });
  if (laid && !cards.includes(laid.card)) wanted.push(h("li", { class: "laid-else" }, sign(laid), h("span", { text: laid.card ? nameOf("card", laid.card) : t("did.decline") })));
  let at = lot.list.firstChild;
  for (const line of wanted) { if (line === at) at = at.nextSibling; else lot.list.insertBefore(line, at); }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}
