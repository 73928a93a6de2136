import { whyText } from "../../../packages/debugger/why/text.ts";
import { shellWord, withShortNames } from "../../../packages/demangle/src/index.ts";
import type { Diagnosis, Found } from "../../../packages/lab/doctor/diagnose.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import type { Palette } from "../../present/text/palette.ts";
import { caseOf, commandLine, type Repeated } from "../repeat.ts";

/** What was found, as a page; `quiet`: nothing but what was found. */
export function pageOf(
  file: string,
  { program, launches, runs, found, interrupted }: Diagnosis,
  quiet: boolean,
  colours: Palette,
): string {
  const entry = shellWord(program.name);
  const line = (run: Repeated): string => commandLine([file], entry, run);
  const lines: string[] = [];
  const [launch] = launches;
  if (!quiet) lines.push(`doctor ${file}: ${entry}`);
  if (!quiet && launch !== undefined) {
    lines.push("", "The launch that it seems to be written for:");
    lines.push(`  ${line({ launch, way: { data: "ordinary", seed: 1 } })}`);
  }
  const names = [...new Set(found.map(({ name }) => name))];
  for (const [index, name] of names.entries()) {
    const [first, ...others] = found.filter((each) => each.name === name);
    if (first === undefined) continue;
    if (lines.length > 0) lines.push("");
    const title = `${index + 1}. ${name}`;
    lines.push(first.wrong ? colours.error(title) : title, ...explained(first, colours));
    if (first.why !== undefined) lines.push("  why:", ...whyText(first.why).map((line) => `    ${line}`));
    lines.push(...others.map((each) => `  also: ${inShort(each)}`));
    lines.push(`  again: ${line(first.run)}`);
    if (first.other !== undefined) lines.push(`  other: ${line(first.other)}`);
    if (first.wrong) lines.push("  as a check that fails until it is fixed:");
    if (first.wrong) lines.push(...caseOf(`doctor ${index + 1}`, entry, first.run).map((each) => `    ${each}`));
  }
  if (quiet) return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  const sizes = launches.map(({ size }) => size).join(" and ");
  const tried = `${runs} runs: sizes ${sizes}, two draws of data and special values, orders of warps and blocks; memory, initialisation, barriers and races checked`;
  lines.push("", interrupted ? `Interrupted after ${runs} runs: there may be more to find.` : `Tried: ${tried}.`);
  if (!interrupted && !found.some(({ wrong }) => wrong)) lines.push(colours.good("Nothing is wrong."));
  return `${lines.join("\n")}\n`;
}

function explained({ problem, message, wrong }: Found, colours: Palette): readonly string[] {
  if (problem !== undefined) return [renderDiagnostics([problem], colours).trimEnd()];
  const [head = "", ...rest] = message?.split("\n") ?? [];
  return [wrong ? colours.error(`error: ${head}`) : `note: ${head}`, ...rest.map((line) => `  ${line}`)];
}

/** `line 12: ld.shared.u32 reads ...`. */
function inShort({ problem, message }: Found): string {
  if (problem === undefined) return message?.split("\n")[0] ?? "";
  const { source, span } = problem;
  const { line } = source.position(span.start);
  const text = withShortNames(problem.message, source);
  return text.includes(` on line ${line}`) ? text : `line ${line}: ${text}`;
}
