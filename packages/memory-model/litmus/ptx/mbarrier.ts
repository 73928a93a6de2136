import {
  barrierWord,
  phaseOfState,
  phasesBetween,
  settled,
  unpackBarrier,
} from "../../../../src/interp/async/mbarrier-object.ts";
import type { MemoryOrder, MemoryScope } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";

/** What an instruction does to an mbarrier object: one access to its 64 bits (PTX ISA, mbarrier). */
export interface BarrierAccess {
  readonly how: "store" | "atomic" | "load";
  /** The operand that is its address; those behind it are `inputs`, those before it results. */
  readonly address: number;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
  does(object: bigint, inputs: readonly bigint[]): BarrierResult | { readonly fault: string };
}

interface BarrierResult {
  /** The object afterwards, where it is written. */
  readonly object?: bigint;
  /** The state of an arrival, or whether a phase is complete. */
  readonly result?: bigint;
  /** Whether what was released by the arrivals of the phase is acquired. */
  readonly acquires?: boolean;
}

/** The access of an instruction to an mbarrier object; undefined for all others, and for what is not followed. */
export function barrierAccessOf(plan: Plan): BarrierAccess | undefined {
  const counted = { how: "atomic", address: 0, sem: "relaxed", scope: "cluster" } as const;
  switch (plan.shape) {
    case "mbarrier":
      if (plan.layout === "v1" || plan.multicast || plan.act === "inval") return undefined;
      if (plan.act === "init") return { ...counted, how: "store", sem: "weak", does: (_, [count = 1n]) => made(count) };
      return plan.act === "expect_tx"
        ? { ...counted, does: (object, [expects = 0n]) => changed(object, { expects: Number(expects) }) }
        : { ...counted, does: (object, [completes = 0n]) => changed(object, { expects: -Number(completes) }) };
    case "mbarrier arrive": {
      if (plan.multicast) return undefined;
      const { sem, scope, expects, drop } = plan;
      const does: BarrierAccess["does"] = (object, [count = 1n]) => {
        const arrival = expects ? { count: 1, expects: Number(count) } : { count: Number(count) };
        const done = changed(object, { ...arrival, drop });
        return "fault" in done ? done : { ...done, result: object };
      };
      return { how: "atomic", address: 1, sem, scope, does };
    }
    case "mbarrier test":
    case "mbarrier wait": {
      if (plan.conditional || plan.reports !== undefined) return undefined;
      const { by, sem, scope } = plan;
      const does: BarrierAccess["does"] = (object, [state = 0n]) => {
        const { phase, expected } = unpack(object);
        if (expected === 0) return { fault: "there is no mbarrier object" };
        const complete = by === "state" ? phasesBetween(phaseOfState(state), phase) > 0 : BigInt(phase & 1) !== state;
        return { result: complete ? 1n : 0n, acquires: complete && sem === "acquire" };
      };
      return { how: "load", address: 1, sem: "relaxed", scope, does };
    }
    default:
      return undefined;
  }
}

const unpack = (object: bigint) => unpackBarrier(Number(object & 0xffff_ffffn), Number(object >> 32n), "v0");

const made = (count: bigint): BarrierResult => {
  const expected = Number(count);
  return { object: barrierWord({ pending: expected, expected, tx: 0, phase: 0 }) };
};

/** The object behind some arrivals and expected transactions. */
function changed(
  object: bigint,
  {
    count = 0,
    expects = 0,
    drop = false,
  }: { readonly count?: number; readonly expects?: number; readonly drop?: boolean },
): BarrierResult | { readonly fault: string } {
  const { pending, expected, tx, phase } = unpack(object);
  if (expected === 0) return { fault: "there is no mbarrier object" };
  if (count > pending) return { fault: `arrives ${count} times at an mbarrier object where ${pending} are pending` };
  const left = { pending: pending - count, expected: expected - (drop ? count : 0), tx: tx + expects, phase };
  return { object: barrierWord(settled(left)) };
}
