import { jsonText } from "../../../../src/present/json.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import type { Palette } from "../../../../src/present/text/palette.ts";
import type { JobResult, Merged } from "../merge.ts";
import type { ReportName } from "../names.ts";
import { countsText, hasPassed, partsText, ptxrunText } from "./facts.ts";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text for XML and HTML: markup escaped, characters that no document may have replaced. */
const escaped = (text: string): string =>
  printable(text).replace(/[&<>"]|[\ufffe\uffff]/g, (character) => entities[character] ?? "\ufffd");

/** Findings of a job that the text shows. */
const MOST_SHOWN = 5;

/** A campaign for people: a line for each job, its first findings below it. */
function text(merged: Merged, colours: Palette): string {
  const { plan, head, jobs } = merged;
  const lines = [`${colours.strong(printable(plan.name))}  ${ptxrunText(merged)}, plan ${head.plan.slice(0, 12)}`];
  for (const result of jobs) {
    const { job, findings, worst, passed } = result;
    const verdict = passed ? colours.good("ok  ") : colours.error("no  ");
    lines.push(`  ${verdict}${printable(job.name)}: ${countsText(result)} (${partsText(result)})`);
    if (worst !== undefined) lines.push(`        worst  ${printable(worst.text)}`);
    for (const { part, text } of findings.slice(0, MOST_SHOWN)) lines.push(`        part ${part}: ${printable(text)}`);
    if (findings.length > MOST_SHOWN) lines.push(`        ${findings.length - MOST_SHOWN} more: --reporter json`);
  }
  const found = jobs.filter(({ passed }) => !passed).length;
  lines.push(hasPassed(merged) ? `${jobs.length} jobs, nothing found` : `${jobs.length} jobs, ${found} with findings`);
  return `${lines.join("\n")}\n`;
}

/** JUnit's XML: a suite for each job, a case for each part. No times, so that the report is stable. */
function junit({ plan, jobs }: Merged): string {
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

/** For programs; `schema/campaign-report-1.json` describes it. Fields are only ever added. */
function json(merged: Merged): string {
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

const style = `
:root { color-scheme: light dark; --line: #8884; --bad: #c0362c; --good: #2b7a3d; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #7fd69a; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
code, li { font-family: ui-monospace, monospace; font-size: .9em; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); }
ul { margin: .3rem 0; padding-left: 1.2rem; }`;

/** A campaign as one page without external files. */
function html(merged: Merged): string {
  const { plan, head, jobs } = merged;
  const name = escaped(plan.name);
  const verdict = hasPassed(merged)
    ? "nothing was found"
    : `${jobs.filter(({ passed }) => !passed).length} with findings`;
  const about = `${escaped(ptxrunText(merged))}, plan <code>${head.plan}</code>, inputs <code>${head.inputs}</code>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${style}
</style>
</head>
<body>
<h1>${name}</h1>
<p>${jobs.length} jobs: ${verdict}. ${about}</p>
<table>
<thead><tr><th scope="col">Job</th><th scope="col">Verdict</th><th scope="col">Counted</th><th scope="col">Parts</th></tr></thead>
<tbody>
${jobs.map(row).join("\n")}
</tbody>
</table>
</body>
</html>
`;
}

function row(result: JobResult): string {
  const { job, passed, findings, worst } = result;
  const line = `<code>${escaped([job.kind, ...job.words].join(" "))}</code>`;
  const seeds = job.seeds === undefined ? "" : `, seeds ${job.seeds.join("..")}`;
  const verdict = passed ? '<span class="good">ok</span>' : '<span class="bad">findings</span>';
  const found = findings.map(({ part, text }) => `<li>part ${part}: ${escaped(text)}</li>`);
  const largest = worst === undefined ? [] : [`<li>worst: ${escaped(worst.text)}</li>`];
  const list = [...largest, ...found].join("");
  const counted = `${escaped(countsText(result))}${list === "" ? "" : `<ul>${list}</ul>`}`;
  return `<tr><td>${escaped(job.name)}<br>${line}${seeds}</td><td>${verdict}</td><td>${counted}</td><td>${partsText(result)}</td></tr>`;
}

export const reports: Readonly<Record<ReportName, (merged: Merged, colours: Palette) => string>> = {
  text,
  json,
  junit,
  html,
};
