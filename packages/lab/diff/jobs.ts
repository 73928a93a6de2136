import type { Io } from "../../../src/environment/io.ts";
import type { Slicing, WatchedSlicing } from "../../../src/environment/slicing.ts";
import { withCache } from "../../../src/system/cache.ts";
import { filesFrom } from "../../../src/system/files.ts";
import { inWorkers } from "../../../src/system/pool.ts";
import { comparePair, type PairResult, Texts } from "./pair.ts";
import type { Pair } from "./pairs.ts";
import type { DiffOptions } from "./side.ts";

/** The settings that a worker needs, as data. */
interface Settings extends Pick<Io, "cwd" | "env" | "mostText" | "build"> {
  readonly options: DiffOptions;
  readonly terminal: { readonly out: boolean; readonly err: boolean };
}

/** Compares pairs in `count` worker threads; see `inWorkers`. */
export function compareInWorkers(
  pairs: readonly Pair[],
  count: number,
  options: DiffOptions,
  { cwd, env, mostText, build, terminal }: Io,
  code: string,
  take: (result: PairResult) => boolean,
  slicing: WatchedSlicing,
): Promise<void> {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  const settings = {
    options,
    cwd,
    terminal: { out: terminal.out, err: terminal.err },
    env: JSON.parse(JSON.stringify({ NO_COLOR, FORCE_COLOR, TERM })),
    ...(mostText === undefined ? {} : { mostText }),
    ...(build === undefined ? {} : { build }),
  } satisfies Settings;
  return inWorkers<Pair, PairResult>(pairs, count, { kind: "diff", settings }, code, take, slicing);
}

/** The work of a worker on a pair. */
export function comparerFor(given: unknown, slicing: Slicing): (item: unknown) => Promise<PairResult> {
  const { options, ...settings } = given as Settings;
  const nothing = (): void => {};
  const io: Io = {
    ...settings,
    files: filesFrom(settings.cwd),
    out: nothing,
    err: nothing,
    input: () => ({ tooLarge: true }),
    now: slicing.now,
  };
  const texts = new Texts();
  // The command has opened the cache already.
  const { value = options } = withCache(options, io);
  return (item) => comparePair(item as Pair, value, io, slicing, texts);
}
