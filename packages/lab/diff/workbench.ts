import type { Io } from "../../../src/environment/io.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { Source } from "../../../src/source/source.ts";
import { compareRuns } from "./compare.ts";
import type { SideName } from "./origin/explanation.ts";
import { Recorder } from "./origin/recorder.ts";
import type { Workbench } from "./origin/repair/repair.ts";
import { threadKey } from "./origin/step.ts";
import { type Ran, runSide, type SideOptions } from "./side.ts";

/** One of two programs, and its results. */
export interface Given {
  readonly source: Source;
  readonly options: SideOptions;
  readonly ran: Ran;
}

/**
 * Warp instructions of all trials of a program together: some seconds. Parsing this many characters counts as one
 * instruction.
 */
const MOST_STEPS = { a: 4_000_000, b: 15_000_000 };
const READING = 12;
/** Milliseconds after which no more is tried, on a busy machine. */
const LONGEST_TRIALS = 30_000;
/** The cost of beginning a launch, in warp instructions. */
const BEGINNING = 2000;
/** A trial may take this many times the steps of either program: an unoptimised one takes many more. */
const LONGEST = { other: 16, own: 4 };

/** Runs each of two programs with modified texts, within a budget. */
export function workbench(
  given: Readonly<Record<SideName, Given>>,
  plain: Readonly<Record<SideName, (bits: bigint) => bigint>>,
  io: Io,
  slicing: Slicing,
): Workbench {
  const left = { ...MOST_STEPS };
  let spent = 0;
  const end = slicing.now() + LONGEST_TRIALS;
  const run = async (side: SideName, text: string, watch?: (session: Session) => void) => {
    const [own, other] = side === "b" ? [given.b, given.a] : [given.a, given.b];
    const longest = Math.max(LONGEST.other * other.ran.steps, LONGEST.own * own.ran.steps);
    const options = { ...own.options, maxSteps: Math.min(own.options.maxSteps ?? longest, longest) };
    const source = new Source(own.source.name, text);
    const made = await runSide(source, options, io, slicing, watch && { session: watch, print: () => {} });
    const cost = BEGINNING + text.length / READING + (made.ran?.steps ?? 0);
    left[side] -= cost;
    spent += cost;
    if (made.ran?.signal !== undefined) Object.assign(left, { a: 0, b: 0 });
    return made.ran;
  };
  return {
    spent: () => spent,
    gives: async (side, text) => {
      // When the other program faults, every change that makes this one fault would be as good as any other.
      const { reason } = given[side === "a" ? "b" : "a"].ran.stop;
      if (left[side] <= 0 || reason === "trap" || slicing.now() > end) return undefined;
      const ran = await run(side, text);
      if (ran === undefined) return false;
      const { differences } = compareRuns(side === "a" ? ran : given.a.ran, side === "b" ? ran : given.b.ran, given.a.options.tolerance); // biome-ignore format: one row
      ran.session.close();
      return differences.length === 0;
    },
    trace: async (side, text, thread) => {
      let recorder: Recorder | undefined;
      const ran = await run(side, text, (session) => {
        recorder = new Recorder(session, [thread]);
        session.observe(recorder);
      });
      const trace = recorder?.finish().get(threadKey(thread));
      ran?.session.close();
      return ran === undefined || trace === undefined
        ? undefined
        : { program: ran.session.program, trace, plain: plain[side] };
    },
  };
}
