import type { Reach } from "../../../environment/reach.ts";
import { problem } from "../../../host/problem.ts";
import { KeptOutput } from "../../../launch/dump/kept-output.ts";
import { readMemory } from "../../../launch/input/memory-input.ts";
import { launch } from "../../../launch/launch.ts";
import { type Loaded, load } from "../../../launch/program.ts";
import { Setup } from "../../../launch/setup.ts";
import { readAssignment } from "../../../launch/value/assignment.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../source/diagnostic.ts";
import type { Source, Span } from "../../../source/source.ts";
import { goOn, type Limited, type Limits, limited, rest } from "../../../system/limits.ts";
import type { CaseLine } from "../file/directive.ts";
import { spellQuoted } from "../file/quoted.ts";
import { spellState } from "../file/spell.ts";
import type { CaseOptions } from "../options.ts";
import { runPipeline } from "../pipeline.ts";
import type { CaseResult, ExpectationEdit } from "../result.ts";
import { type Mismatch, words } from "./compare.ts";
import { judgeEnd } from "./end.ts";
import { type Expectation, readExpectations } from "./expectation.ts";
import { few } from "./few.ts";
import { judge } from "./judge.ts";
import { judgeMemory } from "./memory.ts";
import { judgePrinted } from "./printed.ts";
import { type InputKind, repeatCommand } from "./repeat.ts";
import type { CaseRun } from "./run.ts";
import { dumpsOf, judgeSnapshot } from "./snapshot.ts";
import { watch } from "./watched.ts";

/** Says with which seed a case failed. */
const seedNote = ({ name, source, args, span }: CaseLine, seed: number): Diagnostic =>
  problem("PTX9005", `case ${name} fails with seed ${seed}`, { severity: "note", source, span: args?.span ?? span });

/** A case that passed with all seeds run before the time was over. */
function outOfTime({ name, source, args, span }: CaseLine, result: CaseResult, seed: number, last: number): CaseResult {
  const place = { source, span: args?.span ?? span, expected: "fewer seeds, or a longer --timeout" };
  const message = `case ${name}: time is over after seed ${seed} of ${last}`;
  return { ...result, passed: false, diagnostics: [...result.diagnostics, problem("PTX6101", message, place)] };
}

/** Values of one case that are shown beside what they should be. */
const MAX_SHOWN_MISMATCHES = 8;

/** Mismatches of one case that a report for programs lists. */
const MOST_MISMATCHES = 1 << 16;

/** Runs one case on a separate device: once, or once with each of its seeds until one fails. */
export async function runCase(
  program: Source,
  line: CaseLine,
  options: CaseOptions,
  reach: Reach,
  limits: Limits,
): Promise<CaseResult> {
  const within = limited(options, limits);
  if (options.seeds === undefined) return runWith(program, line, within, reach);
  const [first, last] = options.seeds;
  const end = within.slicing.now() + (within.timeout ?? 0);
  for (let seed = first; ; seed++) {
    const result = await runWith(program, line, { ...within, schedule: { seed } }, reach);
    await rest(limits);
    if (!result.passed) return { ...result, seed, diagnostics: [...result.diagnostics, seedNote(line, seed)] };
    if (seed === last) return result;
    if (within.timeout !== undefined && within.slicing.now() > end) return outOfTime(line, result, seed, last);
  }
}

async function runWith(program: Source, line: CaseLine, options: Limited, reach: Reach): Promise<CaseResult> {
  const { name, source } = line;
  const diagnostics: Diagnostic[] = [];
  const result = (more: Partial<CaseResult> = {}): CaseResult => ({
    name,
    source,
    line: source.position(line.span.start).line,
    passed: !hasErrors(diagnostics),
    diagnostics,
    mismatches: [],
    edits: [],
    ...more,
  });
  const expectations = readExpectations(source, line.expectations);
  diagnostics.push(...few(expectations.diagnostics));
  const ran =
    line.launches.length > 0
      ? await runPipeline(program, line, options, reach)
      : await runOnce(program, line, options, reach);
  diagnostics.push(...few(ran.diagnostics));
  if (ran.value === undefined) return result();
  const end = judgeEnd(line, ran.value.launches, expectations.value);
  diagnostics.push(...few(end.diagnostics));
  // After an unexpected fault, the registers say nothing useful.
  if (hasErrors(diagnostics)) return result({ edits: end.edits, repeat: ran.value.repeat(expectations.value) });
  const judged = judgeState(program, line, expectations.value, ran.value, options, reach);
  diagnostics.push(...few(judged.diagnostics));
  if (!hasErrors(diagnostics)) return result();
  const { mismatches, differences, edits } = judged;
  const repeat = ran.value.repeat(expectations.value);
  return result({ mismatches, differences, edits: [...end.edits, ...edits], repeat });
}

