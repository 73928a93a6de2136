import type { Program } from "../contract/program.ts";
import type { MachineOptions } from "../machine/launch.ts";
import type { Allocation } from "../memory/allocation.ts";
import type { WebAssemblyMemory } from "../memory/linear.ts";

/** What a worker is told. Everything in it can be cloned, and memory is shared. */
export type PoolMessage = MemoryMessage | LaunchMessage | RangeMessage;

/** Where a worker works from now on. */
export interface MemoryMessage {
  readonly kind: "memory";
  /** Which of the workers it is. */
  readonly index: number;
  readonly limit: number;
  /** The device's memory, and the worker's own over it. */
  readonly base: WebAssemblyMemory;
  readonly own: WebAssemblyMemory;
  /** What workers say of themselves (`Board`), what this one has done to pages, and pages that others have changed. */
  readonly board: SharedArrayBuffer;
  readonly ledger: SharedArrayBuffer;
  readonly changed: SharedArrayBuffer;
}

/** What a launch is, without functions. */
export interface LaunchMessage {
  readonly kind: "launch";
  /** The program by its number; with it the first time that the worker hears of it. */
  readonly id: number;
  readonly program: Program | undefined;
  readonly options: Omit<MachineOptions, Unsent>;
  /** What the launch's executor has made of the program, the first time that there is something. */
  readonly made: object | undefined;
  /** The executor's name. */
  readonly executor: string;
  readonly addresses: ReadonlyMap<string, bigint>;
  /** Allocations besides the launch's own, and those that were given back. */
  readonly allocations: readonly [readonly Allocation[], readonly Allocation[]];
  /** Where the launch's own lie. */
  readonly places: readonly number[];
  /** What need not be reported any more. */
  readonly seen: readonly number[];
  /** Registers of blocks that are kept, from block 0 on, and how many there are. */
  readonly kept: SharedArrayBuffer;
  readonly keeps: number;
}

/** What a worker has of its own, or what no launch has that workers help with. */
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

/** Blocks `first` to `end - 1`, in at most `most` instructions; with `share` the worker takes so many of them at a time. */
export interface RangeMessage {
  readonly kind: "range";
  readonly first: number;
  readonly end: number;
  readonly most: number;
  readonly share: number | undefined;
  /** Whether only what blocks read may count as read; else pages of what seems to be only read count whole. */
  readonly careful: boolean;
  /** True when the memory has been changed by others than the workers. */
  readonly anew: boolean;
}
