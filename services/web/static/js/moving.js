// A seat that comes to this device or leaves it, as the table's page does it: by the address, by a typed code, and back.
// @ts-check
import { Away, Refused } from "./api.js";
import { toast } from "./dom.js";
import { Handover, codeFromAddress, codeIn, takeSeat } from "./handover.js";
import { t } from "./i18n.js";
import { complain } from "./refusals.js";
import { keep, keysOf } from "./session.js";

/** Takes the seat under a code, unless there is one here that should stay.  Raises Refused or Away. @param {string} game @param {string} code "" is none */
async function taken(game, code) {
  if (!code) { toast(t("move.no-code"), "error"); return false; }
  if (keysOf(game).seat && !confirm(t("move.replace-sure"))) return false;
  await takeSeat(game, code);
  toast(t("move.taken"));
  return true;
}

/** What this device leaves behind. @param {string} game */
function forgetSeat(game) {
  keep(game, { seat: undefined, entropy: undefined, host: undefined, sign: undefined, name: undefined });
  location.reload();
}

const brought = codeFromAddress();

/** Sits down where the address says, before the table is first looked at. @param {string} game */
export async function arrive(game) {
  if (brought === null) return;
  try { await taken(game, brought); } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
    complain(error);
  }
}

export class Moving {
  /** @param {string} game @param {any} page */
  constructor(game, page) {
    this.game = game;
    this.page = page;
    this.handover = new Handover(game, () => this.changed());
  }

  /** Something has become of the code of our seat. */
  changed() {
    if (this.handover.state !== "moved") { this.page.draw(); return; }
    this.page.show({ kind: "moved" });
    this.page.dialog.querySelector("[data-act='forget-moved']")?.focus();
  }

  /** What can be clicked. @returns {Record<string, (element: HTMLElement) => void>} */
  get acts() {
    const { page, handover } = this;
    return {
      give: () => page.doing(() => handover.give()),
      "take-back": () => page.doing(() => handover.withdraw()),
      "forget-seat": () => { if (confirm(t("menu.forget-sure"))) forgetSeat(this.game); },
      "forget-moved": () => forgetSeat(this.game),
      "keep-moved": () => { handover.become("none"); page.show(null); },
    };
  }

  /** A code typed here, or pasted into the address of this page. @param {HTMLElement} dialog */
  listen(dialog) {
    dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      this.take(codeIn(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("code"))) ?? "");
    });
    addEventListener("hashchange", () => { const code = codeFromAddress(); if (code !== null) this.take(code); });
  }

  /** Sits where the code leads. @param {string} code */
  take(code) {
    void this.page.doing(async () => {
      if (await taken(this.game, code)) { this.page.show(null); await this.page.sitting.again(); }
    });
  }
}
