// Draws a link as a QR code, here in the browser, because the link may be a secret that no server should see.
// @ts-check

// Byte mode, error correction M, versions 1 to 10 (ISO/IEC 18004): per version [codewords of correction per block, blocks of each length].
/** @type {[number, number[]][]} */
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
const ALIGN = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(512), LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) { EXP[i] = x; LOG[x] = i; x <<= 1; if (x & 0x100) x ^= 0x11d; }
for (let i = 255; i < 512; i += 1) EXP[i] = EXP[i - 255];

/** @param {number} degree */
function generator(degree) {
  let poly = [1];
  for (let i = 0; i < degree; i += 1) {
    const next = Array.from({ length: poly.length + 1 }, () => 0);
    poly.forEach((factor, place) => { next[place] ^= factor; if (factor) next[place + 1] ^= EXP[LOG[factor] + i]; });
    poly = next;
  }
  return poly;
}

/** @param {number[]} data @param {number} count */
function correction(data, count) {
  const poly = generator(count), rest = [...data, ...Array.from({ length: count }, () => 0)];
  for (let i = 0; i < data.length; i += 1) {
    const lead = rest[i];
    if (lead) poly.forEach((factor, place) => { if (factor) rest[i + place] ^= EXP[LOG[factor] + LOG[lead]]; });
  }
  return rest.slice(data.length);
}

/** The longest text, in bytes. */
export const LONGEST = 213;

/** The code of a text, as rows of booleans.  RangeError if it is longer. @param {string} text @returns {boolean[][]} */
export function qr(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex(([, blocks], place) => blocks.reduce((a, b) => a + b, 0) >= bytes.length + (place < 9 ? 2 : 3)) + 1;
  if (!version) throw new RangeError("too long for this code");
  const [count, sizes] = BLOCKS[version - 1], capacity = sizes.reduce((a, b) => a + b, 0);
  const bits = [...binary(4, 4), ...binary(bytes.length, version < 10 ? 8 : 16), ...bytes.flatMap((byte) => binary(byte, 8))];
  bits.push(...Array.from({ length: Math.min(4, capacity * 8 - bits.length) }, () => 0));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(Number.parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  return place(version, interleaved(data, sizes, count));
}

/** @param {number} value @param {number} width */
const binary = (value, width) => Array.from({ length: width }, (_, i) => (value >> (width - 1 - i)) & 1);

/** @param {number[]} data @param {number[]} sizes @param {number} count */
function interleaved(data, sizes, count) {
  let from = 0;
  const blocks = sizes.map((size) => data.slice(from, (from += size)));
  const checks = blocks.map((block) => correction(block, count));
  const out = [];
  for (let i = 0; i < Math.max(...sizes); i += 1) for (const block of blocks) if (i < block.length) out.push(block[i]);
  for (let i = 0; i < count; i += 1) for (const check of checks) out.push(check[i]);
  return out.flatMap((byte) => binary(byte, 8));
}

/** @param {number} version @param {number[]} bits */
function place(version, bits) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const grid = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  const set = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ dark) => { if (row >= 0 && column >= 0 && row < size && column < size) grid[row][column] = dark; };
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]])
    for (let r = -1; r < 8; r += 1) for (let c = -1; c < 8; c += 1) {
      const ring = Math.max(Math.abs(r - 3), Math.abs(c - 3));
      set(top + r, left + c, ring !== 2 && ring !== 4);
    }
  for (const row of ALIGN[version - 1]) for (const column of ALIGN[version - 1]) {
    if (grid[row][column] !== null) continue;
    for (let r = -2; r < 3; r += 1) for (let c = -2; c < 3; c += 1) set(row + r, column + c, Math.max(Math.abs(r), Math.abs(c)) !== 1);
  }
  for (let i = 8; i < size - 8; i += 1) { grid[6][i] = i % 2 === 0; grid[i][6] = i % 2 === 0; }
  marks(grid, size, version, 0);
  const free = grid.map((row) => row.map((cell) => cell === null));
  fill(grid, free, bits, size);
  let best = null, least = Infinity;
  for (let mask = 0; mask < 8; mask += 1) {
    const tried = grid.map((row, r) => row.map((cell, c) => (free[r][c] ? cell !== MASKS[mask](r, c) : cell)));
    marks(tried, size, version, mask);
    const cost = penalty(tried, size);
    if (cost < least) { least = cost; best = tried; }
  }
  return /** @type {boolean[][]} */ (best);
}

const MASKS = [
  (/** @type {number} */ r, /** @type {number} */ c) => (r + c) % 2 === 0, (/** @type {number} */ r) => r % 2 === 0, (/** @type {number} */ _, /** @type {number} */ c) => c % 3 === 0, (/** @type {number} */ r, /** @type {number} */ c) => (r + c) % 3 === 0,
  (/** @type {number} */ r, /** @type {number} */ c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0, (/** @type {number} */ r, /** @type {number} */ c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (/** @type {number} */ r, /** @type {number} */ c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0, (/** @type {number} */ r, /** @type {number} */ c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The format's bits, the version's, and the one dark module. @param {(boolean | null)[][]} grid @param {number} size @param {number} version @param {number} mask */
function marks(grid, size, version, mask) {
  let rest = mask << 10; // level M is 00
  for (let i = 4; i >= 0; i -= 1) if (rest & (1 << (i + 10))) rest ^= 0x537 << i;
  const format = ((mask << 10) | rest) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const dark = Boolean((format >> i) & 1);
    grid[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i][8] = dark;
    grid[8][i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i] = dark;
  }
  grid[size - 8][8] = true;
  if (version < 7) return;
  let tail = version << 12;
  for (let i = 5; i >= 0; i -= 1) if (tail & (1 << (i + 12))) tail ^= 0x1f25 << i;
  const code = (version << 12) | tail;
  for (let i = 0; i < 18; i += 1) {
    const dark = Boolean((code >> i) & 1), a = Math.floor(i / 3), b = size - 11 + (i % 3);
    grid[a][b] = dark; grid[b][a] = dark;
  }
}

/** @param {(boolean | null)[][]} grid @param {boolean[][]} free @param {number[]} bits @param {number} size */
function fill(grid, free, bits, size) {
  let next = 0, up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (free[row][column]) { grid[row][column] = Boolean(bits[next] ?? 0); next += 1; }
    }
    up = !up;
  }
}

/** @param {(boolean | null)[][]} grid @param {number} size */
function penalty(grid, size) {
  let cost = 0, dark = 0;
  const line = (/** @type {(boolean | null)[]} */ cells) => {
    let run = 1;
    for (let i = 1; i <= size; i += 1) {
      if (i < size && cells[i] === cells[i - 1]) run += 1;
      else { if (run >= 5) cost += run - 2; run = 1; }
    }
    const text = cells.map((cell) => (cell ? "1" : "0")).join("");
    for (const pattern of ["10111010000", "00001011101"]) for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) cost += 40;
  };
  for (let i = 0; i < size; i += 1) { line(grid[i]); line(grid.map((row) => row[i])); }
  for (let r = 0; r < size; r += 1) for (let c = 0; c < size; c += 1) {
    if (grid[r][c]) dark += 1;
    if (r && c && grid[r][c] === grid[r - 1][c] && grid[r][c] === grid[r][c - 1] && grid[r][c] === grid[r - 1][c - 1]) cost += 3;
  }
  return cost + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10;
}
