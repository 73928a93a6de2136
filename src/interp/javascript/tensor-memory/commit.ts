import type { Flight } from "../../async/operation.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import type { Operand } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import type { Step } from "../../state/warp.ts";
import { barrierPlace, multicastTo } from "../async/barrier-place.ts";
import { siteOf } from "../async/site.ts";
import { wordOf } from "./cells.ts";
import { blocksOf } from "./copy.ts";
import { eachLane } from "./lanes.ts";
import { nameOf } from "./matrix/issue.ts";

/** `[mbar]{, mask}`: tcgen05.commit. A register of 32 bits holds an address of shared memory. */
export function tensorCommit(
  { group, multicast, readsOfA }: PlanOf<"tcgen05 commit">,
  [mbar, mask]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const narrow = mbar?.kind === "address" && mbar.base?.bits !== 64 && mbar.offset < 1n << 32n;
  const space = narrow ? "shared" : "generic";
  const place = barrierPlace(mbar, space, false, context);
  const { lanes, asynchrony } = context;
  const ranks = multicast ? wordOf(mask, lanes) : undefined;
  const site = siteOf(context);
  const arrive = eachLane(lanes, (warp, lane) => {
    const at = place.at(warp, lane);
    const thread = { block: warp.block, warp: warp.index, lane };
    const after = trackedBy(context, group, thread);
    const syncs = blocksOf(warp, group, lane);
    for (const target of ranks === undefined ? [at] : multicastTo(at, ranks(warp, lane), lane, warp))
      asynchrony.issue({
        site: site(warp),
        thread,
        what: "commit",
        proxy: "generic",
        reads: [],
        writes: [],
        ...(readsOfA ? { afterReads: after } : { after }),
        pipeline: `tcgen05 ${syncs.map(({ warps }) => warps[0]!.block).join(" ")}`,
        completion: { kind: "mbarrier", at: target, bytes: 0, arrivals: 1 },
        perform: () => {},
      });
  });
  return (warp) => {
    place.locate(warp);
    arrive(warp);
  };
}

/** The operations that a thread has started and whose completion is not known yet. */
const trackedBy = ({ asynchrony }: Context, group: 1 | 2, { block, warp, lane }: ThreadId): readonly Flight[] =>
  [...asynchrony.flights].flatMap((flight) => {
    const { thread, what } = flight.operation;
    const own = thread.block === block && thread.warp === warp && thread.lane === lane && what === nameOf(group);
    return own ? [flight] : [];
  });
