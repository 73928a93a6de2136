import { type ByteRange, lineOf, type Operation, type Site } from "../../../async/operation.ts";
import type { ThreadId } from "../../../contract/launch/thread-id.ts";
import type { TensorRange } from "../../../contract/matrix/tensor-memory.ts";
import type { Context } from "../../../state/context.ts";
import type { TensorAct } from "../../../state/tensor-order.ts";
import type { CtaSync, Warp } from "../../../state/warp.ts";
import { complete, touch } from "../touch.ts";

/** An mma, cp or shift that a thread starts. */
export interface Issued {
  readonly act: TensorAct;
  readonly group: 1 | 2;
  readonly thread: ThreadId;
  readonly site: Site;
  /** The blocks whose tensor memory it touches, in the same way in each. */
  readonly syncs: readonly CtaSync[];
  readonly reads: readonly TensorRange[];
  readonly writes: readonly TensorRange[];
  /** What it reads of shared memory, in memory's buffer: of A first, in so many ranges. */
  readonly shared: readonly ByteRange[];
  readonly early?: number;
  readonly pipeline?: string;
  perform(): void;
}

/** The name of the operations that a tcgen05.commit of this group tracks. */
export const nameOf = (group: 1 | 2): string => `tcgen05 operation of cta_group::${group}`;

/** Starts an operation, which happens at the latest when its completion is observed. */
export function issue(warp: Warp, issued: Issued, context: Context): void {
  const { act, group, thread, site, syncs, reads, writes, shared, early, pipeline } = issued;
  for (const sync of syncs)
    touch(warp, sync, { act, group, reads, writes, thread, site, ...(pipeline && { pipeline }) }, context);
  const numbers = syncs.map(({ tensor }) => tensor.order.accesses.at(-1)!.number);
  const operation: Operation = {
    site,
    thread,
    what: nameOf(group),
    proxy: "async",
    reads: shared,
    ...(early !== undefined && { early }),
    writes: [],
    // Operations happen in the order in which the blocks of a pair start them.
    pipeline: `tcgen05 ${syncs.map(({ warps }) => warps[0]!.block).join(" ")}`,
    completion: { kind: "commit" },
    perform: issued.perform,
    ordered: () => {
      for (const [at, sync] of syncs.entries()) complete(sync, ({ number }) => number === numbers[at]);
    },
  };
  context.asynchrony.issue(operation);
}

/** Starts a store of a warp, which happens at the latest at its tcgen05.wait::st. */
export function issueStore(thread: ThreadId, site: Site, context: Context, perform: () => void): void {
  context.asynchrony.issue({
    site,
    thread,
    what: "store to tensor memory",
    proxy: "generic",
    reads: [],
    writes: [],
    pipeline: `tcgen05.st ${thread.block} ${thread.warp}`,
    completion: { kind: "group", line: lineOf("tcgen05.st", thread) },
    perform,
  });
}

/** Merges chunks of 16 bytes, whose offsets count from `start`, into as few ranges as possible. */
export function rangesOf(chunks: Int32Array, start: number): readonly ByteRange[] {
  const made: { start: number; bytes: number }[] = [];
  for (const at of Int32Array.from(chunks).sort()) {
    const last = made.at(-1);
    if (last !== undefined && start + at < last.start + last.bytes) continue;
    if (last !== undefined && start + at === last.start + last.bytes) last.bytes += 16;
    else made.push({ start: start + at, bytes: 16 });
  }
  return made;
}
