// A new table: how many, with or without the Edifice, by which rules, with which boards and clock; each option explained.
// @ts-check
import { Away, Refused, ask } from "../api.js";
import { board, wonders } from "../box.js";
import { acting, drawing, h, morph } from "../dom.js";
import { fillWithBots, openTable, sitDown } from "../gather.js";
import { nameOf, t } from "../i18n.js";
import { RULES } from "../options.js";
import { complain } from "../refusals.js";
import { commandId } from "../secrets.js";
import { keysOf, like, likes } from "../session.js";
import { open } from "../shell.js";

/** @type {Record<string, Record<string, string>>} */
const PRESETS = {
  booklet: { edifice_tokens: "cities-1", edifice_reward: "age-end", edifice_penalty: "after-conflicts", free_city_control: "age" },
  publisher: { edifice_tokens: "printed", edifice_reward: "at-once", edifice_penalty: "before-conflicts", free_city_control: "turn" },
};
const CLOCKS = [0, 30, 60, 120, 300, 86400];

/** @param {string} name @param {string} value @param {any} chosen @param {string} label @param {string | null} [line] */
const choice = (name, value, chosen, label, line = null) => h("label", { class: "radio", key: `${name}-${value}` },
  h("input", { type: "radio", name, value, checked: String(chosen) === value, ".checked": String(chosen) === value }),
  h("span", { class: "radio-words" }, h("b", { text: label }), line ? h("span", { class: "note", text: line }) : null));

class New extends HTMLElement {
  busy = false;
  /** @type {any} */
  wish = { players: 4, bots: 0, edifice: true, rules: "booklet", ...PRESETS.booklet, boards: "dealt", sides: "dealt", clock: 0, listed: true, free: "", wonders: wonders() };

  connectedCallback() {
    acting(this, {
      players: (element) => { this.wish.players = Number(element.dataset.n); this.wish.bots = Math.min(this.wish.bots, this.wish.players - 1); this.draw(); },
      bots: (element) => { this.wish.bots = Number(element.dataset.n); this.draw(); },
    });
    this.addEventListener("change", (event) => this.changed(/** @type {HTMLInputElement} */ (event.target)));
    this.addEventListener("submit", (event) => { event.preventDefault(); void this.create(new FormData(/** @type {HTMLFormElement} */ (event.target))); });
    this.draw();
  }

  /** @param {HTMLInputElement} input */
  changed({ name, value, checked, type }) {
    const { wish } = this;
    if (name === "wonder") wish.wonders = wonders().filter((one) => (one === value ? checked : wish.wonders.includes(one)));
    else if (name === "edifice") { wish.edifice = checked; wish.wonders = wonders().filter((one) => (this.needsEdifice(one) ? checked : wish.wonders.includes(one))); }
    else if (name === "rules") { wish.rules = value; Object.assign(wish, PRESETS[value] ?? {}); }
    else if (name in RULES) { wish[name] = value; wish.rules = Object.keys(PRESETS).find((preset) => Object.entries(PRESETS[preset]).every(([key, one]) => wish[key] === one)) ?? "custom"; }
    else if (name === "clock") wish.clock = Number(value);
    else if (type === "checkbox") wish[name] = checked;
    else if (name !== "name") wish[name] = value;
    if (!wish.wonders.includes(wish.free.split(".")[0])) wish.free = "";
    this.draw();
  }

  /** @param {string} wonder */
  needsEdifice(wonder) { return board(wonder, "day").needs_edifice; }

  /** @param {FormData} given */
  async create(given) {
    if (this.busy) return;
    const { wish } = this, name = String(given.get("name")).trim();
    this.busy = true;
    this.draw();
    like({ name });
    try {
      const game = await openTable({
        players: wish.players, edifice: wish.edifice, boards: wish.boards, sides: wish.sides, listed: wish.listed, wonders: wish.wonders,
        ...(wish.players === 2 && wish.free ? { free_city: { wonder: wish.free.split(".")[0], side: wish.free.split(".")[1] } } : {}),
        rules: wish.rules === "custom" ? Object.fromEntries(Object.keys(RULES).map((key) => [key, wish[key]])) : wish.rules,
        ...(wish.clock ? { turn_seconds: wish.clock } : {}),
      });
      if (wish.boards === "dealt") await sitDown(game, { name });
      if (wish.bots && wish.bots === wish.players - 1 && wish.boards === "dealt") await fillWithBots(game, "builder");
      else for (let bot = 0; bot < wish.bots; bot += 1) await this.seatBot(game);
      location.assign(`/table/${game}`);
    } catch (error) {
      if (error instanceof Refused || error instanceof Away) complain(error);
      this.busy = false;
      this.draw();
    }
  }

  /** @param {string} game */
  async seatBot(game) {
    await ask("POST", `/games/${game}/seats`, { token: keysOf(game).host, body: { command_id: commandId(), bot: "builder" } });
  }

