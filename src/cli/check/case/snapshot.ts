import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { decode, MOST_TEXT, readTextBytes } from "../../../environment/file.ts";
import type { Reach } from "../../../environment/reach.ts";
import { problem } from "../../../host/problem.ts";
import type { Session } from "../../../interp/machine/session.ts";
import { finalState, select } from "../../../launch/dump/dump.ts";
import type { Inputs } from "../../../launch/input/launch-inputs.ts";
import type { Loaded } from "../../../launch/program.ts";
import { renderState } from "../../../present/state.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../source/diagnostic.ts";
import type { Source } from "../../../source/source.ts";
import type { CaseLine } from "../file/directive.ts";
import type { CaseOptions } from "../options.ts";
import type { ExpectationEdit } from "../result.ts";
import type { Expectation } from "./expectation.ts";
import type { CaseRun } from "./run.ts";

/**
 * The dumps of the command that repeats a case: the results that the case expects; for a snapshot all buffers, and all
 * registers of a snippet or of a module without buffers.
 */
export function dumpsOf(
  line: CaseLine,
  { module, kernel }: Pick<Loaded, "module" | "kernel">,
  { buffers }: Pick<Inputs, "buffers">,
  expectations: readonly Expectation[],
): readonly string[] {
  const names = expectations.flatMap((each) => (each.kind === "value" ? [each.name.text] : []));
  if (line.snapshot === undefined) return [...new Set(names)];
  const results = kernel.program.results !== undefined;
  const registers = module === undefined || buffers.length === 0 || results ? ["regs"] : [];
  return [...registers, ...buffers.map(({ name }) => name)];
}

/** Compares the output of the command that repeats the case with the file next to the PTX. */
export function judgeSnapshot(
  program: Source,
  line: CaseLine,
  session: Session,
  { loaded, inputs, start, printed }: CaseRun,
  options: CaseOptions,
  reach: Reach,
): Staged<readonly ExpectationEdit[]> {
  const all: Inputs = { ...inputs, registers: start, carry: undefined, args: [], missing: [], assumed: [] };
  const { selection, diagnostics } = select(dumpsOf(line, loaded, inputs, []), loaded, all);
  // A snapshot has the bits, in lines that do not depend on how a buffer was given.
  const plainly = selection.buffers.map(({ shape: _, channels: __, ...each }) => each);
  const state = finalState(session, { ...selection, buffers: plainly }, options, start);
  diagnostics.push(...state.diagnostics.map((each) => ({ ...each, source: line.source, span: line.span })));
  if (hasErrors(diagnostics)) return { value: [], diagnostics };
  const buffers = state.value.buffers.map((each) => ({ ...each, digits: each.digits ?? ("beside" as const) }));
  const now = printed + renderState({ ...state.value, buffers });
  const file = `${basename(program.name).replace(/\.ptx$/, "")}${line.snapshot ?? ""}.snap`;
  const path = join(dirname(program.name), file);
  const edits: readonly ExpectationEdit[] = [{ kind: "snapshot", path, text: now }];
  const full = reach.files.resolve(file);
  reach.onRead?.(full);
  if (!existsSync(full)) {
    const help = [{ message: "check --update writes it" }];
    const place = { source: line.source, span: line.span, expected: `the final state in ${path}`, help };
    return { value: edits, diagnostics: [...diagnostics, problem("PTX7014", `there is no ${path}`, place)] };
  }
  const { value: bytes, diagnostics: unreadable } = readTextBytes(file, reach, MOST_TEXT, line);
  if (bytes === undefined) return { value: [], diagnostics: [...diagnostics, ...unreadable] };
  const { value: snap, diagnostics: garbled } = decode(path, bytes);
  if (snap === undefined) return { value: edits, diagnostics: [...diagnostics, ...garbled] };
  const differing = difference(line, snap, now);
  return differing === undefined
    ? { value: [], diagnostics }
    : { value: edits, diagnostics: [...diagnostics, differing] };
}

/** The first line that differs; line ends of either kind are equal. */
function difference({ name, source, span }: CaseLine, snap: Source, now: string): Diagnostic | undefined {
  const old = snap.text.replaceAll("\r\n", "\n");
  if (old === now) return undefined;
  const [before, after] = [old.split("\n"), now.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const index = at < 0 ? before.length : at;
  const shown = (line: string | undefined) => (line === undefined ? "the end" : line === "" ? "empty" : line);
  const start = snap.text.split("\n").slice(0, index).join("\n").length + (index > 0 ? 1 : 0);
  const place = { start, end: start + (before[index]?.length ?? 0) };
  return problem("PTX7014", `case ${name}: line ${index + 1} of the final state is ${shown(after[index])}`, {
    source,
    span,
    expected: shown(before[index]),
    related: [{ source: snap, span: place, message: "it was this" }],
    help: [{ message: "check --update writes the new state" }],
  });
}
