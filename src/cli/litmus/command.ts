import { readLitmus } from "../../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { readPublished } from "../../../packages/memory-model/litmus/published/read-published.ts";
import { isPublished } from "../../../packages/memory-model/litmus/published/text.ts";
import { type Reason, reasonOf, withOpen } from "../../../packages/memory-model/litmus/reason.ts";
import { judge, prepare, type ReadyTest, type Verdict } from "../../../packages/memory-model/litmus/verdict.ts";
import { usualBounds } from "../../../packages/memory-model/model/enumerate.ts";
import type { Bounds } from "../../../packages/memory-model/model/outcome.ts";
import { pictureAsDot } from "../../../packages/memory-model/model/picture/dot.ts";
import { pictureAsSvg } from "../../../packages/memory-model/model/picture/svg.ts";
import { pictureAsText } from "../../../packages/memory-model/model/picture/text.ts";
import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { decode, mostText, readInput, readTextBytes, writeFile } from "../../environment/file.ts";
import type { Io, Signal } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { isLitmus } from "../../source/litmus-mark.ts";
import type { Source } from "../../source/source.ts";
import { filesFrom } from "../../system/files.ts";
import { filesIn, type ListedFile, reachOf } from "../../system/paths.ts";
import type { LitmusOptions } from "./arguments.ts";
import { jsonOf } from "./json.ts";
import { missedClaim } from "./missed.ts";
import { claimText, countText, reasonText, testText } from "./text.ts";

/** A test that was run. */
interface Ran {
  readonly file: string;
  readonly ready: ReadyTest;
  readonly verdict: Verdict;
  readonly reasons: readonly (Reason | undefined)[] | undefined;
}

/** `ptxrun litmus`: every outcome of small programs of several threads, and whether the claims about them hold. */
export const litmus = (paths: readonly string[], options: LitmusOptions, io: Io): Promise<ExitCode> =>
  inSlices(io, options.quiet !== true, (slicing) => litmusInSlices(paths, options, slicing));

async function litmusInSlices(
  paths: readonly string[],
  options: LitmusOptions,
  slicing: WatchedSlicing,
): Promise<ExitCode> {
  const { io } = slicing;
  const named = filesIn(
    paths.filter((path) => path !== "-"),
    io.cwd,
    /\.(?:litmus|ptx)$/,
  );
  const files = [...(paths.includes("-") ? [STDIN] : []), ...named.value];
  const diagnostics: Diagnostic[] = [...named.diagnostics];
  const ran: Ran[] = [];
  let interrupted: Signal | undefined;
  const limit = options.maxExecutions ? { executions: options.maxExecutions } : {};
  for (const [at, file] of files.entries()) {
    const about = `${at} of ${files.length} files, ${file.path}`;
    slicing.begin(about);
    const signal = await slicing.rest();
    if (signal !== undefined) {
      interrupted = signal;
      diagnostics.push(problem("PTX6103", `interrupted: ${at} of ${files.length} files were looked at`));
      break;
    }
    const source = sourceOf(file, io);
    if ("length" in source) diagnostics.push(...source);
    else if (file.folder === undefined || isPublished(source.text) || isLitmus(source.text)) {
      const end = options.timeout === undefined ? Number.POSITIVE_INFINITY : slicing.now() + options.timeout;
      const goesOn = (examined: number): boolean => {
        slicing.begin(`${about}, ${examined} executions`);
        slicing.show();
        return slicing.now() < end;
      };
      const one = run(source, options, { ...usualBounds, ...limit }, goesOn);
      if ("length" in one) diagnostics.push(...one);
      else {
        ran.push(one);
        // a folder may take minutes: each test is told of as it ends
        if (options.format === "text" && files.length > 1) io.out(lineText(one, options, io));
      }
    }
  }
  const missed = ran.flatMap(({ ready, verdict }) =>
    verdict.claims.flatMap((_, at) => missedClaim(ready, verdict, at)),
  );
  const exit =
    interrupted !== undefined
      ? exitOfSignal(interrupted)
      : named.diagnostics.length > 0
        ? Exit.usage
        : worst([...diagnostics, ...missed].map(exitOf));
  if (options.format === "json") {
    const tests = ran.map(({ file, ready, verdict, reasons }) => jsonOf(file, ready, verdict, reasons));
    const all = [...diagnostics, ...missed].map(diagnosticToJson);
    io.out(`${jsonText({ schema: "ptxrun.litmus/1", tests, diagnostics: all }, 2)}\n`);
  } else {
    report(diagnostics, options, io);
    io.out(textOf(ran, files.length, options, io));
    report(missed, options, io);
  }
  const drawn = options.svg === undefined ? [] : draw(options.svg, ran, io);
  report(drawn, options, io);
  return worst([exit, ...drawn.map(exitOf)]);
}

/** Standard input in the list of files. */
const STDIN: ListedFile = { path: "-" };

