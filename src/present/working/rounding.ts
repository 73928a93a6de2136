import {
  bitLength,
  type Exact,
  type Finite,
  finite,
  largest,
  type Rounding,
  round,
  unpack,
} from "../../numeric/exact/exact.ts";
import type { Format } from "../../numeric/format/format.ts";
import { withoutZeros } from "../../source/suffix.ts";
import { hex } from "../value.ts";
import { decimalOf, numbers, runs } from "./number.ts";
import { type Row, row, type Worked } from "./row.ts";

/** Bits behind the bar that are shown. */
const MOST_BITS = 40;

/**
 * An exact number on its way into a format: its value, the neighbours between which it lies, its position between
 * them, and the one that the rounding selects. The bits are the reference's; the rows show how they follow.
 */
export function rounding(f: Format, rnd: Rounding, x: Exact, { ftz = false, label = "exactly" } = {}): Worked {
  const rounded = round(f, rnd, x);
  if (x.kind === "nan")
    return { rows: [row("NaN", `the canonical one of ${f.name}: ${hex(f.nan, f.width)}`)], bits: rounded };
  if (x.kind === "inf") return { rows: infinite(f, x.neg, rounded, label), bits: rounded };
  if (x.sig === 0n) return { rows: [row(label, x.neg ? "-0" : "0")], bits: rounded };
  const place = roundingPlace(f, x);
  const rows = [
    row(label, `${written(f, x, place)}`),
    row("", `= ${numbers(x)}`),
    ...between(f, rnd, x, place, rounded),
  ];
  if (!ftz) return { rows, bits: rounded };
  const bits = round(f, rnd, x, true);
  return bits === rounded ? { rows, bits } : { rows: [...rows, row(".ftz", flushed(f))], bits };
}

const flushed = ({ name, tininess, bias }: Format): string =>
  tininess === "before"
    ? `the exact value is below 2^${1 - bias}, the smallest normal number of ${name}: a zero of its sign`
    : `rounded as if exponents had no end it is below 2^${1 - bias}, the smallest normal number: a zero of its sign`;

function infinite(f: Format, neg: boolean, bits: bigint, label: string): Row[] {
  const what = `${neg ? "-" : ""}infinity`;
  const kind = unpack(f, bits).kind;
  if (kind === "inf") return [row(label, what)];
  const instead = kind === "nan" ? "NaN" : `the largest number ${decimalOf(unpack(f, bits))}`;
  return [row(label, what), row(f.finite ? ".satfinite" : "overflow", `${instead} stands for it`)];
}

/** The position of a number in a format: `steps` steps of 2^unit from zero, and `rest` / 2^shift of the next. */
export interface Place {
  readonly unit: number;
  readonly steps: bigint;
  readonly rest: bigint;
  readonly shift: number;
  /** More than the largest number. */
  readonly beyond: boolean;
  /** A step exactly. */
  readonly exact: boolean;
}

function roundingPlace(f: Format, x: Finite): Place {
  const top = unpack(f, largest(f)) as Finite;
  const lowest = (f.frac > 0 ? 1 : 0) - f.bias - f.frac;
  const unit = Math.min(Math.max(x.exp + bitLength(x.sig) - 1 - f.frac, lowest), top.exp);
  const shift = Math.max(unit - x.exp, 0);
  const sig = x.sig << BigInt(Math.max(x.exp - unit, 0));
  const steps = sig >> BigInt(shift);
  const rest = sig - (steps << BigInt(shift));
  const exact = rest === 0n && !x.inexact;
  const beyond = unit === top.exp && (steps > top.sig || (steps === top.sig && !exact));
  return { unit, steps, rest, shift, beyond, exact };
}

/** The significand in binary, a bar behind the last bit that the format keeps: `0b1.1000100010|0111 x 2^0`. */
function written(f: Format, x: Finite, { unit, steps, rest, shift, exact }: Place): string {
  const digits = steps.toString(2).padStart(f.frac + 1, "0");
  // Far beyond the format there is no bar to draw.
  if (digits.length > f.frac + 2) return `${x.neg ? "-" : ""}0b1... x 2^${unit + digits.length - 1}`;
  const point = digits.length - f.frac;
  const kept = f.frac === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  const all = rest === 0n ? "" : withoutZeros(rest.toString(2).padStart(shift, "0"));
  const short = runs(all);
  const cut = short.length > MOST_BITS || x.inexact ? `${short.slice(0, MOST_BITS)}...` : short;
  return `${x.neg ? "-" : ""}0b${kept}${exact ? "" : `|${cut}`} x 2^${unit + f.frac}`;
}

