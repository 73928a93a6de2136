import { shapeOf } from "./channels.ts";
import { type Decision, partings } from "./course.ts";
import type { Both, From, OneRun } from "./follow.ts";
import type { Ran } from "./step.ts";

/** A float operation with operands and result, which compilers do not split; nothing for other steps. */
function application({ program }: OneRun, { pc, reads, results }: Ran): string | undefined {
  const instruction = program.code[pc];
  if (instruction?.plan.shape !== "compute" || results.length === 0) return undefined;
  const [mnemonic = "", ...modifiers] = instruction.opcode.split(".");
  const type = modifiers.find((each) => each === "f32" || each === "f64" || each === "f16" || each === "f16x2");
  if (type === undefined || mnemonic === "cvt" || mnemonic === "neg") return undefined;
  return `${mnemonic}.${type} ${[...reads].sort().join(" ")} gives ${results.join(" ")}`;
}

/**
 * Where a run first departs from the other one, in programs with different instructions. A step is foreign when the
 * other run never has its result; for floats, when the other run never computes that result of the same operands. From
 * the differing write backwards over foreign steps, the origins are those without a foreign step before them. Where
 * the value itself is not foreign, the branch conditions are searched.
 */
export function frontier(both: Both, begin: { readonly a?: number; readonly b?: number }): From | undefined {
  const { a, b } = both;
  const [ofA, ofB] = [new Known(a), new Known(b)];
  const inA = beginning(a, ofB, begin.a);
  const inB = beginning(b, ofA, begin.b);
  const ways = partings(both);
  const course = isFirst(ways.b, inB) || (inB === undefined && isFirst(ways.a, inA));
  if (course || (begin.b === undefined && begin.a !== undefined && ways.b !== undefined)) return parted(ways);
  if (inA === undefined && inB === undefined) return undefined;
  return fromMemory(both, inA, inB) ?? { kind: "here", why: "operation", ...only(inA, inB) };
}

const only = (a: number | undefined, b: number | undefined) => ({
  ...(a === undefined ? {} : { a }),
  ...(b === undefined ? {} : { b }),
});

/** Whether a branch came before the first foreign step. */
const isFirst = (decision: Decision | undefined, foreign: number | undefined): boolean =>
  decision !== undefined && (foreign === undefined || (decision.at !== undefined && decision.at < foreign));

const parted = ({ a, b }: ReturnType<typeof partings>): From => ({
  kind: "here",
  why: "course",
  ...only(a?.maker, b?.maker),
  branch: only(a?.branch, b?.branch),
  way: { ...(a?.way && { a: a.way }), ...(b?.way && { b: b.way }) },
});

/** The values, operations and addresses of a thread of a run. */
class Known {
  readonly #values = new Set<bigint>();
  readonly #applied = new Set<string>();
  readonly #touched = new Set<string>();

  constructor(run: OneRun) {
    for (const step of run.trace.steps) {
      for (const bits of [...step.results, ...step.reads]) this.#values.add(run.plain(bits));
      const applied = application(run, step);
      if (applied !== undefined) this.#applied.add(applied);
      for (const word of writtenWords(run, step)) this.#touched.add(word);
    }
  }

  /** Whether this run accesses the same memory: each compiler computes the address in its way. */
  reaches(run: OneRun, step: Ran): boolean {
    const [word] = writtenWords(run, step);
    return isOwn(step) || (word !== undefined && this.#touched.has(word));
  }

  /** Whether a step of the other run has a result or effect that this one never has. */
  lacks(run: OneRun, step: Ran): boolean {
    const applied = application(run, step);
    if (applied !== undefined) return !this.#applied.has(applied);
    return step.results.some((bits) => !this.#values.has(run.plain(bits)));
  }
}

/** The earliest origin before a step; or else before the first branch that has one. */
function beginning(run: OneRun, other: Known, begin: number | undefined): number | undefined {
  const { steps } = run.trace;
  const foreign = new Map<number, boolean>();
  const isForeign = (at: number): boolean => {
    const known = foreign.get(at);
    if (known !== undefined) return known;
    const found = other.lacks(run, steps[at] as Ran);
    foreign.set(at, found);
    return found;
  };
  const seen = new Set<number>();
  const behind = (root: number): number | undefined => {
    let earliest: number | undefined;
    const stack = [root];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = steps[at] as Ran;
      // A step that only passes a value on, or makes a predicate, is no origin itself.
      const addressed = step.access !== undefined && other.reaches(run, step);
      const from = addressed ? step.from.slice(1) : step.from;
      const makers = [...from, step.guardFrom].filter((each) => each !== undefined && each < at) as number[];
      const next = makers.filter((each) => isForeign(each) || passes(run, each));
      stack.push(...next);
      if (next.every((each) => !isForeign(each)) && isForeign(at) && !passes(run, at))
        earliest = Math.min(earliest ?? at, at);
    }
    return earliest;
  };
  const direct = begin === undefined ? undefined : behind(begin);
  if (direct !== undefined) return direct;
  for (const [at, { guardFrom }] of steps.entries()) {
    if (guardFrom === undefined || shapeOf(run.program.code[steps[at]?.pc ?? 0]) !== "branch") continue;
    const found = behind(guardFrom);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Moves, stores, accesses of the thread's own memory, and what makes predicates. */
function passes({ program, trace }: OneRun, at: number): boolean {
  const step = trace.steps[at] as Ran;
  const shape = shapeOf(program.code[step.pc]);
  if (shape === "move" || shape === "address" || shape === "store" || shape === "compare" || shape === "test")
    return true;
  return shape === "load" && isOwn(step);
}

const writtenWords = ({ plain }: OneRun, { access }: Ran): readonly string[] =>
  access === undefined || access.space === "local" || access.space === "param"
    ? []
    : Array.from(
        { length: Math.ceil(access.bytes / 4) },
        (_, word) => `${access.space} ${plain(access.address) + BigInt(4 * word)}`,
      );

const isOwn = ({ access }: Ran): boolean =>
  access === undefined || access.space === "local" || access.space === "param";

/** Loads of one place that return different values in both runs: another thread has stored it. */
function fromMemory({ a, b }: Both, inA: number | undefined, inB: number | undefined): From | undefined {
  const loads = (run: OneRun, at: number | undefined) => {
    const step = at === undefined ? undefined : run.trace.steps[at];
    return step?.access?.how === "load" && !isOwn(step) ? step : undefined;
  };
  const same = (run: OneRun, key: string) =>
    run.trace.steps.findIndex((step) => step.access?.how === "load" && keyOf(run, step) === key);
  const keyOf = ({ plain }: OneRun, { access }: Ran) => `${access?.space} ${access && plain(access.address)}`;
  const [one, other] = [loads(a, inA), loads(b, inB)];
  if (other !== undefined && inB !== undefined) {
    const at = same(a, keyOf(b, other));
    if (at >= 0) return { kind: "memory", a: at, b: inB };
  }
  if (one !== undefined && inA !== undefined) {
    const at = same(b, keyOf(a, one));
    if (at >= 0) return { kind: "memory", a: inA, b: at };
  }
  return undefined;
}
