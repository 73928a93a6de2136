import type { Related } from "../../../source/diagnostic.ts";
import { reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import type { BarrierError, BarrierOperation } from "../../async/barriers.ts";
import { BARRIER_BYTES } from "../../async/mbarrier-object.ts";
import { firstLane, LANES } from "../../contract/launch/lane-mask.ts";
import type { Operand } from "../../contract/operand.ts";
import type { Space } from "../../contract/space.ts";
import type { Context } from "../../state/context.ts";
import { Fault, whoIs } from "../../state/fault.ts";
import type { Warp } from "../../state/warp.ts";
import { locator } from "../locate.ts";
import { siteOf } from "./site.ts";

/** An operand that names an mbarrier object, for the lanes of a warp. */
export interface BarrierPlace {
  /** Finds the addresses of all lanes; before `at`. */
  locate(warp: Warp): void;
  /** Whether all lanes name one address. */
  isOne(warp: Warp): boolean;
  /** The object's offset in the buffer for one lane; throws a Fault if no object can be there. */
  at(warp: Warp, lane: number): number;
  /** The instruction, as an operation of one lane. */
  operation(warp: Warp, lane: number): BarrierOperation;
}

/** Binds an operand `[a]` that names an mbarrier object; with `own` it has to lie in the block's own shared memory. */
export function barrierPlace(a: Operand | undefined, named: Space, own: boolean, context: Context): BarrierPlace {
  // Without .shared, ptxas 13.0 takes an address of 32 bits as one of shared memory.
  const space = a?.kind === "address" && a.base?.bank === "r" ? "shared" : named;
  const { locate, sum } = locator(a, space, BARRIER_BYTES, context);
  const access: MemoryAccess = { kind: "atomic", space, bytes: BARRIER_BYTES, sum };
  const places = new Int32Array(LANES);
  const site = siteOf(context);
  return {
    locate: (warp) => {
      locate(warp);
      places.set(context.scratch.at);
    },
    isOne: ({ active, lanes }) => {
      const first = places[firstLane(active)];
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1 && places[lane] !== first) return false;
      return true;
    },
    at: (warp, lane) => {
      const at = places[lane]!;
      context.scratch.at[lane] = at;
      reach(warp, lane, access, context);
      const inside = at >= warp.shared && at < warp.shared + context.sharedBytes;
      if (!inside && !isShared(warp, at, context))
        throw new Fault("PTX3031", lane, "needs an mbarrier object in shared memory, and its address is elsewhere");
      if (own && !inside) throw new Fault("PTX3035", lane, "needs an mbarrier object of its own block");
      return at;
    },
    operation: (warp, lane) => ({ site: site(warp), thread: { block: warp.block, warp: warp.index, lane } }),
  };
}

/** Whether an offset lies in the shared memory of some block of the cluster. */
const isShared = ({ ctaSync: { cluster } }: Warp, at: number, { sharedBytes }: Context): boolean =>
  cluster.some(({ warps: [first] }) => first !== undefined && at >= first.shared && at < first.shared + sharedBytes);

/**
 * The objects at the offset of the one at `at`, in each block of the cluster that a mask of ranks names
 * (`.multicast::cluster`).
 */
export function multicastTo(at: number, mask: number, lane: number, { ctaSync }: Warp): readonly number[] {
  const starts = ctaSync.cluster.map(({ warps: [first] }) => first?.shared ?? Number.POSITIVE_INFINITY);
  // The beginning of the shared memory that contains the byte: the nearest one before it.
  const offset = Math.min(...starts.map((start) => (start <= at ? at - start : Number.POSITIVE_INFINITY)));
  const made: number[] = [];
  for (let rank = 0; rank < LANES; rank++) {
    if (!((mask >>> rank) & 1)) continue;
    const start = starts[rank] ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(start))
      throw new Fault("PTX3031", lane, `signals block ${rank} of a cluster of ${starts.length}`);
    made.push(start + offset);
  }
  return made;
}

/** The Fault for an operation that the manual leaves undefined: it ends the run. */
export function refuse({ code, message, related }: BarrierError, lane: number, { grid, block }: Context): Fault {
  const places = related.map(
    ({ site, thread, message: what }): Related => ({
      source: site.source,
      span: site.span,
      message: `${what}, in ${whoIs(thread, grid, block)}`,
    }),
  );
  return new Fault(code, lane, message, places);
}

/** Runs an instruction for one lane after the other. When one faults, those below it have completed. */
export function eachLane(warp: Warp, lanes: number, act: (lane: number) => void): void {
  for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) act(lane);
}
