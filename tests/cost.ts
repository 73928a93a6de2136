import { calibrate } from "./bench/calibration.ts";

/** A machine that does other things as well makes a piece of work dearer now and then, and never cheaper: it is tried again. */
const ATTEMPTS = 8;

/** CPU microseconds of this process, its threads and all, for a piece of work. */
async function spent(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

let known: Promise<number> | undefined;
/** CPU microseconds of the loop that `cost` counts in: the least of some, measured once in a process. */
export const unit = (): Promise<number> => {
  known ??= leastOf(4, calibrate);
  return known;
};

async function leastOf(attempts: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < attempts; at++) least = Math.min(least, await spent(work));
  return least;
}

/**
 * What a piece of work costs in CPU time, in loops of two million rounds (`tests/bench/calibration.ts`) by the same process.
 * A test bounds it in place of seconds, since a slow machine is slow at both. Where that is more than `most`, it is done
 * again, and the least counts.
 */
export async function cost(work: () => unknown, most: number): Promise<number> {
  const loop = await unit();
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ATTEMPTS && least > most; at++) least = Math.min(least, (await spent(work)) / loop);
  return least;
}

/**
 * The power of its size with which work grows, in CPU time: 1 where it is linear, and 2 where it is quadratic. `sizes` are a
 * small one and a large one, best ten times as large; the work of neither should take less than a tenth of a millisecond.
 */
export async function growth(
  work: (size: number) => unknown,
  [small, large]: readonly [number, number],
): Promise<number> {
  // What is compiled at first would make the small one dear.
  let few = await leastOf(4, () => work(small));
  let many = Number.POSITIVE_INFINITY;
  const power = () => Math.log(many / few) / Math.log(large / small);
  for (let at = 0; at < ATTEMPTS && power() > LINEAR; at++) {
    few = Math.min(few, await spent(() => work(small)));
    many = Math.min(many, await spent(() => work(large)));
  }
  return power();
}

/** Between linear and quadratic: the bound for `growth`. */
export const LINEAR = 1.5;
