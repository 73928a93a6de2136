import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { enumerate } from "../model/enumerate.ts";
import type { Bounds, Execution, Watched } from "../model/outcome.ts";
import { alikeThreads } from "./alike.ts";
import { asksOfEnds, type Condition, type Term, termsOf, termText } from "./condition/condition.ts";
import { holds, type Lookup } from "./condition/evaluate.ts";
import { parseCondition } from "./condition/parse.ts";
import type { Claim, LitmusTest } from "./litmus-test.ts";

/** A claim with its condition, and whether it is true; undefined where a bound prevents a decision. */
export interface JudgedClaim {
  readonly kind: Claim["kind"];
  readonly condition: Condition;
  readonly text: string;
  readonly holds: boolean | undefined;
  /** Whether it speaks of no execution: none comes to its end, or the filter leaves none. Then `forall` does not hold. */
  readonly vacuous?: boolean;
  /** Whether the manual leaves the outcome open that the axioms forbid here (PTX ISA 8.10.4). */
  readonly leftOpen?: true;
}

/** A final state, reduced to the registers and memory that the test names, and the executions that end in it. */
export interface FinalState {
  readonly values: ReadonlyMap<string, bigint>;
  /** Threads that wait for ever, by name: a deadlock, of which only claims speak that ask for it. */
  readonly waiting: readonly string[];
  /** Threads that loop for ever, by name. */
  readonly looping: readonly string[];
  readonly count: number;
  /** The first such execution. */
  readonly execution: Execution;
  /** Whether the condition of the first claim is true of it. */
  readonly meant: boolean;
}

/** The result of a test. */
export interface Verdict {
  readonly states: readonly FinalState[];
  readonly executions: number;
  readonly claims: readonly JudgedClaim[];
  /** Whether all claims are as stated; undefined where a bound prevents a decision. */
  readonly holds: boolean | undefined;
  /** Every execution was examined. */
  readonly complete: boolean;
  /** Some threads were stopped in a loop: the result holds within that bound. */
  readonly bounded: boolean;
  /** Some execution has a data race of operations of different sizes: the program is undefined (PTX ISA 8.7.2). */
  readonly mixed: boolean;
  /** A data race in some execution (PTX ISA 8.7.1). */
  readonly race: Execution | undefined;
  /** Threads, by name, that may be exchanged: a state stands for those in which they are. */
  readonly alike: readonly (readonly string[])[];
}

/** A test with its conditions read; its diagnostics are errors of the conditions. */
export interface ReadyTest {
  readonly test: LitmusTest;
  readonly claims: readonly Omit<JudgedClaim, "holds" | "vacuous">[];
  readonly filter: Condition | undefined;
  /** The terms that distinguish states. */
  readonly terms: readonly Term[];
}

/** Reads the conditions of a test. */
export function prepare(test: LitmusTest): { readonly ready?: ReadyTest; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const read = (span: Claim["condition"]): Condition | undefined => {
    const { value, diagnostics: wrong } = parseCondition(test.source, span);
    diagnostics.push(...wrong);
    if (value) for (const term of termsOf(value)) diagnostics.push(...unknown(test, term));
    return value;
  };
  const claims: ReadyTest["claims"][number][] = [];
  for (const { kind, condition: span } of test.claims) {
    const condition = read(span);
    const text = test.source.text.slice(span.start, span.end).replaceAll(/\s+/g, " ");
    if (condition) claims.push({ kind, condition, text });
  }
  const filter = test.filter ? read(test.filter) : undefined;
  if (diagnostics.length > 0) return { diagnostics };
  const all = [...claims.map(({ condition }) => condition), ...(filter ? [filter] : [])].flatMap(termsOf);
  const terms = [...new Map(all.map((term) => [termText(term), term])).values()].filter(
    ({ kind }) => kind === "register" || kind === "memory",
  );
  return { ready: { test, claims, filter, terms }, diagnostics };
}

/** A name in a condition that the test does not have. */
function unknown(test: LitmusTest, term: Term): Diagnostic[] {
  const { threads, initial } = test.litmus;
  const wrong = (message: string, expected: string): Diagnostic[] => [
    {
      code: "PTX1902",
      severity: "error",
      message,
      source: test.source,
      span: term.kind === "number" ? { start: 0, end: 0 } : term.span,
      expected,
    },
  ];
  if (term.kind === "register") {
    if (!threads.some(({ name }) => name === term.thread))
      return wrong(`there is no thread ${term.thread}`, threads.map(({ name }) => name).join(", "));
    const registers = test.registers?.get(term.thread);
    if (registers && !registers.has(term.name))
      return wrong(
        `${term.thread} has no register ${term.name}`,
        [...registers].join(", ") || "a register that it writes",
      );
  }
  if (term.kind === "memory" || term.kind === "address") {
    const names = test.memory ?? new Map(initial.map(({ location: { name } }) => [name, name]));
    if (!names.has(term.name))
      return wrong(`there is no memory ${term.name}`, [...names.keys()].slice(0, 8).join(", "));
  }
  return [];
}

/** The final states of one execution: several where the last writes to a location are unordered. */
export function* statesOf({ test, terms }: ReadyTest, execution: Execution): Generator<Map<string, bigint>> {
  let states: Map<string, bigint>[] = [new Map()];
  for (const term of terms) {
    const name = termText(term);
    const values = valuesOf(test, term, execution);
    const [value] = values;
    if (values.length === 1 && value !== undefined) for (const state of states) state.set(name, value);
    else states = states.flatMap((state) => values.map((each) => new Map(state).set(name, each)));
  }
  yield* states;
}

