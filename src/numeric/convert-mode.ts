import type { Rounding } from "./exact/exact.ts";
import { type Format, formats } from "./format/format.ts";
import type { IntType } from "./integer.ts";

export type FloatType = "f16" | "bf16" | "f32" | "f64" | "tf32" | "e5m2" | "e4m3" | "e3m2" | "e2m3" | "e2m1" | "ue8m0";
export type NumberType = IntType | FloatType;

export interface ConvertMode {
  /** An `i` form rounds to an integer: always for float to int, and where asked for float to float. */
  readonly rnd?: Rounding | "rni" | "rzi" | "rmi" | "rpi" | undefined;
  readonly ftz?: boolean | undefined;
  readonly sat?: boolean | undefined;
  readonly relu?: boolean | undefined;
  /** What is too large, infinities included, becomes the largest number of its sign. */
  readonly satfinite?: boolean | undefined;
  /** Leaves fast paths out; tests compare the two. */
  readonly reference?: boolean | undefined;
}

const floats: ReadonlyMap<string, Format> = new Map(formats.map((f) => [f.name, f]));

/** The format that a type names; undefined for an integer. */
export const formatNamed = (type: NumberType): Format | undefined => floats.get(type);
