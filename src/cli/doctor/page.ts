import { whyText } from "../../../packages/debugger/why/text.ts";
import { shellWord, shortName, withShortNames } from "../../../packages/demangle/src/index.ts";
import { type Diagnosis, type Found, isHang } from "../../../packages/lab/doctor/diagnose.ts";
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
  if (!quiet) lines.push(`doctor ${file}: ${shortName(program.name)}`);
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
  lines.push(
    "",
    interrupted ? `Interrupted after ${counted(runs)}: there may be more to find.` : tried(launches, runs, found),
  );
  if (!interrupted && !found.some(({ wrong }) => wrong)) lines.push(colours.good("Nothing wrong was found."), unjudged);
  return `${lines.join("\n")}\n`;
}

const counted = (runs: number): string => `${runs} run${runs === 1 ? "" : "s"}`;

/** What was run, and what each run was checked for. */
function tried(launches: Diagnosis["launches"], runs: number, found: readonly Found[]): string {
  const sizes = [...new Set(launches.map(({ size }) => size))];
  const n = `of size${sizes.length === 1 ? "" : "s"} ${sizes.join(" and ")}`;
  const ways = found.some(isHang)
    ? "up to the one that hangs"
    : "on two draws of data and on special values, in several orders of warps and blocks";
  return `Tried: ${counted(runs)} ${n}, ${ways}; each checked for bad accesses, uninitialised memory, wrong barriers and races.`;
}

/** A kernel that computes something else than it is for runs without a fault. */
const unjudged =
  "Results were not judged: give expected values to `ptxrun check`, or compare with another version by `ptxrun diff`.";

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
