import type { Source, Span } from "../../source/source.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { LineKind } from "../contract/plan/plan-async.ts";

/** Bytes in memory's buffer: `bytes` of them from `start` on. */
export interface ByteRange {
  readonly start: number;
  readonly bytes: number;
}

/** The instruction that asked for an operation, for messages. */
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
 * Something that an instruction has asked for and that happens later (PTX ISA 8.9.1.1): who asked, what it touches, and
 * what says that it has happened. It is data and never changes, so that snapshots share it.
 */
export interface Operation {
  readonly site: Site;
  /** Who asked; of a warp or a warpgroup, the lowest lane that did. */
  readonly thread: ThreadId;
  /** What messages call it: `copy`, `store`, `reduction`. */
  readonly what: string;
  /** How it reaches memory (PTX ISA 8.6). */
  readonly proxy: "generic" | "async";
  readonly reads: readonly ByteRange[];
  readonly writes: readonly ByteRange[];
  /** Its writes are atomic updates, which may overlap those of others in flight (red.async). */
  readonly updates?: true;
  /** Registers that it reads and writes. */
  readonly registers?: { readonly reads: readonly RegisterRange[]; readonly writes: readonly RegisterRange[] };
  /** Operations of one pipeline happen in the order in which they were asked for, and may touch the same bytes. */
  readonly pipeline?: string;
  /** What has happened before it, and what whoever waits for it has waited for too. */
  readonly after?: readonly Flight[];
  readonly completion: Completion;
  /** Lanes that have asked for it by one instruction, each for a part of its own; `thread` is the lowest of them. */
  readonly together?: Together;
  /** Does it. Everything that it takes from the program was read when it was asked for. */
  perform(): void;
  /** Told when it has been ordered. */
  ordered?(): void;
}

/** What several lanes of a warp have asked for at once, as long as nobody has to tell their parts from each other. */
export interface Together {
  readonly lanes: number;
  /** These lanes and others that the same instruction has asked for. */
  readonly among: number;
  /** What one of them has asked for. */
  of(lane: number): Operation;
}

/** An operation that nobody has waited for yet. */
export interface Flight {
  readonly operation: Operation;
  /** Counts the operations of a launch; of several lanes, each is one. */
  readonly number: number;
  /** The moment at which its data move, of those that the engine counts; never unless a seed has drawn one. */
  readonly due: number;
  /** Its data have moved, although nobody may rely on it. */
  moved: boolean;
  /** What it reads has been waited for: that may be overwritten (`.read`). */
  sourceFree: boolean;
  /** The phase of its mbarrier in which it has arrived, once it has moved. */
  phase: number | undefined;
  /** Observers have heard of it. */
  told: boolean;
}

/** What says that an operation has happened. */
export type Completion =
  /** A group of a line (see `lineOf`), which a wait for groups orders. */
  | { readonly kind: "group"; readonly line: number }
  /**
   * An mbarrier object at this offset of the buffer: `bytes` fewer are missing in its phase, and `arrivals` more have
   * arrived. Whoever sees the phase complete is ordered behind it.
   */
  | { readonly kind: "mbarrier"; readonly at: number; readonly bytes: number; readonly arrivals?: number }
  /** What tcgen05.commit of the same thread makes an mbarrier object track. */
  | { readonly kind: "commit" }
  /** Nothing that a program can wait for. */
  | { readonly kind: "none" };

const lineKinds: readonly LineKind[] = ["cp.async", "bulk", "wgmma", "tcgen05.st"];

/** The groups of one kind of one thread, or of one warp (lane 0), have a number of their own in the launch. */
export const lineOf = (kind: LineKind, { block, warp, lane }: ThreadId): number =>
  ((block * 32 + warp) * 32 + lane) * 4 + lineKinds.indexOf(kind);

/** The lane that a line belongs to, the same as a mask, and a number that the lines of its warp of the same kind share. */
export const laneOfLine = (line: number): number => Math.floor(line / 4) % 32;
export const warpOfLine = (line: number): number => Math.floor(line / 128) * 4 + (line % 4);
export const ownLane = (line: number): number => (1 << laneOfLine(line)) >>> 0;

/** What a line is for. */
export const kindOfLine = (line: number): LineKind => lineKinds[line % 4]!;

/** What commits a group of a line, and what waits for all but so many of them. */
export const groupWords: Readonly<Record<LineKind, { readonly commit: string; wait(pending: number): string }>> = {
  "cp.async": { commit: "cp.async.commit_group", wait: (pending) => `cp.async.wait_group ${pending}` },
  bulk: { commit: "cp.async.bulk.commit_group", wait: (pending) => `cp.async.bulk.wait_group ${pending}` },
  "tcgen05.st": { commit: "tcgen05.wait::st.sync.aligned", wait: () => "tcgen05.wait::st.sync.aligned" },
  wgmma: { commit: "wgmma.commit_group.sync.aligned", wait: (pending) => `wgmma.wait_group.sync.aligned ${pending}` },
};
