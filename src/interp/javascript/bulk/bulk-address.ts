import { inspect, inspectInitialised, reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import type { Operand } from "../../contract/operand.ts";
import type { Space } from "../../contract/space.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { CtaSync, Warp } from "../../state/warp.ts";
import { type BarrierPlace, barrierPlace } from "../async/barrier-place.ts";
import { locator } from "../locate.ts";

/** An address operand of a bulk operation: located for all lanes, then checked for as many bytes as the lane needs. */
export class BulkAddress {
  /** Where the lanes' addresses lie in memory's buffer, after `find`. */
  readonly at: Int32Array = new Int32Array(LANES);
  readonly #find: (warp: Warp) => void;
  readonly #access: Omit<MemoryAccess, "bytes">;
  readonly #context: Context;

  constructor(operand: Operand | undefined, kind: MemoryAccess["kind"], space: Space, align: number, context: Context) {
    const { locate, sum } = locator(operand, space, 1, context);
    this.#context = context;
    this.#access = { kind, space, align, sum };
    this.#find = (warp) => {
      locate(warp);
      this.at.set(context.scratch.at);
    };
  }

  find(warp: Warp): void {
    this.#find(warp);
  }

  /**
   * Checks `bytes` bytes at the lane's address, which `find` has located, or throws a Fault. The first `skipped` of
   * them may lie anywhere. Returns their offset.
   */
  check(warp: Warp, lane: number, bytes: number, skipped: number = 0): number {
    const { scratch } = this.#context;
    const aligned = this.at[lane]! % (this.#access.align ?? 1) === 0;
    const skip = aligned ? skipped : 0;
    const access = skip === 0 ? { ...this.#access, bytes } : this.#behind(lane, skip, bytes - skip);
    scratch.at[lane] = this.at[lane]! + skip;
    if (reach(warp, lane, access, this.#context) && access.kind !== "store")
      inspectInitialised(warp, lane, access, this.#context);
    scratch.at[lane]! -= skip;
    return this.#found(lane);
  }

  /** The access without its first bytes. */
  #behind(lane: number, skip: number, bytes: number): MemoryAccess {
    const { low, high } = this.#context.scratch;
    const sum = (warp: Warp): void => {
      this.#access.sum(warp);
      const moved = low[lane]! + skip;
      if (moved > 0xffff_ffff) high[lane]!++;
      low[lane] = moved;
    };
    return { ...this.#access, bytes, align: 1, sum };
  }

  /** The same for an access that happens now: conflicts with operations in flight are errors, stores initialise. */
  touch(warp: Warp, lane: number, bytes: number): number {
    this.#context.scratch.at[lane] = this.at[lane]!;
    inspect(warp, lane, { ...this.#access, bytes }, this.#context);
    return this.#found(lane);
  }

  /** The offset after the check, since memory of a supplier gets its offset only when it is reached. */
  #found(lane: number): number {
    this.at[lane] = this.#context.scratch.at[lane]!;
    return this.at[lane]!;
  }
}

/** The operand of the mbarrier object that an operation signals on completion. */
export class Signals {
  readonly at: Int32Array = new Int32Array(LANES);
  readonly #place: BarrierPlace;

  constructor(operand: Operand | undefined, context: Context, space: "shared" | "generic" = "shared") {
    this.#place = barrierPlace(operand, space, false, context);
  }

  find(warp: Warp): void {
    this.#place.locate(warp);
  }

  /** The offset of the lane's object; throws a Fault if none can be there. */
  check(warp: Warp, lane: number): number {
    this.at[lane] = this.#place.at(warp, lane);
    return this.at[lane]!;
  }
}

/** Throws a Fault unless there is an mbarrier object, with the layout for reports where a copy may report to it. */
export function checkObject(
  at: number,
  lane: number,
  { asynchrony: { barriers } }: Context,
  reports: boolean = false,
): void {
  if (!barriers.isObject(at))
    throw new Fault(
      "PTX3031",
      lane,
      "tells what is not an mbarrier object of its end: mbarrier.init has not made one there",
    );
  if (reports && barriers.layout(at) !== "v1")
    throw new Fault(
      "PTX3031",
      lane,
      "inspects its data, and its mbarrier object does not have .layout::v1, which has reports",
    );
}

/** The block of the cluster whose shared memory an offset of the buffer lies in, by its rank. */
export function rankAt(at: number, { ctaSync: { cluster } }: Warp, { sharedBytes }: Context): number {
  return cluster.findIndex(
    ({ warps: [first] }) => first !== undefined && at >= first.shared && at < first.shared + sharedBytes,
  );
}

/** The offset of a block's shared memory in the buffer. */
export const sharedOf = (cta: CtaSync | undefined): number => cta?.warps[0]?.shared ?? -1;

/** The blocks that a mask of ranks names; a rank that the cluster does not have is a Fault. */
export function ranksOf(mask: number, lane: number, { ctaSync: { cluster } }: Warp): readonly number[] {
  if (mask === 0) throw new Fault("PTX3050", lane, "copies to no block: the mask of ranks is 0");
  const beyond = mask >>> cluster.length;
  if (beyond !== 0)
    throw new Fault("PTX3050", lane, `copies to ranks 0x${mask.toString(16)} of a cluster of ${cluster.length}`);
  return cluster.flatMap((_, rank) => ((mask >>> rank) & 1 ? [rank] : []));
}

/** Throws a Fault unless `at` (`what` in messages) is in shared memory of the thread's own block, or of another. */
export function checkOwner(
  whose: "own" | "any" | "other",
  what: string,
  at: number,
  lane: number,
  warp: Warp,
  { sharedBytes }: Context,
): void {
  const own = at >= warp.shared && at < warp.shared + sharedBytes;
  if (whose === "own" && !own)
    throw new Fault("PTX3050", lane, `has ${what} in the shared memory of another block, and .shared::cta is its own`);
  if (whose === "other" && own)
    throw new Fault(
      "PTX3050",
      lane,
      `has ${what} in the shared memory of its own block; this copy is for another one of the cluster`,
    );
}
