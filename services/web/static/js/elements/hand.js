// The hand: choosing happens on the card, which lifts and shows its two or three actions in words with their price.
// @ts-check
import { card as facts } from "../box.js";
import { Island, h, icon } from "../dom.js";
import { nameOf, t } from "../i18n.js";
import { called, cheapest, chosenWords, freeWords, leftOver, openQuestion, optionWords, payWords, playsOf, projectNow, slots, waitingFor, whyNoJoining, whyNoStage, whyNot } from "../plays.js";
import { back, cardWords, face } from "./card.js";
import { pictures, sentence } from "./effect.js";

/** @typedef {{ open: string | null, join: boolean, option: string | null, changing: number | null, sending: boolean, all: string | null }} Picking */

/** One way to pay, as a button. @param {any} data @param {string} action @param {string} pays @param {string} rest @param {"first" | "second" | "other"} rank */
const ledger = (data, action, pays, rest, rank) =>
  h("button", { type: "button", class: ["ledger", rank], data: { act: "play", ...data } },
    h("span", { class: "action", text: action }), h("span", { class: "pays", text: pays }), h("span", { class: "rest", text: rest }));

/** @param {any} doc @param {any} question @param {any} play @param {Picking} picking */
function build(doc, question, play, picking) {
  const city = doc.cities[question.city], free = freeWords(play, city), cost = play.cost ?? 0;
  const ways = cheapest(play.payments);
  const shown = picking.all === "build" ? ways : ways.slice(0, 3);
  return h("div", { class: "way" }, shown.map(([left, right], place) => ledger(
    { kind: "build", card: play.build, left, right },
    t("act.build"), free ?? payWords(doc, question.city, left, right, cost), leftOver(doc, question.city, left + right + cost), place === 0 ? "first" : "other")),
  ways.length > shown.length ? h("button", { type: "button", class: "more", data: { act: "all-ways", kind: "build" }, text: t("act.more-ways", { n: ways.length - shown.length }) }) : null);
}

/** @param {any} doc @param {any} question @param {any} play @param {Picking} picking @param {boolean} alone whether the card cannot be built */
function stage(doc, question, play, picking, alone) {
  const city = doc.cities[question.city], next = city.board[city.stages], project = projectNow(doc);
  const joins = picking.join && play.participate;
  const ways = cheapest(joins ? play.joinable : play.payments), extra = joins ? project.coins : 0, cost = play.cost ?? 0;
  const shown = picking.all === "stage" ? ways : ways.slice(0, 3);
  const needs = play.options?.length && !picking.option;
  const why = project && project.state === "open" ? whyNoJoining(doc, question, project) : null;
  return h("div", { class: "way" },
    h("p", { class: "way-head" }, h("span", { text: t("act.stage-n", { n: city.stages + 1 }) }), h("span", { class: "picture", title: sentence(next.effects) }, pictures(next.effects)), h("span", { class: "sr-only", text: sentence(next.effects) })),
    play.options?.length ? h("div", { class: "options", role: "radiogroup", "aria-label": t("act.option") }, play.options.map((/** @type {string} */ option) =>
      h("button", { type: "button", class: "chip", role: "radio", "aria-checked": String(picking.option === option), data: { act: "option", option }, key: option, text: optionWords(option) }))) : null,
    play.participate ? h("label", { class: "join" }, h("input", { type: "checkbox", checked: joins, ".checked": joins, data: { act: "join" } }), h("span", { text: t("act.join", { project: nameOf("project", project.project), n: project.coins }) })) : null,
    why && !play.participate ? h("p", { class: "why", text: t("act.no-join", { project: nameOf("project", project.project), why }) }) : null,
    needs ? h("p", { class: "why ask", text: t("act.option") }) : shown.map(([left, right], place) => ledger(
      { kind: "stage", card: play.stage, left, right, participate: joins ? 1 : 0, option: picking.option },
      t("act.stage"), payWords(doc, question.city, left, right, cost, extra), leftOver(doc, question.city, left + right + cost + extra), place ? "other" : alone ? "first" : "second")),
    !needs && ways.length > shown.length ? h("button", { type: "button", class: "more", data: { act: "all-ways", kind: "stage" }, text: t("act.more-ways", { n: ways.length - shown.length }) }) : null);
}

/** The actions of the card that is lifted. @param {any} doc @param {any} question @param {string} card @param {Picking} picking */
function actions(doc, question, card, picking) {
  const plays = playsOf(question, card), city = doc.cities[question.city];
  const own = ["choose", "last-card"].includes(question.kind);
  const noBuild = whyNot(doc, question, card), noStage = own ? whyNoStage(doc, question) : null;
  return h("div", { class: "actions", key: "actions", role: "group", "aria-label": nameOf("card", card) },
    h("p", { class: "does", text: sentence(facts(card).effects) }),
    plays.build ? build(doc, question, plays.build, picking) : noBuild ? h("p", { class: "why" }, icon("lock"), h("span", { text: noBuild })) : null,
    plays.stage ? stage(doc, question, plays.stage, picking, !plays.build) : noStage ? h("p", { class: "why" }, icon("stage"), h("span", { text: noStage })) : null,
    plays.discard ? h("div", { class: "way" }, ledger({ kind: "discard", card }, t("act.discard"), t("act.gain", { n: 3 }), t("pay.then", { n: city.coins + 3 }), "other")) : null,
    own && !plays.discard && question.discard ? h("p", { class: "why" }, icon("discard"), h("span", { text: t("why.free-city-must-build") })) : null,
    plays.pick ? h("div", { class: "way" }, ledger({ kind: "pick", card }, t("act.build"), t("free.discard"), "", "first")) : null,
    plays.lose ? h("div", { class: "way" }, ledger({ kind: "lose", card }, t("act.lose"), t("act.lose-why"), "", "first")) : null,
    h("button", { type: "button", class: "close", data: { act: "lay-back" }, "aria-label": t("act.lay-back") }, icon("cross")));
}

