import { finalState, select, writeDumps } from "../../../../src/launch/dump/dump.ts";
import { threadIndex } from "../../../../src/launch/extents.ts";
import { renderState } from "../../../../src/present/state.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import { type LinePart, Refusal } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";

/** `dump` (what `--dump` says), `dump regs y`, `dump y=@y.npy`: the state as `run --dump` prints it, or writes it to files. */
export function dumpState(shell: Shell, what: readonly LinePart[]): void {
  const { loaded, inputs } = shell.subject.footing;
  const dumps = what.length === 0 ? (shell.options.dump ?? []) : what.map(({ text }) => text);
  const { selection, diagnostics } = select(dumps, loaded, inputs, shell.options.as);
  if (hasErrors(diagnostics)) throw new Refusal(diagnostics);
  const { focus } = shell.debugger;
  const focused = [focus.block, threadIndex(focus, shell.debugger.session.program)] as const;
  const options = { ...shell.options, thread: shell.options.thread === "all" ? ("all" as const) : focused };
  const written = writeDumps(selection, shell.io.files, shell.debugger.session, options);
  if (hasErrors(written)) throw new Refusal(written);
  const { value, diagnostics: gone } = finalState(shell.debugger.session, selection, options, inputs.registers);
  shell.complain(gone);
  shell.out(renderState(value, shell.palette));
}
