import { lower } from "../../../numeric/lower/lowered.ts";
import type { Update } from "../../contract/plan/plan-bulk.ts";
import type { Memory } from "../../memory/memory.ts";

/** Reduces `bytes` bytes, an element at a time: memory at `to` becomes op(memory at `to`, memory at `from`). */
export type Reduction = (to: number, from: number, bytes: number) => void;

/** The loop of a reduction, by the width of its elements. */
export function reductionOf({ op, bits }: Update, { data: { u16, u32, u64 } }: Memory): Reduction {
  const { js } = lower(op);
  if (bits === 64) {
    const run = js as (held: bigint, b: bigint) => bigint;
    return (to, from, bytes) => {
      for (let at = 0; at < bytes; at += 8) u64[(to + at) >>> 3] = run(u64[(to + at) >>> 3]!, u64[(from + at) >>> 3]!);
    };
  }
  const run = js as (held: number, b: number) => number;
  if (bits === 32)
    return (to, from, bytes) => {
      for (let at = 0; at < bytes; at += 4) u32[(to + at) >>> 2] = run(u32[(to + at) >>> 2]!, u32[(from + at) >>> 2]!);
    };
  return (to, from, bytes) => {
    for (let at = 0; at < bytes; at += 2) u16[(to + at) >>> 1] = run(u16[(to + at) >>> 1]!, u16[(from + at) >>> 1]!);
  };
}
