import { unpack } from "../../../numeric/exact/exact.ts";
import { formatNamed, widthOf } from "../../../numeric/format/value-type.ts";
import { hex, lanes, number } from "../../../present/value.ts";

/** One value that differs from what is expected. */
export interface Mismatch {
  /** `d`, `v.x`, `out[3]`, `d lane 1`. */
  readonly what: string;
  readonly type: string;
  readonly width: number;
  readonly expected: bigint;
  readonly got: bigint;
  /** Representable values between the two; `undefined` for types without an order, and for NaN. */
  readonly ulp: bigint | undefined;
}

/** Compares two values of a type lane by lane, with `tolerance` units in the last place allowed in each. */
export function compare(
  what: string,
  type: string,
  width: number,
  expected: bigint,
  got: bigint,
  tolerance: number,
): Mismatch[] {
  if (expected === got) return [];
  const wanted = lanes(expected, type);
  const found = lanes(got, type);
  return wanted.flatMap((lane, index): Mismatch[] => {
    const other = found[index]?.bits ?? 0n;
    if (lane.bits === other) return [];
    const ulp = distance(lane.bits, other, lane.type);
    if (tolerance > 0 && ulp !== undefined && ulp <= BigInt(tolerance)) return [];
    const bits = wanted.length > 1 ? Math.max(8, widthOf(lane.type)) : width;
    const name = wanted.length > 1 ? `${what} lane ${index}` : what;
    return [{ what: name, type: lane.type, width: bits, expected: lane.bits, got: other, ulp }];
  });
}

/** The number of representable values between two floats, counting both zeros as one apart; integers subtract. */
function distance(a: bigint, b: bigint, type: string): bigint | undefined {
  const format = formatNamed(type);
  if (format === undefined) return undefined;
  const [nanA, nanB] = [a, b].map((bits) => unpack(format, bits).kind === "nan");
  // With a tolerance, any NaN matches any other.
  if (nanA || nanB) return nanA && nanB ? 0n : undefined;
  const size = format.exp + format.frac;
  const place = (bits: bigint) => {
    const magnitude = BigInt.asUintN(size, bits >> BigInt(format.pad));
    return format.sign === 1 && (bits >> BigInt(size + format.pad)) % 2n === 1n ? -1n - magnitude : magnitude;
  };
  const apart = place(a) - place(b);
  return apart < 0n ? -apart : apart;
}

/** `0x3c00 (1.0)`. */
const shown = (bits: bigint, type: string, width: number): string =>
  width === 1 ? bits.toString() : `${hex(bits, width)} (${number(bits, type)})`;

/** The mismatch in words: the value, and what was expected. */
export const words = ({ what, type, width, expected, got, ulp }: Mismatch): { message: string; expected: string } => ({
  message: `${what} is ${shown(got, type, width)}`,
  expected: `${shown(expected, type, width)}${ulp === undefined ? "" : `, ${ulp} ulp away`}`,
});
