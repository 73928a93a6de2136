import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../../src/interp/contract/operand.ts";
import { fenceOf, meetingOf, writtenBy } from "../../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../../src/interp/contract/program.ts";
import { threadIndex } from "../../../../src/launch/extents.ts";
import { hex } from "../../../../src/present/value.ts";
import { namesOf } from "./channels.ts";
import { mapCode } from "./code-map.ts";
import { type Explanation, type Hop, NEARLY, type Repair, type Repairs } from "./explanation.ts";
import { type OneRun, pathBack } from "./follow.ts";
import { leaves, type Ran } from "./step.ts";

/** The cause of a difference, as plain data: `--json` prints it, and the text is made from it. */
export interface Cause {
  /** Differing writes by the same instructions are one. */
  readonly writes: readonly CauseWrite[];
  /** From the write backwards, a thread at a time; the last is where the runs agree again. */
  readonly threads: readonly CauseThread[];
  /** Where it begins. */
  readonly origin?: CauseOrigin;
  /** Why no beginning was found. */
  readonly end?: "order" | "long" | "unknown";
  /** Where writes are in another order: barriers and fences that only one program has. */
  readonly only?: { readonly a: readonly DescribedLine[]; readonly b: readonly DescribedLine[] };
}

export interface CauseWrite {
  readonly name: string;
  readonly block: number;
  readonly thread: number;
  /** Other threads that differ by the same instructions. */
  readonly more: number;
  readonly kind: "write" | "order";
  readonly a?: DescribedLine;
  readonly b?: DescribedLine;
}

/** An instruction of a program. */
export interface DescribedLine {
  readonly line: number;
  /** Of the `.cu` text, where `.loc` says it. */
  readonly location?: string;
  readonly text: string;
}

/** What a thread did at an instruction. */
export interface Step extends DescribedLine {
  readonly operands: readonly Scalar[];
  readonly results: readonly Scalar[];
}

export interface Scalar {
  readonly name: string;
  readonly bits: string;
}

export interface CauseThread {
  readonly block: number;
  readonly thread: number;
  /** What the difference came from: a step of this thread, memory that another wrote, or another lane. */
  readonly kind: "here" | "memory" | "lanes";
  /** The steps from there on, of each program. */
  readonly a: readonly Step[];
  readonly b: readonly Step[];
}

export interface CauseOrigin {
  readonly why: "operation" | "operand" | "guard" | "course" | "only";
  readonly block: number;
  readonly thread: number;
  readonly a?: Step;
  readonly b?: Step;
  /**
   * How that was found: by walking both programs step by step, which is certain; by a change of the instruction that
   * makes both programs agree; or by values alone, and then it may be a nearby instruction.
   */
  readonly by: "steps" | "change" | "values";
  /** Changes of one instruction that make both programs agree, the likeliest first. */
  readonly changes?: readonly CauseChange[];
}

/** An instruction, and its replacement. */
export interface CauseChange extends DescribedLine {
  readonly program: "a" | "b";
  readonly instead: string;
}

/** Steps of a derivation that are listed: those next to the origin. */
const MAX_DESCRIBED = 6;

export function describe({ writes, hops, end, repairs }: Explanation, a: Program, b: Program): Cause {
  const last = hops.at(-1);
  const threads = hops.map((hop): CauseThread => {
    const { from, both } = hop;
    const ways = (from.kind === "here" ? from.way : undefined) ?? {};
    const begin = (from.kind === "here" ? from.branch : undefined) ?? hop.begin;
    return { ...numbered(hop.thread, a), kind: from.kind, a: told(both.a, ways.a) ?? way(both.a, from.a, begin.a), b: told(both.b, ways.b) ?? way(both.b, from.b, begin.b) }; // biome-ignore format: one row
  });
  return {
    writes: writes.map(({ name, culprit, more }) => ({
      name,
      ...numbered((culprit.b ?? culprit.a)?.thread ?? { block: 0, warp: 0, lane: 0 }, a),
      more,
      kind: culprit.kind,
      ...(culprit.a === undefined ? {} : { a: lineOf(a, culprit.a.pc) }),
      ...(culprit.b === undefined ? {} : { b: lineOf(b, culprit.b.pc) }),
    })),
    threads,
    ...(last?.from.kind === "here"
      ? { origin: { ...originOf(last, last.from), ...certainty(last, repairs, a, b) } }
      : {}),
    ...(end === undefined ? {} : { end }),
    ...(end === "order" ? { only: onlyIn(a, b) } : {}),
  };
}

function onlyIn(a: Program, b: Program): NonNullable<Cause["only"]> {
  const map = mapCode(a, b);
  const lone = (program: Program, known: ReadonlyMap<number, number>) =>
    program.code.flatMap(({ plan }, pc) =>
      !known.has(pc) && (meetingOf(plan) !== undefined || fenceOf(plan) !== undefined) ? [lineOf(program, pc)] : [],
    );
  return map.alike < 0.5 ? { a: [], b: [] } : { a: lone(a, map.forth), b: lone(b, map.back) };
}