/** Compares the state after the run with everything that the case expects. */
function judgeState(
  program: Source,
  line: CaseLine,
  expectations: readonly Expectation[],
  ran: CaseRun,
  options: CaseOptions,
  reach: Reach,
): {
  readonly diagnostics: readonly Diagnostic[];
  readonly mismatches: readonly Mismatch[];
  readonly differences: readonly string[];
  readonly edits: ExpectationEdit[];
} {
  const { source } = line;
  const diagnostics: Diagnostic[] = [];
  const mismatches: Mismatch[] = [];
  const edits: ExpectationEdit[] = [];
  let first: Expectation | undefined;
  let differing = 0;
  const session = ran.launches.at(-1)?.session;
  if (session === undefined) throw new Error("a case that ran has a launch");
  // In a sidecar, quotes are escaped.
  const inJson = source !== program;
  for (const expectation of expectations) {
    if (expectation.kind === "fault" || expectation.kind === "ends") continue;
    if (expectation.kind === "open") {
      const text = [spellState(session, line, ran, options), printedOf(expectations, ran, inJson)].join(" ").trim();
      diagnostics.push(open(line, expectation.span, text));
      if (text !== "") edits.push({ kind: "text", source, span: expectation.span, text });
      continue;
    }
    if (expectation.kind === "prints") {
      const { diagnostics: wrong, now } = judgePrinted(line, expectation, ran.printed, inJson);
      diagnostics.push(...wrong);
      if (now !== undefined && wrong.length > 0)
        edits.push({ kind: "text", source, span: expectation.span, text: now });
      continue;
    }
    if (expectation.kind === "memory") {
      // Only closing the session writes its stored data to the program's memory.
      session.close();
      diagnostics.push(...judgeMemory(line, expectation.span, ran.loaded));
      continue;
    }
    const { value, diagnostics: unreadable } = judge(expectation, session, ran.loaded, ran.inputs, options, reach);
    diagnostics.push(...unreadable);
    if (value.mismatches.length > 0) first ??= expectation;
    differing += value.mismatches.length;
    mismatches.push(...value.mismatches.slice(0, MOST_MISMATCHES - mismatches.length));
    if (value.now !== undefined) edits.push({ kind: "text", source, span: expectation.value.span, text: value.now });
  }
  const [mismatch] = mismatches;
  if (first !== undefined && mismatch !== undefined) diagnostics.unshift(failure(line, first, mismatch, differing));
  const differences = others(mismatches, differing);
  if (line.snapshot === undefined) return { diagnostics, mismatches, differences, edits };
  const snapshot = judgeSnapshot(program, line, session, ran, options, reach);
  diagnostics.push(...snapshot.diagnostics);
  return { diagnostics, mismatches, differences, edits: [...edits, ...snapshot.value] };
}

/** Characters that were printed and are written as an expectation: people read these lines. */
const MOST_PRINTED = 256;

/** The replacement of `?` for printed text: the complete text, unless another part of the case expects it. */
function printedOf(expectations: readonly Expectation[], { printed }: CaseRun, inJson: boolean): string {
  const told = expectations.some(({ kind }) => kind === "prints");
  return told || printed === "" || printed.length > MOST_PRINTED ? "" : `prints ${spellQuoted(printed, inJson)}`;
}

