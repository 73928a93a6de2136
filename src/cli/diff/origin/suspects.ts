import type { Program } from "../../../interp/contract/program.ts";
import { changesOf } from "./changes.ts";
import { Evidence, type Instances } from "./evidence.ts";
import type { Hop, SideName } from "./explanation.ts";
import type { OneRun } from "./follow.ts";
import { Literals, literalsIn } from "./literals.ts";
import type { Ran } from "./step.ts";
import { Things } from "./things.ts";
import type { Trial } from "./trial.ts";

const LATER = 0.35;

/** An instruction of a followed thread, and how likely it is the one that is wrong. */
interface Suspect {
  weight: number;
  instances: Instances;
}

/** What a program's text has for an instruction. */
export function textOf({ source, code }: Program, pc: number): string {
  const span = code[pc]?.span;
  return span === undefined ? "" : source.text.slice(span.start, span.end);
}

/** What may be tried of one program, the likeliest first. */
export function trialsOf(hops: readonly Hop[], side: SideName, program: Program, other: Program): readonly Trial[] {
  const literals = new Literals(textsOf(program), textsOf(other));
  const evidence = new Evidence(program.target);
  const trials: Trial[] = [];
  const spans = new Set<number>();
  for (const [pc, { weight, instances }] of suspectsOf(hops, side)) {
    const start = program.code[pc]?.span.start ?? -1;
    if (spans.has(start)) continue;
    spans.add(start);
    const text = textOf(program, pc);
    const strange = Math.max(0, ...literalsIn(text).map((each) => literals.strangeness(each.text)));
    const shape = program.code[pc]?.plan.shape;
    const own = changesOf(text, literals).map((change) => ({
      ...change,
      pc,
      decides: change.what === "guard" || shape === "compare",
      weight:
        weight +
        (change.what === "constant" ? strange - 0.5 : change.what === "opcode" ? 0.6 : 0) +
        Math.max(-0.5, evidence.of(instances, change)) -
        0.5 * change.tier,
    }));
    own.sort((one, two) => two.weight - one.weight);
    // Many changes of one instruction are not tried before the first of others.
    for (const [at, trial] of own.entries())
      trials.push({ ...trial, weight: trial.weight - LATER * Math.log2(1 + at) });
  }
  return inTurns(trials);
}

/** Kinds of changes take turns, the likeliest of each first: what speaks for one kind says little about another. */
function inTurns(trials: readonly Trial[]): readonly Trial[] {
  const kinds = new Map<string, Trial[]>();
  for (const trial of trials) {
    const kind =
      trial.what === "constant" || trial.what === "order" ? "constant" : trial.decides ? "decision" : "opcode";
    const list = kinds.get(kind);
    if (list === undefined) kinds.set(kind, [trial]);
    else list.push(trial);
  }
  const placed: { readonly trial: Trial; readonly turn: number }[] = [];
  for (const list of kinds.values()) {
    list.sort((one, two) => two.weight - one.weight);
    for (const [turn, trial] of list.entries()) placed.push({ trial, turn });
  }
  return placed
    .sort((one, two) => one.turn - two.turn || two.trial.weight - one.trial.weight)
    .map(({ trial }) => trial);
}

const textsOf = (program: Program): readonly string[] => program.code.map((_, pc) => textOf(program, pc));

function suspectsOf(hops: readonly Hop[], side: SideName): ReadonlyMap<number, Suspect> {
  const suspects = new Map<number, Suspect>();
  const other = side === "a" ? "b" : "a";
  for (const { both, from, begin } of hops) {
    const [run, there] = [both[side], new Things(both[other])];
    const last = begin[side] ?? run.trace.steps.length - 1;
    const slice = sliceOf(run, last);
    // What faults has most often got a wrong address, which is made just before.
    const near = begin[side] === undefined ? nearnessOf(run, last) : new Map<number, number>();
    for (const [pc, steps] of byPc(run, slice)) {
      const instances = { run, there, steps };
      const weight = weightOf(instances) + (near.get(pc) ?? 0);
      const known = suspects.get(pc);
      if (known === undefined) suspects.set(pc, { weight, instances });
      else if (known.weight < weight) Object.assign(known, { weight, instances });
    }
    if (from.kind !== "here") continue;
    for (const [at, more] of [[from[side], 2] as const, [from.branch?.[side], 2] as const]) {
      const suspect = at === undefined ? undefined : suspects.get(run.trace.steps[at]?.pc ?? -1);
      if (suspect !== undefined) suspect.weight += more;
    }
  }
  return suspects;
}

/** The steps of each instruction, those in the slice first. */
function byPc({ trace: { steps } }: OneRun, slice: ReadonlySet<number>): ReadonlyMap<number, readonly Ran[]> {
  const found = new Map<number, { inside: Ran[]; outside: Ran[] }>();
  for (const [at, step] of steps.entries()) {
    const lists = found.get(step.pc) ?? { inside: [], outside: [] };
    found.set(step.pc, lists);
    lists[slice.has(at) ? "inside" : "outside"].push(step);
  }
  return new Map([...found].map(([pc, { inside, outside }]) => [pc, [...inside, ...outside]]));
}

/** By what it made of what: a value that the other run has not, of values that it has, is the beginning of a difference. */
function weightOf({ run, there, steps }: Instances): number {
  const share = (test: (step: Ran) => boolean): number => steps.filter(test).length / steps.length;
  const foreign = ({ results }: Ran): boolean => results.some((bits) => !there.hasValue(run, bits));
  const known = ({ reads }: Ran): boolean => reads.every((bits) => there.hasValue(run, bits));
  const fresh = (step: Ran): boolean => step.reads.length > 1 && !there.hasApplied(run, step);
  const shape = run.program.code[steps[0]?.pc ?? 0]?.plan.shape;
  const decides = shape === "branch" || shape === "compare" ? 1.2 : 0;
  return 1.5 * share((step) => foreign(step) && known(step)) + 0.5 * share(foreign) + 0.7 * share(fresh) + decides;
}

/** Steps between an instruction and what it is made for, up to which it is near. */
const NEAR = 8;

/** By instruction that a step was made by: 4 for the step itself, and the less the further away. */
function nearnessOf({ trace: { steps } }: OneRun, from: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let front: readonly number[] = [from];
  for (let depth = 0; depth < NEAR && front.length > 0; depth++) {
    const next = new Set<number>();
    for (const at of front) {
      const step = steps[at];
      if (step === undefined || found.has(step.pc)) continue;
      found.set(step.pc, 4 * (1 - depth / NEAR));
      for (const each of step.from) if (each !== undefined && each < at) next.add(each);
    }
    front = [...next];
  }
  return found;
}

/** The steps that a step was made of, and all that decided branches before it. */
function sliceOf({ trace: { steps }, program }: OneRun, from: number): ReadonlySet<number> {
  const found = new Set<number>();
  const stack = [from];
  for (const [at, { pc, guardFrom }] of steps.entries()) {
    if (at > from) break;
    if (guardFrom !== undefined && program.code[pc]?.plan.shape === "branch") stack.push(at);
  }
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    const step = steps[at];
    for (const each of [...(step?.from ?? []), step?.guardFrom])
      if (each !== undefined && each < at && !found.has(each)) stack.push(each);
  }
  return found;
}
