import { firstLane } from "../contract/launch/lane-mask.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import { Fault } from "../state/fault.ts";
import type { CtaSync, Warp } from "../state/warp.ts";
import { checkDivergence } from "./divergence.ts";
import { diverge, park, reconverge, wake } from "./groups.ts";
import { guardOf } from "./guard.ts";

/**
 * barrier.cluster: arriving never waits; waiting waits until all threads of the cluster that have not
 * exited have arrived. Each thread arrives once and waits once in turn.
 */
export function clusterBarrier(
  { act }: PlanOf<"cluster barrier">,
  { guard }: Instruction,
  pc: number,
  context: Pick<Context, "observers" | "asynchrony">,
): (warp: Warp) => void {
  const lanes = guardOf(guard);
  return (warp) => {
    const taken = lanes(warp);
    const { ctaSync, index, active } = warp;
    const owing = ctaSync.clusterOwing[index]!;
    if (act === "arrive") {
      const again = owing & taken;
      if (again !== 0)
        throw new Fault("PTX3012", firstLane(again), "arrives twice without a barrier.cluster.wait between");
      ctaSync.clusterOwing[index] = owing | taken;
      ctaSync.clusterArrived[index]! |= taken;
      for (const member of ctaSync.cluster) {
        member.clusterOpen = true;
        member.clusterContext = context;
      }
      warp.pc = pc + 1;
      completePhase(ctaSync.cluster);
      reconverge(warp);
      return;
    }
    const early = (taken & ~owing) >>> 0;
    if (early !== 0) throw new Fault("PTX3012", firstLane(early), "waits without having arrived");
    ctaSync.clusterOwing[index] = owing & ~taken;
    const waits = (taken & ctaSync.clusterArrived[index]!) >>> 0;
    const passes = (active & ~waits) >>> 0;
    if (waits !== 0) park(warp, { pc, mask: waits, depth: warp.depth, on: { kind: "cluster" } });
    if (passes !== 0) diverge(warp, pc + 1, passes);
    warp.active = 0;
    reconverge(warp);
    checkDivergence(warp);
  };
}

/** Ends the barrier's phase once all live threads of all blocks have arrived, and releases those that wait. */
function completePhase(cluster: readonly CtaSync[]): void {
  for (const { warps, clusterArrived } of cluster)
    for (const { live, index } of warps) if ((live & ~clusterArrived[index]!) !== 0) return;
  for (const ctaSync of cluster) {
    ctaSync.clusterOpen = false;
    ctaSync.clusterArrived.fill(0);
    for (const warp of ctaSync.warps) {
      const waiting = warp.parked.filter(({ on }) => on.kind === "cluster");
      for (const group of waiting) wake(warp, group);
      if (waiting.length > 0) reconverge(warp);
    }
  }
  const blocks = cluster.flatMap(({ warps: [first] }) => first?.block ?? []);
  const context = cluster[0]?.clusterContext;
  context?.asynchrony.fences.proxies.met(cluster.flatMap(({ warps }) => warps));
  for (const observer of context?.observers ?? []) observer.cluster?.(blocks);
}

/** Called after lanes of a block have exited: completes the barrier if it waited for them alone. */
export function clusterBarrierAfterExit({ clusterOpen, cluster }: CtaSync): void {
  if (clusterOpen) completePhase(cluster);
}
