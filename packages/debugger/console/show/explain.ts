import { Exit } from "../../../../src/environment/exit.ts";
import { explain } from "../../../../src/explain/command.ts";
import { mnemonics } from "../../../../src/isa/index.ts";
import { hex } from "../../../../src/present/value.ts";
import { instructionText, workInstruction } from "../../../../src/present/working/instruction.ts";
import { type InD, sizeOfD, workMultiply } from "../../../../src/present/working/tensor/instruction.ts";
import { whole as wholeNumber, words } from "../commands/arguments.ts";
import { evaluation, surroundings } from "../expression/evaluation.ts";
import { readPlace } from "../expression/place.ts";
import { type LinePart, Refusal, refuse, whole, within } from "../expression/refusal.ts";
import { widthIn } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { everyFormat, show } from "./format.ts";
import { typesOfUse } from "./use.ts";

/**
 * `explain`: the instruction that comes next, worked through bit by bit with its operands' values; of a matrix multiplication one
 * element, which a row and a column of D may choose.
 */
function explainHere(shell: Shell, argument: LinePart, at = shell.debugger.pcOf()): void {
  const { session, focus } = shell.debugger;
  const pc = at;
  const instruction = pc === undefined ? undefined : session.program.code[pc];
  if (pc === undefined || instruction === undefined)
    throw refuse("PTX2407", "the focused thread does not run", whole("command", "explain"));
  const { plan, operands } = instruction;
  const place = placeIn(shell, argument);
  if (plan.shape === "multiply") {
    const read = (at: number, lane: number): readonly bigint[] => {
      const operand = operands[at];
      return operand === undefined ? [] : session.operand({ ...focus, lane }, operand);
    };
    const target = session.state?.context.target ?? session.program.target;
    const lines = workMultiply(plan.op, target, focus.lane, place, read);
    const { rows, columns } = sizeOfD(plan.op);
    if (lines === undefined)
      throw refuse("PTX2402", `D has no row and column ${argument.text}`, argument, {
        expected: `a row below ${rows} and a column below ${columns}`,
      });
    for (const line of [instructionText(session.program, pc), ...lines]) shell.out(`${line}\n`);
    return;
  }
  if (place !== undefined && (plan.shape === "wgmma" || plan.shape === "tcgen05 multiply"))
    throw refuse(
      "PTX2402",
      `the operands of ${plan.shape === "wgmma" ? "wgmma" : "tcgen05.mma"} lie in memory, and its elements are not worked through at a stop`,
      argument,
      {
        expected: `explain alone, or on the command line: ptxrun explain ${instruction.opcode} a=1,2 b=3,4 c=5`,
      },
    );
  if (place !== undefined)
    throw refuse("PTX2402", `${argument.text} does not belong here`, argument, {
      expected: "explain alone: the next instruction is not an mma or wmma.mma",
    });
  const lines = workInstruction(
    session.program,
    pc,
    (operand) => session.operand(focus, operand),
    session.carry(focus),
  );
  for (const line of [...lines, ...variablesIn(shell, pc)]) shell.out(`${line}\n`);
}

/** The variables and predicates that an instruction of vISA names, as they are before it. */
function variablesIn(shell: Shell, pc: number): readonly string[] {
  const { program } = shell.debugger.session;
  if (program.simd === undefined) return [];
  const words = new Set(instructionText(program, pc).match(/%?[A-Za-z_]\w*/g));
  const around = surroundings(shell);
  const shown = [...words].flatMap((name): readonly (readonly [string, string])[] => {
    const found = around.names.find(name);
    const own = found?.kind === "variable" && around.variable(name) !== undefined;
    if (!own && found?.kind !== "register" && found?.kind !== "parameter") return [];
    return [[name, show(evaluation(whole("command", name)).at(shell))]];
  });
  const longest = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `  ${name.padEnd(longest)}  ${value}`);
}

/** `ROW COLUMN`. */
function placeIn(shell: Shell, argument: LinePart): InD | undefined {
  const parts = words(argument);
  if (parts.length === 0) return undefined;
  const [row, column] = parts;
  if (row === undefined || column === undefined || parts.length > 2)
    throw refuse("PTX2402", `${argument.text} is not an element`, argument, { expected: "explain [ROW COLUMN]" });
  return { row: wholeNumber(shell, row), column: wholeNumber(shell, column) };
}

const isNumber = (text: string): boolean => /^[-+]?(0[xbfd][\da-f_]+|[\d.]+(e[-+]?\d+)?)$/i.test(text);

const instructions: ReadonlySet<string> = new Set(mnemonics);

/** `explain`: the next instruction, or what the argument names. */
export function explainAny(shell: Shell, argument: LinePart): void {
  const option = argument.text.indexOf(" --as");
  if (option > 0) {
    const what = within(argument, 0, option);
    const as = argument.text
      .slice(option + " --as".length)
      .replace(/^[ =]/, "")
      .trim();
    if (isNumber(what.text)) asCommand(shell, what.text, as);
    else explainValue(shell, what, as);
    return;
  }
  const { text } = argument;
  const [first = argument] = words(argument);
  const { names } = shell;
  if (text === "" || /^\d+(\s|$)/.test(text)) explainHere(shell, argument);
  else if (/^PTX\d/i.test(text) || isNumber(text)) asCommand(shell, text);
  else if (!names.find(text) && instructions.has(first.text.split(".")[0] ?? "")) asCommand(shell, text);
  else if (names.find(text)?.kind === "label" || /^\*\s*\d+$|[+:]\d+$/.test(text)) explainAt(shell, argument);
  else if (names.find(text) !== undefined || /^[%[]/.test(text)) explainValue(shell, argument);
  else
    throw refuse("PTX2402", `there is no ${text} to explain`, argument, {
      expected:
        "nothing, ROW COLUMN of a matrix, a place, a register, or what ptxrun explain takes: an instruction or a code",
    });
}

/** What the command line's `explain` says. */
function asCommand(shell: Shell, text: string, as?: string): void {
  const code = explain(text, { format: "text", color: shell.options.color, ...(as !== undefined && { as }) }, shell.io);
  // The command has printed the reason.
  if (code !== Exit.ok) throw new Refusal([]);
}

/** An instruction elsewhere, with what the focused thread's registers hold now. */
function explainAt(shell: Shell, argument: LinePart): void {
  const pc = readPlace(argument, shell.debugger.session.program);
  explainHere(shell, { ...argument, text: "" }, pc);
}

/** The fields of a value in the types of its likely use, or in those asked for, and the value in every format. */
function explainValue(shell: Shell, argument: LinePart, as?: string): void {
  const read = shell.expression(argument);
  const { bits, type } = read.one(shell);
  const width = Math.max(8, widthIn(type));
  const use = [...(/^(?:b\d|pred)/.test(type) ? [] : [type]), ...typesOfUse(shell, read)];
  asCommand(shell, hex(bits, width), as ?? (use.length > 0 ? use.join(",") : undefined));
  if (as === undefined) shell.out(`\n${everyFormat(bits, width, use)}`);
}
