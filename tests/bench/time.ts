/** CPU seconds of this process: others use the machine, too. The compiler's threads and the collector count. */
export function seconds(run: () => void): number {
  const { user, system } = process.cpuUsage();
  run();
  const now = process.cpuUsage();
  return (now.user + now.system - user - system) / 1e6;
}

/** Seconds for which a side repeats what it runs when its turn has come: what ran in between has left its own in the caches. */
export const TURN = 0.03;

/** The least CPU seconds of one run, of as many as take a turn. */
export function leastOfTurn(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let all = 0; all < TURN; ) {
    const one = seconds(run);
    least = Math.min(least, one);
    all += one;
  }
  return least;
}

/** The same of each of several, which take turns, so that a machine whose speed drifts is fair to all. */
export function least(rounds: number, runs: readonly (() => void)[]): readonly number[] {
  for (const run of runs) run();
  const found = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [at, run] of runs.entries()) found[at] = Math.min(found[at]!, leastOfTurn(run));
  return found;
}

/** A line of a table; the first cell stands left. */
export const row = (...cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(12)))
      .join("")
      .trimEnd(),
  );

/** Three digits. */
export const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
