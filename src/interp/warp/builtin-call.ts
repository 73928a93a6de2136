import type { FunctionCode } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";
import type { CallArguments } from "./call-arguments.ts";

/** A call of a function that CUDA's driver supplies to every module; `passed` holds arguments and results. */
export interface BuiltinCall {
  readonly context: Context;
  readonly warp: Warp;
  readonly mask: number;
  readonly passed: CallArguments;
  /** The word of each argument and result in `passed`. */
  readonly parameters: readonly number[];
  readonly results: readonly number[];
}

/** Executes a call for its lanes; throws a Fault. */
export type Builtin = (call: BuiltinCall) => void;

/** A function that the driver supplies, with the bytes of each parameter and result. */
export interface DriverFunction {
  readonly takes: readonly number[];
  readonly gives: readonly number[];
  readonly run: Builtin;
}

/** Finds the driver's function for one that the program only declares; undefined when there is none that fits. */
export type FindBuiltin = (declared: FunctionCode) => Builtin | undefined;
