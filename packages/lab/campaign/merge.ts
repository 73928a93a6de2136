import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { reason } from "../../../src/environment/reason.ts";
import { problem } from "../../../src/host/problem.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import { readKeptText } from "./kept.ts";
import type { Outcome } from "./outcome.ts";
import type { Job, Plan } from "./plan.ts";
import { type Head, readShardText, unlike } from "./shard-file.ts";
import { strayIn } from "./unit.ts";

/** A complete campaign. Nothing in it depends on the number of shards, or on which machine ran them. */
export interface Merged {
  readonly plan: Plan;
  readonly head: Omit<Head, "shard">;
  readonly jobs: readonly JobResult[];
}

export interface JobResult {
  readonly job: Job;
  readonly outcomes: readonly Outcome[];
  readonly counts: Readonly<Record<string, number>>;
  /** With the part that found it. */
  readonly findings: readonly { readonly part: number; readonly text: string }[];
  readonly worst?: NonNullable<Outcome["worst"]>;
  /** Parts, from 1, that exited with a code other than 0, or left another state than the first that left one. */
  readonly failed: ReadonlySet<number>;
  readonly passed: boolean;
}

/** Findings of a job that a report lists. */
const MOST_FINDINGS = 100;

/** Reads all shards in a folder. PTX2505 to PTX2508 when they are not those of one campaign, each exactly once. */
export function merge(plan: Plan, folder: string, cwd: string): Staged<Merged | undefined> {
  const diagnostics: Diagnostic[] = [];
  const wrong = (code: "PTX2505" | "PTX2506" | "PTX2507" | "PTX2508", message: string, expected: string): void => {
    diagnostics.push(problem(code, message, { expected }));
  };
  const shards = new Map<number, { readonly path: string; readonly head: Head }>();
  const outcomes = new Map<number, Outcome>();
  let first: { readonly path: string; readonly head: Head } | undefined;
  for (const path of shardsIn(folder, cwd, diagnostics)) {
    const text = textOf(path, cwd, diagnostics);
    if (text === undefined) continue;
    const read = readShardText(text);
    if ("wrong" in read) {
      wrong("PTX2508", `${path} is damaged: ${read.wrong}`, "that shard done again");
      continue;
    }
    const { head } = read;
    const { index, count } = head.shard;
    if (head.plan !== plan.hash) {
      wrong("PTX2507", `${path} is foreign: it is of another plan (${head.name})`, `shards of ${plan.name}`);
      continue;
    }
    first ??= { path, head };
    const other = unlike(first.head, head);
    if (other !== undefined) wrong("PTX2507", `${path} is foreign: ${other}`, `shards like ${first.path}`);
    else if (count !== first.head.shard.count)
      wrong(
        "PTX2506",
        `${path} is one of ${count} shards, and ${first.path} one of ${first.head.shard.count}`,
        "one of the two",
      );
    else if (shards.has(index))
      wrong("PTX2506", `${path} is shard ${index} again, as ${shards.get(index)?.path}`, "one of the two");
    else {
      shards.set(index, { path, head });
      const stray = strayIn(plan, head.shard, read.outcomes);
      if (stray !== undefined) wrong("PTX2508", `${path} is damaged: ${stray}`, "that shard done again");
      for (const [unit, outcome] of read.outcomes) outcomes.set(unit, outcome);
    }
  }
  if (first !== undefined && diagnostics.length === 0) {
    const { count } = first.head.shard;
    const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !shards.has(index));
    if (missing.length > 0)
      wrong("PTX2505", `${missing.length} of ${count} shards are missing: ${listed(missing)}`, "all of them");
  } else if (first === undefined && diagnostics.length === 0)
    wrong("PTX2505", `there are no shards in ${folder}`, "what ptxrun campaign run has left there");
  if (first === undefined || diagnostics.length > 0) return { value: undefined, diagnostics };
  const { shard: _, ...head } = first.head;
  return { value: { plan, head, jobs: jobsOf(plan, outcomes) }, diagnostics };
}

function shardsIn(folder: string, cwd: string, diagnostics: Diagnostic[]): string[] {
  try {
    const names = readdirSync(resolve(cwd, folder)).filter((name) => name.endsWith(".jsonl"));
    return names.toSorted().map((name) => join(folder, name));
  } catch (error) {
    diagnostics.push(problem("PTX2011", `cannot read ${folder}: ${reason(error)}`, { expected: "a folder of shards" }));
    return [];
  }
}

function textOf(path: string, cwd: string, diagnostics: Diagnostic[]): string | undefined {
  try {
    return readKeptText(resolve(cwd, path)) ?? "";
  } catch (error) {
    diagnostics.push(problem("PTX2011", `cannot read ${path}: ${reason(error)}`, { expected: "a shard" }));
    return undefined;
  }
}

const listed = (numbers: readonly number[]): string =>
  numbers.length > 12 ? `${numbers.slice(0, 12).join(", ")} and ${numbers.length - 12} more` : numbers.join(", ");

function jobsOf(plan: Plan, outcomes: ReadonlyMap<number, Outcome>): readonly JobResult[] {
  let number = 0;
  return plan.jobs.map((job) => {
    const own: Outcome[] = [];
    for (let part = 0; part < job.parts; part++) {
      const outcome = outcomes.get(number++);
      if (outcome !== undefined) own.push(outcome);
    }
    return resultOf(job, own);
  });
}

function resultOf(job: Job, outcomes: readonly Outcome[]): JobResult {
  const counts: Record<string, number> = {};
  const findings: { part: number; text: string }[] = [];
  let worst: JobResult["worst"];
  const failed = new Set<number>();
  const left = outcomes.findIndex(({ digest }) => digest !== undefined);
  for (const [at, { counts: counted, digest, exit, findings: found, worst: largest }] of outcomes.entries()) {
    const part = at + 1;
    for (const [name, count] of Object.entries(counted))
      counts[name] = ((Object.hasOwn(counts, name) && counts[name]) || 0) + count;
    for (const text of found) findings.push({ part, text });
    if (largest !== undefined && BigInt(largest.ulps) > BigInt(worst?.ulps ?? -1)) worst = largest;
    const other = digest !== undefined && digest !== outcomes[left]?.digest;
    if (other)
      findings.push({
        part,
        text: `leaves another state than part ${left + 1}: results depend on the order of threads`,
      });
    if (exit !== 0 || other) failed.add(part);
  }
  return {
    job,
    outcomes,
    counts,
    failed,
    passed: failed.size === 0,
    findings: findings.slice(0, MOST_FINDINGS),
    ...(worst && { worst }),
  };
}
