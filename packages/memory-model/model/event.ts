import type {
  Placement as DevicePlacement,
  FenceOrder,
  MemoryOrder,
  MemoryScope,
} from "../../../src/interp/contract/memory-consistency.ts";

/**
 * The memory events of a thread, as defined in chapter 8 of the manual: the alphabet of executions. A front end
 * that runs a thread (a litmus column, a kernel) makes them; the axioms, the enumeration and the pictures read
 * them.
 */

/** The ordering semantics of an operation (PTX ISA 8.4); `volatile` and `mmio` are relaxed with the scope sys. */
export type Semantics = MemoryOrder | "mmio";

/** The path to memory (PTX ISA 8.6); `readonly` is that of `ld.global.nc`, into which no fence leads. */
export type Proxy = "generic" | "texture" | "surface" | "constant" | "readonly" | "async" | "tensormap";

/** Where a thread runs; `gpu` is equal for threads of one device. */
export interface Placement extends DevicePlacement {
  readonly gpu: number;
  /** Its warp in the block, where threads share warps; a thread without one is a warp. */
  readonly warp?: number;
  /** Its lane there, which masks of members name. */
  readonly lane?: number;
}

/**
 * Bytes of memory. `at` counts bytes of physical memory. `alias` is the virtual address: other names of the same bytes
 * differ here (PTX ISA 8.2.2, 8.6), but not a texture or a surface of a name, which is another proxy at its address.
 */
export interface Location {
  /** The program's name for it: `x`, `x[4]`, `out+8`. */
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  readonly alias: string;
  /** The state space, for fences that concern one alone. */
  readonly space?: StateSpace;
}

/** The state spaces that threads share (PTX ISA 8.3). */
export type StateSpace = "global" | "shared";

interface Happening {
  /** Index of its thread; initial writes belong to none and stand apart (`Initial`). */
  readonly thread: number;
  /** Program order within the thread: elements of one vector share a number, and are unordered (PTX ISA 8.2.2). */
  readonly order: number;
  /** The instruction, as text. */
  readonly text: string;
  /** Its position in the source, if it has one: offsets of characters. */
  readonly span?: { readonly start: number; readonly end: number };
  /**
   * Positions in the thread's trace of the reads on which its address, its value or its execution depends, directly or
   * through registers (PTX ISA 8.10.4, No-Thin-Air).
   */
  readonly needs: readonly number[];
  /**
   * The asynchronous operation of its thread that it is part of. What precedes it in the thread comes before its events; of
   * these nothing comes before other events of the thread but what follows their completion, and no order leads through
   * them (PTX ISA 8.9.1.1).
   */
  readonly async?: number;
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
  /** A `red` also reads, but no acquire pattern begins with that read (PTX ISA 8.8). */
  readonly reduction?: true;
  /** Of an atomic operation, whether or not it comes to write. */
  readonly update?: true;
}

export interface Write extends Access {
  readonly kind: "write";
}

/** `fence.acquire`, `fence.release`, `fence.acq_rel`, `fence.sc`; `membar.gl` is `fence.sc.gpu`. */
export interface Fence extends Happening {
  readonly kind: "fence";
  readonly semantics: FenceOrder;
  readonly scope: MemoryScope;
  /**
   * The read, by its position in the trace, whose observations alone it acquires: that of an mbarrier object whose phase is
   * complete (PTX ISA, mbarrier.test_wait).
   */
  readonly only?: number;
}

/**
 * A thread has waited for asynchronous operations: their events, by their positions in its trace. As part of another
 * asynchronous operation, that waits for them, and releases what they did (cp.async.mbarrier.arrive).
 */
export interface Completion extends Happening {
  readonly kind: "completion";
  readonly of: readonly number[];
}

/** `fence.proxy.X`: between the generic proxy and X; `alias`: between names of the same bytes. */
export interface ProxyFence extends Happening {
  readonly kind: "proxy fence";
  readonly proxy: Exclude<Proxy, "generic" | "readonly"> | "alias";
  /** Only for accesses to this one. As part of an asynchronous operation, it is only for the accesses of that. */
  readonly space?: StateSpace;
}

/**
 * A barrier of a block (`bar`, `barrier`), a cluster (`barrier.cluster`) or a warp (`bar.warp.sync`). All participants
 * of one barrier phase are ordered: what is before each of them, with what is after those that waited (PTX ISA 8.9.4).
 */
