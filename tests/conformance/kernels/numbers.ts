/**
 * Numbers as matrices hold them, by definitions of our own: nothing here comes from `src`. An element is packed with the lowest bits
 * first; `e2m1c` is four bits in the middle of a byte, as mma.sync takes them beside 8-bit elements.
 */

interface Float {
  readonly exponent: number;
  readonly fraction: number;
  readonly bias: number;
}
const floats: Readonly<Record<string, Float>> = {
  f16: { exponent: 5, fraction: 10, bias: 15 },
  bf16: { exponent: 8, fraction: 7, bias: 127 },
  e4m3: { exponent: 4, fraction: 3, bias: 7 },
  e5m2: { exponent: 5, fraction: 2, bias: 15 },
  e3m2: { exponent: 3, fraction: 2, bias: 3 },
  e2m3: { exponent: 2, fraction: 3, bias: 1 },
  e2m1: { exponent: 2, fraction: 1, bias: 1 },
};

/** Bits that an element takes in memory. */
const widths = {
  f64: 64, f32: 32, tf32: 32, s32: 32, u32: 32, f16: 16, bf16: 16, e4m3: 8, e5m2: 8, e3m2: 8, e2m3: 8, e2m1c: 8, s8: 8, u8: 8, e2m1: 4,
  s4: 4, u4: 4, b1: 1,
} as const; // biome-ignore format: one thing
export type Kind = keyof typeof widths;

/** The finite number of a code. */
function decodeFloat(code: number, { exponent, fraction, bias }: Float): number {
  const e = (code >>> fraction) & (2 ** exponent - 1);
  const f = code & (2 ** fraction - 1);
  const size = e ? (2 ** fraction + f) * 2 ** (e - bias - fraction) : f * 2 ** (1 - bias - fraction);
  return code >>> (exponent + fraction) ? -size : size;
}

/** The code of a number that the format has. */
function encodeFloat(value: number, format: Float): number {
  const { exponent, fraction, bias } = format;
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 2 ** (exponent + fraction) : 0;
  const e = size === 0 ? 1 - bias : Math.max(Math.floor(Math.log2(size)), 1 - bias);
  const f = size * 2 ** (fraction - e);
  const code = f < 2 ** fraction ? f : (e + bias) * 2 ** fraction + f - 2 ** fraction;
  if (decodeFloat(sign + code, format) !== value) throw new Error(`${value} is not in the format`);
  return sign + code;
}

const single = new Float32Array(1);
const word = new Uint32Array(single.buffer);

/** Bytes of these numbers, each of which the format must have exactly. */
export function pack(values: ArrayLike<number>, kind: Kind): Uint8Array {
  const width = widths[kind];
  const bytes = new Uint8Array(Math.ceil((values.length * width) / 8));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (kind === "f64") view.setFloat64(i * 8, value, true);
    else if (width === 32) {
      if (kind === "s32" || kind === "u32") word[0] = value;
      else single[0] = value;
      view.setUint32(i * 4, word[0]!, true);
    } else {
      const format = floats[kind === "e2m1c" ? "e2m1" : kind];
      const code = format ? encodeFloat(value, format) << (kind === "e2m1c" ? 2 : 0) : value & (2 ** width - 1);
      if (width === 16) view.setUint16(i * 2, code, true);
      else {
        const at = (i * width) >>> 3;
        bytes[at] = bytes[at]! | (code << ((i * width) & 7));
      }
    }
  }
  return bytes;
}

/** The numbers that these bytes hold: those of D. */
export function unpack(bytes: Uint8Array, kind: "f64" | "f32" | "s32" | "u32" | "f16" | "bf16" | "s8"): number[] {
  const copy = bytes.slice().buffer;
  if (kind === "f64") return Array.from(new Float64Array(copy));
  if (kind === "f32") return Array.from(new Float32Array(copy));
  if (kind === "s32") return Array.from(new Int32Array(copy));
  if (kind === "u32") return Array.from(new Uint32Array(copy));
  if (kind === "s8") return Array.from(new Int8Array(copy));
  return Array.from(new Uint16Array(copy), (code) => decodeFloat(code, floats[kind]!));
}

/** What a format can hold of small numbers, so that sums of products are exact in any order. */
const ranges: Readonly<Record<string, readonly number[]>> = {
  s8: [-128, -77, -3, -1, 0, 1, 2, 5, 126, 127],
  u8: [0, 1, 2, 3, 128, 200, 255],
  s4: [-8, -7, -3, -1, 0, 1, 2, 7],
  u4: [0, 1, 2, 8, 14, 15],
  b1: [0, 1],
  e2m1: [-4, -3, -2, -1, 0, 1, 2, 3, 6],
  e2m3: [-4, -3, -2, -1, 0, 1, 2, 5, 6],
  e3m2: [-8, -5, -2, -1, 0, 1, 3, 6],
  e5m2: [-5, -3, -2, -1, 0, 1, 2, 4],
};

/** `count` numbers of a format without a pattern, always the same for a seed. */
export function draw(count: number, kind: Kind, seed: number): number[] {
  const from = ranges[kind === "e2m1c" ? "e2m1" : kind] ?? [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5];
  let state = (seed * 0x9e3779b1) >>> 0;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    return from[(mixed >>> 8) % from.length]!;
  });
}

/** A matrix of numbers, row after row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly at: (row: number, column: number) => number;
}

export const matrix = (rows: number, columns: number, values: ArrayLike<number>): Matrix => ({
  rows,
  columns,
  at: (row, column) => values[row * columns + column]!,
});

/** The elements in rows, or in columns. */
export const inRows = ({ rows, columns, at }: Matrix): number[] =>
  Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns));
export const inColumns = ({ rows, columns, at }: Matrix): number[] =>
  Array.from({ length: rows * columns }, (_, i) => at(i % rows, Math.floor(i / rows)));

/** A * B + C, in doubles: exact for what `draw` draws. */
export function multiplyAdd(a: Matrix, b: Matrix, c?: Matrix): Matrix {
  const values = new Float64Array(a.rows * b.columns);
  for (let row = 0; row < a.rows; row++) {
    for (let column = 0; column < b.columns; column++) {
      let sum = c?.at(row, column) ?? 0;
      for (let k = 0; k < a.columns; k++) sum += a.at(row, k) * b.at(k, column);
      values[row * b.columns + column] = sum;
    }
  }
  return matrix(a.rows, b.columns, values);
}
