import { describe, expect, it } from "vitest";
import { addIn, divIn, mulIn, sqrtIn } from "../../../src/numeric/binary64/directed.ts";
import { above, below, exponentOf, powerOfTwo } from "../../../src/numeric/binary64/double.ts";
import { fmaDouble, fmaIn } from "../../../src/numeric/binary64/double-fma.ts";
import { f64, type Rounding } from "../../../src/numeric/index.ts";
import { draws } from "../../share.ts";
import { fadd, fdiv, ffma, fmul, fsqrt } from "./float-entry.ts";

const view = new DataView(new ArrayBuffer(8));
const bitsOf = (value: number): bigint => {
  view.setFloat64(0, value);
  return Number.isNaN(value) ? 0xfff8_0000_0000_0000n : view.getBigUint64(0);
};
const valueOf64 = (bits: bigint): number => {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
};

let state = 1;
const word = (): number => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
};

const MAX = Number.MAX_VALUE;
const MIN = Number.MIN_VALUE;
const corners = [
  0,
  MIN,
  3 * MIN,
  2 ** -1022 - MIN,
  2 ** -1022,
  2 ** -970,
  2 ** -500,
  0.1,
  1 - 2 ** -53,
  1,
  1 + 2 ** -52,
  3,
]
  .concat(2 ** 52, 2 ** 53 + 2, 2 ** 500, 2 ** 989, 2 ** 1000, 2 ** 1023, MAX, Number.POSITIVE_INFINITY, Number.NaN)
  .flatMap((x) => [x, -x]);

/** A number near 1 as a rule, of few bits at times, and at times any number at all. */
function random(): number {
  const kind = word() % 8;
  if (kind === 0) return corners[word() % corners.length] ?? 0;
  const sign = word() & 1 ? 0x8000_0000 : 0;
  const exponent = kind === 1 ? word() % 2047 : 1023 - 60 + (word() % 120);
  view.setUint32(0, (sign | (exponent << 20) | (word() & 0xf_ffff)) >>> 0);
  view.setUint32(4, kind === 2 ? 0 : word());
  return view.getFloat64(0);
}

const roundings: readonly Rounding[] = ["rn", "rz", "rm", "rp"];

describe("doubles in every rounding equal the exact reference", () => {
  const operations = [
    ["add", addIn, fadd, 2],
    ["mul", mulIn, fmul, 2],
    ["div", divIn, fdiv, 2],
    ["fma", fmaIn, ffma, 3],
    ["sqrt", sqrtIn, fsqrt, 1],
  ] as const;
  for (const [name, fast, op, arity] of operations)
    it.each(roundings)(`${name}.%s`, (rnd) => {
      const run = fast(rnd) as (...values: number[]) => number;
      const reference = op(f64, { rnd, reference: true }).js as (...bits: bigint[]) => bigint;
      const wrong: string[] = [];
      const judge = (...values: number[]): void => {
        const used = values.slice(0, arity);
        const got = bitsOf(run(...used));
        const wanted = reference(...used.map(bitsOf));
        if (got !== wanted) wrong.push(`${used}: ${valueOf64(got)}, not ${valueOf64(wanted)}`);
      };
      corners.forEach((a, at) => {
        corners.forEach((b, other) => void judge(a, b, corners[(at * 7 + other) % corners.length] ?? 0));
      });
      for (let n = 0; n < draws(300, 3000); n++) {
        const [a, b] = [random(), random()];
        judge(a, b, random());
        // An addend that nearly cancels.
        judge(a, b, -a * b);
        judge(a, b, above(-a * b));
        judge(a, below(-a), b);
      }
      expect(wrong.slice(0, 3)).toEqual([]);
    });
});

describe("fma on doubles", () => {
  it("keeps what a product and a sum of their own would lose", () => {
    // (1 + 2^-52)^2 = 1 + 2^-51 + 2^-104
    expect(fmaDouble(1 + 2 ** -52, 1 + 2 ** -52, -1 - 2 ** -51)).toBe(2 ** -104);
    // Twice rounded it would come to lie on a tie: 2^53 + 1 + 2^-52.
    expect(fmaDouble(1 + 2 ** -52, 1, 2 ** 53)).toBe(2 ** 53 + 2);
    expect(fmaDouble(2 ** -600, 2 ** -600, MIN)).toBe(MIN);
    expect(fmaDouble(MAX, 2, -MAX)).toBe(MAX);
    expect(fmaDouble(MAX, MAX, Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
    expect(fmaDouble(0, 5, -0)).toBe(0);
    expect(fmaDouble(-0, 5, -0)).toBe(-0);
    expect(fmaDouble(0, Number.POSITIVE_INFINITY, 1)).toBeNaN();
  });
  it("gives an exact zero the sign of its direction", () => {
    expect(fmaIn("rm")(2, 3, -6)).toBe(-0);
    expect(fmaIn("rp")(2, 3, -6)).toBe(0);
    expect(fmaIn("rz")(-2, 3, 6)).toBe(0);
  });
});

describe("neighbours and exponents of doubles", () => {
  it("steps across every border", () => {
    expect(above(0)).toBe(MIN);
    expect(below(0)).toBe(-MIN);
    expect(below(MIN)).toBe(0);
    expect(above(-MIN)).toBe(-0);
    expect(above(1)).toBe(1 + 2 ** -52);
    expect(below(1)).toBe(1 - 2 ** -53);
    expect(above(MAX)).toBe(Number.POSITIVE_INFINITY);
    expect(below(-MAX)).toBe(Number.NEGATIVE_INFINITY);
    expect(above(1 + 2 ** -20 - 2 ** -52)).toBe(1 + 2 ** -20); // the lower word carries
    expect(below(1 + 2 ** -20)).toBe(1 + 2 ** -20 - 2 ** -52);
  });
  it("knows powers of two", () => {
    for (const exponent of [-1022, -149, -1, 0, 1, 127, 1023]) {
      expect(powerOfTwo(exponent)).toBe(2 ** exponent);
      expect(exponentOf(powerOfTwo(exponent))).toBe(exponent);
      expect(exponentOf(-1.5 * 2 ** Math.min(exponent, 1022))).toBe(Math.min(exponent, 1022));
    }
  });
});
