import { executors } from "../../interp/index.ts";
import { withCache } from "../cache/open.ts";
import type { Io } from "../io.ts";
import type { Pace, WatchedPace } from "../pace.ts";
import { inWorkers } from "../pool.ts";
import { comparePair, type PairResult, Texts } from "./pair.ts";
import type { Pair } from "./pairs.ts";
import type { DiffOptions } from "./side.ts";

/** What a worker needs of the surroundings, as data. */
interface Settings extends Pick<Io, "cwd" | "env" | "mostText" | "build"> {
  readonly options: Omit<DiffOptions, "executor">;
  /** An executor has functions, which do not travel. */
  readonly executor: string | undefined;
  readonly terminal: { readonly out: boolean; readonly err: boolean };
}

/** Compares pairs in `count` worker threads; see `inWorkers`. */
export function compareInWorkers(
  pairs: readonly Pair[],
  count: number,
  { executor, ...options }: DiffOptions,
  { cwd, env, mostText, build, terminal }: Io,
  code: string,
  take: (result: PairResult) => boolean,
  pace: WatchedPace,
): Promise<void> {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  const settings = {
    executor: [...executors].find(([, each]) => each === executor)?.[0],
    ...{ options, cwd, terminal: { out: terminal.out, err: terminal.err } },
    env: JSON.parse(JSON.stringify({ NO_COLOR, FORCE_COLOR, TERM })),
    ...(mostText === undefined ? {} : { mostText }),
    ...(build === undefined ? {} : { build }),
  } satisfies Settings;
  return inWorkers<Pair, PairResult>(pairs, count, { kind: "diff", settings }, code, take, pace);
}

/** What a worker does with a pair. */
export function comparerFor(given: unknown, pace: Pace): (item: unknown) => Promise<PairResult> {
  const { options: plain, executor: name, ...settings } = given as Settings;
  const executor = executors.get(name ?? "");
  const options: DiffOptions = { ...plain, ...(executor === undefined ? {} : { executor }) };
  const nothing = (): void => {};
  const io: Io = { ...settings, out: nothing, err: nothing, input: () => ({ tooLarge: true }), now: pace.now };
  const texts = new Texts();
  // The command has opened it before.
  const { value = options } = withCache(options, io);
  return (item) => comparePair(item as Pair, value, io, pace, texts);
}
