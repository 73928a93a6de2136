import { lineOf } from "../../async/operation.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { complete, fence } from "./touch.ts";

/** The thread that collectives of a warp are attributed to: its first lane. */
export const warpThread = ({ block, index }: Warp): ThreadId => ({ block, warp: index, lane: 0 });

/** tcgen05.wait::ld and wait::st. */
export function tensorWait({ for: act }: PlanOf<"tcgen05 wait">, _: readonly unknown[], context: Context): Step {
  const site = siteOf(context);
  const { asynchrony } = context;
  return (warp) => {
    const thread = warpThread(warp);
    if (act === "ld") asynchrony.fences.loads.wait(thread);
    else asynchrony.waitAll(lineOf("tcgen05.st", thread), site(warp));
    complete(
      warp.ctaSync,
      (access) => access.act === act && access.thread.warp === thread.warp && access.thread.block === thread.block,
    );
  };
}

/** tcgen05.fence: recorded for the tensor memory of both blocks of a pair. */
export function tensorFence({ when }: PlanOf<"tcgen05 fence">, _: readonly unknown[], { lanes }: Context): Step {
  return (warp) => {
    const { ctaSync, active } = warp;
    const { cluster } = ctaSync;
    const peer = cluster[cluster.indexOf(ctaSync) ^ 1];
    let lane = 0;
    while (lane < lanes - 1 && !((active >>> lane) & 1)) lane++;
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    fence(ctaSync, when, thread);
    if (peer !== undefined) fence(peer, when, thread);
  };
}
