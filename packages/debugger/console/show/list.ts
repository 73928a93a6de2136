import type { Program } from "../../../../src/interp/contract/program.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import type { Location } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import { type OriginalPlace, readOriginalPlace } from "../expression/original-place.ts";
import { lineOf, readPlace } from "../expression/place.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import { nameOf } from "../original/originals.ts";
import type { Shell } from "../shell.ts";

/** Lines that `list` shows. */
const LINES = 10;

/** `list`, `list LOOP`, `list 12`, `list 3,12`, `list add.cu:12`, and again for the lines after. */
export function list(shell: Shell, argument: LinePart): void {
  const { program } = shell.debugger.session;
  const original = readOriginalPlace(argument.text.replace(/^from (?=.+:)/, ""), program);
  if (original !== undefined) {
    listOriginal(shell, original, argument);
    return;
  }
  const here = shell.debugger.where()[shell.frame]?.pc ?? shell.debugger.pcOf();
  // `list 3,12`, `list 3-12`.
  const [, begin, end] = /^(\d+)\s*[-,\s]\s*(\d+)$/.exec(argument.text) ?? [];
  const from = begin ?? /^from (\d+)$/.exec(argument.text)?.[1];
  const middle =
    argument.text === "" ? lineOf(program, here ?? 0) : from === undefined ? lineNamed(argument, program) : 0;
  const first = Math.max(1, from === undefined ? middle - LINES / 2 : Number(from));
  const last = end === undefined ? first + LINES - 1 : Math.max(first, Number(end));
  if (first > linesIn(program.source)) shell.out("the program ends here\n");
  shell.repeatWith(`list from ${showLines(shell, first, last, here) + 1}`);
}

/** So many lines of the program around an instruction. */
export function listAround(shell: Shell, pc: number, count: number): void {
  const { program } = shell.debugger.session;
  const first = Math.max(1, lineOf(program, pc) - Math.floor(count / 2));
  showLines(shell, first, first + count - 1, pc);
}

const linesIn = ({ text }: Source): number => text.replace(/\n$/, "").split("\n").length;

/** Prints lines of the program, each source line above its first instruction; returns the last line shown. */
function showLines(shell: Shell, first: number, until: number, here: number | undefined): number {
  const { program } = shell.debugger.session;
  const last = Math.min(linesIn(program.source), until);
  const current = here === undefined ? 0 : lineOf(program, here);
  const stops = new Set(shell.debugger.points.flatMap(({ pcs = [] }) => pcs.map((pc) => lineOf(program, pc))));
  const width = String(last).length;
  const origins = originsOf(program);
  for (let line = first; line <= last; line++) {
    const origin = origins.get(line);
    const from = origin && shell.originals.text(origin);
    if (origin !== undefined && from !== undefined)
      shell.out(`   ${" ".repeat(width)}  ${shell.palette.faint(`${nameAndLine(origin)}  ${printable(from)}`)}\n`);
    showLine(shell, program.source, line, { width, current: line === current, stops: stops.has(line) });
  }
  return last;
}

function showLine(
  shell: Shell,
  source: Source,
  line: number,
  { width, current, stops }: { readonly width: number; readonly current: boolean; readonly stops: boolean },
): void {
  const mark = `${current ? "=>" : "  "}${stops ? "*" : " "}`;
  const text = printable(source.line(line).replaceAll("\t", "    "));
  const shown = `${mark}${String(line).padStart(width)}  ${text}`.trimEnd();
  shell.out(`${current ? shell.palette.strong(shown) : shown}\n`);
}

const nameAndLine = ({ file, line }: Location): string => `${printable(nameOf(file))}:${line}`;

/** By line of the program: what its first instruction was compiled from, where that differs from the instruction before. */
function originsOf(program: Program): ReadonlyMap<number, Location> {
  const origins = new Map<number, Location>();
  let before: Location | undefined;
  for (const [pc, { location }] of program.code.entries()) {
    if (location !== undefined && (location.file !== before?.file || location.line !== before.line)) {
      const line = lineOf(program, pc);
      if (!origins.has(line)) origins.set(line, location);
    }
    before = location;
  }
  return origins;
}

/** Lines of a program that this one was compiled from; marks where the focused thread is. */
function listOriginal(shell: Shell, { file, line }: OriginalPlace, argument: LinePart): void {
  const source = shell.originals.find(file);
  if (source === undefined)
    throw refuse("PTX2405", `${nameOf(file)} was not found`, argument, {
      expected: `the file beside ${shell.debugger.session.program.source.name}, or --source-dir with its folder`,
    });
  const goesOn = argument.text.startsWith("from ");
  const first = Math.max(1, goesOn ? line : line - LINES / 2);
  const last = Math.min(linesIn(source), first + LINES - 1);
  if (first > last) shell.out(`${printable(nameOf(file))} ends here\n`);
  const { code } = shell.debugger.session.program;
  const at = code[shell.debugger.pcOf() ?? -1]?.location;
  const stops = new Set(
    shell.debugger.points.flatMap(({ pcs = [] }) =>
      pcs.flatMap((pc) => (code[pc]?.location?.file === file ? [code[pc].location.line] : [])),
    ),
  );
  const width = String(last).length;
  for (let each = first; each <= last; each++)
    showLine(shell, source, each, { width, current: at?.file === file && at.line === each, stops: stops.has(each) });
  shell.repeatWith(`list from ${file}:${last + 1}`);
}

/** A line by its number, whether it has an instruction or not; otherwise the line of a place. */
const lineNamed = (argument: LinePart, program: Program): number =>
  /^\d+$/.test(argument.text) ? Number(argument.text) : lineOf(program, readPlace(argument, program));
