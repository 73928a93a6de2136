/** Floating-point arithmetic and comparison by rationals (PTX ISA, Floating Point, Comparison and Selection). */
import {
  type Binary,
  type Direction,
  decode,
  encode,
  flush,
  formats,
  infinityOf,
  isNan,
  isSubnormal,
  nanOf,
  oneOf,
  type Rational,
  signOf,
  type Value,
} from "./rational-oracle.ts";

export const formatOf = (words: readonly string[]): Binary => {
  const format = formats.get(words.at(-1) ?? "");
  if (format === undefined) throw new Error(`${words.join(".")} is of no format`);
  return format;
};
const directions: readonly string[] = ["rn", "rz", "rm", "rp"];
export const directionOf = (words: readonly string[]): Direction =>
  (words.find((word) => directions.includes(word)) as Direction | undefined) ?? "rn";

const infinite = (negative: boolean): Value => ({ infinite: negative ? "-" : "+" });
const isNegative = (x: Exclude<Value, "nan">): boolean => ("infinite" in x ? x.infinite === "-" : x.negative);
const isZero = (x: Value): boolean => x !== "nan" && !("infinite" in x) && x.num === 0n;

function negate(x: Value): Value {
  if (x === "nan") return x;
  if ("infinite" in x) return infinite(x.infinite === "+");
  return { ...x, num: -x.num, negative: !x.negative };
}

/** The sign of an exact zero out of a sum of two numbers of different signs is that of the direction. */
function add(a: Value, b: Value, direction: Direction): Value {
  if (a === "nan" || b === "nan") return "nan";
  if ("infinite" in a) return "infinite" in b && a.infinite !== b.infinite ? "nan" : a;
  if ("infinite" in b) return b;
  const num = a.num * b.den + b.num * a.den;
  const negative = a.negative === b.negative ? a.negative : direction === "rm";
  return { num, den: a.den * b.den, negative: num === 0n ? negative : num < 0n };
}

function multiply(a: Value, b: Value): Value {
  if (a === "nan" || b === "nan") return "nan";
  const negative = isNegative(a) !== isNegative(b);
  if ("infinite" in a || "infinite" in b) return isZero(a) || isZero(b) ? "nan" : infinite(negative);
  return { num: a.num * b.num, den: a.den * b.den, negative };
}

function divide(a: Value, b: Value): Value {
  if (a === "nan" || b === "nan") return "nan";
  const negative = isNegative(a) !== isNegative(b);
  if ("infinite" in a) return "infinite" in b ? "nan" : infinite(negative);
  if ("infinite" in b) return { num: 0n, den: 1n, negative };
  if (b.num === 0n) return a.num === 0n ? "nan" : infinite(negative);
  const size = a.num * b.den * (b.num < 0n ? -1n : 1n);
  return { num: size, den: a.den * (b.num < 0n ? -b.num : b.num), negative };
}

/** A square root that is not exact lies between two numbers of many more bits than any format has. */
function root(a: Value): Value {
  if (a === "nan" || isZero(a)) return a;
  if (isNegative(a)) return "nan";
  if ("infinite" in a) return a;
  const scale = 2n ** 700n;
  const square = (a.num * scale * scale) / a.den;
  let low = 1n << BigInt(square.toString(2).length >> 1);
  for (let next = 0n; ; low = next) {
    next = (low + square / low) >> 1n;
    if (next === low || next === low + 1n) break;
  }
  while (low * low > square) low--;
  const exact = low * low * a.den === a.num * scale * scale;
  return { num: exact ? low : 2n * low + 1n, den: exact ? scale : 2n * scale, negative: false };
}

/** A total order in which -0 is below +0. */
const below = (f: Binary, a: bigint, b: bigint): boolean => {
  const key = (x: bigint): bigint => (x & signOf(f) ? -(x & (signOf(f) - 1n)) - 1n : x);
  return key(a) < key(b);
};

function extremum(f: Binary, words: readonly string[], x: bigint, y: bigint): bigint {
  const xorsign = words.includes("xorsign");
  const [a, b] = words.includes("abs") ? [x & (signOf(f) - 1n), y & (signOf(f) - 1n)] : [x, y];
  const nans = [a, b].filter((each) => isNan(f, each)).length;
  if (nans === 2 || (nans === 1 && words.includes("NaN"))) return nanOf(f);
  const first = isNan(f, b) || (!isNan(f, a) && below(f, a, b) === (words[0] === "min"));
  const d = first ? a : b;
  return xorsign ? (d & (signOf(f) - 1n)) | ((x ^ y) & signOf(f)) : d;
}

