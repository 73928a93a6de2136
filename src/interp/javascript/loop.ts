import type { Lowered } from "../../numeric/lower/lowered.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";

// A loop of its own for one operation, so that the engine inlines it: five times faster than a loop that is handed the
// operation. `generate` writes them from the operations' data. Offsets are into the banks, and every operand is as wide
// as the operation takes it.

/** d = op(a, b, c, e) in the active lanes. */
export type ComputeLoop = (lanes: number, op: Lowered, d: number, a: number, b: number, c: number, e: number) => Step;

/** A mask of all lanes for which a relation holds, active or not: reading a register does no harm. */
export type CompareLoop = (lanes: number, a: number, b: number) => (warp: Warp) => number;

/** d = a sum of a, b and c, with CC.CF in and out as the operation has it. */
export type CarryLoop = (lanes: number, d: number, a: number, b: number, c: number) => Step;

/** Memory = op(memory, b, c) in one lane after the other; `d`, -1 where nobody wants it, is what it held. */
export type AtomicLoop = (context: Context, op: Lowered, d: number, b: number, c: number) => Step;

/** Loops by the fingerprint of their operation. */
export type Loops<T> = ReadonlyMap<number, T>;
