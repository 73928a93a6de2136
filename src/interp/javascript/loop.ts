import type { Lowered } from "../../numeric/lower/lowered.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";

// Each of these loops is for one operation, which the engine inlines: five times faster than a loop that is handed the
// operation. `generate` writes them from the operations' data. Offsets are into the banks, and every operand has
// exactly the operation's width.

/** d = op(a, b, c, e) in the active lanes. */
export type ComputeLoop = (lanes: number, op: Lowered, d: number, a: number, b: number, c: number, e: number) => Step;

/** A mask of all lanes for which a relation holds, active or not: reading a register does no harm. */
export type CompareLoop = (lanes: number, a: number, b: number) => (warp: Warp) => number;

/** d = a sum of a, b and c, with CC.CF in and out as the operation says. */
export type CarryLoop = (lanes: number, d: number, a: number, b: number, c: number) => Step;

/** Memory = op(memory, b, c) in one lane after the other; `d`, -1 if not needed, gets the old value. */
export type AtomicLoop = (context: Context, op: Lowered, d: number, b: number, c: number) => Step;

/** Loops by the fingerprint of their operation. */
export type Loops<T> = ReadonlyMap<number, T>;
