import { type ConvertMode, formatNamed, type NumberType } from "./convert-mode.ts";
import { type Exact, finite, integral, magnitude, type Rounding, round, unpack } from "./exact/exact.ts";
import { clampOf, flushOf, same } from "./format/effects.ts";
import { bf16, type Format, f32, f64, ue8m0 } from "./format/format.ts";
import { nanAsF64, nanAsInteger } from "./format/nan.ts";
import { clampTo, type IntType, intWidth, rangeOf, reader, reader64 } from "./integer.ts";
import type { Bits, Op } from "./op.ts";

/** Every conversion by the reference: exact values, rounded once. */
export function exactConversion(from: NumberType, to: NumberType, mode: ConvertMode): Op["js"] {
  const source = formatNamed(from);
  const target = formatNamed(to);
  if (source && target) return floatToFloat(source, target, mode);
  if (source) return floatToInt(source, to as IntType, mode);
  if (target) return intToFloat(from as IntType, target, mode);
  return intToInt(from as IntType, to as IntType, mode);
}

function intToInt(from: IntType, to: IntType, { sat }: ConvertMode): Op["js"] {
  const read = readInt(from);
  const write = writer(intWidth(to));
  if (sat) {
    const clamp = clampTo(to);
    return (a: Bits) => write(clamp(read(a)));
  }
  return (a: Bits) => write(read(a));
}

function intToFloat(from: IntType, to: Format, { rnd, sat, relu, satfinite }: ConvertMode): Op["js"] {
  const read = readInt(from);
  const direction = plain(rnd);
  const target: Format = satfinite ? { ...to, finite: true } : to;
  const after = effect(to, { sat, relu });
  return (a: Bits) => {
    const value = read(a);
    return after(round(target, direction, finite(value < 0n, magnitude(value), 0)));
  };
}

/** Out of range clamps to the nearest number of the type (grade doc). */
function floatToInt(from: Format, to: IntType, { rnd = "rzi", ftz }: ConvertMode): Op["js"] {
  const write = writer(intWidth(to));
  const [least, greatest] = rangeOf(to);
  const clamp = clampTo(to);
  const nan = nanAsInteger(from, to);
  const flush = ftz && from === f32 ? flushOf(from) : same;
  const direction = plain(rnd);
  return (a: Bits) => {
    const x = integral(unpack(from, BigInt(flush === same ? a : flush(a as number))), direction);
    if (x.kind === "nan") return write(nan);
    if (x.kind === "inf") return write(x.neg ? least : greatest);
    const value = (x.neg ? -x.sig : x.sig) << BigInt(x.exp);
    return write(clamp(value));
  };
}

/**
 * One type on both sides and nothing to do is a move, and bf16 to f32 a shift, which keep a NaN's payload (grade asm).
 * Every other NaN becomes the target's canonical one (f16 and bf16, and f32 from f16: grade asm; f32 from f64: grade
 * open); that of f64 stands in `nan.ts`.
 */
function floatToFloat(from: Format, to: Format, mode: ConvertMode): Op["js"] {
  const { rnd, ftz, sat, relu, satfinite } = mode;
  const bare = !ftz && !sat && !relu;
  if (from === to && bare && rnd === undefined) return (a: Bits) => a;
  if (from === bf16 && to === f32 && bare) return (a: number) => (a << 16) >>> 0;
  // .ftz is about f32 alone, as operand and as result (9.7.9.21).
  const before = ftz && from === f32 ? flushOf(from) : same;
  const target: Format = satfinite ? { ...to, finite: true } : to;
  const toInteger = rnd?.endsWith("i") ?? false;
  const direction = plain(rnd);
  const after = effect(to, { sat, relu });
  const flushes = ftz === true && to === f32;
  const nan = to === f64 ? nanAsF64(from) : undefined;
  return (a: Bits) => {
    const exact = unsigned(to, unpack(from, BigInt(before === same ? a : before(a as number))));
    if (exact.kind === "nan" && nan) return after(nan(a));
    return after(round(target, direction, toInteger ? integral(exact, direction) : exact, flushes));
  };
}

/** ue8m0 has no sign, and takes what is negative as if it were not (hdr). */
const unsigned = (to: Format, x: Exact): Exact => (to === ue8m0 && x.kind !== "nan" ? { ...x, neg: false } : x);

function effect(to: Format, { sat, relu }: ConvertMode): (bits: bigint) => Bits {
  if (to.width < 64) {
    const after = clampOf(to, { sat, relu });
    return (bits) => after(Number(bits));
  }
  if (!sat) return (bits) => bits;
  const infinity = 0x7ff0_0000_0000_0000n;
  const one = 0x3ff0_0000_0000_0000n;
  return (bits) => (bits > infinity ? 0n : bits > one ? one : bits);
}

function readInt(type: IntType): (bits: Bits) => bigint {
  if (intWidth(type) === 64) return reader64(type) as (bits: Bits) => bigint;
  const read = reader(type);
  return (bits) => BigInt(read(bits as number));
}

const writer = (width: number): ((value: bigint) => Bits) =>
  width === 64 ? (value) => BigInt.asUintN(64, value) : (value) => Number(BigInt.asUintN(width, value));

const plain = (rnd: ConvertMode["rnd"] = "rn"): Rounding => (rnd.endsWith("i") ? rnd.slice(0, 2) : rnd) as Rounding;
