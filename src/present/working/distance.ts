import { unpack } from "../../numeric/exact/exact.ts";
import type { Format } from "../../numeric/format/format.ts";
import { formats } from "../../numeric/format/named.ts";
import { ulps } from "../../numeric/format/ulps.ts";

/** How one lane of two results compares. */
export interface LaneApart {
  readonly kind: "same" | "payload" | "zero" | "number" | "nan";
  /** Units in the last place of a float, the difference of integers; 0 where there is none. */
  readonly apart: bigint;
}

/** Two values of a type that has `width` bits, lane by lane: floats in units in the last place, other types as integers. */
export function lanesApart(type: string, width: number, a: bigint, b: bigint): LaneApart[] {
  const count = Number(/x(\d+)$/.exec(type)?.[1] ?? 1);
  const lane = Math.max(1, Math.floor(width / count));
  const name = type.replace(/x\d+$/, "");
  const format = formats.find((each) => each.name === name);
  return Array.from({ length: count }, (_, at): LaneApart => {
    const [x, y] = [a, b].map((bits) => BigInt.asUintN(lane, bits >> BigInt(at * lane))) as [bigint, bigint];
    if (x === y) return { kind: "same", apart: 0n };
    return format === undefined ? integers(x, y, lane, name.startsWith("s")) : floats(x, y, format);
  });
}

function integers(x: bigint, y: bigint, width: number, signed: boolean): LaneApart {
  const [a, b] = signed ? [BigInt.asIntN(width, x), BigInt.asIntN(width, y)] : [x, y];
  return { kind: "number", apart: a < b ? b - a : a - b };
}

function floats(x: bigint, y: bigint, format: Format): LaneApart {
  const apart = ulps(format, x, y);
  if (apart === undefined) return { kind: "nan", apart: 0n };
  if (apart > 0n) return { kind: "number", apart };
  return { kind: unpack(format, x).kind === "nan" ? "payload" : "zero", apart };
}

/** Floats are apart by units in the last place, integers by their difference. */
export const unitOf = (type: string, apart: bigint): string =>
  /^(?:b?f|tf|e\d|ue)/.test(type) ? (apart === 1n ? "ulp" : "ulps") : "apart";

/** The distance in words, one for each lane: `3 ulps, the same`. */
export const apartText = (type: string, lanes: readonly LaneApart[]): string =>
  lanes
    .map(({ kind, apart }) => {
      if (kind === "same") return "the same";
      if (kind === "payload") return "NaN with other bits";
      if (kind === "zero") return "zeros of other signs";
      return kind === "nan" ? "one is NaN" : `${apart} ${unitOf(type, apart)}`;
    })
    .join(", ");
