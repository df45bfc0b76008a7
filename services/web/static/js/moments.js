// Where each event of a game stands on the ruler, and how a moment is named in an address.
// @ts-check

/** @typedef {{ version: number, type: string, age: number, turn: number, rest: boolean, totals: number[], coins: number[], shields: number[] }} Moment */
/** @typedef {{ age: number, turn: number, from: number, to: number, x: number, width: number }} Span versions from..to, in shares of the ruler */

const BEFORE = 0.55; // the time before the first deal, in turns

export class Ruler {
  /** @param {Moment[]} moments */
  constructor(moments) {
    this.moments = moments;
    this.last = moments.length;
    /** @type {Span[]} */
    this.spans = [];
    for (const { version, age, turn } of moments) {
      const now = this.spans.at(-1);
      if (now && now.age === age && now.turn === turn) now.to = version; else this.spans.push({ age, turn, from: version, to: version, x: 0, width: 0 });
    }
    // Eighteen turns have their places from the start, so that a running game grows into its ruler.
    const begins = this.spans[0]?.age === 0, total = 18 + (begins ? BEFORE : 0);
    for (const span of this.spans) {
      span.width = (span.age ? 1 : BEFORE) / total;
      span.x = span.age ? ((span.age - 1) * 6 + span.turn - 1 + (begins ? BEFORE : 0)) / total : 0;
    }
    this.unit = 1 / total;
    this.zero = begins ? BEFORE / total : 0;
    /** @type {number[]} */
    this.xs = [0];
    for (const span of this.spans) for (let version = span.from; version <= span.to; version += 1) this.xs[version] = span.x + (span.width * (version - span.from)) / (span.to - span.from + 1);
  }

  /** Where a version stands: 0 to 1. @param {number} version */
  x(version) { return this.xs[version] ?? 0; }

  /** The version at a place. @param {number} x */
  at(x) {
    let low = 1, high = this.last;
    while (low < high) { const middle = (low + high + 1) >> 1; if (this.xs[middle] <= x) low = middle; else high = middle - 1; }
    return low;
  }

  /** @param {number} version @returns {Span} */
  span(version) { return this.spans.find((one) => version <= one.to) ?? this.spans[this.spans.length - 1]; }

  /** The first moment of a span at which the table waits for people: the turn as it lay before everybody. @param {Span} span */
  opening(span) {
    for (let version = span.from; version <= span.to; version += 1) if (this.moments[version - 1].rest) return version;
    return span.from;
  }

  /** The next or the last turn's beginning. @param {number} version @param {1 | -1} way */
  turn(version, way) {
    const place = this.spans.indexOf(this.span(version));
    if (way > 0) return place + 1 < this.spans.length ? this.opening(this.spans[place + 1]) : this.last;
    const here = this.opening(this.spans[place]);
    return version > here ? here : this.opening(this.spans[Math.max(0, place - 1)]);
  }

  /** `age=2&turn=4`, with `event=n` inside the turn. @param {number} version */
  name(version) {
    const span = this.span(version), bits = [`age=${span.age}`, `turn=${span.turn}`];
    if (version !== this.opening(span)) bits.push(`event=${version - span.from + 1}`);
    return bits.join("&");
  }

  /** The version that an address names, null if it names none. @param {URLSearchParams} words */
  find(words) {
    if (!words.has("age")) return null;
    const age = Number(words.get("age")), turn = Number(words.get("turn") ?? (age ? 1 : 0));
    const span = this.spans.find((one) => one.age === age && one.turn === turn);
    if (!span) return null;
    const event = Number(words.get("event") ?? 0);
    return event >= 1 ? Math.min(span.to, span.from + Math.floor(event) - 1) : this.opening(span);
  }
}
