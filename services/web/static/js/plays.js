// What a seat may do with a card, put into words: each way to pay, what is left over, and why something cannot be done.
// @ts-check
import { card as facts } from "./box.js";
import { list, nameOf, roman, spoken, t, thing } from "./i18n.js";
import { reasonWords } from "./refusals.js";
import { paid, price } from "./trade.js";

/** What is called a city. @param {any} doc @param {number} city */
export const called = (doc, city) => (doc.cities[city]?.free ? t("free-city.name") : doc.cities[city]?.name ?? doc.seats[city]?.name ?? t("seat.n", { n: city + 1 }));

/** The question that is open for this seat, if any; an answered one while it is being changed. @param {any} doc @param {number | null} changing */
export function openQuestion(doc, changing) {
  const questions = doc.you?.questions ?? [];
  if (changing !== null) { const found = questions.find((/** @type {any} */ one) => one.city === changing && one.changeable); if (found) return found; }
  return questions.find((/** @type {any} */ one) => !one.chosen && one.plays.length) ?? null;
}

/** The places of a hand: a card held twice lies in two. @param {string[]} cards @returns {{ card: string, slot: string }[]} */
export const slots = (cards) => cards.map((card, place) => ({ card, slot: `${card}.${cards.slice(0, place).filter((other) => other === card).length}` }));

/** The plays of one card in a question. @param {any} question @param {string} card */
export function playsOf(question, card) {
  /** @type {Record<string, any>} */
  const found = {};
  for (const play of question.plays) for (const kind of ["build", "stage", "discard", "pick", "lose"]) if (play[kind] === card) found[kind] = play;
  return found;
}

/** "2 to Bo, 1 to the bank": what a way to pay gives to whom. @param {any} doc @param {number} city @param {number} left @param {number} right @param {number} cost @param {number} joining */
export function payWords(doc, city, left, right, cost, joining = 0) {
  const own = doc.cities[city], parts = [];
  if (left) parts.push(t("pay.to", { n: left, who: called(doc, own.left) }));
  if (right) parts.push(t("pay.to", { n: right, who: called(doc, own.right) }));
  if (cost) parts.push(t("pay.bank", { n: cost }));
  if (joining) parts.push(t("pay.project", { n: joining }));
  return parts.length ? parts.join(", ") : t("pay.nothing");
}

/** Coins left after it. @param {any} doc @param {number} city @param {number} spent */
export const leftOver = (doc, city, spent) => t("pay.left-over", { n: doc.cities[city].coins - spent });

/** Cheapest first, then the one that spreads it. @param {number[][]} payments */
export const cheapest = (payments) => [...payments].sort((a, b) => a[0] + a[1] - b[0] - b[1] || Math.max(...a) - Math.max(...b));

/** Why a card costs nothing. @param {any} play @param {any} city */
export function freeWords(play, city) {
  if (!play?.free) return null;
  if (play.free !== "chain") return t(`free.${play.free}`);
  const from = facts(play.build).free_from.find((/** @type {string} */ one) => city.built.includes(one));
  return t("free.chain", { card: from ? thing(from) : "" });
}

/** @param {any} doc @param {number} place @param {any} cost @param {number} extra @param {boolean} short */
function cannotPay(doc, place, cost, extra, short) {
  const city = doc.cities[place];
  const missing = [...new Set(paid(cost, city, doc.cities).filter((unit) => unit.how === "missing").map((unit) => unit.resource))];
  if (missing.length) return t(short ? "why.missing-short" : "why.missing", { what: list(missing.map((one) => nameOf("resource", one).toLocaleLowerCase())) });
  const needed = (price(cost, city, doc.cities) ?? 0) + extra;
  return t(short ? "why.coins-short" : "why.coins", { n: needed, have: city.coins, short: Math.max(1, needed - city.coins) });
}

/** Why a card cannot be built: a sentence, or a few words for the card itself. @param {any} doc @param {any} question @param {string} card */
export function whyNot(doc, question, card, short = false) {
  const why = question.refused[card];
  if (!why) return null;
  if (why.reason === "cannot-pay") return cannotPay(doc, question.city, facts(card).cost, 0, short);
  const key = `why.${why.reason}${short ? "-short" : ""}`;
  return spoken(key) ? t(key, { card: nameOf("card", card) }) : reasonWords(why.reason);
}

/** Why no stage can be built. @param {any} doc @param {any} question */
export function whyNoStage(doc, question) {
  if (!question.stage) return null;
  const city = doc.cities[question.city], stage = city.board[city.stages];
  if (question.stage.reason === "cannot-pay" && stage) return cannotPay(doc, question.city, stage.cost, 0, false);
  return spoken(`why.${question.stage.reason}`) ? t(`why.${question.stage.reason}`) : reasonWords(question.stage.reason);
}

/** Why the stage cannot join the project. @param {any} doc @param {any} question @param {any} project */
export function whyNoJoining(doc, question, project) {
  if (!question.join) return null;
  if (question.join.reason === "cannot-pay") return t("why.join-coins", { n: project?.coins ?? 0 });
  return spoken(`why.${question.join.reason}`) ? t(`why.${question.join.reason}`) : reasonWords(question.join.reason);
}

/** The project of the Age, while it can be joined. @param {any} doc */
export const projectNow = (doc) => doc.edifice.find((/** @type {any} */ one) => one.age === doc.age) ?? null;

/** An option of a stage in words. @param {string} option */
export const optionWords = (option) => (option.startsWith("age-") ? t("option.age", { age: roman(Number(option.slice(4))) }) : t(`option.${option}`));

/** A choice that lies face down, in words. @param {any} doc @param {any} question */
export function chosenWords(doc, question) {
  const { kind, card, left, right, participate, option } = question.chosen;
  const city = doc.cities[question.city];
  const name = card ? nameOf("card", card) : "";
  const bits = [t(`did.${kind}`, { card: name, stage: city.stages + 1 })];
  if (option) bits.push(optionWords(option));
  if (participate) bits.push(t("did.joining", { project: nameOf("project", projectNow(doc)?.project ?? "") }));
  if (left || right) bits.push(payWords(doc, question.city, left, right, 0));
  return bits.join(" · ");
}

/** Whom the table waits for, but us. @param {any} doc @param {number | null} me */
export function waitingFor(doc, me) {
  const seats = [...new Set(doc.awaiting.filter((/** @type {any} */ one) => !one.chosen && one.seat !== me).map((/** @type {any} */ one) => one.seat))];
  return seats.map((seat) => doc.seats[/** @type {number} */ (seat)].name ?? t("seat.n", { n: Number(seat) + 1 }));
}

