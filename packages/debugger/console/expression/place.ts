import { FunctionNames, type Meaning } from "../../../../src/host/module/function-names.ts";
import { kernelName } from "../../../../src/interp/contract/launch/kernel-name.ts";
import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Label, Program } from "../../../../src/interp/contract/program.ts";
import { threadIndex } from "../../../../src/launch/extents.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { shortName } from "../../../demangle/src/index.ts";
import { type OriginalPlace, readOriginalPlace, startsOfLine } from "./original-place.ts";
import { type LinePart, refuse } from "./refusal.ts";

/** A thread as the prompt names it: linear indices of the block in the grid and of the thread in the block. */
export const threadName = (thread: ThreadId, program: Pick<Program, "simd">): string =>
  `b${thread.block} t${threadIndex(thread, program)}`;

/** The instruction at a pc as it is written; an implied instruction is the end of the program. */
export function instructionText({ source, code }: Program, pc: number): string {
  const instruction = code[pc];
  if (instruction === undefined) return "the end";
  const { start, end } = instruction.span;
  const text = source.text.slice(start, end);
  if (!isWritten({ code }, pc))
    return instruction.opcode === "ret" ? "the end of the function" : "the end of the program";
  return printable(text.replace(/\s+/g, " "));
}

/** The line of an instruction. */
export const lineOf = (program: Program, pc: number): number => {
  const { source, code } = program;
  const { line } = source.position(code[pc]?.span.start ?? source.text.length);
  // The end of a body is on a separate line.
  return pc === code.length - 1 && !isWritten(program, pc) ? line + 1 : line;
};

/** The instruction with its line in front. */
export const instructionLine = (program: Program, pc: number): string =>
  isWritten(program, pc) ? `${lineOf(program, pc)}  ${instructionText(program, pc)}` : instructionText(program, pc);

/** False for the implied exit or return at the end of a body. */
export const isWritten = ({ code }: Pick<Program, "code">, pc: number): boolean => {
  const { start = 0, end = 0 } = code[pc]?.span ?? {};
  return end - start > 1;
};

/** `LOOP+2`: the label at or before an instruction in its function, or the function, and how far after it. */
export function placeName(program: Program, pc: number): string {
  const inner = functionAt(program, pc);
  const start = inner === undefined ? 0 : (inner.entry as number);
  const labels = (program.labels ?? []).filter((label) => label.pc <= pc && label.pc >= start);
  const last = labels.reduce<Label | undefined>(
    (best, label) => (best && best.pc > label.pc ? best : label),
    undefined,
  );
  const kernel = () => (program.calls ? kernelName(program) : shortName(program.name));
  const from = last?.pc ?? start;
  const short = last?.name ?? (inner === undefined ? kernel() : shortName(inner.name));
  if (short === "") return `*${pc}`;
  return printable(pc === from ? short : `${short}+${pc - from}`);
}

/** The device function that an instruction belongs to; undefined in the kernel. */
function functionAt({ functions }: Program, pc: number) {
  let best: Program["functions"][number] | undefined;
  for (const each of functions) {
    if (typeof each.entry !== "number" || each.entry > pc) continue;
    if (best === undefined || each.entry >= (best.entry as number)) best = each;
  }
  return best;
}

/** Reads a place: `LOOP`, `LOOP+2`, `12`, `kernel.ptx:12`, `kernel.cu:12`, `*7`, a function. Throws a `Refusal` (PTX2405). */
export function readPlace(part: LinePart, program: Program): number {
  const { text } = part;
  const [, index] = /^\*\s*(\d+)$/.exec(text) ?? [];
  if (index !== undefined) {
    if (Number(index) < program.code.length) return Number(index);
    throw refuse("PTX2405", `there is no instruction ${index}`, part, {
      expected: `*0 to *${program.code.length - 1}`,
    });
  }
  const [, file, digits] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (digits !== undefined && (file === undefined || isName(file, program)))
    return atLine(Number(digits), part, program);
  const original = readOriginalPlace(text, program);
  if (original !== undefined) return startOfLine(original, part, program);
  const offset = /([+-])\s*(\d+)$/.exec(text);
  const [, sign, far] = offset ?? [];
  const name = text.slice(0, offset?.index).trimEnd();
  const start = named(name, program);
  if (typeof start !== "number") {
    const labels = (program.labels ?? []).map((label) => label.name);
    const several = start.kind === "several" ? start.names.slice(0, 8).map(shortName).join(", ") : undefined;
    throw refuse("PTX2405", several === undefined ? `there is no ${name} to go to` : `${name} may be several`, part, {
      expected: several ?? "a label, LABEL+N, a line, a function or *N",
      meant: nearest(name, labels) ?? (start.kind === "none" ? start.meant : undefined),
    });
  }
  const pc = start + (sign === "-" ? -1 : 1) * Number(far ?? 0);
  if (program.code[pc] === undefined)
    throw refuse("PTX2405", `${text} lies outside the program`, part, {
      expected: `*0 to *${program.code.length - 1}`,
    });
  return pc;
}

/**
 * The first instruction compiled from a line; a `Refusal` (PTX2405) where neither that line nor a later one has any.
 */
function startOfLine(original: OriginalPlace, part: LinePart, program: Program): number {
  const [first] = startsOfLine(original, program);
  if (first === undefined) throw refuse("PTX2405", `nothing was compiled from line ${original.line} or after it`, part);
  return first;
}

const isName = (file: string, { source }: Program): boolean => source.name === file || source.name.endsWith(`/${file}`);

/** Where a label or function begins, or why the name is neither. */
function named(name: string, program: Program): number | Exclude<Meaning, { readonly kind: "one" }> {
  const [, within, inner] = /^([^:]+):([^:]+)$/.exec(name) ?? [];
  const labels = program.labels ?? [];
  if (inner !== undefined)
    return labels.find((label) => label.name === inner && (label.within ?? program.name) === within)?.pc ?? nowhere;
  const label = labels.find((each) => each.name === name);
  if (label !== undefined) return label.pc;
  const written = program.functions.flatMap((each) => (typeof each.entry === "number" ? [each.name] : []));
  const meaning = new FunctionNames(
    [],
    program.name === "" || program.calls ? written : [program.name, ...written],
  ).meaning(name);
  if (meaning.kind !== "one") return meaning;
  const entry = program.functions.find((each) => each.name === meaning.name)?.entry;
  return typeof entry === "number" ? entry : 0;
}

const nowhere: Meaning & { readonly kind: "none" } = { kind: "none" };

/** The first instruction in a line, or in the next one that has any. */
function atLine(line: number, part: LinePart, program: Program): number {
  let best: number | undefined;
  let bestLine = Number.POSITIVE_INFINITY;
  for (const pc of program.code.keys()) {
    const at = lineOf(program, pc);
    if (at >= line && at < bestLine) [best, bestLine] = [pc, at];
  }
  if (best === undefined) {
    const last = Math.max(0, ...[...program.code.keys()].map((pc) => lineOf(program, pc)));
    throw refuse("PTX2405", `there is no instruction on line ${line} or after it`, part, {
      expected: `a line up to ${last}`,
    });
  }
  return best;
}
