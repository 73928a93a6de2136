import type { Argument, Buffer, ElementType, ImageHandle } from "../../host/index.ts";
import type { AssumedSize } from "../../interp/contract/launch/simd.ts";
import type { Assignment } from "../value/assignment.ts";

/** A buffer for a parameter (in a snippet: a register), or a module variable, by the user's name for it. */
export interface NamedBuffer {
  readonly name: string;
  readonly type: ElementType;
  readonly buffer: Buffer;
  /** Its sizes, the slowest axis first, where it has several. */
  readonly shape?: readonly number[];
  /** How many elements of a row are one texel of a surface. */
  readonly channels?: number;
}

/** A named buffer or value of a pipeline's case, for its launches to use. */
export interface Named {
  readonly assignment: Assignment;
  readonly buffer?: NamedBuffer;
  /** The handle of a texture or surface. */
  readonly handle?: ImageHandle;
  used: boolean;
}

/** The inputs of a run. */
export interface Inputs {
  readonly registers: ReadonlyMap<string, readonly bigint[]>;
  readonly carry: 0 | 1 | undefined;
  readonly args: readonly Argument[];
  /**
   * By the parameter's name, in the order of the parameters; a parameter that shares another's buffer is not listed.
   */
  readonly buffers: readonly NamedBuffer[];
  /** Inputs without a value, which are 0. */
  readonly missing: readonly Missing[];
  /** Sizes of a vISA kernel without a value, whose meaning is guessed. */
  readonly assumed: readonly AssumedSize[];
}

export interface Missing {
  readonly name: string;
  readonly kind: "register" | "parameter" | "carry";
  readonly span: { readonly start: number; readonly end: number };
}
