import type { ThreadId } from "../../../../../src/interp/contract/launch/thread-id.ts";
import type { Program } from "../../../../../src/interp/contract/program.ts";
import { events } from "../course.ts";
import type { Explanation, Hop, Repair, Repairs, SideName } from "../explanation.ts";
import type { OneRun } from "../follow.ts";
import type { Ran } from "../step.ts";
import { trialsOf } from "../suspects.ts";
import { applied } from "../things.ts";
import type { Trial } from "./trial.ts";

/**
 * How much two runs of a thread have in common: their effects on memory, the values that either one makes, and, with
 * little weight because compilers differ most in that, operations with their operands.
 */
function likeness(run: OneRun, other: OneRun): number {
  const [done, doneThere] = [eventsOf(run), eventsOf(other)];
  const [made, madeThere] = [valuesOf(run), valuesOf(other)];
  const same = share(appliedOf(run), appliedOf(other));
  return share(done, doneThere) * share(doneThere, done) + share(made, madeThere) + share(madeThere, made) + same / 8;
}

const eventsOf = (run: OneRun): ReadonlySet<string> => new Set(events(run).map(({ key }) => key));

function valuesOf({ trace: { steps }, plain }: OneRun): ReadonlySet<bigint> {
  return new Set(steps.flatMap(({ results }) => results.map(plain)));
}

/** Operations on two operands or more; predicates are left out, because compilers invert them freely. */
function appliedOf(run: OneRun): ReadonlySet<string> {
  const tells = ({ reads, results }: Ran): boolean => reads.length > 1 && results.some((bits) => bits > 1n);
  return new Set(run.trace.steps.filter(tells).map((step) => applied(run, step)));
}

function share<T>(list: ReadonlySet<T>, there: ReadonlySet<T>): number {
  if (list.size === 0) return 1;
  let common = 0;
  for (const each of list) if (there.has(each)) common++;
  return common / list.size;
}

/** Runs modified programs. */
export interface Workbench {
  /** Whether a text in place of one of the programs makes both agree; nothing when no more may be tried. */
  gives(side: SideName, text: string): Promise<boolean | undefined>;
  /** The cost of all trials so far, in warp instructions. */
  spent(): number;
  /** The trace of a thread in the modified program. */
  trace(side: SideName, text: string, thread: ThreadId): Promise<OneRun | undefined>;
}

/** Changes of one program that are tried at most. */
const MOST_TRIED = 2000;
/**
 * Trials after the first that helps, as another may be likelier: at least this many, and until they have cost this
 * much.
 */
const FEWEST = 8;
const MORE = 1_000_000;
/** The weight of a change so likely that few others are tried. */
const CLEAR = 2.5;
/** Helping changes that are examined, and instructions that they change. */
const MOST_KEPT = 16;
const MOST_PLACES = 6;

/**
 * Looks for one instruction whose change makes both programs agree, in the second program and then in the first. That
 * the found change does so is certain; with several, whether it is the one a person would make is not.
 */
export async function repairsOf(
  { hops }: Explanation,
  programs: Readonly<Record<SideName, Program>>,
  bench: Workbench,
): Promise<Repairs | undefined> {
  const last = hops.at(-1);
  if (last === undefined) return undefined;
  let tried = 0;
  for (const side of ["b", "a"] as const) {
    const [own, other] = side === "b" ? [programs.b, programs.a] : [programs.a, programs.b];
    const found = await search(trialsOf(hops, side, own, other), side, own, bench);
    tried += found.tried;
    const repairs = await ranked(found.helping, side, own, last, bench);
    const [first, ...others] = repairs;
    if (first !== undefined) return { first, others, tried };
  }
  return undefined;
}

interface Found {
  readonly helping: readonly Trial[];
  readonly tried: number;
}

async function search(trials: readonly Trial[], side: SideName, program: Program, bench: Workbench): Promise<Found> {
  const helping: Trial[] = [];
  const places = new Set<number>();
  let tried = 0;
  let first: { readonly at: number; readonly spent: number; readonly clear: boolean } | undefined;
  const tryOut = async (trial: Trial): Promise<boolean> => {
    tried++;
    const helps = await bench.gives(side, changedText(program, trial));
    if (helps !== true) return helps === false;
    helping.push(trial);
    places.add(trial.pc);
    return true;
  };
  for (const [at, trial] of trials.entries()) {
    if (at >= MOST_TRIED || places.size >= MOST_PLACES || helping.length >= MOST_KEPT) break;
    if (first !== undefined && at - first.at > FEWEST && (first.clear || bench.spent() - first.spent > MORE)) break;
    if (!(await tryOut(trial))) break;
    if (helping.length > 0) first ??= { at, spent: bench.spent(), clear: trial.weight >= CLEAR };
  }
  // Inverting a decision can be done in the comparison as well as in the branch.
  for (const { pc, decides } of [...helping])
    if (decides)
      for (const trial of trials)
        if (trial.decides && trial.tier === 0 && !places.has(trial.pc) && Math.abs(trial.pc - pc) <= NEAR)
          if (!(await tryOut(trial))) return { helping, tried };
  return { helping, tried };
}

/** Instructions between a comparison and its branch. */
const NEAR = 8;

const changedText = ({ source, code }: Program, { pc, text }: Trial): string => {
  const { start, end } = code[pc]?.span ?? { start: 0, end: 0 };
  return source.text.slice(0, start) + text + source.text.slice(end);
};

/** Ranks changes by how similar the thread's trace becomes to the other program's, and among equals by custom. */
async function ranked(
  trials: readonly Trial[],
  side: SideName,
  program: Program,
  { thread, both }: Hop,
  bench: Workbench,
): Promise<readonly Repair[]> {
  const found: { readonly repair: Repair; readonly like: number; readonly usual: number }[] = [];
  for (const trial of trials) {
    const run = await bench.trace(side, changedText(program, trial), thread);
    if (run === undefined) continue;
    const like = likeness(run, side === "b" ? both.a : both.b);
    found.push({ repair: { side, pc: trial.pc, instead: trial.text, run }, like, usual: usual(program, trial) });
  }
  found.sort((one, two) => (Math.abs(one.like - two.like) > ALIKE ? two.like - one.like : two.usual - one.usual));
  const best = new Map<number, Repair>();
  for (const { repair } of found) if (!best.has(repair.pc)) best.set(repair.pc, repair);
  return [...best.values()];
}

/** Runs whose similarity differs by less than this are equally likely. */
const ALIKE = 1e-9;

/** An inverted guard stands out where few are: 1 where the change removes it, -1 where it adds it. */
function usual({ code }: Program, { what, pc }: Trial): number {
  if (what !== "guard") return 0;
  const guards = code.flatMap(({ guard }, at) => (guard === undefined || at === pc ? [] : [guard.negated]));
  const rare = guards.filter((negated) => negated).length * 2 <= guards.length;
  return code[pc]?.guard?.negated === rare ? 1 : -1;
}
