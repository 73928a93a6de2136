import { describe, expect, expectTypeOf, it } from "vitest";
import { type Format, formats, fromBits, toBits, ulps } from "../../../src/numeric/index.ts";
import { decode, encode, formats as judges } from "../../conformance/rational-oracle.ts";
import { draws } from "../../share.ts";

const named = (name: string): Format => {
  const found = formats.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const f16 = named("f16");

/** Numbers by the rational oracle, which shares nothing with src. */
const pairs = ["f16", "bf16", "f32", "f64"].map((name) => {
  const judge = judges.get(name);
  if (judge === undefined) throw new Error(name);
  return { name, format: named(name), judge };
});

/** One code in so many; a prime, so that all exponents and all last bits are there. */
const STEP = draws(7, 1);

describe("toBits", () => {
  const texts = ["0", "-0.0", "0.1", "-0.1", "65519.999", "65520", "1e-8", "2.98e-8", "2049", "1e400", "-1e-400"];

  it.each(pairs)("rounds decimals into $name as rationals do, in each direction", ({ format, judge }) => {
    for (const text of [
      ...texts,
      ...Array.from({ length: 200 }, (_, at) => `${at * 37 - 3000}.${at}7e${(at % 17) - 9}`),
    ]) {
      const [, sign = "", whole = "", fraction = "", power = "0"] = /^(-?)(\d+)\.?(\d*)(?:e(-?\d+))?$/.exec(text) ?? [];
      const exponent = BigInt(Number(power) - fraction.length);
      const digits = BigInt(`${sign}${whole}${fraction}`);
      const num = exponent > 0n ? digits * 10n ** exponent : digits;
      const den = exponent < 0n ? 10n ** -exponent : 1n;
      for (const rnd of ["rn", "rz", "rm", "rp"] as const)
        expect([text, rnd, toBits(format, text, rnd)]).toEqual([
          text,
          rnd,
          encode(judge, { num, den, negative: sign === "-" }, rnd),
        ]);
    }
  });

  it("rounds numbers as the engine does", () => {
    for (const x of [0.1, -1e-45, 3.5e38, 16777217, 1 / 3, Number.MIN_VALUE, -0, Number.NEGATIVE_INFINITY]) {
      const [single, double] = [new DataView(new ArrayBuffer(4)), new DataView(new ArrayBuffer(8))];
      single.setFloat32(0, x);
      double.setFloat64(0, x);
      expect([x, toBits(named("f32"), x)]).toEqual([x, BigInt(single.getUint32(0))]);
      expect([x, toBits(named("f64"), x)]).toEqual([x, double.getBigUint64(0)]);
    }
    expect(toBits(f16, 2n ** 70n)).toBe(0x7c00n);
    expect(toBits(f16, -2049n)).toBe(0xe800n);
    expect(toBits(f16, Number.NaN)).toBe(0x7fffn);
  });

  it.each([
    ["0x1.8p3", 12],
    ["-0x.8p-1", -0.25],
    ["0X1P0", 1],
    ["0x10p-4", 1],
    ["0x1.999999999999ap-4", 0.1],
    ["1.5f", 1.5],
    ["1e3F", 1000],
    ["-.5f", -0.5],
    ["inf", Number.POSITIVE_INFINITY],
    ["0x1p-999999", 0],
    ["0x1p999999", Number.POSITIVE_INFINITY],
  ])("reads %s", (text, value) => expect(fromBits(named("f64"), toBits(named("f64"), text))).toBe(value));

  it.each(["", "0x3c00", "0x1.8", "1f", "0xp1", ".", "1.5ff", "1.5p3", "0x1.8p", "one", "1e", "0x1.8p0.5"])(
    "refuses %j",
    (text) => expect(() => toBits(f16, text)).toThrow(RangeError),
  );
});

describe("fromBits", () => {
  it.each(pairs.slice(0, 2))("is right about every $name", ({ format, judge }) => {
    let wrong = 0;
    for (let code = 0; code < 0x10000; code += STEP) {
      const value = decode(judge, BigInt(code));
      const number =
        value === "nan"
          ? Number.NaN
          : "infinite" in value
            ? Number(`${value.infinite}Infinity`)
            : value.num === 0n && value.negative
              ? -0
              : Number(value.num) / Number(value.den);
      if (!Object.is(number, fromBits(format, code))) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it.each(formats.filter(({ width }) => width <= 8))("is undone by toBits for $name", (format) => {
    for (let code = 0; code < 2 ** (format.sign + format.exp + format.frac); code++) {
      const number = fromBits(format, code);
      if (!Number.isNaN(number)) expect(toBits(format, number)).toBe(BigInt(code));
    }
  });
});

describe("ulps", () => {
  it.each(pairs.slice(0, 2))("counts the numbers of $name between two", ({ format, judge }) => {
    // Each number once, in order: where one stands says how far it is.
    const size = (code: bigint): number => {
      const value = decode(judge, code);
      if (value === "nan") return Number.NaN;
      return "infinite" in value ? Number(`${value.infinite}Infinity`) : Number(value.num) / Number(value.den);
    };
    const numbers = Array.from({ length: 0x10000 }, (_, code) => size(BigInt(code)) + 0);
    const sorted = [...new Set(numbers.filter((x) => !Number.isNaN(x)))].sort((a, b) => (a < b ? -1 : 1));
    const places = new Map(sorted.map((x, at) => [x, at]));
    let seed = 1;
    const draw = (): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return seed >>> 16;
    };
    let wrong = 0;
    for (let turn = 0; turn < 20_000; turn++) {
      const [a, b] = [draw(), draw()];
      const [from, to] = [numbers[a] ?? Number.NaN, numbers[b] ?? Number.NaN];
      const nans = Number(Number.isNaN(from)) + Number(Number.isNaN(to));
      const apart = Math.abs((places.get(from) ?? 0) - (places.get(to) ?? 0));
      if (ulps(format, a, BigInt(b)) !== (nans === 2 ? 0n : nans === 1 ? undefined : BigInt(apart))) wrong++;
    }
    expect(wrong).toBe(0);
    expect(ulps(format, 0x8000, 0)).toBe(0n);
    expect(ulps(format, 0x8001, 1)).toBe(2n);
  });
});

it("types what goes in and out", () => {
  expectTypeOf(toBits).parameter(0).toEqualTypeOf<Format>();
  expectTypeOf(toBits).parameter(1).toEqualTypeOf<number | bigint | string>();
  expectTypeOf(toBits).parameter(2).toEqualTypeOf<"rn" | "rz" | "rm" | "rp" | "rna" | undefined>();
  expectTypeOf(toBits).returns.toEqualTypeOf<bigint>();
  expectTypeOf(fromBits).returns.toEqualTypeOf<number>();
  expectTypeOf(ulps).returns.toEqualTypeOf<bigint | undefined>();
});
