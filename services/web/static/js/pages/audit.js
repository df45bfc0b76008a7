// The audit: the ledger of a game, checked here from its raw bytes while a thread runs down the margin; beside it what the house found.
// @ts-check
import { Away, Refused, ask } from "../api.js";
import { readBundle } from "../bundle.js";
import { acting, calm, h, icon, morph, say } from "../dom.js";
import { list, roman, t, tn } from "../i18n.js";
import { Names, sentence } from "../ledger.js";
import { receiptsOf } from "../receipts.js";
import { findingWords, ownWords } from "../refusals.js";
import { hasSubtle } from "../secrets.js";
import { keep, keysOf, reading } from "../session.js";
import { open } from "../shell.js";
import { Check } from "../verify.js";
import { Unreadable } from "../zip.js";
import { disputeSheet } from "../elements/dispute.js";
import { faultWords, row } from "../elements/entry.js";

const GAME = document.body.dataset.game ?? "";
const SLICE = 9; // ms of checking between two looks

class Audit extends HTMLElement {
  connectedCallback() {
    this.game = GAME;
    this.run = 0;
    /** @type {Uint8Array | null} */
    this.raw = null;
    this.brought = ""; // the name of a file that was brought along
    this.turn = { age: 1, turn: 1, seat: 0 };
    this.build();
    this.listen();
    if (GAME) void this.fetch(); else this.verdict("idle", t("audit.bring"));
  }

  get token() { return reading(keysOf(this.game)); }

  build() {
    this.banner = h("section", { class: "verdict is-idle", role: "status", "aria-live": "polite" });
    this.ledger = h("div", { class: "ledger-lines", role: "region", "aria-label": t("audit.ledger") });
    this.side = h("div", { class: "audit-side" });
    this.file = h("input", { type: "file", accept: ".zip,application/zip", class: "sr-only", id: "bundle-file" });
    this.acts = h("p", { class: "row audit-acts" });
    this.replaceChildren(
      h("header", { class: "audit-head" }, h("div", {}, h("h1", { text: t("audit.title") }), h("p", { class: "lead", text: t("audit.lead") })), this.acts),
      this.banner,
      h("div", { class: "audit-main" }, h("div", { class: "ledger" }, h("div", { class: "ledger-head", "aria-hidden": "true" }, h("span", {}), h("span", { text: t("audit.number") }), h("span", { class: "when", text: t("audit.when") }), h("span", { text: t("audit.event") }), h("span", { class: "link-code", text: t("audit.link") })), this.ledger), this.side));
    this.tools();
  }

  tools() {
    morph(this.acts, [
      this.raw && !this.brought ? h("button", { type: "button", class: "button quiet", data: { act: "download" }, key: "download" }, icon("down"), h("span", { text: t("audit.download") })) : null,
      h("label", { class: "button quiet", for: "bundle-file", key: "open" }, icon("book"), h("span", { text: t("audit.open-file") })),
      GAME ? h("a", { class: "button quiet", href: `/replay/${GAME}`, key: "replay" }, icon("replay"), h("span", { text: t("end.replay") })) : null,
      GAME ? h("a", { class: "button quiet", href: `/table/${GAME}`, key: "table" }, icon("cards"), h("span", { text: t("table.title") })) : null]);
    if (!this.file.isConnected) this.acts.after(this.file);
  }

  listen() {
    acting(document.body, {
      download: () => this.download(),
      again: () => { this.brought = ""; void this.fetch(); },
      "to-event": (element) => this.show(Number(element.dataset.version)),
      "lay-open": () => { void this.layOpen(); },
    });
    this.file.addEventListener("change", () => { const [file] = this.file.files ?? []; if (file) void this.bring(file); this.file.value = ""; });
    this.addEventListener("dragover", (event) => event.preventDefault());
    this.addEventListener("drop", (event) => { event.preventDefault(); const file = event.dataTransfer?.files[0]; if (file) void this.bring(file); });
    this.addEventListener("change", (event) => { const { name, value } = /** @type {HTMLSelectElement} */ (event.target); if (name in this.turn) this.turn = { ...this.turn, [name]: Number(value) }; });
  }

  // ---- where the bytes come from --------------------------------------------------------------------------------------
  async fetch() {
    this.verdict("working", t("audit.fetching"));
    try {
      const answer = await this.bundle();
      const key = await ask("GET", "/.well-known/wonderlog.json").then((house) => house.host_key, () => null);
      this.raw = new Uint8Array(await answer.arrayBuffer());
      await Promise.all([this.check(this.raw, key), this.house()]);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      this.verdict("broken", error instanceof Refused ? t(error.reason === "archived" ? "error.archived" : "error.unknown-game") : t("error.away"));
    }
  }

