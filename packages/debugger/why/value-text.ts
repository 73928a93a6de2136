import { spaceOf } from "../../../src/interp/contract/window.ts";
import { hex, number } from "../../../src/present/value.ts";
import type { Shown } from "./cause.ts";

/** A value as people read it: an address by the place that it leads to, large bits in hexadecimal. */
export function valueText({ type, bits, points }: Omit<Shown, "name">): string {
  if (bits === undefined) return "unknown";
  if (points !== undefined) return `&${points}`;
  if (type === "pred") return bits === 0n ? "false" : "true";
  if (isAddress({ type, bits })) return hex(bits, 64);
  return /^b\d/.test(type) && bits > 0xffffn ? hex(bits, Number(type.slice(1))) : numberText(bits, type);
}

/** Digits of a whole number that stay as they are. */
const MOST_DIGITS = 12;

/** A number, one with many zeros by its power of ten: `1e+19`. */
function numberText(bits: bigint, type: string): string {
  const text = number(bits, type);
  return text.endsWith(".0") && text.length > MOST_DIGITS + 2 ? Number(text).toExponential() : text;
}

/** Whether a value of 64 bits looks like an address. */
export const isAddress = ({ type, bits }: Omit<Shown, "name">): boolean =>
  bits !== undefined && /^[bus]64$/.test(type) && spaceOf(bits) !== undefined;
