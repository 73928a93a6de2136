import type { Site } from "../async/operation.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import { covers, meets, type TensorRange } from "../contract/matrix/tensor-memory.ts";

export type TensorAct = "ld" | "st" | "mma" | "cp" | "cp.4x256b" | "shift";

/** An instruction's access to tensor memory, kept while it matters. Immutable. */
export interface TensorAccess {
  /** Counts the accesses of a block. */
  readonly number: number;
  readonly act: TensorAct;
  readonly group: 0 | 1 | 2;
  readonly reads: readonly TensorRange[];
  readonly writes: readonly TensorRange[];
  readonly thread: ThreadId;
  readonly site: Site;
  /** Accumulator, shape and kind of an mma: those with the same value are in one pipeline. */
  readonly pipeline?: string;
  /** The moment at which its completion was observed. */
  readonly complete?: number;
  /** The moment of its thread's fence::before_thread_sync behind it, or behind its completion for ld and st. */
  readonly released?: number;
}

/** The accesses to a block's tensor memory and the fences of its warps; the state itself counts moments. */
export interface TensorOrder {
  readonly now: number;
  readonly accesses: readonly TensorAccess[];
  /** By block and warp: the moment of the last fence::after_thread_sync. */
  readonly fences: ReadonlyMap<string, number>;
}

export const noTensorOrder: TensorOrder = { now: 1, accesses: [], fences: new Map() };

const warpKey = ({ block, warp }: ThreadId): string => `${block}.${warp}`;
const isCollective = (act: TensorAct): boolean => act === "ld" || act === "st";

/** An access that another one conflicts with. */
export interface TensorConflict {
  readonly other: TensorAccess;
  /** `flight`: still in flight; `before`, `after`: the fence that is missing. */
  readonly missing: "flight" | "before" | "after";
  /** How the other access touches the shared words. */
  readonly how: "reads" | "writes";
  readonly range: TensorRange;
  /** Only the manual's list of pairs lacks it: a cp behind the mma that reads what it writes. */
  readonly lenient: boolean;
}

/** The first access that `next` conflicts with. */
export function conflictOf(
  { accesses, fences }: TensorOrder,
  next: Omit<TensorAccess, "number">,
): TensorConflict | undefined {
  const fenced = fences.get(warpKey(next.thread)) ?? 0;
  for (const other of accesses) {
    const shared = sharedOf(other, next);
    if (shared === undefined) continue;
    const missing = missingOf(
      other,
      next,
      fenced,
      shared.how === "writes" && next.writes.some((range) => meets(range, shared.range)),
    );
    if (missing === undefined) continue;
    const lenient = missing === "flight" && other.act === "mma" && next.act.startsWith("cp") && shared.how === "reads";
    return { other, missing, ...shared, lenient };
  }
  return undefined;
}

function sharedOf(
  other: TensorAccess,
  next: Omit<TensorAccess, "number">,
): Pick<TensorConflict, "how" | "range"> | undefined {
  for (const range of [...next.reads, ...next.writes]) {
    if (other.writes.some((each) => meets(each, range))) return { how: "writes", range };
  }
  for (const range of next.writes) if (other.reads.some((each) => meets(each, range))) return { how: "reads", range };
  return undefined;
}

function missingOf(
  other: TensorAccess,
  next: Omit<TensorAccess, "number">,
  fenced: number,
  onAccumulator: boolean,
): TensorConflict["missing"] | undefined {
  const same = warpKey(other.thread) === warpKey(next.thread);
  const { complete, released } = other;
  if (complete === undefined) {
    if (!isPipelined(other, next, onAccumulator)) return "flight";
    if (same) return undefined;
    return released === undefined ? "before" : fenced > released ? undefined : "after";
  }
  if (isCollective(other.act)) {
    if (same) return undefined;
    return released === undefined ? "before" : fenced > released ? undefined : "after";
  }
  // Observed at an mbarrier, which tcgen05.commit has fenced.
  if (next.act === "mma" && other.pipeline !== undefined && other.pipeline === next.pipeline) return undefined;
  return fenced > complete ? undefined : "after";
}

/** The pairs that the manual lists (PTX ISA, Pipelined tcgen05 Instructions), with one `.cta_group`. */
function isPipelined(first: TensorAccess, second: Omit<TensorAccess, "number">, onAccumulator: boolean): boolean {
  if (first.group !== second.group) return false;
  if (first.act === "mma" && second.act === "mma") return first.pipeline === second.pipeline && onAccumulator;
  if (second.act === "mma") return first.act === "shift" || first.act.startsWith("cp");
  if (first.act === "shift") return second.act === "cp.4x256b";
  return first.act === "mma" && second.act === "shift";
}

/** Adds an access. Drops what it supersedes: accesses whose words it writes, and itself in an earlier round. */
export function withAccess(order: TensorOrder, access: Omit<TensorAccess, "number">): TensorOrder {
  const inside = (other: TensorAccess): boolean =>
    [...other.reads, ...other.writes].every((range) => access.writes.some((mine) => covers(mine, range)));
  const again = (other: TensorAccess): boolean =>
    other.act === access.act &&
    other.site.pc === access.site.pc &&
    warpKey(other.thread) === warpKey(access.thread) &&
    sameRanges(other, access);
  const kept = order.accesses.filter((other) => !inside(other) && !again(other));
  return { ...order, now: order.now + 1, accesses: [...kept, { ...access, number: order.now }] };
}

const sameRanges = (a: Omit<TensorAccess, "number">, b: Omit<TensorAccess, "number">): boolean =>
  alike(a.reads, b.reads) && alike(a.writes, b.writes);
const alike = (a: readonly TensorRange[], b: readonly TensorRange[]): boolean =>
  a.length === b.length && a.every((range, at) => covers(range, b[at]!) && covers(b[at]!, range));

/** Marks these accesses as complete from now on. */
export function withComplete(order: TensorOrder, which: (access: TensorAccess) => boolean): TensorOrder {
  const now = order.now + 1;
  const accesses = order.accesses.map((access) =>
    access.complete === undefined && which(access) ? { ...access, complete: now } : access,
  );
  return { ...order, now, accesses };
}

/** Records a warp's fence. */
export function withFence(order: TensorOrder, when: "before" | "after", thread: ThreadId): TensorOrder {
  const now = order.now + 1;
  if (when === "after") return { ...order, now, fences: new Map(order.fences).set(warpKey(thread), now) };
  const accesses = order.accesses.map((access) =>
    warpKey(access.thread) !== warpKey(thread) || (isCollective(access.act) && access.complete === undefined)
      ? access
      : { ...access, released: access.released ?? now },
  );
  return { ...order, now, accesses };
}

/** Drops what only concerns freed columns. */
export const withoutColumns = (order: TensorOrder, freed: TensorRange): TensorOrder => ({
  ...order,
  accesses: order.accesses.filter(
    (access) => ![...access.reads, ...access.writes].some((range) => meets(range, freed)),
  ),
});
