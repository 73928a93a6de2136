import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Update } from "../../../../src/interp/contract/plan/plan-bulk.ts";
import type { PlanOf } from "../../../../src/interp/contract/plan/shapes/shape-facts.ts";
import { lower } from "../../../../src/numeric/lower/lowered.ts";
import type { Event, Location } from "../../model/event.ts";
import { eventsOf, type Issue, type Operation, type Target } from "./asynchronous.ts";
import { changed } from "./mbarrier.ts";

/** The operation of an instruction, and whether groups wait for it. */
export interface Started {
  readonly operation: Operation;
  readonly line?: "cp.async" | "bulk";
}

/** What an instruction asks for by its operands: their values, and memory where they point. */
export interface Operands {
  value(operand: Operand | undefined): bigint;
  /** The elements of a vector. */
  values(operand: Operand | undefined): readonly bigint[];
  /** Memory of some bytes, in pieces; a fault where nothing is there. In the blocks of a mask of ranks, if there is one. */
  place(operand: Operand | undefined, space: Space, bytes: number, piece: number, ranks?: number): readonly Location[];
}

export type Space = PlanOf<"store async">["space"];

const WORD = 4;
const weak = { semantics: "weak", scope: "sys" } as const;

/** The asynchronous operation that an instruction starts; undefined for all others. */
export function startedBy(plan: Plan, operands: readonly (Operand | undefined)[], from: Operands): Started | undefined {
  switch (plan.shape) {
    case "copy async": {
      const [to, source, size] = operands;
      const bytes = Number(from.value(size));
      const reads = from.place(source, "global", bytes, WORD);
      const writes = copied(from.place(to, "shared", bytes, WORD), reads.length);
      return { operation: { ...silent, proxy: "generic", reads, writes }, line: "cp.async" };
    }
    case "bulk copy":
      return bulk(plan, operands, from);
    case "store async": {
      const [to, data, mbar] = operands;
      const values = from.values(data);
      const bytes = plan.bits / 8;
      const places = from.place(to, plan.space, bytes * values.length, bytes);
      const writes = places.map((location, i): Target => ({ location, value: values[i] ?? 0n }));
      const { scope, update } = plan;
      const unscoped = update ? ({ semantics: "relaxed", scope: "cluster" } as const) : weak;
      const stores = scope === undefined ? unscoped : ({ semantics: "release", scope } as const);
      const signals = mbar === undefined ? [] : from.place(mbar, plan.space, 8, 8);
      const updates = update && { update: updating(update) };
      const told = { signals, signalled: completing(bytes * values.length) };
      return { operation: { ...silent, proxy: "generic", stores, reads: [], writes, ...told, ...updates } };
    }
    default:
      return undefined;
  }
}

const silent = { loads: weak, stores: weak, signals: [], scope: "cluster" } as const;

function bulk(
  plan: Plan & { readonly shape: "bulk copy" },
  [to, source, size, mbar, mask]: readonly (Operand | undefined)[],
  from: Operands,
): Started {
  const { scope, update, multicast } = plan;
  const bytes = Number(from.value(size));
  const piece = update ? update.bits / 8 : scope ? 16 : WORD;
  const ranks = multicast === undefined || mask === undefined ? undefined : Number(from.value(mask));
  const reads = from.place(source, plan.from, bytes, piece);
  const writes = copied(from.place(to, plan.to, bytes, piece, ranks), reads.length);
  const strong = scope === undefined ? weak : ({ semantics: "relaxed", scope } as const);
  const accesses = update
    ? { loads: weak, stores: { semantics: "relaxed", scope: scope ?? "sys" } as const, update: updating(update) }
    : { loads: strong, stores: strong };
  const operation: Operation = { ...silent, proxy: "async", ...accesses, reads, writes };
  if (plan.to === "global") return { operation, line: "bulk" };
  const signals = from.place(mbar, "shared", 8, 8, ranks);
  return { operation: { ...operation, signals, signalled: completing(bytes) } };
}

/** Each place gets what was read for it; those of another block begin anew. */
const copied = (places: readonly Location[], count: number): Target[] =>
  places.map((location, i) => ({ location, value: i % count }));

const completing = (bytes: number) => (object: bigint) => changed(object, { expects: -bytes });

/**
 * The events of cp.async.mbarrier.arrive: where it has to, it adds the arrival to those that the object expects in this phase;
 * the arrival itself comes behind all copies of the thread.
 */
export function* arrivalOf(
  signals: readonly Location[],
  behind: readonly number[],
  adds: boolean,
  { happening, position }: Issue,
): Generator<Event, { readonly fault: string } | undefined, bigint> {
  const counting = { ...silent, proxy: "generic", scope: "cta", reads: [], writes: [], signals } as const;
  if (adds) {
    const access = { ...happening, semantics: "relaxed", scope: "cta", proxy: "generic" } as const;
    for (const location of signals) {
      const done = changed(yield { ...access, location, kind: "read", value: 0n, update: true }, { count: -1 });
      if ("fault" in done) return done;
      const needs = [...access.needs, position];
      yield { ...access, location, needs, kind: "write", value: done.object ?? 0n, atomic: position };
    }
  }
  const arrival: Operation = { ...counting, behind, signalled: (object) => changed(object, { count: 1 }) };
  const after = { ...happening, order: happening.order + 1 };
  return yield* eventsOf(arrival, { happening: after, position: adds ? position + 2 : position });
}

function updating({ op, bits }: Update): (held: bigint, operand: bigint) => bigint {
  const { js } = lower(op);
  if (bits === 64) return js as (held: bigint, operand: bigint) => bigint;
  const run = js as (held: number, operand: number) => number;
  return (held, operand) => BigInt(run(Number(held), Number(operand)) >>> 0);
}
