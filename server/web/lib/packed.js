// Texts that repeat themselves, packed into few bytes, at once: what the browser has for that can
// only be read back by waiting.
//
// The packed form is runs of bytes as they are (one byte 0 to 127: their number less one; then the
// bytes) and repetitions (128 to 255: their length less 124; then how far back they begin, in two
// bytes, the low one first).

const SHORTEST = 4;
const LONGEST = SHORTEST + 127;
const FARTHEST = 0xffff;
const MOST_AS_IS = 128;
const HASH_BITS = 14;

/** @param {string} text @returns {Uint8Array} */
export function pack(text) {
  const from = new TextEncoder().encode(text);
  const packed = new Uint8Array(from.length + Math.ceil(from.length / MOST_AS_IS));
  /** Where four bytes were seen last, by their hash; one more than the position. */
  const seen = new Int32Array(1 << HASH_BITS);
  let [size, at, asIs] = [0, 0, 0];
  const writeAsIs = () => {
    while (asIs < at) {
      const run = Math.min(MOST_AS_IS, at - asIs);
      packed[size++] = run - 1;
      packed.set(from.subarray(asIs, asIs + run), size);
      size += run;
      asIs += run;
    }
  };
  while (at + SHORTEST <= from.length) {
    const four = from[at] | (from[at + 1] << 8) | (from[at + 2] << 16) | (from[at + 3] << 24);
    const hash = Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
    const back = at + 1 - seen[hash];
    seen[hash] = at + 1;
    let length = 0;
    if (back <= Math.min(at, FARTHEST))
      while (length < LONGEST && from[at + length] === from[at + length - back]) length += 1;
    if (length < SHORTEST) {
      at += 1;
      continue;
    }
    writeAsIs();
    packed[size++] = 128 + length - SHORTEST;
    packed[size++] = back & 0xff;
    packed[size++] = back >> 8;
    at += length;
    asIs = at;
  }
  at = from.length;
  writeAsIs();
  return packed.slice(0, size);
}

/** The text that was packed.
 * @param {Uint8Array} packed */
export function unpack(packed) {
  let text = new Uint8Array(8 * packed.length);
  let size = 0;
  for (let at = 0; at < packed.length;) {
    const first = packed[at++];
    const length = first < 128 ? first + 1 : first - 128 + SHORTEST;
    if (size + length > text.length) {
      const larger = new Uint8Array(2 * text.length + length);
      larger.set(text);
      text = larger;
    }
    if (first < 128) {
      text.set(packed.subarray(at, at + length), size);
      at += length;
    } else {
      const from = size - (packed[at] | (packed[at + 1] << 8));
      for (let byte = 0; byte < length; byte += 1) text[size + byte] = text[from + byte];
      at += 2;
    }
    size += length;
  }
  return new TextDecoder().decode(text.subarray(0, size));
}
