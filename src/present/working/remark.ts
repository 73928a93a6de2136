import {
  add,
  compare,
  div,
  type Exact,
  integral,
  isZero,
  negate,
  type Rounding,
  sqrt,
} from "../../numeric/exact/exact.ts";
import { decimalOf } from "./number.ts";

// What is to be said of a step on reals besides its value: why a NaN, an infinity or a zero comes out.

const A_NAN = "an operand is NaN, and so is the result";

export function sumRemark(a: Exact, b: Exact, rnd: Rounding): string | undefined {
  if (a.kind === "nan" || b.kind === "nan") return A_NAN;
  if (a.kind === "inf" && b.kind === "inf" && a.neg !== b.neg) return "infinity minus infinity is no number";
  if (a.kind === "inf" || b.kind === "inf") return "an infinity stays what it is";
  const sum = add(a, b, rnd);
  if (sum.kind !== "finite") return undefined;
  const zero = rnd === "rm" ? "-0 in .rm" : "+0, in .rm alone -0";
  if (sum.sig === 0n && a.sig !== 0n) return `cancels exactly: the zero is ${zero}`;
  if (sum.sig === 0n && a.neg !== b.neg) return `+0 and -0 make ${zero}`;
  if (a.neg === b.neg || isZero(a) || isZero(b)) return undefined;
  const lost = Math.max(leading(a), leading(b)) - leading(sum);
  return lost > 1 ? `the leading ${lost} bits cancel; nothing is lost by that` : undefined;
}

export const differenceRemark = (a: Exact, b: Exact, rnd: Rounding): string | undefined => sumRemark(a, negate(b), rnd);

const leading = (x: Exact): number => (x.kind === "finite" ? x.exp + x.sig.toString(2).length : 0);

export function productRemark(a: Exact, b: Exact): string | undefined {
  if (a.kind === "nan" || b.kind === "nan") return A_NAN;
  if (a.kind === "finite" && b.kind === "finite") return undefined;
  return isZero(a) || isZero(b) ? "0 times infinity is no number" : "a product with an infinity is one";
}

export function quotientRemark(a: Exact, b: Exact): string | undefined {
  if (a.kind === "nan" || b.kind === "nan") return A_NAN;
  if (a.kind === "inf") return b.kind === "inf" ? "infinity by infinity is no number" : "infinity by a number is one";
  if (b.kind === "inf") return "a number by infinity is a zero";
  if (isZero(b)) return isZero(a) ? "0 by 0 is no number" : "a number by 0 is an infinity, its sign that of both";
  const quotient = div(a, b);
  if (quotient.kind !== "finite" || a.sig === 0n) return undefined;
  return quotient.inexact
    ? "the division leaves a remainder: the quotient lies strictly beyond the bits shown"
    : "the division comes out even";
}

export function rootRemark(a: Exact): string | undefined {
  if (a.kind === "nan") return A_NAN;
  if (isZero(a)) return "a zero is its own root, sign included";
  if (a.neg) return "a negative number has no root";
  if (a.kind === "inf") return "infinity";
  const x = sqrt(a);
  const even = x.kind === "finite" && !x.inexact;
  return even ? "the root comes out even" : "irrational: the root lies strictly beyond the bits shown";
}

/** Why the lesser or the greater of two is what it is. */
export function extremumRemark(a: Exact, b: Exact, propagate: boolean): string {
  if (a.kind === "nan" && b.kind === "nan") return "two NaNs give the canonical one";
  if (a.kind === "nan" || b.kind === "nan") return propagate ? ".NaN lets a NaN win" : "a NaN gives way to the number";
  const order = compare(a, b);
  if (order !== 0) return `${decimalOf(a)} ${order < 0 ? "<" : ">"} ${decimalOf(b)}`;
  return isZero(a) && isZero(b) && a.neg !== b.neg ? "-0 counts as less than +0" : "they are the same";
}

/** How two reals compare, in words. */
export function orderRemark(a: Exact, b: Exact): string {
  if (a.kind === "nan" || b.kind === "nan") return "there is a NaN";
  const order = compare(a, b);
  return `${decimalOf(a)} ${order === 0 ? "=" : order < 0 ? "<" : ">"} ${decimalOf(b)}`;
}

/** A number between its neighbouring integers, and the one that the rounding takes. */
export function wholeRemark(x: Exact, rnd: Rounding): string {
  if (x.kind === "nan") return "NaN stays what it is";
  const value = integral(x, rnd);
  const [down, up] = [integral(x, "rm"), integral(x, "rp")];
  if (decimalOf(down) === decimalOf(up)) return "an integer already";
  const twice = x.kind === "finite" ? { ...x, exp: x.exp + 1 } : x;
  const tie = decimalOf(integral(twice, "rz")) === decimalOf(twice);
  const why = {
    rn: tie ? "to the even one" : "to the nearest",
    rz: "toward zero",
    rm: "down",
    rp: "up",
    rna: tie ? "away from zero" : "to the nearest",
  }[rnd];
  return `between ${decimalOf(down)} and ${decimalOf(up)}${tie ? ", a tie" : ""}: ${why}, ${decimalOf(value)}`;
}
