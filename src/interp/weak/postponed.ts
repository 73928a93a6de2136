import type { ThreadId } from "../contract/launch/thread-id.ts";
import { keysOf, type RegisterKey } from "../contract/liveness.ts";
import { fenceOf, isStep, nextOf, writtenBy } from "../contract/plan/effects.ts";
import type { Instruction } from "../contract/program.ts";
import type { Warp } from "../state/warp.ts";

/** A load that a lane has come past and has not done yet. */
export interface PostponedLoad {
  readonly pc: number;
  readonly lane: number;
  /** The bytes that it reads: an offset in memory. */
  readonly at: number;
  readonly bytes: number;
  /** `WeakMemory.standing` where it stands. */
  readonly since: number;
}

/** Whether a postponed load has to be done before what its lane does next. */
export type ComesFirst = (load: PostponedLoad) => boolean;

/** The postponed loads of each warp, in program order: data, which a snapshot holds. */
export type PostponedImage = ReadonlyMap<string, readonly PostponedLoad[]>;

/** The loads that warps have postponed. */
export class PostponedLoads {
  #of: Map<string, readonly PostponedLoad[]> = new Map();

  save(): PostponedImage {
    return new Map(this.#of);
  }

  restore(image: PostponedImage): void {
    this.#of = new Map(image);
  }

  add(warp: Warp, load: PostponedLoad): void {
    const key = keyOf(warp);
    this.#of.set(key, [...(this.#of.get(key) ?? []), load]);
  }

  /** Those of a thread. */
  of({ block, warp, lane }: ThreadId): readonly PostponedLoad[] {
    return (this.#of.get(keyOf({ block, index: warp })) ?? []).filter((load) => load.lane === lane);
  }

  has(warp: Warp): boolean {
    return this.#of.size > 0 && this.#of.has(keyOf(warp));
  }

  /** Takes out those of a warp's active lanes that come first. */
  take(warp: Warp, comesFirst: ComesFirst): readonly PostponedLoad[] {
    if (this.#of.size === 0) return [];
    const key = keyOf(warp);
    const all = this.#of.get(key) ?? [];
    const taken = all.filter((load) => (warp.active & (1 << load.lane)) !== 0 && comesFirst(load));
    if (taken.length === 0) return taken;
    const left = all.filter((load) => !taken.includes(load));
    if (left.length === 0) this.#of.delete(key);
    else this.#of.set(key, left);
    return taken;
  }
}

const keyOf = ({ block, index }: Pick<Warp, "block" | "index">): string => `${block} ${index}`;

/**
 * The loads that come before an instruction, whatever it accesses: those whose results it needs, whose operands it changes, and
 * all where it is a fence, where threads may wait for each other, or where a thread leaves.
 */
export function loadsBefore(instruction: Instruction, code: readonly Instruction[]): ComesFirst {
  const { plan, operands, guard } = instruction;
  const passes = isStep(plan) ? fenceOf(plan) === undefined : nextOf(plan) === "targets";
  if (!passes) return () => true;
  const used = new Set<RegisterKey>(operands.flatMap(keysOf));
  if (guard !== undefined) used.add(`p${guard.slot}`);
  const written = new Set(operands.slice(0, writtenBy(plan)).flatMap(keysOf));
  const known = new Map<number, boolean>();
  return ({ pc }) => {
    const found = known.get(pc) ?? meets(code[pc]!, used, written);
    known.set(pc, found);
    return found;
  };
}

/** Whether a load's results are among the registers that are used, or its operands among those that are written. */
function meets({ plan, operands, guard }: Instruction, used: Set<RegisterKey>, written: Set<RegisterKey>): boolean {
  const results = writtenBy(plan);
  return (
    operands
      .slice(0, results)
      .flatMap(keysOf)
      .some((key) => used.has(key)) ||
    operands
      .slice(results)
      .flatMap(keysOf)
      .some((key) => written.has(key)) ||
    (guard !== undefined && written.has(`p${guard.slot}`))
  );
}
