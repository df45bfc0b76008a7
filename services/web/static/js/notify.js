// Tells who looks elsewhere that it is their turn: in the title, and if they like, by a sound or a notification.
// @ts-check
import { t } from "./i18n.js";
import { like, likes } from "./session.js";

let plain = document.title;
let mine = false;
/** @type {AudioContext | null} */
let audio = null;

/** The page's title, without "your turn". @param {string} title */
export function entitle(title) { plain = title; show(); }

function show() { document.title = mine ? `● ${t("notify.your-turn")} · ${plain}` : plain; }

/** Whether something is asked of the viewer now; a change to yes is told. @param {boolean} now @param {string} where */
export function yourTurn(now, where) {
  const began = now && !mine;
  mine = now;
  show();
  if (!began) return;
  if (likes().sound) chime();
  if (likes().notify && document.hidden && "Notification" in globalThis && Notification.permission === "granted") {
    const note = new Notification(t("notify.your-turn"), { body: where, tag: "wonderlog-turn" });
    note.addEventListener("click", () => { globalThis.focus(); note.close(); });
  }
}

/** Two soft notes. */
export function chime() {
  audio ??= new AudioContext();
  const now = audio.currentTime;
  [[587.33, 0], [880, 0.16]].forEach(([pitch, after]) => {
    const tone = /** @type {AudioContext} */ (audio).createOscillator(), loud = /** @type {AudioContext} */ (audio).createGain();
    tone.type = "sine";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, now + after);
    loud.gain.exponentialRampToValueAtTime(0.12, now + after + 0.03);
    loud.gain.exponentialRampToValueAtTime(0.0001, now + after + 0.7);
    tone.connect(loud).connect(/** @type {AudioContext} */ (audio).destination);
    tone.start(now + after);
    tone.stop(now + after + 0.8);
  });
}

/** Turns the sound on or off; on plays it once. */
export function toggleSound() { const on = !likes().sound; like({ sound: on }); if (on) chime(); return on; }

/** Turns notifications on or off; true if they are on now. */
export async function toggleNotify() {
  if (likes().notify) { like({ notify: false }); return false; }
  const on = "Notification" in globalThis && (await Notification.requestPermission()) === "granted";
  like({ notify: on });
  return on;
}
