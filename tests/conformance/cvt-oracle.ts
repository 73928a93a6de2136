/** cvt by the manual's page (PTX ISA 9.7.9.21), on rationals. */
import { directionOf, saturate } from "./float-oracle.ts";
import { cut, read } from "./integer-oracle.ts";
import {
  type Binary,
  type Direction,
  decode,
  encode,
  flush,
  formats,
  infinityOf,
  integral,
  isNan,
  nanOf,
  type Rational,
  signOf,
} from "./rational-oracle.ts";

const halves = (words: readonly string[]): string | undefined => /^(b?f16)x2$/.exec(words.at(-2) ?? "")?.[1];
const toIntegral: ReadonlyMap<string, Direction> = new Map([
  ["rni", "rn"],
  ["rzi", "rz"],
  ["rmi", "rm"],
  ["rpi", "rp"],
]);

/** d of `cvt{.words}.dtype.atype d, a{, b}` in a destination register of `width` bits; any NaN of f64 is one. */
export function conversion(words: readonly string[], given: readonly bigint[], width: number): bigint {
  const half = halves(words);
  if (half !== undefined) {
    const each = (x: bigint): bigint => conversion([...words.slice(0, -2), half, "f32"], [x], 16);
    return (each(given[0] ?? 0n) << 16n) | each(given[1] ?? 0n);
  }
  const dtype = words.at(-2) ?? "";
  const atype = words.at(-1) ?? "";
  const bits = Number(dtype.replace(/\D/g, ""));
  const target = formats.get(dtype);
  const source = formats.get(atype);
  const ftz = words.includes("ftz");
  const sat = words.includes("sat");
  const a = given[0] ?? 0n;
  if (source === undefined) {
    const n = read(a, Number(atype.slice(1)), atype.startsWith("s"));
    if (target === undefined) return extended(sat ? clamp(n, dtype) : n, dtype, width);
    const code = encode(target, { num: n, den: 1n, negative: false }, directionOf(words));
    return sat ? saturate(target, code) : code;
  }
  // bf16 is the upper half of f32, and the plain conversion is a shift on every GPU that has it: a NaN stays what it is.
  if (words.slice(1, -2).every((word) => /^r[nzmp]$/.test(word)) && dtype === "f32" && atype === "bf16")
    return a << 16n;
  const code = ftz && source.bits === 32 ? flush(source, a) : cut(a, source.bits);
  const to = words.map((word) => toIntegral.get(word)).find((direction) => direction !== undefined);
  if (target === undefined) return extended(toInteger(source, code, dtype, bits, to ?? "rz"), dtype, width);
  const plain = toFloat(source, target, code, to, directionOf(words));
  const flushed = ftz && target.bits === 32 ? flush(target, plain) : plain;
  if (words.includes("relu")) return !isNan(target, flushed) && flushed & signOf(target) ? 0n : flushed;
  return sat ? saturate(target, flushed) : flushed;
}

/** A number in the destination's type, extended into a wider register. */
const extended = (n: bigint, type: string, width: number): bigint =>
  cut(read(n, Number(type.slice(1)), type.startsWith("s")), width);

function clamp(n: bigint, type: string): bigint {
  const bits = BigInt(type.slice(1));
  const [least, most] = type.startsWith("s")
    ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
    : [0n, (1n << bits) - 1n];
  return n < least ? least : n > most ? most : n;
}

/** NaN becomes 0, or the sign bit alone where either type has 64 bits. */
function toInteger(source: Binary, code: bigint, dtype: string, bits: number, direction: Direction): bigint {
  const value = decode(source, code);
  if (value === "nan") return bits === 64 || source.bits === 64 ? 1n << BigInt(bits - 1) : 0n;
  if ("infinite" in value) return clamp(value.infinite === "-" ? -(1n << 100n) : 1n << 100n, dtype);
  return clamp(integral(value, direction), dtype);
}

function toFloat(
  source: Binary,
  target: Binary,
  code: bigint,
  to: Direction | undefined,
  direction: Direction,
): bigint {
  const value = decode(source, code);
  if (value === "nan") return nanOf(target);
  if ("infinite" in value) return infinityOf(target) | (value.infinite === "-" ? signOf(target) : 0n);
  const whole: Rational = to === undefined ? value : { ...value, num: integral(value, to), den: 1n };
  return encode(target, whole, direction);
}
