// Asks the house, with patience: what is only a lost connection is tried again, what is refused comes back with its reason.
// @ts-check
import { keepReceipt } from "./receipts.js";

/** How far the house's clock is ahead of ours, ms; to the second, from the last answer. */
let ahead = 0;

/** The time at the house, ms since the epoch. */
export const houseNow = () => Date.now() + ahead;

/** The house said no. */
export class Refused extends Error {
  /** @param {number} status @param {{ reason?: string, detail?: string }} problem */
  constructor(status, problem) {
    super(problem.detail ?? String(status));
    this.status = status;
    this.reason = problem.reason ?? "unknown";
  }
}

/** The house could not be reached, or asked to be left alone for a moment: worth another try. */
export class Away extends Error {}

/**
 * One request.  Raises Refused or Away.
 * @param {string} method @param {string} path @param {{ token?: string, body?: any, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function once(method, path, { token, body, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Away(String(error));
  }
  const said = Date.parse(answer.headers.get("date") ?? "");
  if (said && Math.abs(said + 500 - houseNow()) > 1500) ahead = said + 500 - Date.now();
  if (answer.status === 502 || answer.status === 503 || answer.status === 504) throw new Away(String(answer.status));
  const content = answer.headers.get("content-type") ?? "";
  let value;
  try { value = content.includes("json") ? await answer.json() : await answer.text(); } catch (error) {
    if (signal?.aborted) throw error;
    throw new Away("the answer broke off");
  }
  if (answer.status === 429 && !value?.reason) throw new Away("429"); // not the house itself: something on the way to it
  if (!answer.ok) throw new Refused(answer.status, typeof value === "object" && value ? value : {});
  if (method !== "GET") keepReceipt(value);
  return value;
}

/** The same, tried again while the house is away; `tries` in all. @param {string} method @param {string} path @param {any} [options] */
export async function ask(method, path, options = {}) {
  const tries = options.tries ?? 6;
  for (let attempt = 1; ; attempt += 1) {
    try { return await once(method, path, options); } catch (error) {
      if (!(error instanceof Away) || attempt >= tries) throw error;
      await wait(backoff(attempt));
    }
  }
}

/** @param {number} ms */
export const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** Milliseconds before the next try: growing to 8 s, never in step with others. @param {number} attempt */
export const backoff = (attempt) => Math.min(8000, 300 * 2 ** attempt) * (0.6 + 0.4 * Math.random());
