import { unlinear } from "../../contract/launch/dim3.ts";
import { elements, type Operand, predicate, type SlotOperand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { report } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { BulkAddress, checkObject, checkOwner, Signals, sharedOf } from "./bulk-address.ts";

/** Bytes of an answer. */
const ANSWER = 16;

/**
 * clusterlaunchcontrol.try_cancel. The cluster is cancelled at issue; the answer, x, y, z of its first block and 1
 * (all 0 if none is left), arrives later.
 */
export function cancelCluster(
  { space, all }: PlanOf<"cancel cluster">,
  [a, mbar]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, asynchrony, memory, grid } = context;
  const target = new BulkAddress(a, "store", space, ANSWER, context);
  const signal = new Signals(mbar, context, space === "generic" ? "generic" : "shared");
  const site = siteOf(context);
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((warp.active >>> lane) & 1)) continue;
      target.find(warp);
      const at = target.check(warp, lane, ANSWER);
      signal.find(warp);
      const tells = signal.check(warp, lane);
      checkOwner("own", "the place of its answer", at, lane, warp, context);
      checkOwner("own", "its mbarrier object", tells, lane, warp, context);
      const block = context.cancelCluster();
      const words = block === undefined ? [0, 0, 0, 0] : [...unlinear(block, grid), 1];
      const { cluster } = warp.ctaSync;
      const homes = all ? cluster.map(sharedOf) : [warp.shared];
      for (const home of homes) {
        const start = home + at - warp.shared;
        const bell = home + tells - warp.shared;
        checkObject(bell, lane, context);
        asynchrony.issue({
          site: site(warp),
          thread: { block: warp.block, warp: warp.index, lane },
          what: "answer",
          proxy: "async",
          reads: [],
          writes: [{ start, bytes: ANSWER }],
          completion: { kind: "mbarrier", at: bell, bytes: ANSWER },
          perform: () => memory.data.u32.set(words, start >>> 2),
        });
      }
    }
  };
}

/** clusterlaunchcontrol.query_cancel. */
export function cancelAnswer(
  { what }: PlanOf<"cancel answer">,
  [d, r]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes } = context;
  // A 128-bit register is two of 64 bits, each of two words.
  const from = 2 * slot(r).slot * lanes;
  const word = ({ w }: Warp, lane: number, at: number): number =>
    w[from + 2 * (lane + lanes * (at >>> 1)) + (at & 1)]! >>> 0;
  if (what === "is_canceled") {
    const to = predicate(d).slot;
    return (warp) => {
      let held = 0;
      for (let lane = 0; lane < lanes; lane++) if (word(warp, lane, 3) !== 0) held |= 1 << lane;
      warp.p[to] = (warp.p[to]! & ~warp.active) | (held & warp.active);
    };
  }
  const parts = what === "xyz" ? elements(d) : [d];
  const first = what === "xyz" ? 0 : "xyz".indexOf(what);
  const to = parts.flatMap((part, at): [SlotOperand, number][] => (part?.kind === "slot" ? [[part, at]] : []));
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((warp.active >>> lane) & 1)) continue;
      if (word(warp, lane, 3) === 0)
        context.report(
          report(context, warp, lane, "PTX4041", "asks for the ctaid of a cluster that was not cancelled"),
        );
      const values = [0, 1, 2].map((at) => word(warp, lane, at));
      // The manual does not define the fourth element.
      for (const [part, at] of to) warp.r[part.slot * lanes + lane] = values[first + at] ?? 0;
    }
  };
}
