import type { JobResult, Merged } from "../merge.ts";
import { escaped } from "./escaped.ts";
import { countsText, hasPassed, partsText, ptxrunText } from "./facts.ts";

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

/** A campaign as one page that needs nothing else. */
export function html(merged: Merged): string {
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