  /** @returns {Promise<Response>} */
  async bundle() {
    let answer;
    try { answer = await fetch(`/games/${this.game}/bundle`, { headers: this.token ? { Authorization: `Bearer ${this.token}` } : {}, cache: "no-store", credentials: "omit" }); } catch (error) { throw new Away(String(error)); }
    if (answer.status === 401 && this.token) { keep(this.game, keysOf(this.game).seat ? { seat: undefined } : { host: undefined }); return this.bundle(); }
    if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => ({})));
    return answer;
  }

  /** A bundle that somebody brings along. @param {File} file */
  async bring(file) {
    this.brought = file.name;
    this.report = null;
    await this.check(new Uint8Array(await file.arrayBuffer()), null);
    this.aside();
  }

  download() {
    if (!this.raw) return;
    const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (this.raw)], { type: "application/zip" }));
    h("a", { href: address, download: `${this.game}.zip` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // ---- checking -----------------------------------------------------------------------------------------------------------
  /** Checks a bundle and tells it line by line. @param {Uint8Array} raw @param {string | null} hostKey */
  async check(raw, hostKey) {
    const run = this.run += 1;
    this.ledger.replaceChildren();
    this.tools();
    let bundle;
    try { bundle = readBundle(raw); } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.verdict("broken", t("audit.no-bundle"), [{ version: 0, text: t(`broken.${error.key}`, error.values) }]);
      return;
    }
    this.game = bundle.manifest.game;
    const names = new Names(), check = new Check(bundle, receiptsOf(this.game), hostKey);
    /** @type {{ version: number, text: string }[]} */
    const faults = [];
    let lines = document.createDocumentFragment(), looked = performance.now();
    const total = bundle.events.length;
    for await (const entry of check.entries()) {
      if (run !== this.run) return;
      names.hear(entry);
      lines.append(row(entry, names, faults.length > 0));
      for (const fault of entry.faults) faults.push({ version: entry.version, text: faultWords(fault, names) });
      if (calm() || performance.now() - looked < SLICE) continue;
      this.ledger.append(lines);
      this.verdict("working", t("audit.checking", { n: entry.version, of: total }));
      await new Promise((go) => { if (document.hidden) setTimeout(go); else requestAnimationFrame(go); });
      looked = performance.now();
    }
    this.ledger.append(lines);
    for (const fault of await check.whole()) faults.push({ version: 0, text: faultWords(fault, names) });
    if (run !== this.run) return;
    this.checked = { bundle, counted: check.counted, signs: check.signs, names };
    this.verdict(faults.length ? "broken" : "holds", faults.length ? tn("audit.faults", faults.length) : t("audit.all-holds"), faults);
    this.aside();
  }

  /** The banner over the ledger. @param {"idle" | "working" | "holds" | "broken"} state @param {string} text @param {{ version: number, text: string }[]} [faults] */
  verdict(state, text, faults = []) {
    const counted = this.checked?.counted, done = state === "holds" || (state === "broken" && faults.some((one) => one.version));
    this.banner.className = `verdict is-${state}`;
    this.banner.replaceChildren(
      icon(state === "broken" ? "cross" : state === "holds" ? "check" : state === "working" ? "clock" : "audit"),
      h("div", { class: "verdict-words" }, h("p", { class: "verdict-line" }, h("b", { text }), this.brought ? h("span", { class: "note", text: t("audit.from-file", { name: this.brought }) }) : null),
        done && counted ? h("p", { class: "note", text: [tn("audit.events", counted.events), tn("audit.seals", counted.seals), counted.signatures ? tn("audit.signatures", counted.signatures) : "", counted.heads ? tn("audit.heads", counted.heads) : "", counted.receipts ? tn("audit.receipts", counted.receipts) : ""].filter(Boolean).join(" · ") }) : null,
        done && !hasSubtle ? h("p", { class: "note", text: t("audit.own-hash") }) : done && this.checked && !this.checked.signs ? h("p", { class: "note", text: t("audit.no-signatures") }) : null,
        faults.length ? h("ul", { class: "faults" }, faults.slice(0, 12).map((one) => h("li", {}, one.version ? this.at(one.version) : h("span", { class: "note", text: t("audit.whole") }), h("span", { text: one.text })))) : null,
        faults.length > 12 ? h("p", { class: "note", text: t("audit.more", { n: faults.length - 12 }) }) : null,
        this.brought && GAME ? h("p", {}, h("button", { type: "button", class: "link", data: { act: "again" }, text: t("audit.back") })) : null));
    if (state === "holds" || state === "broken") say(text);
  }

  /** A way to an event. @param {number} version */
  at(version) { return h("a", { class: "to-event", href: `#v${version}`, data: { act: "to-event", version }, text: t("audit.at", { n: version }) }); }

  /** @param {number} version */
  show(version) {
    const line = /** @type {HTMLDetailsElement | null} */ (document.getElementById(`v${version}`));
    if (!line) return;
    line.open = true;
    line.scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" });
    line.querySelector("summary")?.focus({ preventScroll: true });
  }

  // ---- beside the ledger ------------------------------------------------------------------------------------------------------
  async house() {
    try { this.report = await ask("GET", `/games/${this.game}/audit`, { token: this.token }); } catch (error) { if (!(error instanceof Refused) && !(error instanceof Away)) throw error; }
    this.aside();
  }

  aside() {
    const receipts = receiptsOf(this.game);
    morph(this.side, [this.report && !this.brought ? this.findings(this.report) : null, this.kept(receipts), this.checked && this.game === GAME && !this.brought ? this.disputes() : null, this.manifest()]);
  }

  /** @param {any} report */
  findings(report) {
    return h("section", { class: "panel", key: "house" }, h("h2", {}, icon(report.clean ? "check" : "cross"), h("span", { text: t("audit.house") })),
      h("p", { text: report.clean ? t(report.complete ? "audit.house-clean" : "audit.house-clean-partly") : tn("audit.faults", report.findings.length + report.more) }),
      report.findings.length ? h("ul", { class: "faults" }, report.findings.map((/** @type {any} */ one) => h("li", {}, one.version ? this.at(one.version) : null, h("span", {}, h("span", { text: findingWords(one) }), ownWords(one.sentence))))) : null,
      h("p", { class: "note", text: [tn("audit.decisions", report.checked.decisions), tn("audit.draws", report.checked.draws), tn("audit.signatures", report.checked.signatures)].join(" · ") }),
      report.by_host.length ? h("p", { class: "note", text: tn("audit.by-host", report.by_host.length) }) : null,
      report.not_proved.length ? h("details", { key: "unproved" }, h("summary", { text: t("audit.not-proved") }), h("ul", { class: "rules" }, report.unproved.map((/** @type {string} */ kind) => h("li", { text: t(`unproved.${kind}`, { n: report.by_host.length, seats: list(report.unsigned.map((/** @type {number} */ seat) => t("seat.n", { n: seat + 1 }))) }) })))) : null);
  }

  /** @param {import("../receipts.js").Receipt[]} receipts */
  kept(receipts) {
    return h("section", { class: "panel", key: "receipts" }, h("h2", {}, icon("lock"), h("span", { text: t("audit.kept") })),
      h("p", { class: "note", text: receipts.length ? t("audit.kept-line") : t("audit.kept-none") }),
      receipts.length ? h("details", { key: "list" }, h("summary", { text: tn("audit.receipts", receipts.length) }), h("ul", { class: "receipts" }, receipts.map((one) => h("li", { key: one.version }, this.at(one.version), h("code", { text: one.link.slice(0, 16) }))))) : null);
  }

  disputes() {
    const names = this.checked.names, seats = [...Array(this.checked.bundle.manifest.ruleset.options.players).keys()];
    const pick = (/** @type {"age" | "turn" | "seat"} */ name, /** @type {string} */ label, /** @type {[number, string][]} */ options) => h("label", { class: "field", key: name }, h("span", { text: label }), h("select", { name, autocomplete: "off" }, options.map(([value, text]) => h("option", { value, text, selected: value === this.turn[name] }))));
    return h("section", { class: "panel", key: "disputes" }, h("h2", {}, icon("info"), h("span", { text: t("audit.dispute") })), h("p", { class: "note", text: t("audit.dispute-line") }),
      h("div", { class: "dispute-form" },
        pick("age", t("age.word"), [1, 2, 3].map((age) => [age, roman(age)])), pick("turn", t("audit.turn"), [1, 2, 3, 4, 5, 6].map((turn) => [turn, String(turn)])), pick("seat", t("audit.seat"), seats.map((seat) => [seat, names.called(seat)])),
        h("button", { type: "button", class: "button quiet", data: { act: "lay-open" }, text: t("audit.lay-open") })),
      this.sheet ? h("div", { class: "sheet-place", key: "sheet" }, this.sheet()) : null);
  }

  async layOpen() {
    const { age, turn, seat } = this.turn;
    try {
      const doc = await ask("GET", `/games/${this.game}/disputes/${age}/${turn}/${seat}`, { token: this.token });
      this.sheet = () => disputeSheet(doc, (version) => this.at(version), (version) => this.told(version));
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      const text = error instanceof Away ? t("error.away") : t("audit.not-played");
      this.sheet = () => h("p", { class: "why", text });
    }
    this.aside();
  }

  /** An event of the checked ledger in words. @param {number} version */
  told(version) {
    const line = this.checked?.bundle.events[version - 1];
    return line ? sentence(JSON.parse(new TextDecoder().decode(line)), this.checked.names) : null;
  }

  manifest() {
    if (!this.checked) return null;
    const { manifest } = this.checked.bundle;
    return h("section", { class: "panel", key: "manifest" }, h("h2", {}, icon("qr"), h("span", { text: t("audit.bundle") })),
      h("dl", { class: "manifest" },
        h("dt", { text: t("audit.game") }), h("dd", {}, h("code", { text: manifest.game })),
        h("dt", { text: t("audit.seen-by") }), h("dd", { text: manifest.viewer === "everything" ? t("replay.as-all") : manifest.viewer === "spectator" ? t("replay.as-table") : this.checked.names.called(Number(manifest.viewer.slice(5))) }),
        h("dt", { text: t("audit.head") }), h("dd", {}, h("code", { text: manifest.link })),
        h("dt", { text: t("audit.host-key") }), h("dd", {}, h("code", { text: manifest.host_key ?? "–" }))),
      h("p", { class: "note", text: t("audit.elsewhere") }), h("code", { class: "command", text: `wonderlog audit ${this.brought || `${manifest.game}.zip`}` }));
  }
}

await open();
customElements.define("wl-audit", Audit);
