import { isBarrier } from "../../../../src/interp/contract/plan/effects.ts";
import { shapeOf } from "./channels.ts";
import type { Both, OneRun } from "./follow.ts";

/** A branch that made a thread diverge from the other run: its step, and the step that made its predicate. */
export interface Decision {
  readonly branch: number;
  readonly maker: number;
  /** The step where the divergence shows; absent where it shows only by a missing step. */
  readonly at?: number;
  /** The comparisons and branches on the way there since both runs agreed: the latest, each once. */
  readonly way?: readonly number[];
}

/**
 * The branches after which two runs of a thread with different instructions diverge: before the first event that only
 * this run has, or where it continues without an event that only the other one has.
 */
export function partings({ a, b }: Both): { readonly a?: Decision; readonly b?: Decision } {
  const [doneA, doneB] = [events(a), events(b)];
  const [inA, inB] = [parting(a, doneA, doneB), parting(b, doneB, doneA)];
  return { ...(inA === undefined ? {} : { a: inA }), ...(inB === undefined ? {} : { b: inB }) };
}

/** An action of a thread that does not depend on how it was compiled, in program order. */
export interface Event {
  readonly key: string;
  readonly at: number;
  /** An effect counts each time; a read may be kept by one compiler and repeated by another. */
  readonly effect: boolean;
}

export function events(run: OneRun): readonly Event[] {
  const { trace, program, plain } = run;
  const counts = new Map<string, number>();
  return trace.steps.flatMap((step, at): Event[] => {
    const { access, pc, taken } = step;
    if (!taken) return [];
    const plan = program.code[pc]?.plan;
    if (plan !== undefined && isBarrier(plan)) return [counted("barrier", at, counts)];
    if (access === undefined || access.space === "local" || access.space === "param" || access.space === "const")
      return [];
    // Word by word: one compiler may merge accesses that another makes separately.
    return Array.from({ length: Math.ceil(access.bytes / 4) }, (_, word) => {
      const key = `${access.space} ${plain(access.address) + BigInt(4 * word)}`;
      return access.how === "load" ? { key: `load ${key}`, at, effect: false } : counted(`write ${key}`, at, counts);
    });
  });
}

function counted(key: string, at: number, counts: Map<string, number>): Event {
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return { key: `${key} ${count}`, at, effect: true };
}

function parting(run: OneRun, own: readonly Event[], others: readonly Event[]): Decision | undefined {
  const [inOwn, inOthers] = [new Map(own.map((each) => [each.key, each.at])), new Set(others.map(({ key }) => key))];
  const extra = own.find(({ key }) => !inOthers.has(key));
  const missing = others.findIndex(({ key, effect }) => effect && !inOwn.has(key));
  const before = missing < 0 ? undefined : others.slice(0, missing).findLast(({ key }) => inOwn.has(key));
  const from = before === undefined ? 0 : (inOwn.get(before.key) ?? 0);
  // After the last event of both, it continued without the other's next one.
  const left = missing < 0 ? undefined : decision(run, from, 1);
  const came = extra === undefined ? undefined : decision(run, extra.at, -1, extra.at);
  const common = own.findLast(({ key, at }) => at < (extra?.at ?? 0) && inOthers.has(key))?.at ?? -1;
  if (came !== undefined) return { ...came, way: wayBetween(run, common, came.branch) };
  return left;
}

/** Branches that are reported. */
const MAX_DESCRIBED = 4;

function wayBetween(run: OneRun, from: number, to: number): readonly number[] {
  const way: number[] = [];
  const seen = new Set<number>();
  for (let next = decision(run, to + 1, -1); next !== undefined && next.branch > from; ) {
    const { pc = -1 } = run.trace.steps[next.branch] ?? {};
    if (seen.size >= MAX_DESCRIBED) break;
    if (!seen.has(pc)) way.unshift(next.maker, next.branch);
    seen.add(pc);
    next = decision(run, next.branch, -1);
  }
  return way;
}

/** The next conditional branch from a step on, or before it. */
function decision({ trace, program }: OneRun, from: number, way: 1 | -1, shows?: number): Decision | undefined {
  for (let at = from + way; at >= 0 && at < trace.steps.length; at += way) {
    const step = trace.steps[at];
    if (step?.guardFrom !== undefined && shapeOf(program.code[step.pc]) === "branch")
      return {
        branch: at,
        maker: compared({ trace, program } as OneRun, step.guardFrom),
        ...(shows === undefined ? {} : { at: shows }),
      };
  }
  return undefined;
}

/** The comparison before an instruction that only inverts a predicate. */
function compared({ trace, program }: OneRun, at: number): number {
  const step = trace.steps[at];
  const [before] = step?.from ?? [];
  const shape = shapeOf(program.code[step?.pc ?? 0]);
  return step?.reads.length === 1 && before !== undefined && shape !== "compare" && before < at
    ? compared({ trace, program } as OneRun, before)
    : at;
}
