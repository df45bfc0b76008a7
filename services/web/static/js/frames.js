// A whole game folded up: the table after every event, unchanged parts shared, so that any moment is there at once.
// @ts-check

/** @typedef {{ version: number, changes: Record<string, any> }} Frame */

/** A document with changes put in; what they do not touch stays the very same object. @param {any} document @param {Record<string, any>} changes */
export function put(document, changes) {
  const fresh = new Set();
  /** @param {any} value */
  const own = (value) => {
    if (fresh.has(value)) return value;
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    fresh.add(copy);
    return copy;
  };
  let whole = document;
  for (const [path, value] of Object.entries(changes)) {
    if (path === "") { whole = value; continue; }
    const way = path.split("/"), last = /** @type {string} */ (way.pop());
    whole = own(whole);
    let place = whole;
    for (const step of way) { place[step] = own(place[step]); place = place[step]; }
    place[last] = value;
  }
  return whole;
}

/** The documents by version, one more place at the front so that version n stands at n. @param {Frame[]} frames @param {any[]} [known] */
export function unfold(frames, known = [null]) {
  const documents = known.slice();
  for (const { version, changes } of frames) documents[version] = put(documents[version - 1], changes);
  return documents;
}
