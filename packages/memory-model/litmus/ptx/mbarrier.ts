import {
  barrierWord,
  phaseOfState,
  phasesBetween,
  settled,
  unpackBarrier,
} from "../../../../src/interp/async/mbarrier-object.ts";
import type { MemoryOrder, MemoryScope } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Event, Location } from "../../model/event.ts";
import type { Issue } from "./asynchronous.ts";

/** What an instruction does to an mbarrier object: one access to its 64 bits (PTX ISA, mbarrier). */
export interface BarrierAccess {
  readonly how: "store" | "atomic" | "load";
  /** The operand that is its address; those behind it are `inputs`, those before it results. */
  readonly address: number;
  /** The last operand is a mask of ranks: it is done to the object at this place in each of these blocks. */
  readonly multicast?: true | undefined;
  readonly sem: MemoryOrder;
  readonly scope: MemoryScope;
  does(object: bigint, inputs: readonly bigint[]): BarrierResult | { readonly fault: string };
}

export interface BarrierResult {
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
    case "mbarrier": {
      if (plan.layout === "v1" || plan.act === "inval") return undefined;
      if (plan.act === "init") return { ...counted, how: "store", sem: "weak", does: (_, [count = 1n]) => made(count) };
      const sign = plan.act === "expect_tx" ? 1 : -1;
      const { multicast } = plan;
      return { ...counted, multicast, does: (object, [n = 0n]) => changed(object, { expects: sign * Number(n) }) };
    }
    case "mbarrier arrive": {
      const { sem, scope, expects, drop, multicast } = plan;
      const does: BarrierAccess["does"] = (object, [count = 1n]) => {
        const arrival = expects ? { count: 1, expects: Number(count) } : { count: Number(count) };
        const done = changed(object, { ...arrival, drop });
        return "fault" in done ? done : { ...done, result: object };
      };
      return { how: "atomic", address: 1, sem, scope, multicast, does };
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

/** The events of an access to the objects at some places, by these values of its inputs, which depend on `all`. */
export function* accessesOf(
  { how, sem, scope, does }: BarrierAccess,
  places: readonly Location[],
  values: readonly bigint[],
  all: readonly number[],
  { happening, position }: Issue,
): Generator<Event, BarrierResult | { readonly fault: string }, bigint> {
  let done: BarrierResult | { readonly fault: string } = {};
  let at = position;
  for (const location of places) {
    const access = { ...happening, semantics: sem, scope, proxy: "generic", location } as const;
    if (how === "store") {
      done = does(0n, values);
      if ("fault" in done) return done;
      yield { ...access, needs: [...access.needs, ...all], kind: "write", value: done.object ?? 0n };
      continue;
    }
    done = does(yield { ...access, kind: "read", value: 0n }, values);
    if ("fault" in done) return done;
    const needs = [...new Set([...access.needs, ...all, at])];
    if (done.object !== undefined) yield { ...access, needs, kind: "write", value: done.object, atomic: at };
    if (done.acquires) {
      const { order } = happening;
      yield { ...happening, order: order + 1, needs, kind: "fence", semantics: "acquire", scope, only: at };
    }
    at += 2;
  }
  return done;
}

const unpack = (object: bigint) => unpackBarrier(Number(object & 0xffff_ffffn), Number(object >> 32n), "v0");

const made = (count: bigint): BarrierResult => {
  const expected = Number(count);
  return { object: barrierWord({ pending: expected, expected, tx: 0, phase: 0 }) };
};

/** The object behind some arrivals and expected transactions. */
export function changed(
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
