import type { Format } from "./format.ts";
import { floatTypes, formats, packedType } from "./named.ts";

/** What a packed type holds: `count` values of `type`, `width` bits each, the first in the low bits. */
export interface Lanes {
  readonly type: string;
  readonly count: number;
  readonly width: number;
}

const byName: ReadonlyMap<string, Format> = new Map(formats.map((format) => [format.name, format]));

/** The format of a float type by its name; undefined for integers and packed types. */
export const formatNamed = (type: string): Format | undefined => byName.get(type);

/** The lanes of a packed type such as `f16x2`, `e4m3x4` or `u16x2`; undefined for any other. */
export function lanesOf(type: string): Lanes | undefined {
  if (!type.includes("x")) return undefined;
  const floats = packedType(type);
  if (floats) return { type: floats.lane.name, count: floats.count, width: floats.width };
  const [, lane, width, count] = /^([bsu](8|16|32))x([24])$/.exec(type) ?? [];
  return lane === undefined ? undefined : { type: lane, count: Number(count), width: Number(width) };
}

/** The bits of a value of a type by its name: 16 for `bf16` and `e4m3x2`, 32 for `f16x2`, 1 for `pred`. */
export function widthOf(type: string): number {
  const lanes = lanesOf(type);
  if (lanes) return lanes.count * lanes.width;
  return formatNamed(type)?.width ?? Number(/(\d{1,9})$/.exec(type)?.[1] ?? 1);
}

/** True for the name of a type in which the bits of a register can be read and shown. */
export const isValueType = (type: string): boolean =>
  /^(?:pred|[bsu](?:8|16|32|64|128)|[su]16x2|[su]8x4)$/.test(type) || floatTypes.includes(type);
