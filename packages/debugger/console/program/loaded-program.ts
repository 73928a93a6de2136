import type { Io } from "../../../../src/environment/io.ts";
import { Debugger } from "../../../../src/host/debugger/debugger.ts";
import { isAlone, writesCarry } from "../../../../src/interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../../../src/interp/contract/program.ts";
import { missingNotes } from "../../../../src/launch/input/missing.ts";
import { printOf } from "../../../../src/launch/once.ts";
import type { RunCommandOptions } from "../../../../src/launch/options.ts";
import type { Loaded } from "../../../../src/launch/program.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type { ProgramNames } from "../expression/names.ts";
import { isWritten } from "../expression/place.ts";
import { type LinePart, Refusal, refuse } from "../expression/refusal.ts";
import { writtenRegisters, writtenVariables } from "../show/written.ts";
import { type Footing, Launcher } from "./launcher.ts";
import type { Executed, Subject } from "./subject.ts";

/**
 * Executes a line of PTX for the focused thread, with its registers and memory; the program counter does not move.
 * Throws a `Refusal` (PTX2404, PTX2407, PTX2408, or the error in the line).
 */
export function executeInjected(line: LinePart, debugger_: Debugger, { kernel }: Pick<Loaded, "kernel">): Executed {
  const { source } = line;
  if (debugger_.pcOf() === undefined) throw refuse("PTX2407", "the focused thread does not run", line);
  const callee = debugger_.machine.calls(debugger_.focus)[0]?.callee;
  const { value: program, diagnostics } = kernel.injected(source, callee);
  if (program === undefined || hasErrors(diagnostics)) throw new Refusal(diagnostics);
  const own = program.code.filter((_, pc) => isWritten(program, pc));
  check(own, program, line, debugger_);
  const before = new Map(debugger_.registers().map(({ name, bits }) => [name, bits[0]]));
  const fault = debugger_.inject(program);
  // Predicates are no operands of a plan of vISA.
  const predicates =
    program.simd === undefined ? [] : debugger_.registers().filter(({ name, bits }) => before.get(name) !== bits[0]);
  return {
    written: [
      ...[...writtenRegisters(program, own), ...predicates].map(({ name }) => name),
      ...writtenVariables(program, own),
    ],
    writesCarry: own.some(({ plan }) => writesCarry(plan)),
    notes: diagnostics.filter(({ code }) => code !== "PTX9003"),
    ...(fault && { fault }),
  };
}

function check(code: readonly Instruction[], program: Program, line: LinePart, debugger_: Debugger): void {
  const { source } = line;
  if (code.length === 0)
    throw refuse("PTX2408", "there is nothing to execute in this", line, { expected: "an instruction" });
  for (const { plan, span, opcode } of code)
    if (!isAlone(plan))
      throw refuse("PTX2408", `${opcode} cannot be executed beside the program`, line, {
        span,
        expected: "an instruction that concerns one thread alone",
      });
  if (program.sharedBytes > 0 || program.localBytes > 0)
    throw refuse("PTX2408", "memory cannot be declared beside the program", line);
  const names = debugger_.registers().map(({ name }) => name);
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

/** A program from a file, or from `-e`. */
export class LoadedProgram implements Subject {
  readonly debugger: Debugger;
  readonly scratch = false;
  readonly #launcher: Launcher;

  private constructor(debugger_: Debugger, launcher: Launcher) {
    this.debugger = debugger_;
    this.#launcher = launcher;
  }

  /** Loads a program and stops before its first instruction. */
  static load(source: Source, options: RunCommandOptions, io: Io): Staged<LoadedProgram | undefined> {
    const launcher = new Launcher(source, options, io, printOf(io));
    const { value, diagnostics } = Debugger.begin({ start: () => launcher.start() });
    if (value === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const { inputs, loaded } = launcher.footing as Footing;
    const notes = missingNotes(inputs, loaded.kernel);
    return { value: new LoadedProgram(value, launcher), diagnostics: [...diagnostics, ...notes] };
  }

  get footing(): Footing {
    return this.#launcher.footing as Footing;
  }

  get names(): ProgramNames {
    return this.footing.names;
  }

  execute(line: LinePart): Executed {
    return executeInjected(line, this.debugger, this.footing.loaded);
  }

  promise(): boolean {
    return false;
  }
}
