import { fragmentsOf } from "../../src/interp/contract/matrix/matrix-fragments.ts";
import { table } from "../../src/isa/table.ts";
import type { MatrixOperation } from "../../src/numeric/operation/matrix.ts";
import { type Matrices, type MatrixCase, multiplied } from "./matrix-kernel.ts";
import { spellings } from "./spellings.ts";

/**
 * Products that every order of summing gives alike: whole numbers small enough. What each type makes of a number is
 * written out here, and so is the product: nothing but the case itself comes from the sources.
 */

/** A sequence of numbers below `most`, the same each time. */
export function drawn(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const f32 = new Float32Array(1);
const f32Bits = new Uint32Array(f32.buffer);
const f64 = new Float64Array(1);
const f64Bits = new BigUint64Array(f64.buffer);

/** A whole number as a float with so many bits of exponent and fraction. */
function float(value: number, exponentBits: number, fractionBits: number): bigint {
  if (value === 0) return 0n;
  const sign = value < 0 ? 1 : 0;
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log2(size));
  const bias = 2 ** (exponentBits - 1) - 1;
  const fraction = (size / 2 ** exponent - 1) * 2 ** fractionBits;
  if (!Number.isInteger(fraction)) throw new Error(`${value} has no such float`);
  return BigInt(sign * 2 ** (exponentBits + fractionBits) + (exponent + bias) * 2 ** fractionBits + fraction);
}

/** The bits of a number in each type. */
export function encoded(type: MatrixOperation["a"], value: number): bigint {
  switch (type) {
    case "f16":
      return float(value, 5, 10);
    case "bf16":
      return float(value, 8, 7);
    case "tf32":
    case "f32":
      f32[0] = value;
      return BigInt(f32Bits[0] ?? 0);
    case "f64":
      f64[0] = value;
      return f64Bits[0] ?? 0n;
    case "e4m3":
      return float(value, 4, 3);
    case "e5m2":
      return float(value, 5, 2);
    case "e3m2":
      return float(value, 3, 2);
    case "e2m3":
      return float(value, 2, 3);
    case "e2m1":
      return float(value, 2, 1);
    case "s8":
    case "u8":
      return BigInt.asUintN(8, BigInt(value));
    case "s4":
    case "u4":
      return BigInt.asUintN(4, BigInt(value));
    case "b1":
      return BigInt(value);
    case "s32":
      return BigInt.asUintN(32, BigInt(value));
    case "s1z4m11":
      return BigInt((value < 0 ? 0x8000 : 0) | Math.abs(value));
  }
}

/** A number that the type has. */
function someOf(type: MatrixOperation["a"], draw: (most: number) => number): number {
  if (type === "b1") return draw(2);
  if (type === "s8") return draw(256) - 128;
  if (type === "u8") return draw(256);
  if (type === "s4") return draw(16) - 8;
  if (type === "u4") return draw(16);
  return draw(7) - 3;
}

/** Operands, and D as numbers, of one multiply. `selected[row]` are the columns that a sparse A stores, in order. */
export interface Exact {
  readonly matrices: Matrices;
  readonly wanted: readonly bigint[];
}

const pairs = [0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110];
const unsorted = [...pairs, 0b0001, 0b0010, 0b0011, 0b0110, 0b0111, 0b1011];

