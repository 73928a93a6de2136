import type { AsyncPlan } from "./plan-async.ts";
import type { ShapeFacts } from "./shape-facts.ts";
import { step } from "./shape-kinds.ts";

/** What is in flight happens at the latest where it is waited for, and with some settings anywhere before. */
const asking = { ...step, settles: true } as const;

/**
 * Shapes of asynchronous operations. They touch no memory themselves: what has been asked for is told to observers when
 * somebody has waited for it.
 */
export const asyncShapes = {
  "copy async": { ...asking, writes: 0, says: "asks for a copy from global to shared memory" },
  "commit group": { ...asking, writes: 0, says: "makes a group of what the thread has asked for since the last one" },
  "wait group": {
    ...asking,
    writes: 0,
    says: ({ reads }) => `waits until groups of the thread have ${reads ? "read their sources" : "happened"}`,
  },
} as const satisfies { readonly [S in AsyncPlan["shape"]]: ShapeFacts<Extract<AsyncPlan, { readonly shape: S }>> };
