import type { Debugger, DebugStop } from "../../../../src/host/debugger/debugger.ts";
import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import type { ProgramNames } from "../expression/names.ts";
import type { LinePart } from "../expression/refusal.ts";
import type { Footing } from "./launcher.ts";

/** What the REPL debugs: a loaded program, or a scratchpad. */
export interface Subject {
  readonly debugger: Debugger;
  readonly names: ProgramNames;
  readonly footing: Footing;
  /** True when typed instructions become the program. */
  readonly scratch: boolean;
  /** Carries out an instruction that was typed; throws a `Refusal` when it cannot. */
  execute(line: LinePart, interrupt: () => boolean): Executed;
  /** Sets the initial value of a register that the program does not have yet; false when that is not possible. */
  promise(name: string, type: string | undefined, value: string): boolean;
}

/** The effect of a typed instruction, for the shell to show. */
export interface Executed {
  /** The registers that it writes, by name. */
  readonly written: readonly string[];
  readonly writesCarry: boolean;
  /** Warnings and notes about the line. */
  readonly notes: readonly Diagnostic[];
  /** The fault that stopped it. */
  readonly fault?: Diagnostic;
  /** How the program ended or stopped, where it was run again with the new line. */
  readonly stop?: DebugStop;
}
