import fc from "fast-check";
import { describe, it } from "vitest";
import { type Exact, unpack } from "../../src/numeric/exact/exact.ts";
import { bf16, exactDecimal, type Format, f16, f32, f64, neighbours, type Rounding } from "../../src/numeric/index.ts";
import type { Lowered } from "../../src/numeric/lower/lowered.ts";
import { fadd, fcompare, fdiv, ffma, fmax, fmin, fmul, fsqrt, fsub } from "../unit/numeric/float-entry.ts";

/** Facts of arithmetic that hold for all operands, whatever the format. */
type Bits = number | bigint;
const run = (op: Lowered, ...operands: Bits[]) => (op.js as (...all: Bits[]) => Bits)(...operands);

const format = fc.constantFrom(f16, bf16, f32, f64);
const bitsOf = (f: Format): fc.Arbitrary<Bits> =>
  f.width === 64 ? fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) : fc.integer({ min: 0, max: 2 ** f.width - 1 });
const operands = (count: number) =>
  format.chain((f) => fc.tuple(fc.constant(f), ...Array.from({ length: count }, () => bitsOf(f))));

/** -1, 0 or 1 for finite and infinite numbers. */
function order(a: Exact, b: Exact): number {
  if (a.kind === "nan" || b.kind === "nan") throw new Error("NaN has no order");
  if (a.kind === "inf" || b.kind === "inf") return rank(a) - rank(b);
  const exp = Math.min(a.exp, b.exp);
  const units = (x: typeof a) => (x.neg ? -x.sig : x.sig) << BigInt(x.exp - exp);
  const difference = units(a) - units(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
const rank = (x: Exact): number => (x.kind !== "inf" ? 0 : x.neg ? -1 : 1);
const isNan = (f: Format, bits: Bits) => unpack(f, BigInt(bits)).kind === "nan";
const binaries = fc.constantFrom(fadd, fsub, fmul, fdiv);

describe("floating-point arithmetic", () => {
  it("adds and multiplies in either order", () => {
    fc.assert(
      fc.property(operands(2), fc.constantFrom(fadd, fmul, fmin, fmax), ([f, a, b], make) => {
        return run(make(f), a!, b!) === run(make(f), b!, a!);
      }),
    );
  });

  it("rounds down, toward zero and up around the nearest", () => {
    fc.assert(
      fc.property(operands(2), binaries, ([f, a, b], make) => {
        const results = (["rm", "rn", "rp"] as const).map((rnd) => run(make(f, { rnd }), a!, b!));
        if (isNan(f, results[0]!)) return results.every((bits) => bits === results[0]);
        const [down, near, up] = results.map((bits) => unpack(f, BigInt(bits)));
        return order(down!, near!) <= 0 && order(near!, up!) <= 0;
      }),
    );
  });

  it("rounds toward zero to the one of rm and rp that is smaller", () => {
    fc.assert(
      fc.property(operands(3), ([f, a, b, c]) => {
        const of = (rnd: Rounding) => run(ffma(f, { rnd }), a!, b!, c!);
        return of("rz") === of("rm") || of("rz") === of("rp");
      }),
    );
  });

  it("has rm and rp at most one step apart", () => {
    fc.assert(
      fc.property(operands(2), binaries, ([f, a, b], make) => {
        const down = BigInt(run(make(f, { rnd: "rm" }), a!, b!));
        const up = BigInt(run(make(f, { rnd: "rp" }), a!, b!));
        if (isNan(f, up)) return true;
        if (order(unpack(f, down), unpack(f, up)) === 0) return true;
        // Both zeros are one value, so the step is asked for from the side that is not zero.
        return neighbours(f, down).above === up || neighbours(f, up).below === down;
      }),
    );
  });

  it("is symmetric about zero in rn", () => {
    fc.assert(
      fc.property(operands(2), ([f, a, b]) => {
        const sign = (x: Bits): Bits => (typeof x === "bigint" ? x ^ (1n << 63n) : (x ^ (2 ** (f.width - 1))) >>> 0);
        const product = run(fmul(f), a!, b!);
        return isNan(f, product) || run(fmul(f), sign(a!), b!) === sign(product);
      }),
    );
  });

  it("fuses: a * b + 0 is a * b, and a * 1 + c is a + c", () => {
    fc.assert(
      fc.property(operands(2), ([f, a, b]) => {
        const bits = (x: bigint): Bits => (f.width === 64 ? x : Number(x));
        const one = bits(BigInt(f.bias) << BigInt(f.frac));
        const minusZero = bits(1n << BigInt(f.width - 1));
        const product = run(fmul(f), a!, b!);
        const fused = run(ffma(f), a!, b!, minusZero);
        const same = fused === product || order(unpack(f, BigInt(fused)), unpack(f, BigInt(product))) === 0;
        return same && run(ffma(f), a!, one, b!) === run(fadd(f), a!, b!);
      }),
    );
  });

  it("orders what it compares", () => {
    fc.assert(
      fc.property(operands(2), ([f, a, b]) => {
        if (isNan(f, a!) || isNan(f, b!)) return run(fcompare(f, "nan"), a!, b!) === 1;
        const sign = order(unpack(f, BigInt(a!)), unpack(f, BigInt(b!)));
        const holds = (["lt", "eq", "gt"] as const).map((relation) => run(fcompare(f, relation), a!, b!));
        return holds.indexOf(1) - 1 === Math.sign(sign) && (holds[0]! as number) === run(fcompare(f, "ltu"), a!, b!);
      }),
    );
  });
});

describe("f32 and f64 in rn are what the host computes", () => {
  const view = new DataView(new ArrayBuffer(8));
  const into64 = (value: number) => {
    view.setFloat64(0, value);
    return Number.isNaN(value) ? f64.nan : view.getBigUint64(0);
  };
  const into32 = (value: number) => {
    view.setFloat32(0, value);
    return Number.isNaN(value) ? Number(f32.nan) : view.getUint32(0);
  };
  const host = [
    [fadd, (a: number, b: number) => a + b],
    [fsub, (a: number, b: number) => a - b],
    [fmul, (a: number, b: number) => a * b],
    [fdiv, (a: number, b: number) => a / b],
    [fsqrt, (a: number) => Math.sqrt(a)],
  ] as const;

  it("by the reference and by the fast path", () => {
    const reference = fc.boolean();
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.constantFrom(...host), reference, (a, b, [make, compute], slow) => {
        return run(make(f64, { reference: slow }), into64(a), into64(b)) === into64(compute(a, b));
      }),
    );
    fc.assert(
      fc.property(fc.float(), fc.float(), fc.constantFrom(...host), reference, (a, b, [make, compute], slow) => {
        return run(make(f32, { reference: slow }), into32(a), into32(b)) === into32(compute(a, b));
      }),
    );
  });

  it("and decimals are read back as the same bits", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (a) => {
        return Object.is(Number(exactDecimal(f64, into64(a))), a);
      }),
    );
  });
});
