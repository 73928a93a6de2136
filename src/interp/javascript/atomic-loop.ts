import type { Op } from "../../numeric/op.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";

/** Runs an operation of up to 64 bits on one element a lane; offsets are into the bank, `d` -1 where nobody wants it. */
export type AtomicLoop = (context: Context, op: Op, d: number, b: number, c: number) => Step;
