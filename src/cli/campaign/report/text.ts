import { printable } from "../../../present/escape.ts";
import type { Palette } from "../../../present/palette.ts";
import type { Merged } from "../merge.ts";
import { countsText, hasPassed, partsText, ptxrunText } from "./facts.ts";

/** Findings of a job that the text shows. */
const MOST_SHOWN = 5;

/** A campaign for people: a line for each job, its first findings below it. */
export function text(merged: Merged, colours: Palette): string {
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
