import type { Launch } from "../../host/index.ts";
import { problem } from "../../host/problem.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";
import type { Reach } from "../file.ts";
import { launch } from "../run/launch.ts";
import { type Loaded, load } from "../run/program.ts";
import { type Inputs, Setup } from "../run/setup.ts";
import { readAssignment } from "../value/assignment.ts";
import { type Mismatch, words } from "./compare.ts";
import type { CaseLine } from "./directive.ts";
import { type Expectation, isFault, readExpectations } from "./expectation.ts";
import { judge } from "./judge.ts";
import type { CaseOptions } from "./options.ts";
import { runPipeline } from "./pipeline.ts";
import { type InputKind, repeatCommand } from "./repeat.ts";
import type { CaseResult } from "./result.ts";

/** Mismatches of one buffer that are shown. */
const SHOWN = 4;

/** Runs one case on a device of its own. */
export function runCase(source: Source, line: CaseLine, options: CaseOptions, reach: Reach): CaseResult {
  const diagnostics: Diagnostic[] = [];
  const number = source.position(line.span.start).line;
  const result = (mismatches: readonly Mismatch[] = [], repeat?: string): CaseResult => ({
    name: line.name,
    line: number,
    passed: !hasErrors(diagnostics),
    diagnostics,
    mismatches,
    ...(repeat === undefined ? {} : { repeat }),
  });
  const expectations = readExpectations(source, line.expectations);
  diagnostics.push(...expectations.diagnostics);
  const ran =
    line.launches.length > 0 ? runPipeline(source, line, options, reach) : runOnce(source, line, options, reach);
  diagnostics.push(...ran.diagnostics);
  if (ran.value === undefined) return result();
  const { loaded, inputs, launches, repeat } = ran.value;
  diagnostics.push(...judgeEnd(source, line, launches, expectations.value));
  const session = launches.at(-1)?.session;
  if (session === undefined) throw new Error("a case that ran has a launch");
  const mismatches: Mismatch[] = [];
  // After a fault that nobody expects, what registers hold is no news.
  if (!hasErrors(diagnostics)) {
    for (const expectation of expectations.value) {
      if (expectation.kind === "fault") continue;
      const { value, diagnostics: unreadable } = judge(expectation, session, loaded, inputs, options, reach);
      diagnostics.push(
        ...unreadable,
        ...value.slice(0, SHOWN).map((each) => failure(source, line, expectation.span, each)),
      );
      if (value.length > SHOWN) diagnostics.push(more(source, expectation.span, value.length - SHOWN));
      mismatches.push(...value);
    }
  }
  if (!hasErrors(diagnostics)) return result();
  return result(mismatches, repeat(expectations.value));
}

/** What a case has run: one launch, or those of its pipeline up to the first that stopped. */
export interface Ran {
  readonly loaded: Loaded;
  readonly inputs: Pick<Inputs, "buffers">;
  readonly launches: readonly Launch[];
  /** The command that repeats it. */
  readonly repeat: (expectations: readonly Expectation[]) => string;
}

function runOnce(source: Source, line: CaseLine, options: CaseOptions, reach: Reach): Staged<Ran | undefined> {
  const loaded = load(source, options);
  if (loaded.value === undefined) return { value: undefined, diagnostics: loaded.diagnostics };
  const { inputs, kinds, diagnostics } = gather(source, line, loaded.value, reach);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const launched = launch(loaded.value.kernel, inputs, options, () => 0);
  diagnostics.push(...launched.diagnostics);
  if (launched.value === undefined) return { value: undefined, diagnostics };
  const repeat = (expectations: readonly Expectation[]) => repeatCommand(source.name, line, kinds, expectations);
  return { value: { loaded: loaded.value, inputs, launches: [launched.value], repeat }, diagnostics };
}

/** Reads the left side; every input must be there. */
function gather(source: Source, line: CaseLine, loaded: Loaded, reach: Reach) {
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
  // A compiler's output reads registers before writing them where it knows better; only a snippet's are inputs.
  const missing = inputs.missing.filter(({ kind }) => module === undefined || kind === "parameter");
  const { diagnostics } = setup;
  if (missing.length > 0 && !hasErrors(diagnostics)) {
    const names = missing.map(({ name }) => name).join(", ");
    const expected = missing.map(({ name }) => `${name}=VALUE`).join(" ");
    diagnostics.push(problem("PTX7004", `case ${line.name} gives no ${names}`, { source, span: line.span, expected }));
  }
  return { inputs, kinds, diagnostics };
}

/** In a snippet names are registers; in a module a bare name is a parameter (or a variable), and `%` marks a register. */
function inputKind(name: string, { kernel, module }: Loaded): InputKind {
  if (module === undefined || name.startsWith("%") || name.toLowerCase() === "cc.cf") return "reg";
  const isParameter = kernel.program.parameters.some((parameter) => parameter.name === name);
  return !isParameter && module.variable(name) !== undefined ? "global" : "arg";
}

/** Compares how the run ended with what `fault` says. */
function judgeEnd(source: Source, line: CaseLine, launches: readonly Launch[], expectations: readonly Expectation[]) {
  const ended = launches.flatMap(({ stop }) => (stop.reason === "trap" ? [stop.diagnostic] : []));
  const findings = launches.flatMap((each) => each.findings);
  const troubles = [...ended, ...findings.filter(({ severity }) => severity !== "note")];
  const wanted = expectations.filter((each) => each.kind === "fault");
  const diagnostics: Diagnostic[] = [];
  for (const { name, span } of wanted) {
    if (troubles.some(({ code }) => isFault(name, code))) continue;
    const got = troubles[0] === undefined ? "the run ended without a fault" : `the run ended with ${troubles[0].code}`;
    diagnostics.push(problem("PTX7006", `case ${line.name}: ${got}`, { source, span, expected: `fault ${name}` }));
  }
  const unexpected = troubles.filter(({ code }) => !wanted.some(({ name }) => isFault(name, code)));
  for (const trouble of unexpected) {
    const expected = wanted.length === 0 ? "a run without faults and findings" : "only the faults it names";
    const related = [{ source: trouble.source, span: trouble.span, message: trouble.message }];
    const message = `case ${line.name}: ${trouble.code}, ${trouble.message}`;
    diagnostics.push(problem("PTX7006", message, { source, span: line.span, expected, related }));
  }
  return diagnostics;
}

function failure(source: Source, { name }: CaseLine, span: Span, mismatch: Mismatch): Diagnostic {
  const { message, expected } = words(mismatch);
  return problem("PTX7005", `case ${name}: ${message}`, { source, span, expected });
}

const more = (source: Source, span: Span, count: number): Diagnostic =>
  problem("PTX7005", `and ${count} more values that differ`, { source, span });
