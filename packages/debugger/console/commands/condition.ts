import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Evaluation } from "../expression/evaluation.ts";
import { type LinePart, Refusal } from "../expression/refusal.ts";
import { holds } from "../expression/value.ts";
import type { Shell } from "../shell.ts";
import { something } from "./arguments.ts";

/** Reads a condition and evaluates it once, so that an unknown name is reported now and not at the first hit. */
export function conditionOf(shell: Shell, condition: LinePart): Evaluation {
  something(condition, "if E");
  const read = shell.expression(condition);
  try {
    read.one(shell);
  } catch (error) {
    // Memory that cannot be read here may be readable at the breakpoint.
    if (!(error instanceof Refusal) || error.diagnostics.some(({ code }) => code !== "PTX2406")) throw error;
  }
  return read;
}

/** Whether a condition holds. A condition without a value also stops the program, and its error is shown. */
export function asked(shell: Shell, condition: Evaluation, thread: ThreadId): boolean {
  try {
    return holds(condition.one(shell, thread));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    shell.complain(error.diagnostics);
    return true;
  }
}