function sourceOf(file: ListedFile, io: Io): Source | readonly Diagnostic[] {
  const bytes = file === STDIN ? readInput(io) : readTextBytes(file.path, reachOf(file, io.cwd, []), mostText(io));
  if (bytes.value === undefined) return bytes.diagnostics;
  const source = decode(file === STDIN ? "<stdin>" : file.path, bytes.value);
  return source.value ?? source.diagnostics;
}

const isProgram = ({ name }: Source): Diagnostic =>
  problem("PTX1911", `${name} is a PTX program without a line //@ litmus`, {
    expected: "a litmus test",
    help: [{ message: `ptxrun ${name} --memory weak lists the outcomes of a small launch` }],
  });

function run(
  source: Source,
  options: LitmusOptions,
  bounds: Bounds,
  goesOn: Required<Bounds>["goesOn"],
): Ran | readonly Diagnostic[] {
  const how = {
    ...(options.bound === undefined ? {} : { bound: options.bound }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
  const { value, diagnostics } = isLitmus(source.text) ? readLitmus(source, how) : readPublished(source, how);
  if (!value) return source.name.endsWith(".ptx") && !isLitmus(source.text) ? [isProgram(source)] : diagnostics;
  const { ready, diagnostics: wrong } = prepare(value);
  if (!ready) return wrong;
  const verdict = withOpen(ready, judge(ready, { ...bounds, goesOn }), bounds);
  const reasons = options.why ? verdict.claims.map((claim) => reasonOf(ready, verdict, claim, bounds)) : undefined;
  return { file: source.name, ready, verdict, reasons };
}

function textOf(ran: readonly Ran[], files: number, options: LitmusOptions, io: Io): string {
  const colours = palette(options.color, "out", io);
  const [only] = ran;
  if (!only) return "";
  if (files === 1) return options.quiet ? "" : oneText(only, options, colours);
  const count = (holds: boolean | undefined): number => ran.filter(({ verdict }) => verdict.holds === holds).length;
  const open = count(undefined);
  return `${ran.length} tests: ${count(true)} as stated, ${count(false)} not as stated${open > 0 ? `, ${open} open` : ""}\n`;
}

/** A test among several: its line, and one for each claim that does not hold. */
function lineText({ file, ready, verdict }: Ran, options: LitmusOptions, io: Io): string {
  if (options.quiet && verdict.holds === true) return "";
  const colours = palette(options.color, "out", io);
  const lines = [
    `${mark(verdict, colours)} ${ready.test.name}  ${colours.faint(`${file}: ${countText(verdict)}`)}`,
    ...verdict.claims
      .filter((claim) => claim.holds !== true)
      .map((claim) => `     ${claimText(claim, verdict, ready.test.bound, colours)}`),
  ];
  return `${lines.join("\n")}\n`;
}

const mark = ({ holds }: Verdict, colours: ReturnType<typeof palette>): string =>
  holds === undefined ? colours.warning("open") : holds ? colours.good("ok  ") : colours.error("no  ");

function oneText(
  { ready, verdict, reasons }: Ran,
  options: LitmusOptions,
  colours: ReturnType<typeof palette>,
): string {
  const { threads } = ready.test.litmus;
  const parts = [testText(ready, verdict, colours)];
  if (options.executions)
    for (const { execution, values } of verdict.states) {
      const state = [...values].map(([name, value]) => `${name} = ${value}`).join(", ");
      parts.push(`${colours.strong(state)}\n${pictureAsText(execution, threads)}`);
    }
  for (const [i, reason] of (reasons ?? []).entries()) {
    const claim = verdict.claims[i];
    if (reason && claim)
      parts.push(`${colours.strong(`why ${claim.kind} ${claim.text}`)}\n${reasonText(reason, threads, colours)}`);
  }
  return parts.join("\n");
}

/**
 * Draws the execution that decides a test, or every final state where the name has a placeholder for its number; DOT
 * where the name ends in it.
 */
function draw(file: string, ran: readonly Ran[], io: Io): readonly Diagnostic[] {
  const picture = /\.(?:dot|gv)$/.test(file) ? pictureAsDot : pictureAsSvg;
  const pictures = ran.flatMap(({ ready, verdict, reasons }) => {
    const { threads } = ready.test.litmus;
    if (file.includes("{}")) return verdict.states.map(({ execution }) => picture(execution, threads));
    const reason = reasons?.find((each) => each !== undefined);
    if (reason?.kind === "forbidden") return [picture(reason.refused.execution, threads, reason.refused.forbidden)];
    const state = verdict.states.find(({ meant }) => meant) ?? verdict.states[0];
    return state ? [picture(state.execution, threads)] : [];
  });
  return pictures.flatMap((text, i) => writeFile(file.replace("{}", String(i + 1)), text, filesFrom(io.cwd)));
}
