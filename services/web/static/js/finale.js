// The end of a game: the score sheet, every card turned up, and the table where its players go on.
// @ts-check
import { Away, Refused, once, wait } from "./api.js";
import { begin, fillWithBots, openRematch, reveal, sitDown } from "./gather.js";

/** Lets a failure pass that a later look may mend. @param {unknown} error */
const excuse = (error) => { if (!(error instanceof Refused) && !(error instanceof Away)) throw error; };

const LOOK_MS = 3000;

export class Finale {
  /** draw: called when there is something new to show. @param {import("./sitting.js").Sitting} sitting @param {() => void} draw */
  constructor(sitting, draw) {
    this.sitting = sitting;
    this.draw = draw;
    this.looking = false;
    /** @type {any} */
    this.score = null;
    /** @type {any} everything face up, once the game is closed */
    this.opened = null;
    /** @type {string | null} */
    this.rematch = null;
  }

  get view() { return { score: this.score, opened: this.opened, rematch: this.rematch }; }

  /** The score sheet, also in the middle of a game. */
  async fetchScore() {
    const { game, token } = this.sitting;
    try { this.score = await once("GET", `/games/${game}/score`, { token }); } catch (error) { excuse(error); }
    this.draw();
  }

  /** All that is shown when the game is over. */
  async show() {
    const { game, token, doc } = this.sitting;
    await this.fetchScore();
    if (doc.closed && doc.cities.length && !this.opened) {
      try { this.opened = await once("GET", `/games/${game}/replay?at=${doc.version}&as=all`, { token }); } catch (error) { excuse(error); }
      this.draw();
    }
    void this.lookForRematch();
  }

  /** A rematch that somebody else opens shows up here, for everybody who looks at this table. */
  async lookForRematch() {
    if (this.looking) return;
    const { game } = this.sitting;
    for (this.looking = true; !this.rematch; await wait(document.hidden ? 4 * LOOK_MS : LOOK_MS)) {
      try {
        const found = await once("GET", `/games/${game}/rematch`, { token: this.sitting.token });
        if (found.rematch) { this.rematch = found.rematch; this.draw(); }
      } catch (error) { excuse(error); }
    }
  }

  /** Opens the same table again, sits down there, and begins if all others are bots. @param {string} name @returns {Promise<string>} the new game */
  async playAgain(name) {
    const { doc, me, game: old, token } = this.sitting;
    const bots = doc.seats.filter((/** @type {any} */ one, /** @type {number} */ seat) => seat !== me && one.bot);
    const game = await openRematch(old, token ?? "");
    if (me === null || doc.ruleset.options.boards !== "dealt") return game;
    await sitDown(game, { name });
    if (bots.length < doc.seats.length - 1) return game;
    await fillWithBots(game, bots[0].bot);
    await reveal(game);
    await begin(game);
    return game;
  }
}
