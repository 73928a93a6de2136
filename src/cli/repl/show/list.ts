import type { Program } from "../../../interp/contract/program.ts";
import { printable } from "../../../present/escape.ts";
import { lineOf, readPlace } from "../expression/place.ts";
import type { LinePart } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";

/** Lines that `list` shows. */
const LINES = 10;

/** `list`, `list LOOP`, `list 12`, and again for the lines after. */
export function list(shell: Shell, argument: LinePart): void {
  const { program } = shell.debugger.session;
  const { source } = program;
  const here = shell.debugger.pcOf();
  const lineAt = (pc: number): number => lineOf(program, pc);
  const from = /^from (\d+)$/.exec(argument.text)?.[1];
  const middle = argument.text === "" ? lineAt(here ?? 0) : from === undefined ? lineNamed(argument, program) : 0;
  const first = from === undefined ? Math.max(1, middle - LINES / 2) : Number(from);
  const total = source.text.replace(/\n$/, "").split("\n").length;
  const last = Math.min(total, first + LINES - 1);
  if (first > total) shell.out("the program ends here\n");
  const width = String(last).length;
  const current = here === undefined ? 0 : lineAt(here);
  const stops = new Set(shell.debugger.points.flatMap(({ pc }) => (pc === undefined ? [] : [lineAt(pc)])));
  for (let line = first; line <= last; line++) {
    const mark = `${line === current ? "=>" : "  "}${stops.has(line) ? "*" : " "}`;
    const text = printable(source.line(line).replaceAll("\t", "    "));
    const shown = `${mark}${String(line).padStart(width)}  ${text}`.trimEnd();
    shell.out(`${line === current ? shell.palette.strong(shown) : shown}\n`);
  }
  shell.repeatWith(`list from ${last + 1}`);
}

/** A line by its number, whether it has an instruction or not; otherwise the line of a place. */
const lineNamed = (argument: LinePart, program: Program): number =>
  /^\d+$/.test(argument.text) ? Number(argument.text) : lineOf(program, readPlace(argument, program));
