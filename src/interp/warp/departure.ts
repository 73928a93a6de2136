import type { Warp } from "../machine/warp.ts";
import { barriersWithout } from "../schedule/barrier.ts";
import { clusterWithout } from "../schedule/cluster.ts";
import { checkDivergence } from "./divergence.ts";
import { gatherWithout } from "./gather.ts";
import { settle } from "./groups.ts";

/** After lanes have exited: nobody waits for them any longer. Picks the group that goes on. */
export function depart(warp: Warp): void {
  const { muster, parked } = warp;
  if (parked.length > 0) gatherWithout(warp);
  if (muster.open > 0) barriersWithout(warp);
  clusterWithout(muster);
  settle(warp);
  checkDivergence(warp);
}
