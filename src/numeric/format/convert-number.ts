import { checkGiven } from "../../source/given.ts";
import { type Exact, finite, type Rounding, round, unpack } from "../exact/exact.ts";
import { exactOf } from "../exact/literal.ts";
import { type Format, f64 } from "./format.ts";

/**
 * The bits of a number in a format, rounded once, by default to nearest even. A text is read exactly (`"0.1"`,
 * `"0x1.8p3"`, `"-inf"`, `"nan"`), a `number` is the binary64 that it is, so that `0.1` and `"0.1"` may differ only in
 * f64's last places. A number that is too large becomes the format's overflow value. Throws a `RangeError` for a text
 * that is no number.
 */
export function toBits(format: Format, value: number | bigint | string, rnd: Rounding = "rn"): bigint {
  checkGiven("toBits", "format", format, "format");
  checkGiven("toBits", "value", value, "numeric");
  checkGiven("toBits", "rnd", rnd, "rounding");
  return round(format, rnd, exactly(value));
}

function exactly(value: number | bigint | string): Exact {
  if (typeof value === "bigint") return finite(value < 0n, value < 0n ? -value : value, 0);
  if (typeof value === "number") return unpack(f64, bitsOfDouble(value));
  const read = exactOf(value);
  if (read === undefined) throw new RangeError(`${value} is no number; bits need no conversion`);
  return read;
}

/**
 * The number that bits of a format stand for; binary64 holds those of all formats. Bits above the format's width are not
 * looked at; a NaN loses its payload.
 */
export function fromBits(format: Format, bits: bigint | number): number {
  checkGiven("fromBits", "format", format, "format");
  checkGiven("fromBits", "bits", bits, "bits");
  return doubleOfBits(round(f64, "rn", unpack(format, BigInt(bits))));
}

const view = new DataView(new ArrayBuffer(8));

function bitsOfDouble(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function doubleOfBits(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
