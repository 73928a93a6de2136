import type { Op } from "./op.ts";

export type PackType = "u2" | "s2" | "u4" | "s4" | "u8" | "s8" | "u16" | "s16";

/**
 * cvt.pack.sat (9.7.9.22): a above b, each clamped to `type`. The small types take a third operand, whose low bits
 * stand above both.
 */
export function packSaturated(type: PackType): Op {
  const bits = Number(type.slice(1));
  const least = type.startsWith("s") ? -(2 ** (bits - 1)) : 0;
  const most = least + 2 ** bits - 1;
  const low = 2 ** bits - 1;
  const clamp = (x: number): number => Math.min(Math.max(x | 0, least), most) & low;
  const both = (a: number, b: number): number => ((clamp(a) << bits) | clamp(b)) >>> 0;
  const name = `pack.${type}.s32.sat`;
  if (bits === 16) return { name, takes: [32, 32], gives: 32, js: both };
  const js = (a: number, b: number, c: number): number => ((c << (2 * bits)) | both(a, b)) >>> 0;
  return { name, takes: [32, 32, 32], gives: 32, js };
}