export function exact({ op }: MatrixCase, draw: (most: number) => number): Exact {
  const { m, n, k, a, b, c, d, quadPairs, sparse, scale, satfinite, bits } = op;
  const copies = quadPairs ? 4 : 1;
  const stored = sparse ? k / 2 : k;
  const A = Array.from({ length: copies * m * stored }, () => someOf(a, draw));
  const B = Array.from({ length: copies * k * n }, () => someOf(b, draw));
  const edge = c === "s32" && draw(4) === 0;
  const C = Array.from({ length: copies * m * n }, () =>
    c === "s32" ? (edge ? (draw(2) === 0 ? 2 ** 31 - 1 : -(2 ** 31)) : draw(2 ** 20) - 2 ** 19) : draw(15) - 7,
  );
  // Chunks of two columns of .tf32, four pairs of 4-bit types, else four: one, four and two of them are stored.
  const four = a === "s4" || a === "u4" || (a === "e2m1" && !op.contained);
  const [wide, kept] = a === "tf32" ? [2, 1] : four ? [8, 4] : [4, 2];
  const choices = a === "tf32" ? [0b0100, 0b1110] : sparse?.sorted ? pairs : unsorted;
  const metadata = Array.from({ length: sparse ? (m * k) / wide : 0 }, () => choices[draw(choices.length)] ?? 0);
  const columnOf = (row: number, at: number): number => {
    if (!sparse) return at;
    const [chunk, which] = [Math.floor(at / kept), at % kept];
    const nibble = metadata[row * (k / wide) + chunk] ?? 0;
    if (a === "tf32") return chunk * 2 + (nibble === 0b1110 ? 1 : 0);
    const index = four ? which >> 1 : which;
    const place = index === 0 ? nibble & 3 : nibble >> 2;
    return chunk * wide + (four ? place * 2 + (which & 1) : place);
  };
  const vector = scale?.vector ?? 0;
  // Powers of two from 1/2 to 4.
  const scaleA = Array.from({ length: m * vector }, () => draw(4) - 1);
  const scaleB = Array.from({ length: vector * n }, () => draw(4) - 1);
  const scaled = (row: number, column: number, at: number): number => {
    if (!scale) return 1;
    const block = Math.floor(at / (k / vector));
    return 2 ** ((scaleA[row * vector + block] ?? 0) + (scaleB[block * n + column] ?? 0));
  };
  const wanted: bigint[] = [];
  for (let copy = 0; copy < copies; copy++)
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        let sum = C[(copy * m + row) * n + column] ?? 0;
        for (let at = 0; at < stored; at++) {
          const x = A[(copy * m + row) * stored + at] ?? 0;
          const from = columnOf(row, at);
          const y = B[(copy * k + from) * n + column] ?? 0;
          sum += bits === "xor" ? x ^ y : bits === "and" ? x & y : x * y * scaled(row, column, from);
        }
        if (d === "s32" && satfinite) sum = Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), sum));
        wanted.push(encoded(d, sum));
      }
  const scaleBits = (power: number): bigint => BigInt(scale?.type === "ue4m3" ? (power + 7) << 3 : power + 127);
  return {
    matrices: {
      a: A.map((value) => encoded(a, value)),
      b: B.map((value) => encoded(b, value)),
      c: C.map((value) => encoded(c, value)),
      metadata: metadata.map(BigInt),
      scaleA: scaleA.map(scaleBits),
      scaleB: scaleB.map(scaleBits),
    },
    wanted,
  };
}

/** Every spelling of mma and wmma.mma that rounds to nearest, on its least target, with selectors that are not 0. */
export function* cases(): Generator<MatrixCase> {
  for (const form of table.flatMap(({ forms }) => forms)) {
    if ((form.mnemonic !== "mma" && form.mnemonic !== "wmma") || form.until !== undefined) continue;
    for (const { words, mods } of spellings(form)) {
      const plan = form.plan(mods);
      if (plan.shape !== "multiply" || (plan.op.rounding ?? "rn") !== "rn") continue;
      const { op } = plan;
      const { sm, only = "" } = form.since(mods);
      yield {
        opcode: words.join("."),
        op,
        target: `sm_${sm}${only}`,
        ...(op.sparse && { selector: 4 / (fragmentsOf(op).metadata?.holders?.threads ?? 4) - 1 }),
        ...(op.scale && { idsA: [4 - op.scale.vector, 1], idsB: [4 - op.scale.vector, 2] }),
      };
    }
  }
}

/** What comes out otherwise of so many products. */
export function differingExactly(one: MatrixCase, seed: number, count: number): string[] {
  const draw = drawn(seed);
  const all = Array.from({ length: count }, () => exact(one, draw));
  const results = multiplied(
    one,
    all.map(({ matrices }) => matrices),
  );
  return all.flatMap(({ wanted }, at) => {
    const wrong = wanted.findIndex((value, place) => results[at]?.[place] !== value);
    const show = (value: bigint | undefined): string => `0x${value?.toString(16)}`;
    return wrong < 0
      ? []
      : [
          `${one.opcode} on ${one.target}: element ${wrong} is ${show(results[at]?.[wrong])}, not ${show(wanted[wrong])}`,
        ];
  });
}
