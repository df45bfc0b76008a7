// SHA-256 and HMAC by hand, for houses on a local network: without HTTPS a browser keeps its own ones locked away.
// @ts-check

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{ // The first bits of the fractional parts of the roots of the first primes (FIPS 180-4).
  let found = 0;
  for (let n = 2; found < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) { prime = false; break; }
    if (!prime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(n));
    K[found] = fraction(Math.cbrt(n));
    found += 1;
  }
}

/** @param {number} root */
function fraction(root) { return Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0; }

/** SHA-256 of bytes: 32 bytes. @param {Uint8Array} data */
export function sha256(data) {
  const length = data.length, padded = new Uint8Array(((length + 72) >> 6) << 6);
  padded.set(data);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = START.slice(), w = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    mix(state, w);
  }
  const out = new Uint8Array(32), words = new DataView(out.buffer);
  state.forEach((word, i) => words.setUint32(4 * i, word));
  return out;
}

/** @param {number} x @param {number} n */
function turn(x, n) { return (x >>> n) | (x << (32 - n)); }

/** @param {Uint32Array} state @param {Uint32Array} w */
function mix(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

/** HMAC-SHA-256: 32 bytes. @param {Uint8Array} key @param {Uint8Array} data */
export function hmac(key, data) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = block.map((byte) => byte ^ 0x36), outer = block.map((byte) => byte ^ 0x5c);
  return sha256(joined(outer, sha256(joined(inner, data))));
}

/** PBKDF2 with HMAC-SHA-256: the first 32 bytes. @param {Uint8Array} password @param {Uint8Array} salt @param {number} rounds */
export function pbkdf2(password, salt, rounds) {
  let last = hmac(password, joined(salt, Uint8Array.of(0, 0, 0, 1)));
  const out = last.slice();
  for (let round = 1; round < rounds; round += 1) {
    last = hmac(password, last);
    for (let i = 0; i < 32; i += 1) out[i] ^= last[i];
  }
  return out;
}

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) { whole.set(part, place); place += part.length; }
  return whole;
}
