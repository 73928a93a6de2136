import type { Op } from "./op.ts";

/**
 * The same on both 16-bit halves of 32-bit registers (.f16x2, .bf16x2, .u16x2). A half never sees its neighbour.
 */
export function pair({ name, takes, gives, js }: Op): Op {
  if (takes.some((width) => width !== 16) || gives !== 16) throw new Error(`${name} is no operation on 16 bits`);
  const half = js as (a: number, b?: number, c?: number) => number;
  const join = (low: number, high: number): number => (low | (high << 16)) >>> 0;
  const signature = { name: `${name}x2`, takes: takes.map(() => 32 as const), gives: 32 as const };
  switch (takes.length) {
    case 1:
      return { ...signature, js: (a: number) => join(half(a & 0xffff), half(a >>> 16)) };
    case 2:
      return {
        ...signature,
        js: (a: number, b: number) => join(half(a & 0xffff, b & 0xffff), half(a >>> 16, b >>> 16)),
      };
    default:
      return {
        ...signature,
        js: (a: number, b: number, c: number) =>
          join(half(a & 0xffff, b & 0xffff, c & 0xffff), half(a >>> 16, b >>> 16, c >>> 16)),
      };
  }
}
