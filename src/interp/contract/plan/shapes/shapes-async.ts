import type { Space } from "../../space.ts";
import type { AsyncPlan, PhaseQuestion } from "../plan-async.ts";
import type { PlannedAccess, ShapeFacts } from "./shape-facts.ts";
import { hold, step } from "./shape-kinds.ts";

/** Operations in flight happen at the latest at their wait, and with some settings at any time before. */
const asking = { ...step, completesAsync: true } as const;

const acts = {
  init: "makes an mbarrier object for n arrivals",
  inval: "makes ordinary memory of the mbarrier object",
  expect_tx: "expects n more transactions at",
  complete_tx: "completes n transactions at",
} as const;

/** The object itself changes atomically for all threads: the scope only concerns other memory. */
const counted = (space: Space, address: number): PlannedAccess => ({
  how: "atomic",
  space,
  address,
  bytes: 8,
  sem: "relaxed",
  scope: "gpu",
});

/** Initialisation is a store: uses of the object have to come after it. */
const touched = {
  init: (space: Space): readonly PlannedAccess[] => [
    { how: "store", space, address: 0, bytes: 8, data: 1, sem: "weak", scope: "cta" },
  ],
  inval: (): readonly PlannedAccess[] => [],
  expect_tx: (space: Space): readonly PlannedAccess[] => [counted(space, 0)],
  complete_tx: (space: Space): readonly PlannedAccess[] => [counted(space, 0)],
} as const;

/** It acquires what others have released only when it sees the phase complete. */
const read = (plan: PhaseQuestion): readonly PlannedAccess[] => [
  { how: "load", space: plan.space, address: answers(plan), bytes: 8, sem: "relaxed", scope: "gpu" },
];

/** Results of a question for a phase: whether it is complete, and its report. */
const answers = ({ reports }: PhaseQuestion): number => (reports === undefined ? 1 : reports === "predicate" ? 2 : 3);

const whichPhase = ({ conditional }: PhaseQuestion): string => (conditional ? "conditional phase" : "phase");
const where = ({ multicast }: { readonly multicast?: true }): string =>
  multicast ? "the mbarrier objects of the blocks in a mask" : "the mbarrier object";

/**
 * Shapes of asynchronous operations. They touch no memory themselves: observers are notified of an operation when
 * a thread has waited for it.
 */
export const asyncShapes = {
  "copy async": { ...asking, reach: "block", writes: 0, says: "asks for a copy from global to shared memory" },
  "commit group": {
    ...asking,
    reach: "block",
    writes: 0,
    says: "makes a group of what the thread has asked for since the last one",
  },
  "wait group": {
    ...asking,
    reach: "block",
    writes: 0,
    says: ({ reads }) => `waits until groups of the thread have ${reads ? "read their sources" : "happened"}`,
  },
  mbarrier: {
    ...asking,
    reach: "beyond",
    writes: 0,
    names: 0,
    touches: ({ act, space }) => touched[act](space),
    says: (plan) =>
      `${acts[plan.act]}${plan.act === "init" || plan.act === "inval" ? "" : ` ${where(plan)}`}${plan.layout === "v1" ? ", and for reports" : ""}`,
  },
  "mbarrier layout": {
    ...asking,
    reach: "beyond",
    writes: 1,
    touches: ({ space }) => [{ how: "load", space, address: 1, bytes: 8, sem: "relaxed", scope: "gpu" }],
    says: ({ layout }) => `asks whether the mbarrier object has .layout::${layout}`,
  },
  "mbarrier arrive": {
    ...asking,
    reach: "beyond",
    writes: 1,
    touches: ({ space, sem }) => [{ ...counted(space, 1), sem }],
    says: (plan) => `arrives at ${where(plan)}${plan.multicast ? "" : "; state names its phase"}`,
  },
  "copies arrive": {
    ...asking,
    reach: "beyond",
    writes: 0,
    names: 0,
    says: "lets an arrival at the mbarrier object follow the copies that the thread has asked for",
  },
  "store async": {
    ...asking,
    reach: "beyond",
    writes: 0,
    names: 0,
    touches: ({ space, bits, update, scope, multimem }) =>
      scope === undefined || multimem === true
        ? []
        : [
            {
              how: update === undefined ? "store" : "atomic",
              space,
              address: 0,
              bytes: bits / 8,
              data: 1,
              sem: "release",
              scope,
            },
          ],
    says: ({ update, scope, multimem }) =>
      `asks for ${update === undefined ? "a store" : "a reduction"} ${multimem === true ? "at all replicas of a multimem address" : scope === undefined ? "in another block" : "in global memory"}`,
  },
  "mbarrier test": {
    ...asking,
    reach: "beyond",
    writes: answers,
    touches: read,
    says: (plan) => `asks whether the ${whichPhase(plan)} of the mbarrier object is complete`,
  },
  "mbarrier wait": {
    ...hold,
    reach: "beyond",
    completesAsync: true,
    writes: answers,
    touches: read,
    says: (plan) => `waits, for some time, until the ${whichPhase(plan)} of the mbarrier object is complete`,
  },
} as const satisfies { readonly [S in AsyncPlan["shape"]]: ShapeFacts<Extract<AsyncPlan, { readonly shape: S }>> };