function between(f: Format, rnd: Rounding, x: Finite, place: Place, bits: bigint): Row[] {
  const { unit, steps, exact, beyond } = place;
  const subnormal = f.frac > 0 && unit === 1 - f.bias - f.frac && steps < 1n << BigInt(f.frac);
  const small = subnormal ? [row("subnormal", `below 2^${1 - f.bias} the step stays 2^${unit}`)] : [];
  if (beyond) return [...small, ...overflowing(f, rnd, x, place, bits)];
  if (exact && f.frac === 0 && steps === 0n)
    return [row("least", `${f.name} has no zero: its least number stands for it`)];
  if (exact) return [...small, row("rounding", `none: ${f.name} holds it exactly`)];
  const low = round(f, "rz", finite(x.neg, steps, unit));
  const high = round(f, "rz", finite(x.neg, steps + 1n, unit));
  const [below, above] = x.neg ? [high, low] : [low, high];
  const shown = (code: bigint): string => `${hex(code, f.width)} = ${decimalOf(unpack(f, code))}`;
  if (f.frac === 0 && steps === 0n) return [row("least", `${shown(0n)}: what is smaller becomes it`)];
  const half = againstHalf(x, place);
  return [
    ...small,
    row("below", shown(below)),
    row("above", shown(above)),
    row("lies", `${share(x, place)} of the way up: ${words[half * (x.neg ? -1 : 1) + 1]}`),
    row(`.${rnd}`, `${reason(rnd, half)}: ${bits === above ? "up" : "down"} to ${hex(bits, f.width)}`),
  ];
}

const words = ["below the half", "a tie", "above the half"] as const;

/** -1, 0 or 1: the part of the step that is left over against one half, away from zero. */
function againstHalf(x: Finite, { rest, shift }: Place): -1 | 0 | 1 {
  const twice = 2n * rest + (x.inexact ? 1n : 0n);
  const one = 1n << BigInt(shift);
  return twice < one ? -1 : twice === one ? 0 : 1;
}

/** The part of the step from the lower to the upper neighbour: the digits that are certain, six of them at most. */
function share(x: Finite, { rest, shift }: Place): string {
  const one = 1n << BigInt(shift);
  const more = x.inexact ? 1n : 0n;
  const [from, to] = x.neg ? [one - rest - more, one - rest] : [rest, rest + more];
  const million = (part: bigint): string => ((part * 1_000_000n) / one).toString().padStart(6, "0");
  const [low, high] = [million(from), million(to)];
  if (!x.inexact && (from * 1_000_000n) % one === 0n) return `0.${withoutZeros(low)}`;
  if (low === "000000" && high === low) return "less than 0.000001";
  let certain = 0;
  while (certain < 6 && low[certain] === high[certain]) certain += 1;
  return `0.${low.slice(0, Math.max(certain, 1))}...`;
}

function reason(rnd: Rounding, half: -1 | 0 | 1): string {
  switch (rnd) {
    case "rn":
      return half === 0 ? "tie: to even, the neighbour whose last bit is 0" : "to the nearest";
    case "rna":
      return half === 0 ? "tie: away from zero" : "to the nearest";
    case "rz":
      return "toward zero, what is after the bar is cut";
    case "rm":
      return "toward -infinity, whatever is after the bar";
    case "rp":
      return "toward +infinity, whatever is after the bar";
  }
}

function overflowing(f: Format, rnd: Rounding, x: Finite, place: Place, bits: bigint): Row[] {
  const top = unpack(f, largest(f)) as Finite;
  const most = round(f, "rz", { ...top, neg: x.neg });
  const kind = unpack(f, bits).kind;
  const result = kind === "inf" ? `${x.neg ? "-" : ""}infinity` : kind === "nan" ? "NaN" : "the largest number";
  // Within half a step of the largest number it is still the nearest.
  const near =
    place.steps === top.sig && (againstHalf(x, place) < 0 || (againstHalf(x, place) === 0 && kind === "finite"));
  const nearest = rnd === "rn" || rnd === "rna";
  const why = nearest
    ? near
      ? "less than half a step beyond it, or a tie to even"
      : "half a step beyond it or more, overflow"
    : `${reason(rnd, 1).split(",")[0]}, overflow`;
  const instead = f.finite && kind === "finite" && !near && nearest ? ".satfinite: " : "";
  return [
    row(
      "largest",
      `${hex(most, f.width)} = ${decimalOf(unpack(f, most))}, and the next step would be ${decimalOf(finite(x.neg, top.sig + 1n, top.exp))}`,
    ),
    row(`.${rnd}`, `${why}: ${instead}${result} ${hex(bits, f.width)}`),
  ];
}
