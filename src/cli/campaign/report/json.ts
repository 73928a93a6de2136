import { jsonText } from "../../../present/json.ts";
import type { Merged } from "../merge.ts";
import { hasPassed } from "./facts.ts";

/** For programs; `schema/campaign-report-1.json` describes it. Fields are only ever added. */
export function json(merged: Merged): string {
  const { head, jobs } = merged;
  const { name, plan, version, build, inputs } = head;
  const document = {
    schema: "ptxrun.campaign-report/1",
    name,
    passed: hasPassed(merged),
    plan,
    version,
    build,
    inputs,
    jobs: jobs.map(({ job, counts, failed, passed, findings, worst }) => ({
      name: job.name,
      kind: job.kind,
      words: job.words,
      ...(job.seeds && { seeds: job.seeds.join("..") }),
      parts: job.parts,
      passed,
      failed: failed.size,
      counts,
      ...(worst && { worst }),
      findings,
    })),
  };
  return `${jsonText(document, 2)}\n`;
}
