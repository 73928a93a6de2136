import type { Shard } from "../../../src/system/shard.ts";
import type { Job, Plan } from "./plan.ts";

/** One part of one job: it is done completely or not at all. */
export interface Unit {
  /** Its number in the plan, from 0. */
  readonly number: number;
  readonly job: Job;
  /** From 1 to the job's parts. */
  readonly part: number;
}

/** How many units a plan has. */
export const unitsOf = ({ jobs }: Plan): number => jobs.reduce((sum, { parts }) => sum + parts, 0);

/**
 * The units of a shard: every `count`th, so that all shards get some of each job. They follow from the plan and the two
 * numbers alone.
 */
export function* unitsIn(plan: Plan, { index, count }: Shard): Iterable<Unit> {
  let number = 0;
  for (const job of plan.jobs)
    for (let part = 1; part <= job.parts; part++, number++)
      if (number % count === index - 1) yield { number, job, part };
}

/** Whether a number is that of a unit of a shard. */
export const isIn = (plan: Plan, { index, count }: Shard, number: number): boolean =>
  number >= 0 && number < unitsOf(plan) && number % count === index - 1;

/** How the numbers of a shard's units differ from those that the plan gives it, in words. */
export function strayIn(plan: Plan, shard: Shard, numbers: ReadonlyMap<number, unknown>): string | undefined {
  for (const number of numbers.keys())
    if (!isIn(plan, shard, number)) return `unit ${number} is none of shard ${shard.index} of ${shard.count}`;
  const own = Math.max(0, Math.ceil((unitsOf(plan) - shard.index + 1) / shard.count));
  return numbers.size === own ? undefined : `it has ${numbers.size} of its ${own} parts`;
}

/** The seeds of a part: equal shares up to the remainder. */
export function seedsOf({ seeds, parts }: Job, part: number): readonly [first: number, last: number] | undefined {
  if (seeds === undefined) return undefined;
  const [first, last] = seeds;
  const at = (end: number): number => first + Math.floor(((last - first + 1) * end) / parts);
  return [at(part - 1), at(part) - 1];
}

/** The command line of a part: ptxrun's words, or another command's. */
export function wordsOf({ number, job, part }: Unit): readonly string[] {
  const { kind, words, parts } = job;
  const seeds = seedsOf(job, part);
  const range = seeds === undefined ? "" : seeds.join("..");
  switch (kind) {
    case "sweep":
    case "diff":
      return [kind, ...words, "--shard", `${part}/${parts}`, "--json"];
    case "check":
      return [kind, ...words, ...(seeds ? ["--seeds", range] : ["--shard", `${part}/${parts}`]), "--reporter", "json"];
    case "run":
      return [kind, ...words, "--seeds", range];
    case "hunt":
      // What is found lies in a folder of the part.
      return [kind, ...words, "--seeds", range, "--output", `hunt/${number}`, "--json", "--quiet"];
    case "command": {
      const values = { part, parts, first: seeds?.[0] ?? part, last: seeds?.[1] ?? part };
      return words.map((word) =>
        word.replace(/\{(part|parts|first|last)\}/g, (_, name: keyof typeof values) => `${values[name]}`),
      );
    }
  }
}