/** testp; a zero is normal. */
function hasProperty(f: Binary, property: string, x: bigint): boolean {
  const value = decode(f, x);
  const kind = value === "nan" ? "nan" : "infinite" in value ? "infinite" : isSubnormal(f, x) ? "subnormal" : "normal";
  const names = new Map([
    ["finite", ["subnormal", "normal"]],
    ["number", ["subnormal", "normal", "infinite"]],
    ["notanumber", ["nan"]],
  ]).get(property) ?? [property];
  return names.includes(kind);
}

/** d of an instruction on floats; undefined where flushing depends on when tininess is seen. */
export function float(words: readonly string[], given: readonly bigint[]): bigint | undefined {
  if (words.at(-1) === "f32x2") {
    const one = [...words.slice(0, -1), "f32"];
    const low = float(
      one,
      given.map((x) => x & 0xffff_ffffn),
    );
    const high = float(
      one,
      given.map((x) => x >> 32n),
    );
    return low === undefined || high === undefined ? undefined : low | (high << 32n);
  }
  const f = formatOf(words);
  const direction = directionOf(words);
  const ftz = words.includes("ftz");
  const codes = ftz ? given.map((x) => flush(f, x)) : given;
  const [x = 0n, y = 0n] = codes;
  if (words[0] === "min" || words[0] === "max")
    return codes.slice(2).reduce((d, z) => extremum(f, words, d, z), extremum(f, words, x, y));
  if (words[0] === "testp") return hasProperty(f, words[1] ?? "", x) ? 1n : 0n;
  if (words[0] === "copysign") return (x & signOf(f)) | (y & (signOf(f) - 1n));
  if (words[0] === "neg") return isNan(f, x) ? nanOf(f) : x ^ signOf(f);
  if (words[0] === "abs") return isNan(f, x) ? nanOf(f) : x & (signOf(f) - 1n);
  const [a, b, c] = [0, 1, 2].map((at) => decode(f, codes[at] ?? 0n)) as [Value, Value, Value];
  const one: Value = { num: 1n, den: 1n, negative: false };
  const exact = new Map<string, () => Value>(
    Object.entries({
      add: () => add(a, b, direction),
      sub: () => add(a, negate(b), direction),
      mul: () => multiply(a, b),
      fma: () => add(multiply(a, b), c, direction),
      mad: () => add(multiply(a, b), c, direction),
      div: () => divide(a, b),
      rcp: () => divide(one, a),
      sqrt: () => root(a),
    }),
  ).get(words[0] ?? "")?.();
  if (exact === undefined) throw new Error(`no oracle for ${words.join(".")}`);
  return finish(f, exact, direction, { ftz, sat: words.includes("sat") });
}

function finish(
  f: Binary,
  exact: Value,
  direction: Direction,
  { ftz, sat }: { ftz: boolean; sat: boolean },
): bigint | undefined {
  if (exact === "nan") return sat ? 0n : nanOf(f);
  if ("infinite" in exact) {
    const negative = exact.infinite === "-";
    return sat ? (negative ? 0n : oneOf(f)) : infinityOf(f) | (negative ? signOf(f) : 0n);
  }
  const code = encode(f, exact, direction);
  const cut = encode(f, exact, "rz");
  if (ftz && isSubnormal(f, cut | 1n) && !isSubnormal(f, code) && (code & infinityOf(f)) !== 0n) return undefined;
  const flushed = ftz ? flush(f, code) : code;
  return sat ? saturate(f, flushed) : flushed;
}

/** Into [+0, 1]; NaN becomes +0. */
export const saturate = (f: Binary, code: bigint): bigint =>
  isNan(f, code) || code & signOf(f) ? 0n : code > oneOf(f) ? oneOf(f) : code;

/** `a op b` of setp: the ordered relations are false for NaN, the others true. */
export function floatsCompare(words: readonly string[], given: readonly bigint[]): boolean {
  const f = formatOf(words);
  const relation = words[1] ?? "";
  const [a, b] = given.map((x) => decode(f, words.includes("ftz") ? flush(f, x) : x)) as [Value, Value];
  const unordered = a === "nan" || b === "nan";
  if (relation === "num") return !unordered;
  if (relation === "nan") return unordered;
  if (unordered) return relation.endsWith("u");
  const order = compare(a, b);
  const holds = { eq: order === 0, ne: order !== 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 };
  return holds[relation.slice(0, 2) as keyof typeof holds];
}

function compare(a: Exclude<Value, "nan">, b: Exclude<Value, "nan">): number {
  const rank = (x: Rational | { infinite: string }): number => ("infinite" in x ? (x.infinite === "-" ? -1 : 1) : 0);
  if ("infinite" in a || "infinite" in b) return rank(a) - rank(b);
  const difference = a.num * b.den - b.num * a.den;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
