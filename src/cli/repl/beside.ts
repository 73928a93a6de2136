import type { Shape } from "../../interp/contract/plan.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import { nearest } from "../../resolve/nearest.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { assigned } from "./format.ts";
import { isWritten } from "./place.ts";
import { type Part, Refusal, refuse } from "./refusal.ts";
import type { Shell } from "./shell.ts";
import { writtenRegisters } from "./written.ts";

/** What one thread cannot do by itself, beside its program. */
const tied: ReadonlySet<Shape> = new Set([
  "branch", "switch", "call", "exit", "return", "barrier", "cluster barrier", "warp", "stack",
]); // biome-ignore format: a list of names

/** Executes a line of PTX for the focused thread, with its registers and its memory; its program stays where it is. */
export function executeBeside(line: Part, shell: Shell): void {
  const debugger_ = shell.debugger;
  const { source } = line;
  if (debugger_.pcOf() === undefined) throw refuse("PTX2407", "the focused thread does not run", line);
  const callee = debugger_.session.machine.calls(debugger_.focus)[0]?.callee;
  const { value: program, diagnostics } = shell.subject.footing.loaded.kernel.beside(source, callee);
  if (program === undefined || hasErrors(diagnostics)) throw new Refusal(diagnostics);
  shell.complain(diagnostics.filter(({ code }) => code !== "PTX9003"));
  const own = program.code.filter((_, pc) => isWritten(program, pc));
  check(own, program, line, shell);
  const fault = debugger_.aside(program);
  for (const { name } of writtenRegisters(program, own)) show(name, shell);
  if (own.some(({ plan }) => plan.shape === "carry" && plan.carryOut)) shell.out(`  cc.cf = ${debugger_.carry()}\n`);
  if (fault !== undefined) throw new Refusal([fault]);
}

/** Prints what a register of the focused thread holds now. */
export function show(name: string, { debugger: debugger_, palette, io }: Shell): void {
  const register = debugger_.registers().find((each) => each.name === name);
  if (register !== undefined) io.out(`  ${assigned(name, register.type, register.bits, palette)}\n`);
}

function check(code: readonly Instruction[], program: Program, line: Part, shell: Shell): void {
  const { source } = line;
  if (code.length === 0)
    throw refuse("PTX2408", "there is nothing to execute in this", line, { expected: "an instruction" });
  for (const { plan, span, opcode } of code)
    if (tied.has(plan.shape))
      throw refuse("PTX2408", `${opcode} cannot be executed beside the program`, line, {
        span,
        expected: "an instruction that concerns one thread alone",
      });
  if (program.sharedBytes > 0 || program.localBytes > 0)
    throw refuse("PTX2408", "memory cannot be declared beside the program", line);
  const names = shell.debugger.registers().map(({ name }) => name);
  for (const { name, span } of program.registers)
    if (!names.includes(name))
      throw refuse(
        "PTX2404",
        `the program has no register ${name}`,
        { source, text: name, start: span.start },
        {
          span,
          meant: nearest(name, names),
        },
      );
}
