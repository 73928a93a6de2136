import { Exit } from "../../environment/exit.ts";
import { explain } from "../../explain/command.ts";
import { mnemonics } from "../../isa/index.ts";
import { hex } from "../../present/value.ts";
import { words } from "../commands/arguments.ts";
import { readPlace } from "../expression/place.ts";
import { type LinePart, Refusal, refuse } from "../expression/refusal.ts";
import { floatOf, widthIn } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { explainHere } from "./explain.ts";

const instructions: ReadonlySet<string> = new Set(mnemonics);

/** `explain`: the next instruction, or what the argument names. */
export function explainAny(shell: Shell, argument: LinePart): void {
  const { text } = argument;
  const [first = argument] = words(argument);
  const { names } = shell;
  if (text === "" || /^\d+(\s|$)/.test(text)) explainHere(shell, argument);
  else if (/^PTX\d/i.test(text) || /^[-+]?(0[xbfd][\da-f_]+|[\d.]+(e[-+]?\d+)?)$/i.test(text)) asCommand(shell, text);
  else if (!names.find(text) && instructions.has(first.text.split(".")[0] ?? "")) asCommand(shell, text);
  else if (names.find(text)?.kind === "label" || /^\*\s*\d+$|[+:]\d+$/.test(text)) explainAt(shell, argument);
  else if (names.find(text) !== undefined) explainValue(shell, argument);
  else
    throw refuse("PTX2402", `there is no ${text} to explain`, argument, {
      expected:
        "nothing, ROW COLUMN of a matrix, a place, a register, or what ptxrun explain takes: an instruction or a code",
    });
}

/** What the command line's `explain` says. */
function asCommand(shell: Shell, text: string, as?: string): void {
  const code = explain(text, { color: shell.options.color, ...(as !== undefined && { as }) }, shell.io);
  // It has said why itself.
  if (code !== Exit.ok) throw new Refusal([]);
}

/** An instruction elsewhere, with what the focused thread's registers hold now. */
function explainAt(shell: Shell, argument: LinePart): void {
  const pc = readPlace(argument, shell.debugger.session.program);
  explainHere(shell, { ...argument, text: "" }, pc);
}

/** The fields of the value that a register or a parameter holds. */
function explainValue(shell: Shell, argument: LinePart): void {
  const { bits, type } = shell.expression(argument).at(shell);
  const width = Math.max(8, widthIn(type));
  asCommand(shell, hex(bits, width), floatOf(type) === undefined && !/^[us]/.test(type) ? undefined : type);
}
