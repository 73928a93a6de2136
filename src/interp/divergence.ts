import { Fault } from "./fault.ts";
import { placesOf } from "./waiting.ts";
import { firstLane, type Parked, type Warp } from "./warp.ts";

/**
 * `.aligned` says that all threads of a warp execute the same barrier instruction (PTX ISA 9.7.13.1). Throws when some
 * wait at such a one and all others wait somewhere else, so that they can never come. The cluster's barrier is none of
 * the warp's business: who waits there may come later.
 */
export function checkDivergence(warp: Warp): void {
  const { active, parked } = warp;
  if (active !== 0 || parked.length < 2 || parked.some(({ on }) => on.kind === "cluster")) return;
  const group = parked.find(isAligned);
  if (group === undefined || parked.every(({ pc, on }) => pc === group.pc && numberOf(on) === numberOf(group.on)))
    return;
  const what = "is executed by a part of the warp, and the others wait elsewhere";
  throw new Fault("PTX3010", firstLane(group.mask), what, placesOf([warp], group.on.site.context), group.pc);
}

type Waiting = Parked & { readonly on: { readonly kind: "barrier" } };
const isAligned = (group: Parked): group is Waiting => group.on.kind === "barrier" && group.on.site.aligned;
const numberOf = (on: Parked["on"]): number => (on.kind === "barrier" ? on.number : -1);
