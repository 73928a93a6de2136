import { describe, expect, test } from "vitest";
import type { Form } from "../../src/isa/form/define.ts";
import { table } from "../../src/isa/index.ts";
import { share } from "../share.ts";
import { type ConvertMode, convert, type NumberType } from "../unit/numeric/float-entry.ts";
import { conversion } from "./cvt-oracle.ts";
import { codeOf, numberOf } from "./narrow-oracle.ts";
import { formats, isNan } from "./rational-oracle.ts";
import { runRows, type Spelling, scattered, spellings } from "./spellings.ts";

const cvt: readonly Form[] = table.flatMap(({ forms }) => forms.filter(({ mnemonic }) => mnemonic === "cvt"));
const named: [string, Form][] = cvt.map((form) => [`${form.syntax} (${form.operands.length})`, form]);
const hex = (x: bigint | number): string => `0x${x.toString(16)}`;

/** Threads of each run, every one with its own operands: a little more than three warps, the last not full. */
const count = 112;
const random = scattered(0x2545_f491_4f6c_dd1dn);
const next = (): bigint => random.next().value as bigint;
const pick = <T>(list: readonly T[]): T => list[Number(next() % BigInt(list.length))]!;

const limits = [0, 7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63].map(BigInt);

/** Bits of an operand: around powers of two, floats about which integers and narrow formats care, or any. */
function draw(width: number, type: string): bigint {
  const format = formats.get(type);
  const any = BigInt.asUintN(width, next());
  if (next() % 3n === 0n) return any;
  if (format === undefined)
    return BigInt.asUintN(width, ((1n << pick(limits)) + (next() % 5n) - 2n) * (next() % 2n ? 1n : -1n));
  const top = 2n ** BigInt(width - format.fraction - 1) - 1n;
  const middle = top >> 1n;
  const exponent = pick([
    0n,
    1n,
    top,
    top - 1n,
    middle - 25n,
    middle - 15n,
    middle + 15n,
    middle + 16n,
    middle + (next() % 36n) - 18n,
  ]);
  // Few bits, or all of them from some place on: ties, and what lies beside them.
  const ones = 2n ** BigInt(format.fraction) - 1n;
  const place = next() % BigInt(format.fraction + 1);
  const fraction = pick([
    0n,
    ones,
    next() & ones & ~((1n << place) - 1n),
    (next() | ((1n << place) - 1n)) & ones,
    (1n << place) & ones,
  ]);
  return BigInt.asUintN(width, ((next() % 2n) << BigInt(width - 1)) | (exponent << BigInt(format.fraction)) | fraction);
}

/** Powers of two, most of them near 1. */
const factors = (bits: number): bigint =>
  Array.from({ length: bits / 8 }, () => (next() % 3n ? 122n + (next() % 12n) : next() % 256n)).reduce(
    (all, each) => (all << 8n) | each,
    0n,
  );

function rowsOf({ mods, form, words }: Spelling): bigint[][] {
  const classes = form.operands(mods);
  const operands = form.slots.flatMap(({ name }) => {
    const each = classes[name];
    if (each?.kind === "vector") return Array.from({ length: each.count }, () => ({ name, ...each.of }));
    return each?.kind === "register" && each.access === "read" ? [{ name, ...each }] : [];
  });
  const type = words.at(-1) ?? "";
  return Array.from({ length: count }, () =>
    operands.map(({ name, bits, types }) =>
      name === "scale" ? factors(bits) : draw(bits, types.includes("f32") ? "f32" : type),
    ),
  );
}

