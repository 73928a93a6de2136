import type {
  Placement as DevicePlacement,
  FenceOrder,
  MemoryOrder,
  MemoryScope,
} from "../../../src/interp/contract/memory-consistency.ts";

/**
 * What a thread does to memory, as chapter 8 of the manual speaks of it: the alphabet of executions. Whoever runs a
 * thread (a litmus column, a kernel) makes these; the axioms, the enumeration and the pictures read them.
 */

/** How an operation orders others (PTX ISA 8.4); `volatile` and `mmio` are relaxed with the scope sys. */
export type Semantics = MemoryOrder | "mmio";

/** The way to memory (PTX ISA 8.6). */
export type Proxy = "generic" | "texture" | "surface" | "constant" | "async" | "tensormap";

/** Where a thread runs; `gpu` is equal for threads of one device. */
export interface Placement extends DevicePlacement {
  readonly gpu: number;
}

/**
 * Bytes of memory. `at` counts bytes of physical memory: two operations overlap where their ranges do. `alias` is the
 * virtual address: other names of the same bytes differ here (PTX ISA 8.6, `fence.proxy.alias`).
 */
export interface Location {
  /** As the program calls it: `x`, `x[4]`, `out+8`. */
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  readonly alias: string;
}

interface Happening {
  /** Index of its thread; initial writes belong to none and stand apart (`Initial`). */
  readonly thread: number;
  /** Program order within the thread: elements of one vector share a number, and are unordered (PTX ISA 8.2.2). */
  readonly order: number;
  /** The instruction, as text. */
  readonly text: string;
  /** Where it stands in the source, if it does: offsets of characters. */
  readonly span?: { readonly start: number; readonly end: number };
  /**
   * Positions in the thread's trace of the reads on which its address, its value or its coming to be depends, directly or
   * through registers (PTX ISA 8.10.4, No-Thin-Air).
   */
  readonly needs: readonly number[];
}

interface Access extends Happening {
  readonly location: Location;
  readonly semantics: Semantics;
  readonly scope: MemoryScope;
  readonly proxy: Proxy;
  /** Little endian, unsigned, `location.bytes` wide. */
  readonly value: bigint;
  /** The other half of an atomic operation: its position in the trace. The read half stands before the write half. */
  readonly atomic?: number;
}

export interface Read extends Access {
  readonly kind: "read";
  /** A `red` reads, too, but no acquire pattern begins with that (PTX ISA 8.8). */
  readonly reduction?: true;
}

export interface Write extends Access {
  readonly kind: "write";
}

/** `fence.acquire`, `fence.release`, `fence.acq_rel`, `fence.sc`; `membar.gl` is `fence.sc.gpu`. */
export interface Fence extends Happening {
  readonly kind: "fence";
  readonly semantics: FenceOrder;
  readonly scope: MemoryScope;
}

/** `fence.proxy.X`: between the generic proxy and X; `alias`: between names of the same bytes. */
export interface ProxyFence extends Happening {
  readonly kind: "proxy fence";
  readonly proxy: Exclude<Proxy, "generic"> | "alias";
}

/**
 * A barrier of a block (`bar`, `barrier`), a cluster (`barrier.cluster`) or a warp (`bar.warp.sync`). All that take part
 * in one meeting are ordered: what is before each of them, with what is after those that waited (PTX ISA 8.9.4).
 */
export interface Barrier extends Happening {
  readonly kind: "barrier";
  readonly of: "cta" | "cluster" | "warp";
  /** Which barrier: its number, or the warp's mask. */
  readonly id: number;
  /** `arrive` orders what is before it and does not wait; `wait` waits for what `arrive` began (barrier.cluster). */
  readonly does: "sync" | "arrive" | "wait";
  /** Threads that meet, where the instruction says so; else all of the block. */
  readonly count?: number;
  /** `.relaxed`: orders nothing. */
  readonly relaxed?: true;
}

export type Event = Read | Write | Fence | ProxyFence | Barrier;

/** What memory holds before any thread runs: precedes everything in causality order. */
export interface Initial {
  readonly location: Location;
  readonly value: bigint;
}

/** One way through a thread, for one choice of what its reads return. */
export interface Trace {
  readonly events: readonly Event[];
  /**
   * How it ended: all done; a read for which no value was given (the last event; its value is 0 and means nothing); after
   * as many steps or rounds of a loop as were allowed; with a fault (what is said of it).
   */
  readonly end: "done" | "asks" | "bound" | { readonly fault: string };
  /** Registers at the end, by the names that conditions may ask for. */
  readonly registers: ReadonlyMap<string, bigint>;
}

/** A thread that can be run for any values that its reads may return. */
export interface Thread {
  readonly name: string;
  readonly placement: Placement;
  /**
   * Runs it from its start: the k-th read (in order of the trace) returns `values[k]`, cut to its width. Always the same
   * trace for the same values; a longer list gives a trace that begins with that of the shorter one.
   */
  run(values: readonly bigint[]): Trace;
}

/** All that a question to the model needs: what runs, and what memory holds before. */
export interface Litmus {
  readonly threads: readonly Thread[];
  readonly initial: readonly Initial[];
}
