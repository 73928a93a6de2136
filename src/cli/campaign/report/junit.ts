import type { JobResult, Merged } from "../merge.ts";
import { escaped } from "./escaped.ts";
import { countsText } from "./facts.ts";

/** JUnit's XML: a suite for each job, a case for each part. No times, so that the report is stable. */
export function junit({ plan, jobs }: Merged): string {
  const tests = jobs.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const failures = jobs.reduce((sum, { failed }) => sum + failed.size, 0);
  const all = `tests="${tests}" failures="${failures}" errors="0"`;
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escaped(plan.name)}" ${all}>\n`;
  return `${head}${jobs.map(suite).join("")}</testsuites>\n`;
}

function suite(result: JobResult): string {
  const { job, outcomes, failed, findings } = result;
  const name = escaped(job.name);
  const lines = outcomes.map(({ exit }, at) => {
    const line = `    <testcase name="part ${at + 1} of ${job.parts}" classname="${name}"`;
    if (!failed.has(at + 1)) return `${line}/>\n`;
    const own = findings.filter(({ part }) => part === at + 1).map(({ text }) => text);
    const message = escaped(own[0] ?? `exit ${exit}`);
    return `${line}>\n      <failure message="${message}">${escaped(own.join("\n"))}</failure>\n    </testcase>\n`;
  });
  const about = `tests="${outcomes.length}" failures="${failed.size}" errors="0"`;
  const said = `    <system-out>${escaped(countsText(result))}</system-out>\n`;
  return `  <testsuite name="${name}" ${about}>\n${lines.join("")}${said}  </testsuite>\n`;
}
