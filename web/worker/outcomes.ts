import { launchOf, limits } from "../../packages/memory-model/litmus/kernel/launch.ts";
import { endsIn, everyOutcome, type Outcome } from "../../packages/memory-model/litmus/kernel/outcomes.ts";
import { readLitmus } from "../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { readPublished } from "../../packages/memory-model/litmus/published/read-published.ts";
import { changeText, type Reason, reasonOf } from "../../packages/memory-model/litmus/reason.ts";
import { judge, prepare, type ReadyTest, statesOf } from "../../packages/memory-model/litmus/verdict.ts";
import type { Litmus } from "../../packages/memory-model/model/event.ts";
import type { Execution } from "../../packages/memory-model/model/outcome.ts";
import { pictureAsText } from "../../packages/memory-model/model/picture/text.ts";
import { repair } from "../../packages/memory-model/model/repair.ts";
import { isElementType } from "../../src/host/index.ts";
import { bytesOf } from "../../src/host/memory/element.ts";
import { number } from "../../src/present/value.ts";
import type { Diagnostic, Staged } from "../../src/source/diagnostic.ts";
import { isLitmus } from "../../src/source/litmus-mark.ts";
import { Source } from "../../src/source/source.ts";
import type { Outcomes, Problem, Text } from "../page/client.ts";
import { pageIo } from "./environment.ts";
import { problemOf } from "./problem.ts";
import type { Standing } from "./standing.ts";
import { buffersOf, bytesAt } from "./state.ts";

/** Executions that are examined, which takes seconds at most: nothing else is answered meanwhile. */
const bounds = { events: 2 * limits.operations, executions: 20_000 };

/** Elements of a buffer that are shown. */
const MOST_SHOWN = 16;

/** What was found last, row by row: who asks about a row is told an execution that ends so, and what would forbid it. */
let found: { readonly litmus: Litmus; readonly rows: readonly Row[] } | undefined;

interface Row {
  readonly execution: Execution;
  readonly ends: (execution: Execution) => boolean;
}

/** Every outcome of the launch that the memory model allows. */
export function outcomesOf(standing: Standing): Outcomes {
  found = undefined;
  const { source, options } = standing;
  const io = pageIo(() => {});
  const { value: launched, diagnostics } = launchOf(source, options, io);
  if (launched === undefined) return { ...none, problems: diagnostics.map((each) => problemOf(each, source)) };
  const { all, executions, complete, bounded, mixed } = everyOutcome(launched, bounds);
  const { litmus, shown } = launched;
  found = { litmus, rows: all.map((each) => ({ ...each, ends: (one) => endsIn(launched, each, one) })) };
  const faults = all.some((each) => each.faults.length > 0);
  const now = contentsNow(standing);
  return {
    ...none,
    title: `${plural(all.length, "outcome")} of ${plural(executions, "execution")}`,
    columns: [...shown.map(({ name }) => name), ...(faults ? ["fault"] : [])],
    rows: all.map((outcome) => ({
      cells: [
        ...shown.map(({ name, type }) => valuesText(outcome.memory.get(name) ?? [], type)),
        ...(faults ? [outcome.faults.join("; ")] : []),
      ],
      count: outcome.count,
      marked: now !== undefined && isNow(outcome, now),
    })),
    mark: "this run",
    notes: [
      ...(complete ? [] : ["There are more executions than were examined."]),
      ...(bounded ? [`Loops were followed for ${plural(limits.rounds, "round")}.`] : []),
      ...racesIn(
        mixed,
        all.some(({ execution }) => execution.races.length > 0),
      ),
    ],
  };
}

const none: Outcomes = { title: "", claims: [], columns: [], rows: [], mark: "", notes: [], problems: [] };

function racesIn(mixed: boolean, race: boolean): readonly string[] {
  if (mixed)
    return ["Undefined: accesses of different sizes are in a data race, and the model says nothing of such programs."];
  return race ? ["There is a data race: accesses that no order relates, and that are not morally strong."] : [];
}

