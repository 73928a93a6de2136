import { launchOf, limits, tooLarge } from "../../../packages/memory-model/litmus/kernel/launch.ts";
import { everyOutcome, type Outcome, type Outcomes } from "../../../packages/memory-model/litmus/kernel/outcomes.ts";
import type { Launched } from "../../../packages/memory-model/litmus/kernel/threads.ts";
import { pictureAsText } from "../../../packages/memory-model/model/picture/text.ts";
import { palette } from "../../environment/colour.ts";
import { type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import { number } from "../../present/value.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { readProgram } from "./text.ts";

/** `run --memory weak`: all outcomes that the memory model allows. */
export function runWeak(file: string | undefined, options: RunCommandOptions, io: Io): ExitCode {
  const diagnostics: Diagnostic[] = [];
  const done = outcomes(file, options, io, diagnostics);
  if (done) diagnostics.push(...findingsOf(done));
  const exit = worst(diagnostics.map(exitOf));
  if (options.format === "json") {
    io.out(
      `${jsonText({ schema: "ptxrun.weak/1", exit, ...(done ? asJson(done) : {}), diagnostics: diagnostics.map(diagnosticToJson) }, 2)}\n`,
    );
    return exit;
  }
  report(diagnostics, options, io);
  if (done) io.out(asText(done, options, io));
  return exit;
}

interface Done {
  readonly source: Source;
  readonly launched: Launched;
  readonly found: Outcomes;
}

function outcomes(
  file: string | undefined,
  options: RunCommandOptions,
  io: Io,
  diagnostics: Diagnostic[],
): Done | undefined {
  const { value: source, diagnostics: unread } = readProgram(file, options, io);
  diagnostics.push(...unread);
  if (source === undefined) return undefined;
  const refuse = (wrong: readonly Diagnostic[]): undefined => {
    diagnostics.push(...wrong.map((each) => (each.code === "PTX6009" ? { ...each, help: [random] } : each)));
  };
  const { value: launched, diagnostics: wrong } = launchOf(source, options, io);
  if (!launched) return refuse(wrong);
  diagnostics.push(...wrong);
  // a thread that reads other values than zero may do more
  const found = everyOutcome(launched, { events: 2 * limits.operations, executions: limits.executions });
  if (!found.complete) {
    const message = `${found.executions} executions were looked at, and there are more`;
    refuse([tooLarge(message, "fewer threads, or fewer accesses of what others write")]);
  }
  return { source, launched, found };
}

const random = { message: "--memory weak:random --seeds 0..99 runs one of them with each seed" };

/** Faults, and threads that wait for ever. */
function findingsOf({ source, found }: Done): Diagnostic[] {
  const place = { source, span: { start: 0, end: 0 } };
  const faults = new Set(found.all.flatMap((each) => each.faults));
  return [...faults].map((fault) => problem("PTX3037", fault, place));
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

function asText({ launched, found }: Done, options: RunCommandOptions, io: Io): string {
  const colours = palette(options.color, "out", io);
  const { all, executions, bounded, mixed } = found;
  const within = bounded ? `, within ${limits.rounds} rounds of each loop` : "";
  const lines = [colours.strong(`${plural(all.length, "outcome")} of ${plural(executions, "execution")}${within}`)];
  for (const outcome of all) {
    lines.push(...memoryLines(launched, outcome), `  ${colours.faint(plural(outcome.count, "execution"))}`, "");
    if (options.verbose) lines.push(pictureAsText(outcome.execution, launched.litmus.threads));
  }
  if (mixed)
    lines.push(colours.warning("undefined: accesses of different sizes race, of which the model says nothing (8.7.2)"));
  else if (all.some(({ execution }) => execution.races.length > 0)) lines.push("there is a data race (8.7.1)");
  return `${lines.join("\n").trimEnd()}\n`;
}

function memoryLines({ shown }: Launched, { memory, faults }: Outcome): string[] {
  const lines = shown.map(({ name, type, elements }) => {
    const values = (memory.get(name) ?? []).slice(0, mostShown).map((bits) => number(bits, type));
    const more = elements.length > mostShown ? ` ... (${elements.length})` : "";
    return `  ${name}  ${type}  ${values.join(", ")}${more}`;
  });
  return [...lines, ...faults.map((fault) => `  ${fault}`)];
}

const mostShown = 32;

function asJson({ launched, found }: Done) {
  const { all, executions, complete, bounded, mixed } = found;
  return {
    executions,
    complete,
    bounded,
    undefined: mixed,
    outcomes: all.map(({ memory, faults, count, execution }) => ({
      buffers: launched.shown.map(({ name, type }) => ({
        name,
        type,
        bits: (memory.get(name) ?? []).map((bits) => `0x${bits.toString(16)}`),
      })),
      faults,
      executions: count,
      race: execution.races.length > 0,
    })),
  };
}
