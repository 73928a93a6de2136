/** CPU seconds of this process: others use the machine, too. The compiler's threads and the collector count. */
export function seconds(run: () => void): number {
  const { user, system } = process.cpuUsage();
  run();
  const now = process.cpuUsage();
  return (now.user + now.system - user - system) / 1e6;
}

/** Something to measure. What takes less than some milliseconds is repeated: the clock is no finer than that. */
export interface Contender {
  readonly run: () => void;
  readonly repeat?: number;
}

/** The least CPU seconds of one run of each. They take turns, so that a machine whose speed drifts is fair to all. */
export function least(rounds: number, contenders: readonly Contender[]): readonly number[] {
  const again = ({ run, repeat = 1 }: Contender): void => {
    for (let at = 0; at < repeat; at++) run();
  };
  contenders.forEach(again);
  const found = contenders.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++)
    for (const [at, contender] of contenders.entries())
      found[at] = Math.min(found[at]!, seconds(() => again(contender)) / (contender.repeat ?? 1));
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
