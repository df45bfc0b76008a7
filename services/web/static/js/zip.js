// Opens the box that a bundle comes in: a zip whose members are stored as they are, each with its checksum.
// @ts-check

/** Why a file is no bundle; `key` names the sentence. */
export class Unreadable extends Error {
  /** @param {string} key @param {Record<string, any>} [values] */
  constructor(key, values = {}) { super(key); this.key = key; this.values = values; }
}

const TABLE = new Uint32Array(256).map((_, n) => { let crc = n; for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1; return crc >>> 0; });
const LARGEST = 64 * 1024 * 1024;

/** CRC-32 as zips have it. @param {Uint8Array} data */
export function crc32(data) {
  let crc = 0xffffffff;
  for (let place = 0; place < data.length; place += 1) crc = TABLE[(crc ^ data[place]) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The members of a zip by name, in their order.  Raises Unreadable. @param {Uint8Array} raw @returns {Map<string, Uint8Array>} */
export function unzip(raw) {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength), end = raw.length - 22;
  if (raw.length > LARGEST) throw new Unreadable("zip.large");
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Unreadable("zip.none");
  const count = view.getUint16(end + 10, true);
  /** @type {Map<string, Uint8Array>} */
  const found = new Map();
  try {
    let place = view.getUint32(end + 16, true);
    for (let member = 0; member < count; member += 1) {
      if (view.getUint32(place, true) !== 0x02014b50) throw new Unreadable("zip.damaged");
      const long = view.getUint16(place + 28, true), name = new TextDecoder().decode(raw.subarray(place + 46, place + 46 + long));
      if (found.has(name)) throw new Unreadable("zip.twice", { name });
      found.set(name, one(raw, view, place, name));
      place += 46 + long + view.getUint16(place + 30, true) + view.getUint16(place + 32, true);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable("zip.damaged");
    throw error;
  }
  return found;
}

/** @param {Uint8Array} raw @param {DataView} view @param {number} entry of the directory @param {string} name */
function one(raw, view, entry, name) {
  if (view.getUint16(entry + 10, true) !== 0) throw new Unreadable("zip.packed", { name });
  const size = view.getUint32(entry + 24, true), local = view.getUint32(entry + 42, true);
  if (view.getUint32(local, true) !== 0x04034b50) throw new Unreadable("zip.damaged");
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true), content = raw.subarray(start, start + size);
  if (content.length !== size || crc32(content) !== view.getUint32(entry + 16, true)) throw new Unreadable("zip.sum", { name });
  return content;
}
