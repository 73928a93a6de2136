/** What a program of SIMD threads (vISA) says of a launch of many: each warp is a thread, with variables of its own. */
export interface SimdThreads {
  /** Work-items that one thread does. */
  readonly width: number;
  /** The variables that each thread has for itself, by the names that they have in the module. */
  readonly variables: readonly { readonly name: string; readonly bytes: number }[];
  /** Names for parts of them. */
  readonly views: readonly { readonly name: string; readonly of: string; readonly offset: number }[];
  /** Where arguments go: the parameter of the same place in the list is copied to the start of this variable. */
  readonly inputs: readonly string[];
  /** What a thread finds in its variables besides, where the launch has not set them. */
  readonly fills: readonly SimdFill[];
  /** Inputs that are sizes of the launch, of which nothing says which: the first guess, and what else they may be. */
  readonly assumed: readonly AssumedSize[];
  /** Bytes of shared local memory of a group, where the launch says nothing else. */
  readonly localBytes: number;
  /** The table of surfaces: the k-th parameter that holds a pointer is surface k. */
  readonly surfaces?: string;
}

/** An input whose meaning is guessed. */
export interface AssumedSize {
  readonly name: string;
  readonly of: SimdFact;
  readonly span: { readonly start: number; readonly end: number };
}

/** What the launch knows of a thread, in one of its variables from byte `offset` on. */
export interface SimdFill {
  readonly variable: string;
  readonly offset: number;
  /** Bytes of an element, and their number: work-items from `first` on, or axes x, y, z. */
  readonly bytes: 2 | 4;
  readonly count: number;
  readonly of: SimdFact;
  /** Of a local id: along which axis. */
  readonly axis?: 0 | 1 | 2;
  readonly first?: number;
}

export type SimdFact =
  | "local id"
  | "group id"
  | "thread"
  | "hardware thread"
  | "local size"
  | "group count"
  | "global size"
  | "zero";