/** What each buffer holds where the launch has ended, by elements. */
function contentsNow(standing: Standing): ReadonlyMap<string, readonly bigint[]> | undefined {
  if (standing.program.debugger.stop.reason !== "exit") return undefined;
  return new Map(
    buffersOf(standing).flatMap(({ name, type, space, address, bytes }): [string, bigint[]][] => {
      const held = space === "global" ? bytesAt(standing, space, address, bytes) : undefined;
      const each = isElementType(type) ? bytesOf(type) : 1;
      if (held === undefined) return [];
      const element = (at: number): bigint =>
        held.subarray(at * each, (at + 1) * each).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      return [[name, Array.from({ length: bytes / each }, (_, at) => element(at))]];
    }),
  );
}

const isNow = ({ memory, faults }: Outcome, now: ReadonlyMap<string, readonly bigint[]>): boolean =>
  faults.length === 0 && [...memory].every(([name, values]) => `${now.get(name)}` === `${values}`);

function valuesText(values: readonly bigint[], type: string): string {
  const some = values.slice(0, MOST_SHOWN).map((bits) => number(bits, type));
  return `${some.join(", ")}${values.length > MOST_SHOWN ? " …" : ""}`;
}

/** The final states of a litmus test, and whether what it claims of them is so. */
export function litmusOutcomes(text: Text): Outcomes {
  found = undefined;
  const { value: ready, diagnostics } = readTest(text);
  const source = new Source(text.name, text.text);
  if (ready === undefined) return { ...none, problems: diagnostics.map((each) => problemOf(each, source)) };
  const verdict = judge(ready, bounds);
  const { test } = ready;
  const { states, executions, complete, bounded, mixed, race } = verdict;
  const ends = (values: ReadonlyMap<string, bigint>) => (execution: Execution) =>
    [...statesOf(ready, execution)].some((each) => [...values].every(([name, value]) => each.get(name) === value));
  found = { litmus: test.litmus, rows: states.map(({ execution, values }) => ({ execution, ends: ends(values) })) };
  return {
    ...none,
    title: `${test.name}: ${plural(states.length, "final state")} of ${plural(executions, "execution")}`,
    claims: verdict.claims.map((claim) => ({
      text: `${claim.kind} ${claim.text}`,
      holds: claim.holds,
      why: whyText(reasonOf(ready, verdict, claim, bounds), test.litmus),
    })),
    columns: [...(states[0]?.values.keys() ?? [])],
    rows: states.map(({ values, count, meant }) => ({
      cells: [...values.values()].map((value) => (value < 1n << 32n ? `${value}` : `0x${value.toString(16)}`)),
      count,
      marked: meant,
    })),
    mark: "as the claim says",
    notes: [
      ...(test.description === "" ? [] : [test.description]),
      ...(complete ? [] : ["There are more executions than were examined."]),
      ...(bounded ? [`Loops were followed for ${plural(test.bound, "round")}.`] : []),
      ...racesIn(mixed, race !== undefined),
    ],
  };
}

/** What is wrong with a litmus test. */
export function litmusProblems(text: Text): readonly Problem[] {
  const source = new Source(text.name, text.text);
  return readTest(text).diagnostics.map((each) => problemOf(each, source));
}

function readTest({ name, text }: Text): Staged<ReadyTest | undefined> {
  const source = new Source(name, text);
  const { value, diagnostics } = isLitmus(text) ? readLitmus(source) : readPublished(source);
  if (value === undefined) return { value, diagnostics };
  const { ready, diagnostics: wrong } = prepare(value);
  return { value: ready, diagnostics: [...diagnostics, ...wrong] as readonly Diagnostic[] };
}

function whyText(reason: Reason | undefined, { threads }: Litmus): string | undefined {
  if (reason?.kind === "forbidden") return pictureAsText(reason.refused.execution, threads, reason.refused.forbidden);
  if (reason?.kind === "impossible") return "Nothing writes these values, whatever the axioms say.";
  return undefined;
}

/** An execution that ends in an outcome of those found last, by its row, and what would forbid it. */
export function outcomeDetail(row: number): string | undefined {
  const { litmus, rows } = found ?? {};
  const chosen = rows?.[row];
  if (litmus === undefined || chosen === undefined) return undefined;
  const changes = repair(litmus, bounds, chosen.ends, chosen.execution);
  const says =
    changes.length === 0
      ? ["No fence and no stronger instruction that was tried forbids it."]
      : ["What would forbid it:", ...changes.map((each) => `  ${changeText(each, litmus.threads)}`)];
  return `${pictureAsText(chosen.execution, litmus.threads)}\n${says.join("\n")}\n`;
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
