import { enumerate } from "../../model/enumerate.ts";
import type { Barrier } from "../../model/event.ts";
import type { Bounds, Execution } from "../../model/outcome.ts";
import type { Launched } from "./threads.ts";

/** A final state of a launch: the elements of each memory range that is shown, and faults. */
export interface Outcome {
  /** By the name of the memory, its elements in their order. */
  readonly memory: ReadonlyMap<string, readonly bigint[]>;
  readonly faults: readonly string[];
  /** How many executions end in it. */
  readonly count: number;
  /** The first of them. */
  readonly execution: Execution;
}

export interface Outcomes {
  readonly all: readonly Outcome[];
  readonly executions: number;
  /** False where the search left something out because of a bound. */
  readonly complete: boolean;
  /** Some loop was cut at its bound. */
  readonly bounded: boolean;
  readonly mixed: boolean;
}

/** Memory operations of a launch, counted with each thread alone and every read returning zero. */
export function operationsOf({ litmus }: Launched, most: number): number {
  let count = 0;
  for (const thread of litmus.threads) {
    const values: bigint[] = [];
    let trace = thread.run(values);
    while (trace.end === "asks" && values.length < most) {
      values.push(0n);
      trace = thread.run(values);
    }
    count += trace.events.filter(({ kind }) => kind === "read" || kind === "write").length;
  }
  return count;
}

/** All outcomes that the memory model allows. */
export function everyOutcome(launched: Launched, bounds: Bounds): Outcomes {
  const found = new Found(launched);
  const search = enumerate(launched.litmus, bounds);
  let step = search.next();
  for (; !step.done; step = search.next()) found.add(step.value);
  return { ...found.outcomes(), ...step.value };
}

class Found {
  readonly #launched: Launched;
  readonly #all = new Map<
    string,
    { memory: Map<string, bigint[]>; faults: string[]; count: number; execution: Execution }
  >();
  #executions = 0;

  constructor(launched: Launched) {
    this.#launched = launched;
  }

  outcomes(): { readonly all: readonly Outcome[]; readonly executions: number } {
    return { all: [...this.#all.values()], executions: this.#executions };
  }

  /** Adds an execution; where its last writes are unordered, each of them is an outcome. */
  add(execution: Execution): void {
    this.#executions++;
    const faults = faultsOf(this.#launched, execution);
    for (const memory of memoriesOf(this.#launched, execution)) {
      const key = keyOf({ memory, faults });
      const known = this.#all.get(key) ?? { memory, faults, count: 0, execution };
      known.count++;
      this.#all.set(key, known);
    }
  }
}

/** Whether an execution ends in an outcome. */
export function endsIn(launched: Launched, outcome: Pick<Outcome, "memory" | "faults">, execution: Execution): boolean {
  const faults = faultsOf(launched, execution);
  const wanted = keyOf(outcome);
  return memoriesOf(launched, execution).some((memory) => keyOf({ memory, faults }) === wanted);
}

const keyOf = ({ memory, faults }: Pick<Outcome, "memory" | "faults">): string =>
  JSON.stringify([[...memory.values()].map((values) => values.map(String)), faults]);

/** Faults, and threads that wait for ever. */
const faultsOf = ({ litmus: { threads } }: Launched, { traces }: Execution): string[] =>
  traces.flatMap(({ end, events }, i) => {
    if (end === "waits") return [`${threads[i]?.name}: waits for ever at ${(events.at(-1) as Barrier).text}`];
    return typeof end === "object" ? [`${threads[i]?.name}: ${end.fault}`] : [];
  });

/** What the memory may hold at the end of an execution. */
function memoriesOf({ shown }: Launched, execution: Execution): Map<string, bigint[]>[] {
  let memories: Map<string, bigint[]>[] = [new Map()];
  for (const { name, elements } of shown) {
    let choices: bigint[][] = [[]];
    for (const element of elements) {
      const values = execution.memory.get(element) ?? [0n];
      choices = choices.flatMap((before) => values.map((value) => [...before, value])).slice(0, mostChoices);
    }
    memories = memories
      .flatMap((before) => choices.map((values) => new Map(before).set(name, values)))
      .slice(0, mostChoices);
  }
  return memories;
}

/** Most outcomes that unordered last writes make of one execution. */
const mostChoices = 1024;
