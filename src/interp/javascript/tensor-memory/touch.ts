import type { ThreadId } from "../../contract/launch/thread-id.ts";
import { type TensorRange, tensorRangeText } from "../../contract/matrix/tensor-memory.ts";
import type { Context } from "../../state/context.ts";
import { report, whoIs } from "../../state/fault.ts";
import {
  conflictOf,
  type TensorAccess,
  type TensorConflict,
  withAccess,
  withComplete,
  withFence,
} from "../../state/tensor-order.ts";
import type { CtaSync, Warp } from "../../state/warp.ts";

type Asked = Omit<TensorAccess, "number">;

/** Reports an access to tensor memory that is not ordered behind an earlier one, and records it for later ones. */
export function touch(warp: Warp, sync: CtaSync, access: Asked, context: Context): void {
  const found = conflictOf(sync.tensor.order, access);
  if (found !== undefined) tell(warp, access.thread, found, context);
  sync.tensor = { ...sync.tensor, order: withAccess(sync.tensor.order, access) };
}

/** Reports freed columns that are still in use; a synchronization of threads suffices, no fence is needed. */
export function checkFreed(warp: Warp, sync: CtaSync, range: TensorRange, context: Context): void {
  const thread: ThreadId = { block: warp.block, warp: warp.index, lane: 0 };
  const site = { pc: warp.pc, opcode: "", source: context.program.source, span: context.program.code[warp.pc]!.span };
  const order = {
    ...sync.tensor.order,
    accesses: sync.tensor.order.accesses.filter(({ complete }) => complete === undefined),
  };
  const found = conflictOf(order, { act: "st", group: 0, reads: [], writes: [range], thread, site });
  if (found?.missing === "flight") tell(warp, thread, found, context, "frees");
}

/** Marks accesses of a block's tensor memory as complete. */
export function complete(sync: CtaSync, which: (access: TensorAccess) => boolean): void {
  sync.tensor = { ...sync.tensor, order: withComplete(sync.tensor.order, which) };
}

export function fence(sync: CtaSync, when: "before" | "after", thread: ThreadId): void {
  sync.tensor = { ...sync.tensor, order: withFence(sync.tensor.order, when, thread) };
}

function tell(warp: Warp, thread: ThreadId, found: TensorConflict, context: Context, verb?: string): void {
  const { other, missing, how, range, lenient } = found;
  const { grid, block } = context;
  const does = verb ?? "touches";
  const what = `${does} ${tensorRangeText(range)}, which ${other.site.opcode} ${how}`;
  const said = {
    flight: `${what} and whose completion was not observed`,
    before: `${what} without a fence after it`,
    after: `${what}, without a fence after the synchronization with it`,
  }[missing];
  const made = report(context, warp, thread.lane, missing === "flight" ? "PTX4062" : "PTX4063", said);
  const related = {
    source: other.site.source,
    span: other.site.span,
    message: `${other.site.opcode}, by ${whoIs(other.thread, grid, block)}`,
  };
  context.report({
    ...made,
    ...(lenient && { severity: "note" }),
    related: [related, ...(made.related ?? [])],
    help: [...(made.help ?? []), { message: lenient ? lenientHelp : helpFor(found) }],
  });
}

const lenientHelp =
  "the manual's list of pipelined pairs has no cp after an mma; NVIDIA's own kernels rely on their order";

function helpFor({ other, missing }: TensorConflict): string {
  if (missing === "before") return "execute tcgen05.fence::before_thread_sync after it, before the threads synchronize";
  if (missing === "after") return "execute tcgen05.fence::after_thread_sync after the synchronization, before this";
  if (other.act === "ld") return "execute tcgen05.wait::ld.sync.aligned after it";
  if (other.act === "st") return "execute tcgen05.wait::st.sync.aligned after it";
  return "have tcgen05.commit arrive at an mbarrier object after it, and wait for its phase";
}