  draw() {
    const { wish } = this, cities = wish.players === 2 ? 3 : wish.players;
    const enough = wish.wonders.length >= cities;
    const rules = Object.entries(RULES).filter(([name]) => (name.startsWith("edifice") ? wish.edifice : wish.players === 2));
    morph(this, [
      h("h1", { text: t("new.title") }),
      h("form", { class: "new-form" },
        h("section", { class: "panel" }, h("h2", { text: t("new.who") }),
          h("label", { class: "field" }, h("span", { text: t("lobby.name") }), h("input", { type: "text", name: "name", required: true, maxlength: 40, autocomplete: "nickname", value: likes().name ?? t("lobby.default-name") })),
          h("fieldset", { class: "field" }, h("legend", { text: t("new.players") }), h("div", { class: "segments" }, [2, 3, 4, 5, 6, 7].map((n) => h("button", { type: "button", key: n, "aria-pressed": String(wish.players === n), data: { act: "players", n }, text: n }))), wish.players === 2 ? h("p", { class: "note", text: t("new.two") }) : null),
          h("fieldset", { class: "field" }, h("legend", { text: t("new.bots") }), h("div", { class: "segments" }, Array.from({ length: wish.players }, (_, n) => h("button", { type: "button", key: n, "aria-pressed": String(wish.bots === n), data: { act: "bots", n }, text: n }))), h("p", { class: "note", text: t("new.bots-line", { n: wish.players - 1 - wish.bots }) })),
          h("label", { class: "check" }, h("input", { type: "checkbox", name: "listed", checked: wish.listed, ".checked": wish.listed }), h("span", {}, h("b", { text: t("new.listed") }), h("span", { class: "note", text: t("new.listed-line") })))),
        h("section", { class: "panel" }, h("h2", { text: t("new.game") }),
          h("label", { class: "check" }, h("input", { type: "checkbox", name: "edifice", checked: wish.edifice, ".checked": wish.edifice }), h("span", {}, h("b", { text: t("lobby.with-edifice") }), h("span", { class: "note", text: t("new.edifice-line") }))),
          h("fieldset", { class: "field" }, h("legend", { text: t("new.clock") }), h("div", { class: "radios wide" }, CLOCKS.map((seconds) => choice("clock", String(seconds), wish.clock, t(`new.clock-${seconds}`)))), h("p", { class: "note", text: t("new.clock-line") })),
          h("fieldset", { class: "field" }, h("legend", { text: t("new.rules") }), h("div", { class: "radios" }, ["booklet", "publisher"].map((one) => choice("rules", one, wish.rules, t(`preset.${one}`), t(`preset.${one}-line`))), wish.rules === "custom" ? choice("rules", "custom", wish.rules, t("preset.custom"), t("preset.custom-line")) : null)),
          rules.length ? h("details", { class: "single" }, h("summary", { text: t("new.single") }), rules.map(([name, values]) => h("fieldset", { class: "field", key: name }, h("legend", { text: t(`rule.${name}`) }), h("div", { class: "radios" }, values.map((value) => choice(name, value, wish[name], t(`rule.${name}.${value}`), t(`rule.${name}.${value}-line`))))))) : h("p", { class: "note", text: t("new.no-single") })),
        h("section", { class: "panel wide" }, h("h2", { text: t("new.boards") }),
          h("div", { class: "pair" },
            h("fieldset", { class: "field" }, h("legend", { text: t("new.boards-how") }), h("div", { class: "radios" }, ["dealt", "chosen"].map((one) => choice("boards", one, wish.boards, t(`rules.boards-${one}`), t(`new.boards-${one}-line`))))),
            h("fieldset", { class: "field" }, h("legend", { text: t("new.sides") }), h("div", { class: "radios" }, ["dealt", "day", "night"].map((one) => choice("sides", one, wish.sides, t(`new.sides-${one}`), t(`new.sides-${one}-line`)))))),
          wish.players === 2 ? h("label", { class: "field half" }, h("span", { text: t("new.free-city") }), h("select", { name: "free" }, h("option", { value: "", text: t("new.free-city-any") }),
            wish.wonders.flatMap((/** @type {string} */ one) => ["day", "night"].map((side) => h("option", { value: `${one}.${side}`, selected: wish.free === `${one}.${side}`, text: `${nameOf("wonder", one)} · ${t(`side.${side}`)}` }))))) : null,
          h("fieldset", { class: "field" }, h("legend", { text: t("new.wonders") }), h("div", { class: "wonder-grid" }, wonders().map((one) => h("label", { class: "wonder-pick", key: one }, h("input", { type: "checkbox", name: "wonder", value: one, checked: wish.wonders.includes(one), ".checked": wish.wonders.includes(one), disabled: this.needsEdifice(one) && !wish.edifice }), drawing(one), h("span", { text: nameOf("wonder", one) })))),
            h("p", { class: enough ? "note" : "why", text: t(enough ? "new.wonders-line" : "new.wonders-few", { n: cities }) }))),
        h("div", { class: "form-end" }, h("button", { type: "submit", class: "button big", disabled: this.busy || !enough, text: t(this.busy ? "lobby.opening" : "new.open") }))),
    ]);
  }
}

await open();
customElements.define("wl-new", New);
