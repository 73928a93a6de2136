import { add, div, type Exact, finite, mul, negate, type Rounding, sqrt, unpack } from "../numeric/exact/exact.ts";
import { clampOf, flushOf, isOob } from "../numeric/format/effects.ts";
import type { About, Format } from "../numeric/index.ts";
import { hex } from "./value.ts";
import { numbers, valueRows } from "./working/number.ts";
import { rounding } from "./working/rounding.ts";
import { type Given, type Row, row, type Worked } from "./working/row.ts";

type Arithmetic = About & { kind: "arithmetic" };
type Function = About & { kind: "function" };

const ONE = finite(false, 1n, 0);
const ZERO = finite(false, 0n, 0);

/** add, sub, mul, fma, div, rcp and sqrt: exact operands, an exact result, rounded once, then the effects. */
export function arithmetic(about: Arithmetic, given: readonly Given[]): Worked {
  const { operation, format, takes, mode } = about;
  const rnd = mode.rnd ?? "rn";
  const read = given.map((each, at) => operandRows(each, takes[at] ?? format, mode.ftz === true));
  const rows = read.flatMap((each) => each.rows);
  if (mode.oob && given.slice(0, 2).some(({ bits }) => isOob(Number(bits))))
    return { rows: [...rows, row(".oob", "a factor is the out-of-bounds NaN 0x7ff7: +0")], bits: 0n };
  const values = read.map((each) => unpack(each.format, each.bits));
  if (operation === "div" && about.mostDivisor !== undefined && exceeds(read[1]?.bits ?? 0n, about.mostDivisor)) {
    rows.push(row(".approx", "a divisor above 2^126 counts as infinite"));
    values[1] = { kind: "inf", neg: values[1]?.kind === "finite" && values[1].neg };
  }
  const names = given.map(({ name }) => name);
  const { exact, rows: steps } = compute(operation, values, names, rnd);
  const rounded = rounding(format, rnd, exact, { ftz: mode.ftz === true });
  const after = effects(format, mode, rounded.bits);
  return { rows: [...rows, ...steps, ...rounded.rows, ...after.rows], bits: after.bits };
}

/** A function that the hardware approximates: the true value, rounded to nearest even. */
export function approximated({ operation, format, ftz, exactly }: Function, given: readonly Given[]): Worked {
  const read = given.map((each) => operandRows(each, format, ftz));
  const [a] = read;
  const exact = a === undefined ? ZERO : exactly(unpack(format, a.bits));
  const rounded = rounding(format, "rn", exact, { ftz, label: operation });
  const rows = [...read.flatMap((each) => each.rows), ...rounded.rows];
  return {
    rows: [...rows, row(".approx", "ptxrun rounds the true value; a GPU may be off by the manual's bound")],
    bits: rounded.bits,
  };
}

/** An operand, and what `.ftz` makes of it. */
export function operandRows(
  { name, bits }: Given,
  format: Format,
  ftz: boolean,
): { readonly rows: readonly Row[]; readonly bits: bigint; readonly format: Format } {
  const rows = valueRows(name, format, bits);
  if (!ftz) return { rows, bits, format };
  const flushed = flush(format, bits);
  if (flushed === bits) return { rows, bits, format };
  const zero = unpack(format, flushed);
  const sign = zero.kind === "finite" && zero.neg ? "-" : "+";
  // What has unused bits below its fraction may lose them and be no subnormal.
  const text = zero.kind === "finite" && zero.sig === 0n ? `subnormal: counts as ${sign}0` : "";
  return { rows: text === "" ? rows : [...rows, row(".ftz", text)], bits: flushed, format };
}

function flush(format: Format, bits: bigint): bigint {
  if (format.width < 64) return BigInt(flushOf(format)(Number(bits)));
  const magnitude = (1n << 63n) - 1n;
  return (bits & magnitude) >> BigInt(format.frac + format.pad) === 0n ? bits & ~magnitude : bits;
}

const exceeds = (bits: bigint, most: number): boolean =>
  (bits & 0x7fff_ffffn) > BigInt(most) && (bits & 0x7fff_ffffn) < 0x7f80_0000n;

function compute(
  operation: Arithmetic["operation"],
  [a = ZERO, b = ZERO, c = ZERO]: readonly Exact[],
  [x = "a", y = "b", z = "c"]: readonly string[],
  rnd: Rounding,
): { readonly exact: Exact; readonly rows: readonly Row[] } {
  switch (operation) {
    case "add":
      return { exact: add(a, b, rnd), rows: sumRows(a, b, rnd, `${x} + ${y}`) };
    case "sub":
      return { exact: add(a, negate(b), rnd), rows: sumRows(a, negate(b), rnd, `${x} - ${y}`) };
    case "mul":
      return { exact: mul(a, b), rows: productRows(a, b, `${x} * ${y}`) };
    case "fma": {
      const product = mul(a, b);
      const whole = product.kind === "finite" ? [row(`${x} * ${y}`, `${numbers(product)}, exactly`)] : [];
      const rows = [...whole, ...productRows(a, b, `${x} * ${y}`), ...sumRows(product, c, rnd, `${x} * ${y} + ${z}`)];
      return { exact: add(product, c, rnd), rows };
    }
    case "div":
      return { exact: div(a, b), rows: quotientRows(a, b, `${x} / ${y}`) };
    case "rcp":
      return { exact: div(ONE, a), rows: quotientRows(ONE, a, `1 / ${x}`) };
    case "sqrt":
      return { exact: sqrt(a), rows: rootRows(a, `root of ${x}`) };
  }
}

