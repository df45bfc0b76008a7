// Sets a full table closer where the window is low, so that the hand covers nobody's city.
// @ts-check

/** The height (px) under which a table of up to three, of four and of more cities is set closer: the more cities, the more stands there. */
const NEEDED = { table: [860, 960, 1010], replay: [1000, 1100, 1160] };

let cities = 0, page = /** @type {keyof NEEDED} */ ("table");

const measure = () => { document.body.classList.toggle("tight", cities > 0 && innerWidth > 900 && innerHeight < NEEDED[page][cities > 4 ? 2 : cities > 3 ? 1 : 0]); };

/** Tells how many cities there are, and on which page. @param {number} count @param {keyof NEEDED} [where] */
export function fit(count, where = "table") {
  if (count === cities && where === page) return;
  if (!cities) addEventListener("resize", measure);
  [cities, page] = [count, where];
  measure();
}