export interface Barrier extends Happening {
  readonly kind: "barrier";
  readonly of: "cta" | "cluster" | "warp";
  /** The barrier's number, or the warp's mask. */
  readonly id: number;
  /** What threads of a warp do there beside waiting (`shfl.sync`, `vote.sync`): only those who do the same meet. */
  readonly operation?: string;
  /** What the thread brings, for those who ask what all have brought (`Exchange`). */
  readonly brings?: { readonly value: bigint; readonly needs: readonly number[] };
  /** `arrive` orders what is before it and does not wait; `wait` waits for what `arrive` began (barrier.cluster). */
  readonly does: "sync" | "arrive" | "wait";
  /** Number of participating threads, where the instruction gives it (0 is none given); else all of the block. */
  readonly count?: number;
  /** The thread's registers there, which are its last ones where it waits for ever. */
  readonly registers?: ReadonlyMap<string, bigint>;
  /** `.relaxed`: orders nothing. */
  readonly relaxed?: true;
}

/**
 * The thread takes what those have brought that it has met at the barrier before it: the value of `bar.red`, `shfl.sync`,
 * `vote.sync` and others comes from there. It is no access to memory.
 */
export interface Exchange extends Happening {
  readonly kind: "exchange";
  /** As `packed` has it. */
  readonly value: bigint;
  /** The lanes, or threads, whose values count; left out where all do. */
  readonly from?: readonly number[];
}

export type Event = Read | Write | Fence | ProxyFence | Barrier | Completion | Exchange;

const WORD = 65n;

/** What members of a barrier's phase have brought as one number: 64 bits of each, and one for its presence. */
export const packed = (brought: ReadonlyMap<number, bigint>): bigint =>
  [...brought].reduce((sum, [member, value]) => sum | (((value << 1n) | 1n) << (WORD * BigInt(member))), 0n);

/** The same by member: a lane of a warp, or the index of a thread. */
export function unpacked(value: bigint): ReadonlyMap<number, bigint> {
  const brought = new Map<number, bigint>();
  for (let [rest, member] = [value, 0]; rest !== 0n; rest >>= WORD, member++)
    if (rest & 1n) brought.set(member, BigInt.asUintN(64, rest >> 1n));
  return brought;
}

/** The initial contents of memory: precede everything in causality order. */
export interface Initial {
  readonly location: Location;
  readonly value: bigint;
}

/** One execution of a thread, for one choice of the values that its reads return. */
export interface Trace {
  readonly events: readonly Event[];
  /**
   * How it ended: completely; at a read or an exchange without a given value (the last event; its value is 0 and has no meaning); at
   * the bound on steps or iterations of a loop; with a fault (its message). In an execution, a thread may also wait for
   * ever at a barrier, its last event, or go round a loop for ever.
   */
  readonly end: "done" | "asks" | "bound" | "waits" | "loops" | { readonly fault: string };
  /**
   * Of a thread that was stopped at the bound, or loops for ever: the position where the last round of its loop begins. Its
   * registers were the same there as at the end, so that it goes on like this while its reads return what they did.
   */
  readonly round?: number;
  /** Registers at the end, by the names that conditions may ask for. */
  readonly registers: ReadonlyMap<string, bigint>;
  /**
   * Positions of the reads on whose values it depends which events there are, where, what they write, and how it ends: with
   * other values for the others it is the same, but for registers. Left out where any may matter.
   */
  readonly used?: readonly number[];
  /** Positions of the reads and exchanges that a register at the end depends on. */
  readonly sourcesOf?: (register: string) => readonly number[];
}

/** A thread that can be run for any values that its reads return. */
export interface Thread {
  readonly name: string;
  readonly placement: Placement;
  /** What it executes, and with which registers, as text: two threads with the same do the same, wherever they run. */
  readonly code?: string;
  /**
   * Runs it from its start: the k-th read or exchange (in order of the trace) returns `values[k]`, cut to its width. Always the same
   * trace for the same values; a longer list gives a trace that begins with that of the shorter one.
   */
  run(values: readonly bigint[]): Trace;
}

/**
 * How atomic operations are read: as the manual says, one operation that reads and writes; or, as in the published formal
 * model, two events, of which observation order may lead on from the write alone.
 */
export type Model = "manual" | "split-atomics";

/** The input of the model: the threads, and the initial memory. */
export interface Litmus {
  /** The manual's, unless another one is asked for. */
  readonly model?: Model;
  readonly threads: readonly Thread[];
  readonly initial: readonly Initial[];
}
