import type { FunctionCode } from "../contract/program.ts";
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

/** Does a call for its lanes; throws a Fault. */
export type Builtin = (call: BuiltinCall) => void;

/** What the driver has for a function that the program only declares; undefined when it has nothing that fits. */
export type FindBuiltin = (declared: FunctionCode) => Builtin | undefined;
