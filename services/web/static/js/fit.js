// Sets a full table closer where the window is low, so that the hand covers nobody's city.
// @ts-check

/** The height (px) under which a table of so many cities is set closer: the more cities, the more buildings stand there. @param {number} cities */
const needed = (cities) => (cities > 4 ? 1010 : cities > 3 ? 960 : 860);

let cities = 0, taken = 0;

const measure = () => { document.body.classList.toggle("tight", cities > 0 && innerWidth > 900 && innerHeight < needed(cities) + taken); };

/** Tells how many cities there are.  more: px of the window's height that something else takes. @param {number} count @param {number} [more] */
export function fit(count, more = 0) {
  if (count === cities && more === taken) return;
  if (!cities) addEventListener("resize", measure);
  [cities, taken] = [count, more];
  measure();
}
