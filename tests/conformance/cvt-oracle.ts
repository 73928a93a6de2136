/** cvt by the manual's page (PTX ISA, cvt, cvt.pack), on rationals and on lists of numbers. */
import { directionOf, saturate } from "./float-oracle.ts";
import { cut, read } from "./integer-oracle.ts";
import { codeOf, isNarrow, type Narrowing, numberOf } from "./narrow-oracle.ts";
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

const view = new DataView(new ArrayBuffer(4));
/** The value of the bits of f32, of a narrow format, or of s2f6, which counts 64ths. */
function floatOf(type: string, bits: bigint): number {
  if (type === "s2f6") return Number(BigInt.asIntN(8, bits)) / 64;
  if (type !== "f32") return numberOf(type, Number(bits));
  view.setUint32(0, Number(bits));
  return view.getFloat32(0);
}
/** Bits that an element takes in a packed register. */
const share = (type: string): bigint => (type === "e2m1" ? 4n : /^b?f16$/.test(type) ? 16n : 8n);
const effects = (words: readonly string[]): Narrowing => ({
  rnd: words.find((word) => /^(rna|r[nzmps])$/.test(word)) ?? "rn",
  satfinite: words.includes("satfinite"),
  relu: words.includes("relu"),
  pzo: words.includes("pzo"),
});

/** The random bits of an element, counted from the highest: the manual's text on rbits. */
function randomOf(type: string, count: number, at: number, bits: bigint): Narrowing["random"] {
  const byte = (n: number): number => Number((bits >> BigInt(8 * n)) & 0xffn);
  const half = at < count / 2 ? [3, 2] : [1, 0];
  const eighths = at < count / 2 ? [3, 1] : [2, 0];
  const [high = 0, low = 0] = type === "e2m1" ? eighths : half;
  const value = byte(high) * 256 + byte(low);
  return type === "f16" ? { bits: 13, value: value % 2 ** 13 } : { bits: 16, value };
}

/** The least normal number of the types that a scale by one factor flushes. */
const normals: ReadonlyMap<string, number> = new Map([
  ["f32", 2 ** -126],
  ["bf16", 2 ** -126],
  ["f16", 2 ** -14],
]);

/** An element with its factor, which is one of two, or the same for both: the text of the manual on scale-factor. */
function scaled(
  words: readonly string[],
  value: number,
  type: string,
  up: boolean,
  at: number,
  factors: bigint,
): number {
  const word = words.find((each) => each.startsWith("scaled::"));
  if (word === undefined) return value;
  const single = word === "scaled::n1::ue8m0";
  const factor = numberOf("ue8m0", Number((factors >> (single || at === 1 ? 0n : 8n)) & 0xffn));
  const given = single && Math.abs(value) < (normals.get(type) ?? 0) ? 0 * Math.sign(value) : value;
  return up ? given * factor : given / factor;
}

/** The code of a value in s2f6: 64ths from -128 to 127, and 127 of NaN. */
function fixedCode(value: number, { rnd, relu }: Narrowing): number {
  if (Number.isNaN(value)) return 127;
  const below = Math.floor(value * 64);
  const rest = value * 64 - below;
  const nearest = rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
  const whole = rnd === "rz" ? Math.trunc(value * 64) : Number.isFinite(value) ? nearest : value;
  return Math.max(Math.min(whole, 127), relu ? 0 : -128) & 0xff;
}

/** Elements side by side, the first in the highest bits. */
function packed(words: readonly string[], given: readonly bigint[]): bigint {
  const [, dtype = "", many = ""] = /^(\w+?)x(\d)$/.exec(words.at(-2) ?? "") ?? [];
  const count = Number(many);
  const atype = (words.at(-1) ?? "").replace(/x2$/, "");
  const sources =
    atype === "f32"
      ? given.slice(0, count)
      : Array.from({ length: count }, (_, at) =>
          cut((given[0] ?? 0n) >> (share(atype) * BigInt(count - 1 - at)), Number(share(atype))),
        );
  return sources.reduce((made, source, at) => {
    const mode = { ...effects(words), random: randomOf(dtype, count, at, given[count] ?? 0n) };
    const value = scaled(words, floatOf(atype, source), atype, dtype === "bf16", at, given.at(-1) ?? 0n);
    const code = dtype === "s2f6" ? fixedCode(value, mode) : codeOf(dtype, value, mode);
    return (made << share(dtype)) | BigInt(code);
  }, 0n);
}

/** cvt.pack: what a and b are worth in the type, and c's low bits above them. */
function pack(words: readonly string[], [a = 0n, b = 0n, c = 0n]: readonly bigint[]): bigint {
  const type = words[3] ?? "";
  const width = BigInt(type.slice(1));
  const each = (x: bigint): bigint => BigInt.asUintN(Number(width), clamp(BigInt.asIntN(32, x), type));
  return BigInt.asUintN(32, (width === 16n ? 0n : c << (2n * width)) | (each(a) << width) | each(b));
}

/** As ptxas writes cvt.rna.tf32: numbers to nearest, ties away; of infinities and NaNs the bits are cut. */
function nearestAway(words: readonly string[], a: bigint): bigint {
  const value = floatOf("f32", a);
  const cutOff = (a >> 13n) << 13n;
  if (Number.isFinite(value)) return BigInt(codeOf("tf32", value, effects(words))) << 13n;
  return words.includes("satfinite") ? cutOff - (1n << 13n) : cutOff;
}

const toIntegral: ReadonlyMap<string, Direction> = new Map([
  ["rni", "rn"],
  ["rzi", "rz"],
  ["rmi", "rm"],
  ["rpi", "rp"],
]);

/** d of `cvt{.words}.dtype.atype d, a ...` in a destination register of `width` bits; any NaN of f64 is one. */
export function conversion(words: readonly string[], given: readonly bigint[], width: number): bigint {
  if (words[1] === "pack") return pack(words, given);
  const dtype = words.at(-2) ?? "";
  const atype = words.at(-1) ?? "";
  if (/x\d$/.test(dtype)) return packed(words, given);
  if (words.includes("rna")) return nearestAway(words, given[0] ?? 0n);
  if (isNarrow(dtype) && (dtype === "tf32" || words.includes("satfinite") || words.includes("pzo"))) {
    const code = BigInt(codeOf(dtype, floatOf(atype, given[0] ?? 0n), effects(words)));
    return dtype === "tf32" ? code << 13n : code;
  }
  // One type on both sides and nothing else: ptxas writes a move.
  if (words.length === 3 && dtype === atype && formats.has(dtype)) return given[0] ?? 0n;
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
