import type { Executor } from "../../src/interp/state/executor.ts";
import { kernels, sample } from "./kernels.ts";
import type { Native } from "./native.ts";
import { digits, leastOfTurn, row, TURN } from "./time.ts";

/** The middle one; undefined of none. */
const median = (of: readonly number[]): number | undefined => [...of].sort((a, b) => a - b)[of.length >> 1];

/**
 * Whole kernels against the same arithmetic in C++: the least CPU milliseconds, and how many times those of the native side in the
 * same round, in the middle one: the machine's speed drifts from round to round. All take turns. Gives whether the last executor meets every target; without a native side there is none to meet.
 */
export async function measureKernels(
  part: string,
  executors: ReadonlyMap<string, Executor>,
  native: Native | undefined,
  targets: Readonly<Record<string, number>>,
  rounds: number,
): Promise<boolean> {
  let met = true;
  row("kernel", "C++ ms", ...[...executors.keys()].flatMap((name) => [`${name} ms`, "M/s", "ratio"]), "target");
  for (const [name, { instructions, checksum }] of Object.entries(kernels)) {
    if (!name.includes(part)) continue;
    const runs = [...executors].map(([, executor]) => sample(name, executor));
    for (const each of runs) {
      each.run();
      if (each.checksum() !== checksum) throw new Error(`${name}: checksum ${each.checksum()}, not ${checksum}`);
    }
    const own = runs.map(() => Number.POSITIVE_INFINITY);
    let other: number | undefined;
    const ratios = runs.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      let now: number | undefined;
      if (native !== undefined && targets[name] !== undefined) {
        const { seconds, checksum: theirs } = await native.run(name, TURN);
        if (theirs !== checksum) throw new Error(`${name}: the native checksum is ${theirs}, not ${checksum}`);
        now = seconds;
        other = Math.min(other ?? seconds, seconds);
      }
      for (const [at, { run }] of runs.entries()) {
        const time = leastOfTurn(run);
        own[at] = Math.min(own[at]!, time);
        if (now !== undefined) ratios[at]!.push(time / now);
      }
    }
    const target = targets[name];
    const found = ratios.map(median);
    const missed = target !== undefined && (found.at(-1) ?? 0) > target;
    if (missed) met = false;
    row(
      name,
      other === undefined ? "" : digits(other * 1000),
      ...own.flatMap((time, at) => [
        digits(time * 1000),
        digits(instructions / time / 1e6),
        found[at] === undefined ? "" : digits(found[at]),
      ]),
      target === undefined ? "" : String(target),
      missed ? "ABOVE" : "",
    );
  }
  return met;
}
