import type { Io } from "../../../src/environment/io.ts";
import { problem } from "../../../src/host/problem.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { readShard, type Shard } from "../../../src/system/shard.ts";

/**
 * A shard as the command line writes it: `3/8`, `auto`, or `auto/8` where the environment does not give the number of
 * shards.
 */
export type WantedShard = Shard | { readonly auto: true; readonly count?: number };

/** Undefined for a text that is not a shard. */
export function readWantedShard(text: string): WantedShard | undefined {
  const [, count] = /^auto(?:\/(\d{1,6}))?$/.exec(text) ?? [undefined, ""];
  if (count === undefined && text === "auto") return { auto: true };
  if (count !== undefined && count !== "") return Number(count) >= 1 ? { auto: true, count: Number(count) } : undefined;
  return readShard(text);
}

type Env = Io["env"];

/**
 * The engines that number shards, by which variables, and their first number. Tried in this order: the more
 * specific first.
 */
const engines: readonly {
  readonly name: string;
  readonly index: keyof Env;
  readonly first: (env: Env) => number;
  readonly count: (env: Env) => number | undefined;
}[] = [
  {
    name: "Slurm",
    index: "SLURM_ARRAY_TASK_ID",
    first: ({ SLURM_ARRAY_TASK_MIN }) => numberIn(SLURM_ARRAY_TASK_MIN) ?? 1,
    count: ({ SLURM_ARRAY_TASK_COUNT }) => numberIn(SLURM_ARRAY_TASK_COUNT),
  },
  { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: () => 0, count: () => undefined },
  { name: "GitLab", index: "CI_NODE_INDEX", first: () => 1, count: (env) => numberIn(env.CI_NODE_TOTAL) },
  { name: "CircleCI", index: "CIRCLE_NODE_INDEX", first: () => 0, count: (env) => numberIn(env.CIRCLE_NODE_TOTAL) },
  {
    name: "Buildkite",
    index: "BUILDKITE_PARALLEL_JOB",
    first: () => 0,
    count: ({ BUILDKITE_PARALLEL_JOB_COUNT }) => numberIn(BUILDKITE_PARALLEL_JOB_COUNT),
  },
  { name: "GNU parallel", index: "PARALLEL_SEQ", first: () => 1, count: () => undefined },
  { name: "ptxrun", index: "PTXRUN_SHARD", first: () => 1, count: () => undefined },
];

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/**
 * The shard of this process: as it was given, or as the engine that started it numbers its tasks. PTXRUN_SHARDS is the
 * number of shards where the engine does not give it. PTX2502 when it cannot be known.
 */
export function shardHere(wanted: WantedShard, env: Env): Shard | Diagnostic {
  if (!("auto" in wanted)) return wanted;
  const engine = engines.find(({ index }) => numberIn(env[index]) !== undefined);
  if (engine === undefined)
    return problem("PTX2502", "--shard auto, and nothing says which shard this is", {
      expected: `--shard 1/8, or one of ${engines.map(({ index }) => index).join(", ")}`,
    });
  const count = wanted.count ?? numberIn(env.PTXRUN_SHARDS) ?? engine.count(env);
  if (count === undefined)
    return problem(
      "PTX2502",
      `${engine.name} says ${engine.index}=${env[engine.index]}, and not how many shards there are`,
      {
        expected: "--shard auto/8, or PTXRUN_SHARDS=8",
      },
    );
  const index = (numberIn(env[engine.index]) ?? 0) - engine.first(env) + 1;
  if (index >= 1 && index <= count) return { index, count };
  return problem("PTX2502", `${engine.name} says ${engine.index}=${env[engine.index]}, and there are ${count} shards`, {
    expected: `${engine.first(env)} to ${engine.first(env) + count - 1}`,
  });
}
