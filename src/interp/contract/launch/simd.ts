/** A launch of many SIMD threads (vISA), as the program describes it: each warp is a thread with private variables. */
export interface SimdThreads {
  /** Work-items of one thread. */
  readonly width: number;
  /** The private variables of each thread, by their names in the module. */
  readonly variables: readonly { readonly name: string; readonly bytes: number }[];
  /** Names for parts of them. */
  readonly views: readonly { readonly name: string; readonly of: string; readonly offset: number }[];
  /** Where arguments go: the parameter of the same place in the list is copied to the start of this variable. */
  readonly inputs: readonly string[];
  /** Further initial values of a thread's variables, where the launch has not set them. */
  readonly fills: readonly SimdFill[];
  /** Inputs that are launch sizes of unknown meaning: the first guess, and the alternatives. */
  readonly assumed: readonly AssumedSize[];
  /** Default bytes of shared local memory of a group. */
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

/** A fact about a thread that the launch writes to one of its variables, from byte `offset` on. */
export interface SimdFill {
  readonly variable: string;
  readonly offset: number;
  /** Bytes of an element, and their number: work-items from `first` on, or axes x, y, z. */
  readonly bytes: 2 | 4;
  readonly count: number;
  readonly of: SimdFact;
  /** The axis of a local id. */
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
