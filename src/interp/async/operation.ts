import type { Source, Span } from "../../source/source.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { MemoryScope } from "../contract/memory-consistency.ts";
import type { LineKind } from "../contract/plan/plan-async.ts";
import type { Inspection } from "../contract/plan/plan-bulk.ts";

/** Bytes in memory's buffer: `bytes` of them from `start` on. */
export interface ByteRange {
  readonly start: number;
  readonly bytes: number;
}

/** The instruction that issued an operation, for messages. */
export interface Site {
  readonly pc: number;
  /** The mnemonic with its modifiers as written. */
  readonly opcode: string;
  readonly source: Source;
  readonly span: Span;
}

/** Registers of a warp that an operation reads or writes while it is in flight (wgmma). */
export interface RegisterRange {
  readonly block: number;
  readonly warp: number;
  readonly bank: "r" | "q";
  /** The slots, each in all lanes. */
  readonly slots: readonly number[];
}

/**
 * An operation that an instruction issues and that happens later (PTX ISA 8.9.1.1): its thread, the bytes that it
 * touches, and how its completion is signalled. It is immutable data, so that snapshots share it.
 */
export interface Operation {
  readonly site: Site;
  /** The issuing thread; of a warp or a warpgroup, the lowest lane that issued it. */
  readonly thread: ThreadId;
  /** Its name in messages: `copy`, `store`, `reduction`. */
  readonly what: string;
  /** How it reaches memory (PTX ISA 8.6). */
  readonly proxy: "generic" | "async";
  readonly reads: readonly ByteRange[];
  /** How many of `reads`, from the first on, a thread may wait for alone (A of tcgen05.mma). */
  readonly early?: number;
  readonly writes: readonly ByteRange[];
  /** Its writes are atomic updates, which may overlap those of others in flight (red.async). */
  readonly updates?: true;
  /** The scope of a copy's relaxed accesses, or of an update's; without one a copy's are weak. */
  readonly scope?: MemoryScope;
  /** What it writes without a value that the manual would say: bytes that count as never written. */
  readonly indeterminate?: readonly ByteRange[];
  /** Registers that it reads and writes. */
  readonly registers?: { readonly reads: readonly RegisterRange[]; readonly writes: readonly RegisterRange[] };
  /** Operations of one pipeline happen in the order of issue, and may touch the same bytes. */
  readonly pipeline?: string;
  /** Operations that happened before it: a wait for this one covers them too. */
  readonly after?: readonly Flight[];
  /** Operations whose early reads happened before it: a wait for this one covers only those. */
  readonly afterReads?: readonly Flight[];
  readonly completion: Completion;
  /** Lanes that issued it by one instruction, each for a part; `thread` is the lowest of them. */
  readonly together?: Together | undefined;
  /** Moves the data. All operands were read at issue. */
  perform(): void;
  /** Called when the operation has been ordered. */
  ordered?(): void;
}

/** Several lanes' operations as one, as long as nothing has to tell their parts apart. */
export interface Together {
  readonly lanes: number;
  /** All lanes for which the same instruction issued operations. */
  readonly among: number;
  /** The operation of one lane. */
  of(lane: number): Operation;
}

/** An operation that has not been waited for yet. */
export interface Flight {
  /** Another one with the same effect where those that it happens behind were split into the operations of single lanes. */
  operation: Operation;
  /** Counts the operations of a launch; each lane's is one. */
  readonly number: number;
  /** The moment at which its data move, as the engine counts moments; infinite unless a seed has drawn one. */
  readonly due: number;
  /** Its data have moved, although no thread may rely on it. */
  moved: boolean;
  /** Its reads have been waited for: the source may be overwritten (`.read`). */
  sourceFree: boolean;
  /** So have this many of its reads, from the first on. */
  freed: number;
  /** The phase of its mbarrier in which it has arrived, once it has moved. */
  phase: number | undefined;
  /** Observers have been notified of it. */
  reported: boolean;
}

/**
 * Operations of groups that an executor begins, moves and orders by itself, as long as nobody asks for those in flight: then it
 * hands them to `Asynchrony.take`.
 */
export interface HeldOperations {
  /** Hands over all. */
  release(): void;
  /** Forgets all: the launch goes back to where none was held. */
  drop(): void;
}

/** An operation that was held, and how many single lanes' operations had begun before it since the last ones were handed over. */
export interface HeldOperation {
  readonly operation: Operation;
  readonly number: number;
}

/** The queue of these lanes of a warp; the last group is open. */
export interface HeldQueue {
  readonly line: number;
  readonly lanes: number;
  readonly groups: readonly (readonly HeldOperation[])[];
  /** The last wait, if any was held. */
  readonly last: { readonly site: Site; readonly pending: number } | undefined;
}

/** How the completion of an operation is signalled. */
export type Completion =
  /** By a group of a queue (see `lineOf`), which a wait for groups orders. */
  | { readonly kind: "group"; readonly line: number }
  /**
   * By an mbarrier object at this offset of the buffer: `bytes` fewer are missing in its phase, and `arrivals` more
   * have arrived. A thread that sees the phase complete is ordered behind it. It reports data that `inspects` finds.
   */
  | {
      readonly kind: "mbarrier";
      readonly at: number;
      readonly bytes: number;
      readonly arrivals?: number;
      readonly inspects?: Inspection | undefined;
    }
  /** By an mbarrier object that a tcgen05.commit of the same thread names. */
  | { readonly kind: "commit" }
  /** Not at all: no program can wait for it. */
  | { readonly kind: "none" };

const lineKinds: readonly LineKind[] = ["cp.async", "bulk", "wgmma", "tcgen05.st"];

/** The number, unique in the launch, of the queue of one thread, or of one warp (lane 0), for one kind of groups. */
export const lineOf = (kind: LineKind, { block, warp, lane }: ThreadId): number =>
  ((block * 32 + warp) * 32 + lane) * 4 + lineKinds.indexOf(kind);

/** The lane of a queue, the same as a mask, and a number that all queues of a warp of one kind share. */
export const laneOfQueue = (line: number): number => Math.floor(line / 4) % 32;
export const warpOfQueue = (line: number): number => Math.floor(line / 128) * 4 + (line % 4);
export const ownLane = (line: number): number => (1 << laneOfQueue(line)) >>> 0;

/** The kind of groups in a queue. */
export const kindOfQueue = (line: number): LineKind => lineKinds[line % 4]!;

/** The instructions that commit a group of a queue and that wait for all but so many of them. */
export const groupWords: Readonly<Record<LineKind, { readonly commit: string; wait(pending: number): string }>> = {
  "cp.async": { commit: "cp.async.commit_group", wait: (pending) => `cp.async.wait_group ${pending}` },
  bulk: { commit: "cp.async.bulk.commit_group", wait: (pending) => `cp.async.bulk.wait_group ${pending}` },
  "tcgen05.st": { commit: "tcgen05.wait::st.sync.aligned", wait: () => "tcgen05.wait::st.sync.aligned" },
  wgmma: { commit: "wgmma.commit_group.sync.aligned", wait: (pending) => `wgmma.wait_group.sync.aligned ${pending}` },
};
