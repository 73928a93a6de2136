/**
 * The canonical layouts of tcgen05 a second time, as table 58 and figures 219 to 227 draw them: atoms of rows of chunks
 * of 16 bytes, in which a row's chunks have changed places by the number of the row.
 */
export interface Layout {
  readonly major: "K" | "MN";
  readonly swizzle: "none" | "32" | "64" | "128" | "128 by 32";
}

const numbers = { none: 0, "128 by 32": 1, "128": 2, "64": 4, "32": 6 } as const;

/** Chunks of a row of an atom, and its rows. */
const atoms = { none: [1, 8], "32": [2, 8], "64": [4, 8], "128": [8, 8], "128 by 32": [8, 4] } as const;

/** Where the chunk `chunk` of row `row` of an atom is. */
function within({ swizzle }: Layout, row: number, chunk: number): number {
  const place = {
    none: chunk,
    "32": chunk ^ (row >> 2),
    "64": chunk ^ (row >> 1),
    "128": chunk ^ row,
    "128 by 32": (((chunk >> 1) ^ row) << 1) | (chunk & 1),
  }[swizzle];
  return (row * atoms[swizzle][0] + place) * 16;
}

/**
 * Puts a matrix of `rows` of M or N by `k` of K into shared memory from `start` on, atoms along K first; gives its descriptor. `per`: elements
 * of a chunk, `bits` of each; "packed": they go on in the next chunk without padding.
 */
export function place(
  into: Uint8Array,
  start: number,
  layout: Layout,
  { rows, k, bits, per }: { rows: number; k: number; bits: number; per: number | "packed" },
  code: (row: number, k: number) => number,
): bigint {
  const { major, swizzle } = layout;
  const [width, height] = atoms[swizzle];
  const size = 16 * width * height;
  const [lines, length] = major === "K" ? [rows, k] : [k, rows];
  const across = Math.max(
    1,
    Math.ceil(Math.ceil((per === "packed" ? length * bits : length) / (per === "packed" ? 128 : per)) / width),
  );
  // The second atom along the row, and the atom behind all of them, the next one down.
  const [right, down] = [size, size * across];
  for (let line = 0; line < lines; line++)
    for (let at = 0; at < length; at++) {
      const value = major === "K" ? code(line, at) : code(at, line);
      for (let bit = 0; bit < bits; bit++) {
        const along = at * bits + bit;
        const chunk = per === "packed" ? along >> 7 : Math.floor(at / per);
        const place = per === "packed" ? along & 127 : (at % per) * bits + bit;
        const atom = Math.floor(chunk / width) * right + Math.floor(line / height) * down;
        const offset = start + atom + within(layout, line % height, chunk % width);
        into[offset + (place >> 3)]! |= ((value >>> bit) & 1) << (place & 7);
      }
    }
  // Without swizzling the strides of an MN-major matrix have changed names.
  const [leading, stride] = major === "MN" && swizzle === "none" ? [down, right] : [right, down];
  return (
    BigInt(start >> 4) |
    (BigInt(leading >> 4) << 16n) |
    (BigInt(stride >> 4) << 32n) |
    (1n << 46n) |
    (BigInt(numbers[swizzle]) << 61n)
  );
}