/** @param {any} doc @param {any} question @param {{ card: string, slot: string }} where @param {Picking} picking */
function holder(doc, question, { card, slot }, picking) {
  const plays = playsOf(question, card), city = doc.cities[question.city], open = picking.open === slot;
  const able = plays.build || plays.pick || plays.lose;
  const ribbon = plays.pick ? t("free.ribbon") : plays.build?.free ? freeWords(plays.build, city) : null;
  const reason = able ? null : whyNot(doc, question, card, true);
  const chosen = question.chosen?.card === card;
  const words = `${cardWords(card)} ${able ? (ribbon ?? "") : whyNot(doc, question, card) ?? ""}`;
  return h("li", { class: ["slot", open && "open", !able && "unable", chosen && "was-chosen"], key: slot },
    h("button", { type: "button", class: "card", data: { act: "lift", card, slot }, "aria-expanded": String(open), "aria-label": words, title: words },
      face(card, { city, cities: doc.cities, ribbon }),
      question.kind === "choose" && doc.you.drawn === card && slot.endsWith(".0") ? h("span", { class: "drawn", text: t("hand.drawn") }) : null,
      reason ? h("span", { class: "reason" }, icon("lock"), h("span", { text: reason })) : null),
    open ? actions(doc, question, card, picking) : null);
}

/** What is asked, in a sentence. @param {any} doc @param {any} question */
function prompt(doc, question) {
  const who = called(doc, question.city), free = doc.cities[question.city].free;
  if (question.kind === "choose") return free ? t("ask.free-city") : doc.free_city && doc.you.questions.length > 1 ? t("ask.own-first") : t("ask.choose");
  return t(`ask.${question.kind}`, { who });
}

/** @param {any} doc @param {any} question @param {Picking} picking */
function face_down(doc, question, picking) {
  const free = doc.cities[question.city].free;
  return h("li", { class: "laid", key: `laid-${question.city}` },
    h("span", { class: "card still laid-card", "aria-hidden": "true" }, back(doc.age)),
    h("span", { class: "laid-words" },
      h("b", { text: free ? t("free-city.name") : t("laid.title") }),
      h("span", { class: "laid-what", text: chosenWords(doc, question) }),
      question.changeable && !picking.sending ? h("span", { class: "laid-acts" },
        h("button", { type: "button", class: "link", data: { act: "change", city: question.city }, text: t("laid.change") }),
        h("button", { type: "button", class: "link", data: { act: "withdraw", city: question.city }, text: t("laid.withdraw") })) : null));
}

/** `<wl-hand>`.  view: { doc, picking, me }. */
class Hand extends Island {
  draw(/** @type {any} */ { doc, picking, me }) {
    const questions = doc.you?.questions ?? [];
    const question = openQuestion(doc, picking.changing);
    const laid = questions.filter((/** @type {any} */ one) => one.chosen && one !== question);
    const others = waitingFor(doc, me);
    const wait = others.length ? t("wait.for", { who: new Intl.ListFormat(document.documentElement.lang).format(others) }) : t("wait.reveal");
    const rest = question ? [] : doc.you?.hand ?? [];
    return h("section", { class: ["hand", question && "is-asked"], "aria-label": t("hand.title") },
      h("div", { class: "hand-line" },
        h("p", { class: "prompt" }, question ? h("b", { text: prompt(doc, question) }) : h("span", { text: laid.length ? wait : t("hand.nothing-asked") })),
        picking.changing !== null && question ? h("button", { type: "button", class: "link", data: { act: "keep-choice" }, text: t("laid.keep") }) : null,
        question && question.kind === "pick" && question.plays.some((/** @type {any} */ one) => one.decline) ? h("button", { type: "button", class: "button quiet", data: { act: "play", kind: "decline" }, text: t("act.decline") }) : null),
      laid.length ? h("ul", { class: "laid-list" }, laid.map((/** @type {any} */ one) => face_down(doc, one, picking))) : null,
      question
        ? h("ul", { class: ["fan", picking.sending && "sending"], data: { n: question.cards.length } }, slots(question.cards).map((one) => holder(doc, question, one, picking)))
        : rest.length ? h("ul", { class: "fan resting", "aria-label": t("hand.rest") }, slots(rest).map(({ card, slot }) =>
          h("li", { class: "slot", key: slot }, h("span", { class: "card still", title: cardWords(card) }, face(card, { city: doc.cities[me], cities: doc.cities }), h("span", { class: "sr-only", text: cardWords(card) }))))) : null);
  }
}
customElements.define("wl-hand", Hand);
