import type { Rounding } from "./exact.ts";
import type { Format } from "./format.ts";

/** An operation of up to three operands on bits of up to 32; those beyond its arity are not looked at. */
export type Fast = (a: number, b: number, c: number) => number;

export const fastAdd = (_from: Format, _to: Format, _rnd: Rounding): Fast | undefined => undefined;
export const fastMul = (_from: Format, _to: Format, _rnd: Rounding): Fast | undefined => undefined;
export const fastFma = (_from: Format, _to: Format, _rnd: Rounding): Fast | undefined => undefined;
