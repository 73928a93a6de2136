import { type Direction, decode, encode, flush, formats, infinityOf, nanOf, type Rational, signOf, type Value } from "./rational-oracle.ts"; // biome-ignore format: one line

/**
 * Sums and products of numbers of different formats as exact fractions, rounded once into another format. Shares nothing
 * with `src/numeric`.
 */

/** A format of up to 8 bits: bits of exponent and fraction, and where the codes end that are numbers. */
interface Narrow {
  readonly exponent: number;
  readonly fraction: number;
  readonly last: number;
  /** The code of an infinity. */
  readonly infinity?: number;
  readonly isSigned: boolean;
  /** Bits from one element to the next. */
  readonly step: number;
}

const narrow: Readonly<Record<string, Narrow>> = {
  e5m2x4: { exponent: 5, fraction: 2, last: 0x7b, infinity: 0x7c, isSigned: true, step: 8 },
  e4m3x4: { exponent: 4, fraction: 3, last: 0x7e, isSigned: true, step: 8 },
  e3m2x4: { exponent: 3, fraction: 2, last: 0x1f, isSigned: true, step: 8 },
  e2m3x4: { exponent: 2, fraction: 3, last: 0x1f, isSigned: true, step: 8 },
  e2m1x4: { exponent: 2, fraction: 1, last: 0x7, isSigned: true, step: 4 },
  e2m1p4x4: { exponent: 2, fraction: 1, last: 0x7, isSigned: true, step: 8 },
  ue8m0x4: { exponent: 8, fraction: 0, last: 0xfe, isSigned: false, step: 8 },
};
/** No format has less than 2^-this. */
const DEPTH = 160n;

/** The number of a code without its sign, in units of 2^-DEPTH. */
function unitsOf({ exponent, fraction, isSigned }: Narrow, code: number): bigint {
  const bias = BigInt(2 ** (exponent - 1) - 1);
  const [e, f] = [BigInt(code >> fraction), BigInt(code & (2 ** fraction - 1))];
  const hidden = e === 0n && isSigned ? 0n : 1n << BigInt(fraction);
  return (hidden + f) << ((e === 0n && isSigned ? 1n : e) - bias - BigInt(fraction) + DEPTH);
}

function elementOf(type: string, bits: bigint, at: number): Value {
  const format = narrow[type];
  if (format === undefined) {
    const [name = "", width] = [type.slice(0, -2), type === "f32x2" ? 32n : 16n];
    return decode(formats.get(name)!, BigInt.asUintN(Number(width), bits >> (width * BigInt(at))));
  }
  const { exponent, fraction, last, infinity, isSigned, step } = format;
  const whole = Number(BigInt.asUintN(step, bits >> BigInt(step * at)));
  const code = whole & (2 ** (exponent + fraction) - 1);
  const negative = isSigned && ((whole >> (exponent + fraction)) & 1) === 1;
  if (code === infinity) return { infinite: negative ? "-" : "+" };
  if (code > last) return "nan";
  const units = unitsOf(format, code);
  return { num: negative ? -units : units, den: 1n << DEPTH, negative };
}

const isNumber = (x: Value): x is Rational => x !== "nan" && !("infinite" in x);
const isNegative = (x: Value): boolean => x !== "nan" && ("infinite" in x ? x.infinite === "-" : x.negative);

function product(a: Value, b: Value): Value {
  if (a === "nan" || b === "nan") return "nan";
  const negative = isNegative(a) !== isNegative(b);
  if (isNumber(a) && isNumber(b)) return { num: a.num * b.num, den: a.den * b.den, negative };
  if ([a, b].some((x) => isNumber(x) && x.num === 0n)) return "nan";
  return { infinite: negative ? "-" : "+" };
}

function sum(a: Value, b: Value, direction: Direction): Value {
  if (a === "nan" || b === "nan") return "nan";
  if (!isNumber(a)) return isNumber(b) || a.infinite === b.infinite ? a : "nan";
  if (!isNumber(b)) return b;
  const num = a.num * b.den + b.num * a.den;
  const both = a.negative && b.negative;
  return { num, den: a.den * b.den, negative: num < 0n || (num === 0n && (both || (direction === "rm" && (a.negative || b.negative)))) }; // biome-ignore format: one line
}