describe("every spelling of cvt, through parser, resolver and machine", () => {
  test.each(named)("%s", (_, form) => {
    expect(form.executable).toBe(true);
    const wrong: string[] = [];
    for (const spelling of share([...spellings(form)], 48, 2)) {
      const { words } = spelling;
      const rows = rowsOf(spelling);
      const dtype = words.at(-2) ?? "";
      // An 8-bit integer goes into a register of 32 bits; from .bf16 none is wider than its type.
      const width = /^[us]8$/.test(dtype) && words.at(-1) !== "bf16" ? 32 : Number(/\d+/.exec(dtype)?.[0]);
      const f64 = dtype === "f64" ? formats.get("f64") : undefined;
      runRows(spelling, rows).forEach(({ results: [got = -1n] }, at) => {
        const row = rows[at] ?? [];
        const wanted = conversion(words, row, width);
        if (got === wanted || (f64 && isNan(f64, got) && isNan(f64, wanted))) return;
        wrong.push(`${words.join(".")} ${row.map(hex).join(", ")}: ${hex(got)}, not ${hex(wanted)}`);
      });
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});

const view = new DataView(new ArrayBuffer(8));
const roundings: ReadonlyMap<string, (value: number) => number> = new Map([
  ["rni", (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value))],
  ["rzi", Math.trunc],
  ["rmi", Math.floor],
  ["rpi", Math.ceil],
]);

const isInteger = (type: string): boolean => /^[us]\d/.test(type);

/** A number as an integer type has it: clamped; of NaN 0, or the top bit alone of 64. */
function integerOf(to: string, whole: number): number | bigint {
  const size = Number(to.slice(1));
  const least = to.startsWith("s") ? -(2n ** BigInt(size - 1)) : 0n;
  const most = least + 2n ** BigInt(size) - 1n;
  const bits = (value: bigint): number | bigint => {
    const cut = BigInt.asUintN(size, value);
    return size === 64 ? cut : Number(cut);
  };
  if (Number.isNaN(whole)) return size === 64 ? 1n << 63n : 0;
  if (whole < Number(least)) return bits(least);
  return whole > Number(most) || BigInt(whole) > most ? bits(most) : bits(BigInt(whole));
}

/** A conversion of a 16-bit or 8-bit source, by numbers. */
function expected(from: string, to: string, rnd: string, bits: number): number | bigint {
  const width = Number(from.slice(1));
  const negative = from.startsWith("s") && bits >= 2 ** (width - 1);
  const value = isInteger(from) ? bits - (negative ? 2 ** width : 0) : numberOf(from, bits);
  if (to === "f64") {
    view.setFloat64(0, value);
    return Number.isNaN(value) ? 0x7fff_ffff_e000_0000n : view.getBigUint64(0);
  }
  if (to === "f32") {
    view.setFloat32(0, value);
    if (Number.isNaN(value)) return from === "bf16" ? bits * 0x10000 : 0x7fff_ffff;
    return view.getUint32(0);
  }
  const whole = roundings.get(rnd)?.(value) ?? value;
  if (isInteger(to)) return integerOf(to, whole);
  const signed = whole === 0 && (value < 0 || Object.is(value, -0)) ? -0 : whole;
  return codeOf(to, signed, { rnd: rnd.endsWith("i") ? "rn" : rnd, satfinite: /^e/.test(to) });
}

describe("every code of", () => {
  const floats = ["rn", "rz", "rm", "rp"];
  const integers = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
  const cases: [string, string, string[]][] = [
    ...["f16", "bf16"].flatMap<[string, string, string[]]>((from) => [
      ...integers.map<[string, string, string[]]>((to) => [from, to, ["rni", "rzi", "rmi", "rpi"]]),
      [from, from, ["rni", "rzi", "rmi", "rpi"]],
      [from, from === "f16" ? "bf16" : "f16", floats],
      [from, "f32", ["rn"]],
      [from, "f64", ["rn"]],
    ]),
    ...["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"].map<[string, string, string[]]>((to) => ["f16", to, ["rn"]]),
    ["bf16", "ue8m0", ["rz", "rp"]],
    ...["u16", "s16", "u8", "s8"].flatMap<[string, string, string[]]>((from) => [
      [from, "f16", floats],
      [from, "bf16", floats],
      [from, "f32", ["rn"]],
      [from, "f64", ["rn"]],
    ]),
    ...["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"].map<[string, string, string[]]>((from) => [from, "f16", ["rn"]]),
    ["ue8m0", "bf16", ["rn"]],
    ["bf16", "ue5m3", ["rn", "rz", "rp"]],
    ["ue5m3", "f16", ["rn"]],
  ];
  const codes: ReadonlyMap<string, number> = new Map([
    ["e3m2", 64],
    ["e2m3", 64],
    ["e2m1", 16],
  ]);
  test.each(share(cases, 24, 2))("%s to %s", (from, to, directions) => {
    const size = codes.get(from) ?? (/16$/.test(from) ? 65_536 : 256);
    const wrong: string[] = [];
    for (const rnd of directions) {
      const mode: ConvertMode = { rnd: rnd as ConvertMode["rnd"], satfinite: /^e/.test(to) };
      const run = convert(from as NumberType, to as NumberType, mode).js as (bits: number) => number | bigint;
      for (let bits = 0; bits < size; bits++) {
        const [got, wanted] = [run(bits), expected(from, to, rnd, bits)];
        if (got !== wanted) wrong.push(`${rnd} ${hex(bits)}: ${hex(got)}, not ${hex(wanted)}`);
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