const isZero = (x: Exact): boolean => x.kind === "finite" && x.sig === 0n;
const nanOperand = (label: string): Row[] => [row(label, "an operand is NaN, and so is the result")];

function sumRows(a: Exact, b: Exact, rnd: Rounding, label: string): Row[] {
  if (a.kind === "nan" || b.kind === "nan") return nanOperand(label);
  if (a.kind === "inf" && b.kind === "inf" && a.neg !== b.neg)
    return [row(label, "infinity minus infinity is no number")];
  if (a.kind !== "finite" || b.kind !== "finite") return [row(label, "an infinity stays what it is")];
  const sum = add(a, b, rnd);
  if (sum.kind !== "finite") return [];
  if (sum.sig === 0n && a.sig !== 0n)
    return [row(label, `cancels exactly: the zero is ${rnd === "rm" ? "-0 in .rm" : "+0, in .rm alone -0"}`)];
  if (sum.sig === 0n && a.neg !== b.neg)
    return [row(label, `+0 and -0 make ${rnd === "rm" ? "-0 in .rm" : "+0, in .rm alone -0"}`)];
  if (a.neg === b.neg || isZero(a) || isZero(b)) return [];
  const lost = Math.max(leading(a), leading(b)) - leading(sum);
  return lost > 1 ? [row(label, `the leading ${lost} bits cancel; nothing is lost by that`)] : [];
}

const leading = (x: Exact): number => (x.kind === "finite" ? x.exp + x.sig.toString(2).length : 0);

function productRows(a: Exact, b: Exact, label: string): Row[] {
  if (a.kind === "nan" || b.kind === "nan") return nanOperand(label);
  if (a.kind === "finite" && b.kind === "finite") return [];
  return [row(label, isZero(a) || isZero(b) ? "0 times infinity is no number" : "a product with an infinity is one")];
}

function quotientRows(a: Exact, b: Exact, label: string): Row[] {
  if (a.kind === "nan" || b.kind === "nan") return nanOperand(label);
  if (a.kind === "inf")
    return [row(label, b.kind === "inf" ? "infinity by infinity is no number" : "infinity by a number is one")];
  if (b.kind === "inf") return [row(label, "a number by infinity is a zero")];
  if (isZero(b))
    return [row(label, isZero(a) ? "0 by 0 is no number" : "a number by 0 is an infinity, its sign that of both")];
  const quotient = div(a, b);
  if (quotient.kind !== "finite" || a.sig === 0n) return [];
  return [
    row(
      label,
      quotient.inexact
        ? "the division leaves a remainder: the quotient lies strictly beyond the bits shown"
        : "the division comes out even",
    ),
  ];
}

function rootRows(a: Exact, label: string): Row[] {
  if (a.kind === "nan") return nanOperand(label);
  if (isZero(a)) return [row(label, "a zero is its own root, sign included")];
  if (a.neg) return [row(label, "a negative number has no root")];
  if (a.kind === "inf") return [row(label, "infinity")];
  const root = sqrt(a);
  const even = root.kind === "finite" && !root.inexact;
  return [row(label, even ? "the root comes out even" : "irrational: the root lies strictly beyond the bits shown")];
}

/** `.sat` and `.relu` on a rounded result of up to 32 bits. */
export function effects(
  f: Format,
  mode: { readonly sat?: boolean | undefined; readonly relu?: boolean | undefined },
  bits: bigint,
): Worked {
  if (!mode.sat && !mode.relu) return { rows: [], bits };
  const after = f.width < 64 ? BigInt(clampOf(f, mode)(Number(bits))) : saturated64(bits);
  const label = mode.sat ? ".sat" : ".relu";
  const to = hex(after, f.width);
  return {
    rows: [row(label, after === bits ? "changes nothing" : `${clampReason(f, bits, mode.sat === true)}: ${to}`)],
    bits: after,
  };
}

function clampReason(f: Format, bits: bigint, sat: boolean): string {
  const x = unpack(f, bits);
  if (x.kind === "nan") return sat ? "NaN becomes +0" : "the canonical NaN";
  return x.neg ? "what is negative, -0 too, becomes +0" : "more than 1 becomes 1";
}

/** cvt.sat.f64: NaN and negative numbers become +0. */
const saturated64 = (bits: bigint): bigint =>
  bits > 0x7ff0_0000_0000_0000n ? 0n : bits > 0x3ff0_0000_0000_0000n ? 0x3ff0_0000_0000_0000n : bits;
