import type { Warp } from "../state/warp.ts";
import { barriersAfterExit } from "./barrier.ts";
import { clusterBarrierAfterExit } from "./cluster-barrier.ts";
import { checkDivergence } from "./divergence.ts";
import { reconverge } from "./groups.ts";
import { togetherAfterExit } from "./together.ts";
import { warpOperationsAfterExit } from "./warp-operation.ts";

/** Called after lanes of a warp have exited: releases who waited for them alone, and picks the group that goes on. */
export function afterExit(warp: Warp): void {
  const { ctaSync, parked } = warp;
  if (parked.length > 0) {
    togetherAfterExit(warp);
    warpOperationsAfterExit(warp);
  }
  if (ctaSync.openBarriers > 0) barriersAfterExit(warp);
  clusterBarrierAfterExit(ctaSync);
  if (ctaSync.warps.every(({ live }) => live === 0)) for (const block of ctaSync.tensor.blocks) block.unfreed();
  reconverge(warp);
  checkDivergence(warp);
}
