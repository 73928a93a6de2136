/** A register for the user. Made on demand from the program's register list; steps never use it. */
export interface RegisterView {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  /** One element a vector component; a scalar has one. */
  readonly bits: readonly bigint[];
  /** False while nothing has been written to it, neither by the program nor by the host. */
  readonly written: boolean;
}

/** One warp of a block that runs, or has ended while no other block uses its slot yet. */
export interface WarpView {
  readonly block: number;
  readonly warp: number;
  /** Lanes with a thread of the block, and those of them that have not exited. */
  readonly threads: number;
  readonly live: number;
  /** True for the warp whose turn it is. */
  readonly current: boolean;
  /** Live lanes grouped by pc: first those that run, then the others in the order in which they will. */
  readonly groups: readonly GroupView[];
}

/** Lanes of a warp at one pc. */
export interface GroupView {
  readonly mask: number;
  /** What they are about to execute, or wait at. */
  readonly pc: number;
  /** Call depth. */
  readonly depth: number;
  /** `running`: they go first in the warp's turn; `ready`: behind other groups; else they wait for others. */
  readonly state: "running" | "ready" | "barrier" | "cluster" | "lanes" | "until";
  /** The barrier's number, or the lanes that an instruction among lanes waits for. */
  readonly barrier?: number;
  readonly members?: number;
}

/** A barrier of a block with arrivals. */
export interface BarrierView {
  readonly block: number;
  readonly number: number;
  /** Threads that it waits for. */
  readonly threads: number;
  /** By warp: lanes that have arrived. */
  readonly arrived: readonly number[];
  readonly reduction: "popc" | "and" | "or" | undefined;
}

/** One active call of a thread. */
export interface CallView {
  /** Index into `Program.functions`. */
  readonly callee: number;
  /** The call instruction. */
  readonly from: number;
}

/** Tensor memory of a block: what is allocated, and its words. */
export interface TensorMemoryView {
  readonly block: number;
  /** That the target has. */
  readonly columns: number;
  readonly allocations: readonly { readonly column: number; readonly columns: number; readonly group: 1 | 2 }[];
  /** 32 bits; undefined where nothing has written them. */
  word(lane: number, column: number): number | undefined;
}
