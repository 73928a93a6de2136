import { printable } from "../../../../src/present/text/escape.ts";
import { instructionText, isWritten, lineOf, placeName, readPlace } from "../expression/place.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";

/** Instructions that one command shows. */
const MAX_SHOWN_INSTRUCTIONS = 4096;

/** `disassemble`: a function's instructions, with a mark at the one that comes next. */
export function disassemble(shell: Shell, argument: LinePart): void {
  const { program } = shell.debugger.session;
  const pc = argument.text === "" ? shell.debugger.pcOf() : readPlace(argument, program);
  const at = pc ?? 0;
  const entries = [0, ...program.functions.flatMap(({ entry }) => (typeof entry === "number" ? [entry] : []))];
  const from = Math.max(...entries.filter((entry) => entry <= at));
  const to = Math.min(program.code.length, ...entries.filter((entry) => entry > at));
  showInstructions(shell, from, Math.min(to, from + MAX_SHOWN_INSTRUCTIONS));
  if (to > from + MAX_SHOWN_INSTRUCTIONS)
    shell.out(`... ${to - from - MAX_SHOWN_INSTRUCTIONS} more: x/N i *${from + MAX_SHOWN_INSTRUCTIONS}\n`);
}

/** `x/5i PLACE`, `x/5i $pc`. */
export function examineInstructions(shell: Shell, argument: LinePart, count: number): void {
  const { program } = shell.debugger.session;
  const here = argument.text === "" || argument.text === "$pc";
  const from = here ? shell.debugger.pcOf() : readPlace(argument, program);
  if (from === undefined) throw refuse("PTX2407", "the focused thread is not at an instruction", argument);
  const to = Math.min(program.code.length, from + count);
  showInstructions(shell, from, to);
  if (to < program.code.length) shell.repeatWith(`x/${count}i *${to}`);
}

/** `=> *7  LOOP+2  17  add.u32 %r3, %r3, 1;`. */
function showInstructions(shell: Shell, from: number, to: number): void {
  const { program } = shell.debugger.session;
  const here = shell.debugger.pcOf();
  const stops = new Set(shell.debugger.points.flatMap(({ pcs = [] }) => pcs));
  const rows = Array.from({ length: to - from }, (_, index) => {
    const pc = from + index;
    const line = isWritten(program, pc) ? String(lineOf(program, pc)) : "";
    return { pc, cells: [`*${pc}`, placeName(program, pc), line], text: instructionText(program, pc) };
  });
  const widths = [0, 1, 2].map((at) => rows.reduce((most, { cells }) => Math.max(most, cells[at]?.length ?? 0), 0));
  for (const { pc, cells, text } of rows) {
    const mark = `${pc === here ? "=>" : "  "}${stops.has(pc) ? "*" : " "}`;
    const shown = `${mark}${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}  ${text}`.trimEnd();
    shell.out(`${pc === here ? shell.palette.strong(shown) : shown}\n`);
  }
}

/** `info line PLACE`: the line, its instruction, and what it was compiled from. */
export function lineInformation(shell: Shell, argument: LinePart | undefined): void {
  const { program } = shell.debugger.session;
  const pc = argument === undefined ? shell.debugger.pcOf() : readPlace(argument, program);
  if (pc === undefined) {
    shell.out("the focused thread is not at an instruction\n");
    return;
  }
  const { location } = program.code[pc] ?? {};
  const from = location === undefined ? "" : `, compiled from ${printable(location.file)}:${location.line}`;
  const name = printable(program.source.name);
  shell.out(`line ${lineOf(program, pc)} of ${name} begins at *${pc}, ${placeName(program, pc)}${from}\n`);
}
