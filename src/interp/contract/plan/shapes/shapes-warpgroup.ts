import type { WarpgroupPlan } from "../plan-warpgroup.ts";
import type { ShapeFacts } from "./shape-facts.ts";
import { collective, step } from "./shape-kinds.ts";

/** Shapes of wgmma: observers are notified of an operation when the warp has waited for it. */
export const warpgroupShapes = {
  wgmma: {
    ...collective,
    reach: "beyond",
    writes: 1,
    completesAsync: true,
    proxy: "async",
    says: ({ tile: { m, n, k }, sparse }) =>
      `asks for d = a * b + d, ${m}x${n}x${k}${sparse === undefined ? "" : " of the elements that a has"}, by four warps`,
  },
  "wgmma fence": {
    ...collective,
    reach: "beyond",
    writes: 0,
    says: "lets wgmma have registers that were touched before",
  },
  "wgmma commit": {
    ...collective,
    reach: "beyond",
    writes: 0,
    completesAsync: true,
    says: "makes a group of what the warp has asked for since the last one",
  },
  "wgmma wait": {
    ...collective,
    reach: "beyond",
    writes: 0,
    completesAsync: true,
    says: "waits until groups of the warp have happened",
  },
  "proxy fence": {
    ...step,
    reach: "beyond",
    writes: 0,
    fence: ({ inits }) => (inits ? { sem: "release", scope: "cluster" } : undefined),
    fencedProxy: ({ inits }) => (inits ? undefined : "async"),
    says: ({ inits }) =>
      inits
        ? "lets the cluster and the async proxy see the mbarrier objects that the thread has initialised"
        : "lets the async proxy see what was written before",
  },
} as const satisfies {
  readonly [S in WarpgroupPlan["shape"]]: ShapeFacts<Extract<WarpgroupPlan, { readonly shape: S }>>;
};