async function runOnce(
  program: Source,
  line: CaseLine,
  options: Limited,
  reach: Reach,
): Promise<Staged<CaseRun | undefined>> {
  const { value: loaded, diagnostics: rejected } = load(program, options, () => options.slicing.now());
  if (loaded === undefined) return { value: undefined, diagnostics: rejected };
  const within = { ...reach, ...(loaded.time && { time: loaded.time }) };
  const remembered = readMemory(loaded, options.memory, within);
  const { inputs, kinds, diagnostics } = gather(line, loaded, within);
  diagnostics.push(...remembered);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const watched = watch(line, loaded, inputs.buffers);
  const kept = new KeptOutput();
  const launched = await launch(loaded.kernel, inputs, options, options.slicing, (text) => kept.add(text));
  diagnostics.push(...launched.diagnostics.map((each) => placed(each, line)));
  if (launched.value === undefined) return { value: undefined, diagnostics };
  goOn(launched.value);
  const repeat = (expectations: readonly Expectation[]) =>
    repeatCommand(program.name, line, kinds, dumpsOf(line, loaded, inputs, expectations), options);
  const start = inputs.registers;
  const launches = [launched.value];
  return { value: { loaded, inputs, start, watched, launches, printed: kept.text, repeat }, diagnostics };
}

/** A diagnostic of a launch has no position in a text; it is reported at the case. */
const placed = (diagnostic: Diagnostic, { source, span }: CaseLine): Diagnostic =>
  diagnostic.source.name === "" ? { ...diagnostic, source, span } : diagnostic;

/** Reads the left side; every input must be there. */
function gather(line: CaseLine, loaded: Loaded, reach: Reach) {
  const { source } = line;
  const { device, kernel, module } = loaded;
  const setup = new Setup(device, kernel, module, reach);
  const kinds: InputKind[] = [];
  for (const part of line.inputs) {
    const { value: assignment, diagnostics } = readAssignment(source, part.span);
    setup.diagnostics.push(...diagnostics);
    if (assignment === undefined) continue;
    const name = assignment.name.text;
    const kind = inputKind(name, loaded);
    kinds.push(kind);
    if (kind === "reg") setup.register(assignment);
    else if (kind === "global") setup.global(assignment);
    else setup.argument(assignment);
  }
  const inputs = setup.finish();
  // Compiled code may read a register before writing it, when the value does not matter; only a snippet's such
  // registers are inputs.
  const missing = inputs.missing.filter(({ kind }) => module === undefined || kind === "parameter");
  const { diagnostics } = setup;
  if (missing.length > 0 && !hasErrors(diagnostics)) {
    const names = missing.map(({ name }) => name).join(", ");
    const expected = missing.map(({ name }) => `${name}=VALUE`).join(" ");
    diagnostics.push(problem("PTX7004", `case ${line.name} gives no ${names}`, { source, span: line.span, expected }));
  }
  return { inputs, kinds, diagnostics };
}

/** In a snippet names are registers, or parameters that it loads; in a module a bare name is a parameter (or a variable), and `%` marks a register. */
export function inputKind(name: string, { kernel, module }: Loaded): InputKind {
  const isParameter = kernel.program.parameters.some((parameter) => parameter.name === name);
  if (module === undefined && isParameter) return "arg";
  if (module === undefined || name.startsWith("%") || name.toLowerCase() === "cc.cf") return "reg";
  // A predicate of vISA has no percent sign; a number is a parameter there.
  const isNumber = /^\d+$/.test(name);
  if (kernel.program.dispatchSlot !== undefined && !isNumber && module.variable(name) === undefined) return "reg";
  return !isParameter && module.variable(name) !== undefined ? "global" : "arg";
}

/** One diagnostic for all values of a case that differ, at the first of them. */
function failure({ name, source }: CaseLine, { span }: Expectation, mismatch: Mismatch, all: number): Diagnostic {
  const { message, expected } = words(mismatch);
  const more = all === 1 ? "" : `, the first of ${all} values that differ`;
  return problem("PTX7005", `case ${name}: ${message}${more}`, { source, span, expected });
}

/** The values that differ after the first, a line each. */
function others(mismatches: readonly Mismatch[], all: number): readonly string[] {
  const shown = mismatches.slice(0, MAX_SHOWN_MISMATCHES).map(words);
  const left = all - shown.length;
  const lines = shown.slice(1).map(({ message, expected }) => `${message}, expected ${expected}`);
  return left === 0 ? lines : [...lines, `and ${left} more`];
}

const open = ({ name, source }: CaseLine, span: Span, now: string): Diagnostic =>
  problem("PTX7013", `case ${name} leaves open what it expects`, {
    source,
    span,
    ...(now === "" ? {} : { expected: now }),
    help: [{ message: now === "" ? "there is no buffer that could be expected" : "check --update fills it in" }],
  });
