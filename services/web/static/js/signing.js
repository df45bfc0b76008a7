// A seat's own key at work: every choice, answer and withdrawal goes out signed, so that nobody else can have made it.
// @ts-check
import { canSign, newPair, sign } from "./ed25519.js";
import { utf8 } from "./secrets.js";

/** @typedef {{ game: string, seat: number, city: number, age: number, turn: number, question: string, number: number, seen: { version: number, link: string } }} Asked */

/** What is signed: one line each, as docs/audit.md has it. @param {"act" | "card" | "withdraw"} what @param {Asked} asked @param {string} [value] exact JSON */
export function message(what, asked, value) {
  const { game, seat, city, age, turn, question, number, seen } = asked;
  return utf8([`wonderlog/1 ${what}`, game, seat, city, age, turn, question, number, seen.version, seen.link, ...(value === undefined ? [] : [value])].join("\n"));
}

/** What the host signs. @param {"receipt" | "head"} what @param {string} game @param {number} version @param {string} link */
export const hostMessage = (what, game, version, link) => utf8(`wonderlog/1 ${what}\n${game}\n${version}\n${link}`);

/** A key for a new seat: its private part to keep and what the house is told of it; nothing where the browser cannot sign. */
export async function seatKey() {
  if (!await canSign()) return { kept: {}, told: {} };
  const pair = await newPair();
  return { kept: { sign: pair.private }, told: { public_key: pair.public } };
}

/** The exact JSON of a play's act. @param {any} play */
export function actOf(play) {
  const kind = ["build", "stage", "discard", "pick", "decline", "lose"].find((one) => one in play);
  return JSON.stringify({ kind, left: play.left ?? 0, right: play.right ?? 0, participate: play.participate ?? false, option: play.option ?? null });
}

/** The exact JSON of a play's card. @param {any} play */
export const cardOf = (play) => JSON.stringify({ card: play.build ?? play.stage ?? play.discard ?? play.pick ?? play.lose ?? null });

/**
 * What is added to a choice (play) or a withdrawal (null) of a seat with a key.
 * @param {string} key @param {any} doc @param {any} question @param {any} play @param {{ version: number, link: string }} seen
 */
export async function signatures(key, doc, question, play, seen) {
  const asked = { game: doc.game, seat: doc.you.seat, city: question.city, age: doc.age, turn: doc.turn, question: question.kind === "choose" ? "" : question.kind, number: question.number + 1, seen };
  const about = { number: asked.number, seen };
  if (!play) return { ...about, signature: await sign(key, message("withdraw", asked)) };
  const [act, card] = await Promise.all([sign(key, message("act", asked, actOf(play))), sign(key, message("card", asked, cardOf(play)))]);
  return { ...about, signatures: { act, card } };
}
