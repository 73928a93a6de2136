import { firstLane } from "../contract/launch/lane-mask.ts";
import { Fault } from "../state/fault.ts";
import type { Parked, Warp } from "../state/warp.ts";
import { waitingPlaces } from "./waiting.ts";

/** Waits from which lanes may still come to the barrier. */
const mayCome: ReadonlySet<Parked["on"]["kind"]> = new Set(["cluster", "until"] as const);

const what = "is executed by only part of the warp, and the others wait elsewhere";

/**
 * `.aligned` says that all threads of a warp execute the same barrier instruction. Throws when some lanes
 * wait at an aligned barrier while all others wait somewhere else, and can never arrive. Lanes that wait at the
 * cluster's barrier do not count: they may still arrive.
 */
export function checkDivergence(warp: Warp): void {
  const { active, parked } = warp;
  if (active !== 0 || parked.length < 2 || parked.some(({ on }) => mayCome.has(on.kind))) return;
  for (const { mask, pc, on } of parked)
    if (on.kind === "warp") throw new Fault("PTX3014", firstLane(mask), what, waitingPlaces([warp], on.context), pc);
  const group = parked.find(isAligned);
  if (group === undefined || parked.every(({ pc, on }) => pc === group.pc && numberOf(on) === numberOf(group.on)))
    return;
  throw new Fault("PTX3010", firstLane(group.mask), what, waitingPlaces([warp], group.on.site.context), group.pc);
}

/**
 * The same where all lanes of a warp have arrived at barrier `number`, but by two instructions, one of them `.aligned`.
 * `pc` is the instruction of the last arrival.
 */
export function checkOneInstruction(warp: Warp, number: number, pc: number): void {
  const here = warp.parked.filter(
    (group): group is WaitingAtBarrier => group.on.kind === "barrier" && group.on.number === number,
  );
  const aligned = here.find((group) => group.on.site.aligned);
  if (aligned === undefined || here.every((group) => group.pc === pc)) return;
  throw new Fault("PTX3010", firstLane(aligned.mask), what, waitingPlaces([warp], aligned.on.site.context), aligned.pc);
}

/** A group of lanes that waits at a barrier of the block. */
export type WaitingAtBarrier = Parked & { readonly on: { readonly kind: "barrier" } };
const isAligned = (group: Parked): group is WaitingAtBarrier => group.on.kind === "barrier" && group.on.site.aligned;
const numberOf = (on: Parked["on"]): number => (on.kind === "barrier" ? on.number : -1);
