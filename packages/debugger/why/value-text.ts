import { hex, number } from "../../../src/present/value.ts";
import type { Shown } from "./cause.ts";

/** A value as people read it: an address by the place that it leads to, large bits in hexadecimal. */
export function valueText({ type, bits, points }: Omit<Shown, "name">): string {
  if (bits === undefined) return "unknown";
  if (points !== undefined) return `&${points}`;
  if (type === "pred") return bits === 0n ? "false" : "true";
  return /^b\d/.test(type) && bits > 0xffffn ? hex(bits, Number(type.slice(1))) : number(bits, type);
}