function valuesOf(test: LitmusTest, term: Term, execution: Execution): readonly bigint[] {
  if (term.kind === "register") {
    const thread = test.litmus.threads.findIndex(({ name }) => name === term.thread);
    return [execution.traces[thread]?.registers.get(term.name) ?? 0n];
  }
  if (term.kind !== "memory") return [0n];
  return execution.memory.get(test.memory?.get(term.name) ?? term.name) ?? [0n];
}

/** Looks up the terms of a condition in a final state. */
export const lookup =
  (
    test: LitmusTest,
    state: ReadonlyMap<string, bigint>,
    { waiting, looping }: Pick<Execution, "waiting" | "looping">,
  ): Lookup =>
  (term) => {
    if (term.kind === "endless") return BigInt(waiting.length + looping.length);
    if (term.kind === "address") return test.addresses?.get(term.name) ?? 0n;
    return term.kind === "waiting" ? BigInt(waiting.length) : (state.get(termText(term)) ?? 0n);
  };

/** Whether a condition speaks of an execution: of one that does not end only where it asks for that. */
export const speaksOf = (condition: Condition, { waiting, looping }: Pick<Execution, "waiting" | "looping">): boolean =>
  waiting.length + looping.length === 0 || asksOfEnds(condition);

/** The memory and the registers that the conditions of a test name. */
function watchedOf({ test, terms }: ReadyTest): Watched {
  const memory = terms.flatMap((term) => (term.kind === "memory" ? [test.memory?.get(term.name) ?? term.name] : []));
  const named = (thread: string): string[] =>
    terms.flatMap((term) => (term.kind === "register" && term.thread === thread ? [term.name] : []));
  return {
    memory: new Set(memory),
    registers: test.litmus.threads.map(({ name }) => new Set(named(name))),
  };
}

/** Runs a test through all its executions. */
export function judge(ready: ReadyTest, bounds: Bounds): Verdict {
  const { test, claims, filter } = ready;
  const states = new Map<
    string,
    { values: Map<string, bigint>; count: number; execution: Execution; truths: (boolean | undefined)[] }
  >();
  let executions = 0;
  let race: Execution | undefined;
  const loops = claims.some(({ condition }) => asksOfEnds(condition));
  const alike = alikeThreads(test.litmus, [...claims.map(({ condition }) => condition), ...(filter ? [filter] : [])]);
  const search = enumerate(test.litmus, { ...bounds, watched: watchedOf(ready), loops, alike });
  let step = search.next();
  for (; !step.done; step = search.next()) {
    const execution = step.value;
    for (const values of statesOf(ready, execution)) {
      const state = lookup(test, values, execution);
      if (filter && !holds(filter, state)) continue;
      const key = `${[...values.values()].join()} ${execution.waiting.join()} ${execution.looping.join()}`;
      const known = states.get(key);
      const truth = ({ condition }: Pick<JudgedClaim, "condition">): boolean | undefined =>
        speaksOf(condition, execution) ? holds(condition, state) : undefined;
      if (known) known.count++;
      else states.set(key, { values, count: 1, execution, truths: claims.map(truth) });
    }
    executions++;
    if (race === undefined && execution.races.length > 0) race = execution;
  }
  const { complete, bounded, mixed } = step.value;
  const found = [...states.values()];
  const judged = claims.map(({ kind, condition, text }, i): JudgedClaim => {
    const some = found.some(({ truths }) => truths[i]);
    const all = found.every(({ truths }) => truths[i] !== false);
    const vacuous = complete && !bounded && found.every(({ truths }) => truths[i] === undefined);
    const speaks = !(vacuous && kind === "forall");
    return { kind, condition, text, holds: speaks && decided(kind, some, all, complete), vacuous };
  });
  const open = judged.some((claim) => claim.holds === undefined);
  return {
    states: found
      .map(({ values, count, execution, truths }) => ({
        values,
        waiting: execution.waiting.map((thread) => test.litmus.threads[thread]?.name ?? ""),
        looping: execution.looping.map((thread) => test.litmus.threads[thread]?.name ?? ""),
        count,
        execution,
        meant: truths[0] === true,
      }))
      .sort(inOrder),
    executions,
    claims: judged,
    holds: judged.some((claim) => claim.holds === false) ? false : open ? undefined : true,
    complete,
    bounded,
    mixed,
    race,
    alike: alike.map((threads) => threads.map((thread) => test.litmus.threads[thread]?.name ?? "")),
  };
}

/**
 * Decides a claim: a state that fulfils the condition decides `exists`, one that contradicts it the
 * others; everything else needs all executions.
 */
function decided(kind: Claim["kind"], some: boolean, all: boolean, complete: boolean): boolean | undefined {
  if (kind === "exists") return some || (complete ? false : undefined);
  const contradicted = kind === "never" ? some : !all;
  return contradicted ? false : complete ? true : undefined;
}

/** Final states by their values, then those that do not end, by who waits or loops. */
function inOrder(a: FinalState, b: FinalState): number {
  for (const who of ["looping", "waiting"] as const) {
    const order = a[who].length - b[who].length || a[who].join().localeCompare(b[who].join());
    if (order !== 0) return order;
  }
  for (const [name, value] of a.values) {
    const other = b.values.get(name) ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
