import { clampOf, flushOf, same } from "./effects.ts";
import { type Exact, finite, integral, magnitude, type Rounding, round, unpack } from "./exact.ts";
import { bf16, type Format, f16, f32, f64, tf32 } from "./format.ts";
import { clampTo, type IntType, intWidth, rangeOf, reader, reader64 } from "./integer.ts";
import type { Bits, Op } from "./op.ts";

export type NumberType = IntType | "f16" | "bf16" | "f32" | "f64" | "tf32";

export interface ConvertMode {
  /** An `i` form rounds to an integer: always for float to int, and where asked for float to float. */
  readonly rnd?: Rounding | "rni" | "rzi" | "rmi" | "rpi" | undefined;
  readonly ftz?: boolean | undefined;
  readonly sat?: boolean | undefined;
  readonly relu?: boolean | undefined;
}

const floats: ReadonlyMap<string, Format> = new Map([f16, bf16, f32, f64, tf32].map((f) => [f.name, f]));

/** cvt (9.7.9.21): from one number type to another, bits to bits. */
export function convert(from: NumberType, to: NumberType, mode: ConvertMode = {}): Op {
  const source = floats.get(from);
  const target = floats.get(to);
  const effects = (["ftz", "sat", "relu"] as const).filter((key) => mode[key]);
  const name = ["convert", from, to, ...(mode.rnd ? [mode.rnd] : []), ...effects].join(".");
  const takes = [source?.width ?? intWidth(from as IntType)];
  const gives = target?.width ?? intWidth(to as IntType);
  return { name, takes, gives, js: meaning(from, source, to, target, mode) };
}

function meaning(
  from: NumberType,
  source: Format | undefined,
  to: NumberType,
  target: Format | undefined,
  mode: ConvertMode,
) {
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

function intToFloat(from: IntType, to: Format, { rnd, sat, relu }: ConvertMode): Op["js"] {
  const read = readInt(from);
  const direction = plain(rnd);
  const after = effect(to, { sat, relu });
  return (a: Bits) => {
    const value = read(a);
    return after(round(to, direction, finite(value < 0n, magnitude(value), 0)));
  };
}

/**
 * Out of range clamps to the nearest number of the type (grade doc). NaN gives 0, except from f64 or to a 64-bit
 * integer: there it gives the top bit alone (grade doc).
 */
function floatToInt(from: Format, to: IntType, { rnd = "rzi", ftz }: ConvertMode): Op["js"] {
  const width = intWidth(to);
  const write = writer(width);
  const [least, greatest] = rangeOf(to);
  const clamp = clampTo(to);
  const nan = from === f64 || width === 64 ? 1n << BigInt(width - 1) : 0n;
  const flush = ftz ? flushOf(from) : same;
  const direction = plain(rnd);
  return (a: Bits) => {
    const x = integral(unpack(from, BigInt(ftz ? flush(a as number) : a)), direction);
    if (x.kind === "nan") return write(nan);
    if (x.kind === "inf") return write(x.neg ? least : greatest);
    const value = (x.neg ? -x.sig : x.sig) << BigInt(x.exp);
    return write(clamp(value));
  };
}

/**
 * bf16 to f32 is a shift and keeps a NaN's payload (grade asm); every other NaN becomes the target's canonical one
 * (f16 and bf16 and f32 from f16: grade asm; to and from f64: grade open).
 */
function floatToFloat(from: Format, to: Format, mode: ConvertMode): Op["js"] {
  const { rnd = "rn", ftz, sat, relu } = mode;
  if (from === bf16 && to === f32 && !sat && !relu && !ftz) return (a: number) => (a << 16) >>> 0;
  // .ftz is about f32 alone, as operand and as result (9.7.9.21).
  const before = ftz && from === f32 ? flushOf(from) : same;
  const toInteger = rnd.endsWith("i");
  const direction = plain(rnd);
  const after = effect(to, { sat, relu });
  const flushes = ftz === true && to === f32;
  return (a: Bits) => {
    const exact: Exact = unpack(from, BigInt(before === same ? a : before(a as number)));
    return after(round(to, direction, toInteger ? integral(exact, direction) : exact, flushes));
  };
}

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
