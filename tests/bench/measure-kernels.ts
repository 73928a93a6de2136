import type { Executor } from "../../src/interp/state/executor.ts";
import { kernels, sample } from "./kernels.ts";
import type { Native } from "./native.ts";
import { digits, leastOfTurn, row, TURN } from "./time.ts";

/**
 * Whole kernels against the same arithmetic in C++: CPU milliseconds, and how many times those of the native side. All take
 * turns. Gives whether the last executor meets every target; without a native side there is none to meet.
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
    for (let round = 0; round < rounds; round++) {
      if (native !== undefined && targets[name] !== undefined) {
        const { seconds, checksum: theirs } = await native.run(name, TURN);
        if (theirs !== checksum) throw new Error(`${name}: the native checksum is ${theirs}, not ${checksum}`);
        other = Math.min(other ?? seconds, seconds);
      }
      for (const [at, { run }] of runs.entries()) own[at] = Math.min(own[at]!, leastOfTurn(run));
    }
    const target = targets[name];
    const missed = other !== undefined && target !== undefined && own.at(-1)! / other > target;
    if (missed) met = false;
    row(
      name,
      other === undefined ? "" : digits(other * 1000),
      ...own.flatMap((time) => [
        digits(time * 1000),
        digits(instructions / time / 1e6),
        other === undefined ? "" : digits(time / other),
      ]),
      target === undefined ? "" : String(target),
      missed ? "ABOVE" : "",
    );
  }
  return met;
}
