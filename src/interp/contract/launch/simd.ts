import type { Sampler } from "../image.ts";
import type { ImageQuery } from "../plan/plan-texture.ts";

/** A launch of many SIMD threads (vISA), as the program describes it: each warp is a thread with private variables. */
export interface SimdThreads {
  /** Work-items of one thread. */
  readonly width: number;
  /** Bytes of a register: a row of a variable. */
  readonly registerBytes: number;
  /** The private variables of each thread, by their names in the module. */
  readonly variables: readonly { readonly name: string; readonly bytes: number }[];
  /** Names for parts of them. */
  readonly views: readonly { readonly name: string; readonly of: string; readonly offset: number }[];
  /** Where arguments go. */
  readonly inputs: readonly SimdInput[];
  /** Parameters that point to local memory. A host gives each its bytes, or 0: those share what is left. */
  readonly locals: readonly number[];
  /** Bytes of local memory before theirs, which the kernel's own arrays take. */
  readonly ownLocalBytes: number;
  /** Further initial values of a thread's variables, where the launch has not set them. */
  readonly fills: readonly SimdFill[];
  /** Inputs of unknown meaning, and what they are taken for. */
  readonly assumed: readonly AssumedSize[];
  /** Default bytes of shared local memory of a group. */
  readonly localBytes: number;
  readonly surfaces?: SurfaceTable;
  readonly samplers?: SamplerTable;
}

/** Bytes of a parameter that are copied to a variable. */
export interface SimdInput {
  readonly parameter: number;
  readonly from: number;
  readonly variable: string;
  readonly offset: number;
  readonly bytes: number;
}

/** The variable with the address of each surface; without entries the k-th parameter that holds a pointer is surface k. */
export interface SurfaceTable {
  readonly variable: string;
  readonly entries?: readonly SurfaceEntry[];
}

/** A surface: the memory of a parameter, or a variable of the module. */
export type SurfaceEntry =
  | { readonly index: number; readonly parameter: number }
  | { readonly index: number; readonly variable: string; readonly offset: number };

/** The variable with the handle of each sampler: of a parameter, or one that the program defines. */
export interface SamplerTable {
  readonly variable: string;
  readonly entries: readonly (
    | { readonly index: number; readonly parameter: number }
    | { readonly index: number; readonly sampler: Sampler }
  )[];
}

/** An input whose meaning is guessed. */
export interface AssumedSize {
  readonly name: string;
  /** `local size` and the like. */
  readonly of: string;
  readonly span: { readonly start: number; readonly end: number };
}

/** A fact about a thread that the launch writes to one of its variables, from byte `offset` on. */
export interface SimdFill {
  readonly variable: string;
  readonly offset: number;
  /** Bytes of an element, and their number: work-items from `first` on, or axes x, y, z. */
  readonly bytes: 2 | 4 | 8;
  readonly count: number;
  readonly of: SimdFact;
  /** The axis of a local id. */
  readonly axis?: 0 | 1 | 2;
  readonly first?: number;
  /** The number itself; of private memory, the bytes that each thread has. */
  readonly value?: number;
  /** The variable whose address it is, `value` bytes into it. */
  readonly target?: string;
  /** Of the image in parameter `value`. */
  readonly query?: ImageQuery;
}

export type SimdFact =
  | "local id"
  | "group id"
  | "thread"
  | "hardware thread"
  | "local size"
  | "group count"
  | "global size"
  | "dimensions"
  | "private memory"
  | "printf buffer"
  | "address"
  | "image"
  | "number";