function certainty(
  { both }: Hop,
  repairs: Repairs | undefined,
  a: Program,
  b: Program,
): Pick<CauseOrigin, "by" | "changes"> {
  if (repairs === undefined) return { by: both.map.alike >= NEARLY ? "steps" : "values" };
  const change = ({ side, pc, instead }: Repair): CauseChange => ({
    ...lineOf(side === "a" ? a : b, pc),
    program: side,
    instead: instead.replace(/\s+/g, " "),
  });
  return { by: "change", changes: [repairs.first, ...repairs.others].map(change) };
}

function originOf({ thread, both }: Hop, { why, a, b }: Hop["from"] & { readonly kind: "here" }) {
  const [one, other] = [stepAt(both.a, a), stepAt(both.b, b)];
  return { why, ...numbered(thread, both.a.program), ...(one && { a: one }), ...(other && { b: other }) };
}

const numbered = (thread: ThreadId, program: Program) => ({
  block: thread.block,
  thread: threadIndex(thread, program),
});

const told = (run: OneRun, steps: readonly number[] | undefined): readonly Step[] | undefined =>
  steps === undefined || steps.length === 0 ? undefined : steps.flatMap((at) => stepAt(run, at) ?? []);

function way(run: OneRun, from: number | undefined, begin: number | undefined): readonly Step[] {
  if (from === undefined) return [];
  const path = begin === undefined ? [] : pathBack(run.trace, begin, from);
  return (path.length === 0 ? [from] : path.slice(0, MAX_DESCRIBED)).flatMap((at) => stepAt(run, at) ?? []);
}

function stepAt({ trace, program }: OneRun, at: number | undefined): Step | undefined {
  const step = at === undefined ? undefined : trace.steps[at];
  return step && { ...lineOf(program, step.pc), ...scalarsOf(program, step) };
}

/** An instruction's place and text. */
export function lineOf({ source, code }: Program, pc: number): DescribedLine {
  const { span, location } = code[pc] ?? { span: { start: 0, end: 0 }, location: undefined };
  return {
    line: source.position(span.start).line,
    ...(location === undefined ? {} : { location: `${location.file}:${location.line}` }),
    text: source.text.slice(span.start, span.end).replace(/\s+/g, " "),
  };
}

function scalarsOf(program: Program, { pc, reads, results }: Ran): Pick<Step, "operands" | "results"> {
  const instruction = program.code[pc];
  if (instruction === undefined) return { operands: [], results: [] };
  const { plan, operands } = instruction;
  if (plan.shape === "channels") return elementsOf(program, pc, plan, reads, results);
  const count = writtenBy(plan);
  const named = (list: readonly bigint[], from: readonly Operand[]) =>
    list.flatMap((bits, at): Scalar[] => {
      const operand = from[at];
      if (operand === undefined) return [];
      const width = operand.kind === "predicate" ? 1 : operand.kind === "slot" ? operand.bits : 64;
      return [{ name: registerName(program, operand), bits: hex(bits, width) }];
    });
  return {
    operands: named(reads, operands.slice(count).flatMap(leaves)),
    results: named(results, operands.slice(0, count).flatMap(leaves)),
  };
}

/** The elements of a channel that were read and written, by the names of their variables in the line. */
function elementsOf(
  program: Program,
  pc: number,
  plan: Program["code"][number]["plan"] & { readonly shape: "channels" },
  reads: readonly bigint[],
  results: readonly bigint[],
): Pick<Step, "operands" | "results"> {
  const names = namesOf(program, plan, lineOf(program, pc).text);
  // Immediates and predicates among them have no variable: then the names do not fit.
  const named = (list: readonly bigint[], of: readonly string[], widths: readonly number[]) =>
    list.length === of.length
      ? list.map((bits, at): Scalar => ({ name: of[at] ?? "", bits: hex(bits, widths[at] ?? 32) }))
      : [];
  const widths = (accesses: typeof plan.loads) => accesses.map(({ cell }) => cell.bits);
  return {
    operands: named(reads, names.reads, widths(plan.loads)),
    results: named(results, names.writes, widths(plan.stores)),
  };
}

/** The register's name; an address in brackets; nothing for a constant. */
function registerName({ registers, functions }: Program, operand: Operand): string {
  if (operand.kind === "address") return operand.base === undefined ? "[]" : `[${registerName({ registers, functions } as Program, operand.base)}]`; // biome-ignore format: one row
  if (operand.kind !== "slot" && operand.kind !== "predicate") return "";
  const bank = operand.kind === "slot" ? operand.bank : "p";
  const all = [...registers, ...functions.flatMap(({ registers }) => registers)];
  return all.find((each) => each.bank === bank && each.slot === operand.slot)?.name ?? "";
}