const negated = (x: Value): Value => {
  if (x === "nan") return x;
  if (isNumber(x)) return { ...x, num: -x.num, negative: !x.negative };
  return { infinite: x.infinite === "-" ? "+" : "-" };
};

/** The code of e5m2 or e4m3 that is nearest, to even, found by walking through all of them. */
function narrowCode(type: string, x: Value, satfinite: boolean): bigint {
  const format = narrow[type]!;
  const { last, infinity = 0x7f } = format;
  if (x === "nan") return 0x7fn;
  const sign = isNegative(x) ? 0x80 : 0;
  // A NaN of e4m3 has no sign.
  const over = satfinite ? sign | last : infinity === 0x7f ? infinity : sign | infinity;
  if (!isNumber(x)) return BigInt(over);
  const size = (x.num < 0n ? -x.num : x.num) << DEPTH;
  const at = (code: number): bigint => unitsOf(format, code) * x.den;
  // Halfway to the number that would come behind the last one.
  const end = 2n * at(last) - at(last - 1);
  for (let code = 0; code <= last; code++) {
    const [here, above] = [at(code), code === last ? end : at(code + 1)];
    if (size >= above && code < last) continue;
    const twice = 2n * (size - here);
    const up = twice > above - here || (twice === above - here && code % 2 === 1);
    if (!up) return BigInt(sign | code);
    return BigInt(code === last ? over : sign | (code + 1));
  }
  throw new Error("the last code ends the loop");
}

/** What an instruction on pairs or fours gives, by the words of its name. */
export function packed(words: readonly string[], row: readonly bigint[]): bigint {
  const [mnemonic, ...rest] = words;
  const types = rest.filter((word) => /x[24]$/.test(word));
  const direction = (rest.find((word) => /^r[nzmp]$/.test(word)) ?? "rn") as Direction;
  const [ftz, satfinite] = [rest.includes("ftz"), rest.includes("satfinite")];
  const [dtype = ""] = types;
  // Of add, sub and fma of fours c is of the type of d.
  const given = types.slice(1);
  if (given.length < row.length) given.push(dtype);
  const count = dtype.endsWith("x4") ? 4 : 2;
  let result = 0n;
  for (let at = 0; at < count; at++) {
    const operands = row.map((bits, index) => {
      const type = given[index]!;
      if (!ftz) return elementOf(type, bits, at);
      const f32 = formats.get("f32")!;
      return decode(f32, flush(f32, BigInt.asUintN(32, bits >> BigInt(32 * at))));
    });
    const [a, b, c = b] = operands as [Value, Value, Value];
    const exact = (): Value => {
      if (mnemonic === "add") return sum(a, b, direction);
      if (mnemonic === "sub") return sum(a, negated(b), direction);
      if (mnemonic === "fma") return sum(product(a, b), c, direction);
      // Of two halves the second is converted to the type of the first, before anything else.
      const first = formats.get(dtype.slice(0, -2));
      return product(a, dtype === given[0] && first ? decode(first, wideCode(dtype, b, "rn", false)) : b);
    };
    const code = count === 4 ? narrowCode(dtype, exact(), satfinite) : wideCode(dtype, exact(), direction, ftz);
    result |= code << BigInt(at * (count === 4 ? 8 : dtype === "f32x2" ? 32 : 16));
  }
  return result;
}

function wideCode(type: string, x: Value, direction: Direction, ftz: boolean): bigint {
  const format = formats.get(type.slice(0, -2))!;
  if (x === "nan") return nanOf(format);
  if (!isNumber(x)) return infinityOf(format) | (x.infinite === "-" ? signOf(format) : 0n);
  const size = x.num < 0n ? -x.num : x.num;
  // Below 2^-14, before it is rounded.
  if (ftz && size << 14n < x.den) return x.negative ? signOf(format) : 0n;
  return encode(format, x, direction);
}
