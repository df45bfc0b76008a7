// Hears of every event at a table as it happens, and comes back by itself after a sleep or a lost connection.
// @ts-check
import { backoff } from "./api.js";

/** @typedef {{ version: number, event: any, link: string, openings: any[] }} Line */

const SILENCE = 40_000; // ms; the house says something every 15 s

export class Live {
  /**
   * @param {string} game
   * @param {{ token: () => string | undefined, line: (line: Line) => void, state: (state: "open" | "lost" | "over" | "stranger") => void }} listener
   */
  constructor(game, listener) {
    this.game = game;
    this.listener = listener;
    this.after = 0;
    this.heard = 0;
    this.stopped = true;
    this.ended = false;
    /** @type {AbortController | null} */
    this.connection = null;
    this.wake = () => {};
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => { if (!document.hidden && performance.now() - this.heard > 20_000) this.again(); });
  }

  /** Begins after a version. @param {number} after */
  start(after) {
    this.after = after;
    if (!this.stopped) return;
    this.stopped = false;
    void this.listen();
  }

  stop() { this.stopped = true; this.again(); }

  /** Drops the connection, if there is one, and makes a new one at once. */
  again() { this.connection?.abort(); this.wake(); }

  async listen() {
    for (let attempt = 1; !this.stopped;) {
      const began = performance.now();
      const state = await this.connect();
      if (state !== "lost") { this.stopped = true; this.listener.state(state); return; }
      if (this.stopped) return;
      attempt = performance.now() - began > 10_000 ? 1 : attempt + 1;
      this.listener.state("lost");
      await new Promise((go) => { this.wake = () => go(undefined); setTimeout(go, backoff(attempt)); });
    }
  }

  /** One connection, until it ends. @returns {Promise<"lost" | "over" | "stranger">} */
  async connect() {
    const connection = new AbortController();
    this.connection = connection;
    const watch = setInterval(() => { if (performance.now() - this.heard > SILENCE) connection.abort(); }, 5000);
    this.heard = performance.now();
    try {
      /** @type {Record<string, string>} */
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(this.after) };
      const token = this.listener.token();
      if (token) headers.Authorization = `Bearer ${token}`;
      const answer = await fetch(`/games/${this.game}/live`, { headers, signal: connection.signal, cache: "no-store", credentials: "omit" });
      if (answer.status === 204) return "over";
      if (answer.status === 401 || answer.status === 403) return "stranger";
      if (!answer.ok || !answer.body) return "lost";
      this.listener.state("open");
      await this.read(answer.body.getReader());
      if (this.ended) return "over"; // nothing follows the last event
    } catch { /* a lost connection looks like any other end */ } finally {
      clearInterval(watch);
    }
    return "lost";
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async read(reader) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.heard = performance.now();
      text += decoder.decode(value, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        this.message(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  }

  /** @param {string} text */
  message(text) {
    const data = text.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()).join("\n");
    if (!data) return;
    const line = JSON.parse(data);
    if (line.version <= this.after) return;
    this.after = line.version;
    this.ended = line.event.type === "GameClosed";
    this.listener.line(line);
  }
}
