import type { Debugger, DebugStop } from "../../host/debugger.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Footing } from "./launcher.ts";
import type { ProgramNames } from "./names.ts";
import type { LinePart } from "./refusal.ts";

/** What the REPL is about: a program under its debugger, or a scratchpad. */
export interface Subject {
  readonly debugger: Debugger;
  readonly names: ProgramNames;
  readonly footing: Footing;
  /** True where typed instructions are the program. */
  readonly scratch: boolean;
  /** Carries out an instruction that was typed; throws a `Refusal` when it cannot. */
  execute(line: LinePart, interrupt: () => boolean): Executed;
  /** Gives a register that the program does not have yet its first value; false where that cannot be. */
  promise(name: string, type: string | undefined, value: string): boolean;
  /** Takes notice of what `set` has changed. */
  changed(edit: StateEdit): void;
}

/** What a typed instruction has done, for the shell to show. */
export interface Executed {
  /** The registers that it writes, by name. */
  readonly written: readonly string[];
  readonly writesCarry: boolean;
  /** Warnings and notes about the line. */
  readonly notes: readonly Diagnostic[];
  /** What stopped it. */
  readonly fault?: Diagnostic;
  /** How the program ended or stopped, where it was run again with the new line. */
  readonly stop?: DebugStop;
}

/** A change that was made by hand before a step, to be made again when the program is run anew. */
export interface StateEdit {
  readonly step: number;
  redo(debugger_: Debugger): void;
}
