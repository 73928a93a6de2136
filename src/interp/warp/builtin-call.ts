import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";
import type { CallArguments } from "./call-arguments.ts";

/** A call of what CUDA's driver supplies to every module: arguments lie in `passed`, results are put there. */
export interface BuiltinCall {
  readonly context: Context;
  readonly warp: Warp;
  readonly mask: number;
  readonly passed: CallArguments;
  /** The word of each argument and result in `passed`. */
  readonly parameters: readonly number[];
  readonly results: readonly number[];
}

export type Builtin = (call: BuiltinCall) => void;
