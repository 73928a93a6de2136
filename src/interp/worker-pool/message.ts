import type { Program } from "../contract/program.ts";
import type { MachineOptions } from "../machine/launch.ts";
import type { Allocation } from "../memory/allocation.ts";
import type { WebAssemblyMemory } from "../memory/linear.ts";

/** A message to a worker. Everything in it can be cloned, and memory is shared. */
export type PoolMessage = MemoryMessage | LaunchMessage | RangeMessage;

/** The memories of a worker from now on. */
export interface MemoryMessage {
  readonly kind: "memory";
  /** The index of the worker. */
  readonly index: number;
  readonly limit: number;
  /** The device's memory, and the worker's overlay memory. */
  readonly base: WebAssemblyMemory;
  readonly own: WebAssemblyMemory;
  /** The `Board`, this worker's changes of pages, and pages that others have changed. */
  readonly board: SharedArrayBuffer;
  readonly ledger: SharedArrayBuffer;
  readonly changed: SharedArrayBuffer;
}

/** A launch, without functions. */
export interface LaunchMessage {
  readonly kind: "launch";
  /** The program's number; the first message about a program contains the program too. */
  readonly id: number;
  readonly program: Program | undefined;
  readonly options: Omit<MachineOptions, Unsent>;
  /** What the launch's executor has compiled of the program, sent once when it exists. */
  readonly made: object | undefined;
  /** The executor's name. */
  readonly executor: string;
  readonly addresses: ReadonlyMap<string, bigint>;
  /** Allocations besides the launch's own, and freed ones. */
  readonly allocations: readonly [readonly Allocation[], readonly Allocation[]];
  /** Addresses of the launch's own allocations. */
  readonly places: readonly number[];
  /** Findings that need not be reported again. */
  readonly seen: readonly number[];
  /** The kept registers of blocks, from block 0 on, and the number of those blocks. */
  readonly kept: SharedArrayBuffer;
  readonly keeps: number;
}

/** Fields that each worker sets itself, or that no launch with workers has. */
type Unsent =
  | "program"
  | "memory"
  | "executor"
  | "addressOf"
  | "print"
  | "schedule"
  | "moving"
  | "part"
  | "ended"
  | "maxSteps";

/** Blocks `first` to `end - 1`, in at most `most` instructions; `share`: how many of them a worker takes at a time. */
export interface RangeMessage {
  readonly kind: "range";
  readonly first: number;
  readonly end: number;
  readonly most: number;
  readonly share: number | undefined;
  /** Whether only exact reads count as read; otherwise pages that seem to be only read count as a whole. */
  readonly careful: boolean;
  /** True when the memory has been changed other than by the workers. */
  readonly anew: boolean;
}
