import { Device } from "../../../../src/host/index.ts";
import { operationOf } from "../../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../../src/interp/contract/program.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { reference } from "../../../../src/numeric/operation/reference.ts";
import { Source } from "../../../../src/source/source.ts";
import { shapeOf } from "./channels.ts";
import type { Hop, SideName } from "./explanation.ts";
import type { OneRun } from "./follow.ts";
import { type Change, changesOf, type Replaced } from "./repair/changes.ts";
import { Literals, literalsIn } from "./repair/literals.ts";
import type { Trial } from "./repair/trial.ts";
import type { Ran } from "./step.ts";
import { Things } from "./things.ts";

/** Executions of one instruction that are examined. */
const MOST_ASKED = 24;

/** Steps of one instruction, and the run that should contain their results. */
interface Instances {
  readonly run: OneRun;
  readonly there: Things;
  readonly steps: readonly Ran[];
}

/** Judges changes by whether the result of the changed instruction occurs in the other run; nothing is run for that. */
class Evidence {
  readonly #operations = new Map<string, Operation | undefined>();
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  /**
   * From -2, where the other run has the actual result and not the changed one, to 2; 0 where that cannot be
   * decided.
   */
  of({ run, there, steps }: Instances, change: Change): number {
    const asked = steps.filter(({ taken }) => taken).slice(0, MOST_ASKED);
    const [first] = asked;
    if (first === undefined || change.what === "guard") return 0;
    const own = run.program.code[first.pc];
    const operation =
      change.what === "opcode" ? this.#operationOf(change.text) : own === undefined ? undefined : operationOf(own.plan);
    if (
      operation !== undefined &&
      operation.result.into !== "predicate" &&
      operation.takes.length === first.reads.length
    ) {
      const given = asked.map(({ reads, results }) => ({
        before: there.hasValue(run, results[0] ?? 0n),
        after: there.hasValue(run, reference(operation, changed(reads, change))),
      }));
      return 2 * (shareOf(given, ({ after }) => after) - shareOf(given, ({ before }) => before));
    }
    if (change.constant === undefined || first.reads.length < 2) return 0;
    const given = asked.map(({ reads }) => ({
      before: there.hasReads(run, reads),
      after: there.hasReads(run, changed(reads, change)),
    }));
    return 1.2 * (shareOf(given, ({ after }) => after) - shareOf(given, ({ before }) => before));
  }

  /** What an instruction computes, by its text; nothing for one that computes nothing. */
  #operationOf(text: string): Operation | undefined {
    const bare = text.replace(/^@\S+\s*/, "");
    const [opcode = ""] = /^\S+/.exec(bare) ?? [];
    if (this.#operations.has(opcode)) return this.#operations.get(opcode);
    const { value } = new Device().snippet(new Source("", bare), { target: this.#target });
    const [instruction] = value?.program.code ?? [];
    const operation = instruction === undefined ? undefined : operationOf(instruction.plan);
    this.#operations.set(opcode, operation);
    return operation;
  }
}

const shareOf = <T>(list: readonly T[], test: (each: T) => boolean): number => list.filter(test).length / list.length;

function changed(reads: readonly bigint[], { what, constant }: Change): readonly bigint[] {
  const [one, other] = reads;
  if (what === "order" && one !== undefined && other !== undefined) return [other, one, ...reads.slice(2)];
  return constant === undefined ? reads : withConstant(reads, constant);
}

/** Widths of registers that hold a constant, bits. */
const widths = [64, 32, 16, 8];

function withConstant(reads: readonly bigint[], { from, to }: Replaced): readonly bigint[] {
  const [old, fresh] = [bitsOf(from), bitsOf(to)];
  if (old === undefined || fresh === undefined) return reads;
  for (const width of widths) {
    const at = reads.lastIndexOf(BigInt.asUintN(width, old));
    if (at >= 0) return reads.with(at, BigInt.asUintN(width, fresh));
  }
  return reads;
}

function bitsOf(literal: string): bigint | undefined {
  if (/^0[fFdD][\da-fA-F]+$/.test(literal)) return BigInt(`0x${literal.slice(2)}`);
  const digits = literal.replace("-", "").replace(/U$/, "");
  if (!/^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)$/.test(digits)) return undefined;
  return literal.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}

const LATER = 0.35;

/** An instruction of a followed thread, and how likely it is the wrong one. */
interface Suspect {
  weight: number;
  instances: Instances;
}

/** What a program's text has for an instruction. */
export function textOf({ source, code }: Program, pc: number): string {
  const span = code[pc]?.span;
  return span === undefined ? "" : source.text.slice(span.start, span.end);
}

/** Changes to try in one program, the likeliest first. */
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
    const shape = shapeOf(program.code[pc]);
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

/** Interleaves the kinds of changes, the likeliest of each first: evidence for one kind says little about another. */
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
    // A faulting instruction mostly has a wrong address, which is computed just before.
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

/**
 * By operands and result: a value that the other run lacks, of values that it has, is the beginning of a difference.
 */
function weightOf({ run, there, steps }: Instances): number {
  const share = (test: (step: Ran) => boolean): number => steps.filter(test).length / steps.length;
  const foreign = ({ results }: Ran): boolean => results.some((bits) => !there.hasValue(run, bits));
  const known = ({ reads }: Ran): boolean => reads.every((bits) => there.hasValue(run, bits));
  const fresh = (step: Ran): boolean => step.reads.length > 1 && !there.hasApplied(run, step);
  const shape = shapeOf(run.program.code[steps[0]?.pc ?? 0]);
  const decides = shape === "branch" || shape === "compare" ? 1.2 : 0;
  return 1.5 * share((step) => foreign(step) && known(step)) + 0.5 * share(foreign) + 0.7 * share(fresh) + decides;
}

/** Steps between an instruction and what it is made for, up to which it is near. */
const NEAR = 8;

/** For each instruction that a step depends on: 4 for the step itself, less for steps further away. */
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

/** The steps that a step depends on, and the steps that decided branches before it. */
function sliceOf({ trace: { steps }, program }: OneRun, from: number): ReadonlySet<number> {
  const found = new Set<number>();
  const stack = [from];
  for (const [at, { pc, guardFrom }] of steps.entries()) {
    if (at > from) break;
    if (guardFrom !== undefined && shapeOf(program.code[pc]) === "branch") stack.push(at);
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
