// An event of the log in one sentence: the chronicle's words for what the bare bytes say.
// @ts-check
import { roman, t } from "./i18n.js";
import { tell } from "./story.js";

/** Who is called what, as far as the names are opened. */
export class Names {
  constructor() {
    /** @type {Map<number, string>} */
    this.seats = new Map();
    /** @type {number | null} */
    this.free = null;
  }

  /** Takes in what an entry tells of names. @param {import("./verify.js").Entry} entry */
  hear({ event, opened }) {
    if (event?.type === "GameStarted") this.free = event.free_city ?? null;
    if (event?.type !== "SeatTaken") return;
    const name = opened.find((one) => one.path === "name");
    if (name) this.seats.set(event.seat, JSON.parse(name.bytes)); else this.seats.delete(event.seat);
  }

  /** @param {number} city */
  called(city) { return city === this.free ? t("free-city.name") : this.seats.get(city) ?? t("seat.n", { n: city + 1 }); }
}

/** @type {Record<string, (event: any) => [string, Record<string, any>]>} */
const PHRASES = {
  GameOpened: (e) => [e.options.edifice ? "opened-edifice" : "opened", { players: e.options.players }],
  SeatTaken: (e) => (e.bot ? ["sat-down-bot", { city: e.seat, bot: e.bot, number: e.seat + 1 }] : ["sat-down", { city: e.seat, number: e.seat + 1 }]),
  SeatLeft: (e) => [e.why === "removed" ? "removed" : "left", { city: e.seat }],
  EntropyCommitted: (e) => ["recommitted", { city: e.seat }],
  EntropyRevealed: (e) => ["ready", { city: e.seat }],
  GameStarted: (e) => ["started", { coins: e.coins }],
  AgeDealt: (e) => ["age-dealt", { age: e.age, cards: e.size }],
  CardDrawn: (e) => ["drew", { city: e.seat, cards: e.left }],
  ActionChosen: (e) => (e.city === e.seat ? ["chose", { city: e.seat }] : ["chose-for", { city: e.seat, other: e.city }]),
  ActionWithdrawn: (e) => (e.why === "own-choice" ? ["withdrew-own-choice", { city: e.seat, other: e.city }] : ["withdrew", { city: e.seat }]),
  SeatTimedOut: (e) => ["timed-out", { city: e.seat }],
  TurnRevealed: () => ["revealed", {}],
  CoinsPaid: (e) => [e.to !== null ? "paid-neighbour" : e.why === "project" ? "paid-project" : "paid-bank", { city: e.city, coins: e.amount, to: e.to }],
  CoinsReceived: (e) => (e.source === "discard" ? ["received-discard", { city: e.city, coins: e.amount }] : e.source.startsWith("stage:") ? ["received-stage", { city: e.city, coins: e.amount, number: e.source.slice(6) }] : ["received", { city: e.city, coins: e.amount, thing: e.source }]),
  CardBuilt: (e) => [e.free && e.free !== "chain" ? `built-${e.free}` : "built", { city: e.city, card: e.card }],
  StageBuilt: (e) => [e.option ? "stage-option" : "stage", { city: e.city, number: e.stage, option: e.option }],
  CardDiscarded: (e) => ["discarded", { city: e.city }],
  ParticipationTaken: (e) => [e.box ? "joined-box" : "joined", { city: e.city, project: e.project, tokens: e.left }],
  ExtraAsked: (e) => (e.question === "lose" ? ["asked-lose", { cities: e.cities }] : [`asked-${e.question}`, { city: e.cities[0] }]),
  ExtraChosen: (e) => ["answered", { city: e.city }],
  ExtraWithdrawn: (e) => ["withdrew-answer", { city: e.city }],
  ExtraRevealed: () => ["answers-revealed", {}],
  HandsPassed: (e) => [`passed-${e.to}`, {}],
  AgeEnded: (e) => ["age-ended", { age: e.age }],
  EdificeCompleted: (e) => ["completed", { project: e.project, cities: e.holders }],
  EdificeFailed: (e) => ["failed", { project: e.project, tokens: e.left, cities: e.penalised }],
  RewardGranted: (e) => ["rewarded", { city: e.city, project: e.project }],
  PenaltySuffered: (e) => [`penalty-${e.kind}`, { city: e.city, project: e.project, coins: e.coins, card: e.card, points: e.kind === "debt" ? e.debt : e.tokens.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) }],
  EdificeEvaluated: (e) => ["evaluated", { project: e.project }],
  ClockExtended: () => ["clock-extended", {}],
  SeatHandedToBot: (e) => ["bot-takes-over", { city: e.seat, bot: e.bot }],
  SeatReclaimed: (e) => ["returned", { city: e.seat }],
  AbortAgreed: (e) => ["agreed-to-abort", { city: e.seat }],
  GameClosed: (e) => [`closed-${e.reason}`, {}],
};

/** The sentence of an event. @param {any} event null: bytes that are no event @param {Names} names */
export function sentence(event, names) {
  if (!event) return t("audit.no-event");
  if (event.type === "ConflictsResolved") return `${t("reveal.conflicts", { age: roman(event.age) })}.`;
  if (event.type === "GameScored") return t("audit.scored");
  const phrase = PHRASES[event.type];
  try {
    if (!phrase) return event.type;
    const [key, params] = phrase(event);
    return tell({ key, params, text: event.type }, (city) => names.called(city));
  } catch { return String(event.type); } // a tampered event may lack anything; its fault is said beside it
}
