import { type Binary, type Direction, infinityOf, isNan, signOf } from "./rational-oracle.ts";

/**
 * Judges a rounded result of f32 or f64 without rounding anything: the exact result must lie in the interval of
 * numbers that round to it. Comparing takes integers only, since a quotient a / b is compared with y as a with y * b, and a
 * square root with y as the operand with y * y.
 */
export type Operation = "add" | "sub" | "mul" | "fma" | "div" | "rcp" | "sqrt";
export const operations: Readonly<Record<Operation, 1 | 2 | 3>> = {
  add: 2,
  sub: 2,
  mul: 2,
  fma: 3,
  div: 2,
  rcp: 1,
  sqrt: 1,
};

/** sig * 2^exp. */
interface Dyadic {
  readonly sig: bigint;
  readonly exp: number;
}

interface Decoded {
  readonly value: number;
  readonly negative: boolean;
  readonly number: Dyadic;
}

const view = new DataView(new ArrayBuffer(8));
function doubleOf({ bits }: Binary, code: bigint): number {
  if (bits === 32) view.setUint32(0, Number(code));
  else view.setBigUint64(0, code);
  return bits === 32 ? view.getFloat32(0) : view.getFloat64(0);
}

/** The size of a finite code; an infinity's is the power of two that follows the greatest number. */
function sizeOf(f: Binary, code: bigint): Dyadic {
  const size = code & (signOf(f) - 1n);
  const exponent = Number(size >> BigInt(f.fraction));
  const least = 2 - 2 ** (f.bits - f.fraction - 2) - f.fraction;
  if (exponent === 0) return { sig: size, exp: least };
  const one = 1n << BigInt(f.fraction);
  return { sig: (size & (one - 1n)) | one, exp: exponent - 1 + least };
}

function decode(f: Binary, code: bigint): Decoded {
  const negative = (code & signOf(f)) !== 0n;
  const { sig, exp } = sizeOf(f, code);
  return { value: doubleOf(f, code), negative, number: { sig: negative ? -sig : sig, exp } };
}

const times = (a: Dyadic, b: Dyadic): Dyadic => ({ sig: a.sig * b.sig, exp: a.exp + b.exp });
function plus(a: Dyadic, b: Dyadic): Dyadic {
  const exp = Math.min(a.exp, b.exp);
  return { sig: (a.sig << BigInt(a.exp - exp)) + (b.sig << BigInt(b.exp - exp)), exp };
}
const minus = (a: Dyadic): Dyadic => ({ sig: -a.sig, exp: a.exp });
const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);
const one: Dyadic = { sig: 1n, exp: 0 };

/** What the host makes of infinities, NaNs, divisions by zero and roots of negative numbers: they need no rounding. */
function special(operation: Operation, [a = 0, b = 0, c = 0]: readonly number[]): number {
  switch (operation) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "fma":
      return Number.isFinite(a) && Number.isFinite(b) ? c : a * b + c;
    case "div":
      return a / b;
    case "rcp":
      return 1 / a;
    case "sqrt":
      return Math.sqrt(a);
  }
}

/** Is `result` what `operation` gives on `operands`, rounded once in `direction`? Any NaN is as good as another. */
export function isRight(
  f: Binary,
  operation: Operation,
  direction: Direction,
  operands: readonly bigint[],
  result: bigint,
): boolean {
  const given = operands.map((code) => decode(f, code));
  const values = given.map(({ value }) => value);
  const [a, b, c] = given;
  if (a === undefined) throw new Error(`${operation} without an operand`);
  const divisor = operation === "div" ? b : operation === "rcp" ? a : undefined;
  const unusual =
    values.some((value) => !Number.isFinite(value)) || divisor?.value === 0 || (operation === "sqrt" && a.value < 0);
  if (unusual) {
    const wanted = special(operation, values);
    return Number.isNaN(wanted) ? isNan(f, result) : Object.is(doubleOf(f, result), wanted);
  }
  if (isNan(f, result)) return false;
  const negative = (result & signOf(f)) !== 0n;
  const [top, bottom] = fraction(operation, given);
  if (top.sig === 0n)
    return (result & (signOf(f) - 1n)) === 0n && negative === zeroIsNegative(operation, direction, [a, b, c]);
  const below = sign(top.sig) < 0;
  if (below !== negative) return false;
  const size: Dyadic = { sig: below ? -top.sig : top.sig, exp: top.exp };
  /** The sign of |exact| - y. */
  const against = (y: Dyadic): number =>
    sign(plus(size, minus(operation === "sqrt" ? times(y, y) : times(y, bottom))).sig);
  return holds(f, direction, below, result & (signOf(f) - 1n), against);
}

/** The exact result as numerator and positive denominator; of a root, its square. */
function fraction(operation: Operation, given: readonly Decoded[]): readonly [Dyadic, Dyadic] {
  const [a = one, b = one, c = one] = given.map(({ number }) => number);
  const over = (top: Dyadic, by: Dyadic): readonly [Dyadic, Dyadic] =>
    by.sig < 0n ? [minus(top), minus(by)] : [top, by];
  switch (operation) {
    case "add":
      return [plus(a, b), one];
    case "sub":
      return [plus(a, minus(b)), one];
    case "mul":
      return [times(a, b), one];
    case "fma":
      return [plus(times(a, b), c), one];
    case "div":
      return over(a, b);
    case "rcp":
      return over(one, a);
    case "sqrt":
      return [a, one];
  }
}

/** The sign of a zero that is exact. */
function zeroIsNegative(
  operation: Operation,
  direction: Direction,
  [a, b, c]: readonly (Decoded | undefined)[],
): boolean {
  const first = a?.negative === true;
  const second = b?.negative === true;
  if (operation === "sqrt") return first;
  if (operation === "mul" || operation === "div") return first !== second;
  const [left, right] =
    operation === "fma" ? [first !== second, c?.negative === true] : [first, operation === "sub" ? !second : second];
  return left === right ? left : direction === "rm";
}

/** Does every number that `against` can stand for round to `code`, the size of a result? */
function holds(
  f: Binary,
  direction: Direction,
  negative: boolean,
  code: bigint,
  against: (y: Dyadic) => number,
): boolean {
  const infinite = code === infinityOf(f);
  const greatest = infinityOf(f) - 1n;
  const here = sizeOf(f, code);
  if (direction === "rn") {
    const odd = (code & 1n) === 1n;
    const least = code === 0n ? 1 : against(middle(sizeOf(f, code - 1n), here));
    if (least < 0 || (least === 0 && odd)) return false;
    if (infinite) return true;
    const most = against(middle(here, sizeOf(f, code + 1n)));
    return most < 0 || (most === 0 && !odd);
  }
  const outward = direction === (negative ? "rm" : "rp");
  // An infinity stands for everything above the greatest number.
  if (outward) return (infinite || against(here) <= 0) && code > 0n && against(sizeOf(f, code - 1n)) > 0;
  if (infinite || against(here) < 0) return false;
  return code === greatest || against(sizeOf(f, code + 1n)) < 0;
}

const middle = (a: Dyadic, b: Dyadic): Dyadic => {
  const { sig, exp } = plus(a, b);
  return { sig, exp: exp - 1 };
};
