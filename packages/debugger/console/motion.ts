import type { Debugger, DebugStop, Motion } from "../../../src/host/debugger/debugger.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { outOfTime } from "../../../src/launch/cut-short.ts";
import { renderDiagnostic } from "../../../src/present/diagnostic.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { instructionLine, placeName, threadName } from "./expression/place.ts";
import { withOriginal } from "./original/excerpt.ts";
import type { Shell } from "./shell.ts";
import { assigned, show } from "./show/format.ts";
import { listAround } from "./show/list.ts";
import { originalLine } from "./show/original.ts";

/** Registers that a step shows at most; more are for `info regs`. */
const MAX_SHOWN_REGISTERS = 8;

/** Runs the program, and prints how that ended. */
export function move(
  shell: Shell,
  motion: (moves: Debugger["motions"]) => Motion,
  { steps = false, back = false } = {},
): void {
  const thread = shell.debugger.focus;
  shell.drive(motion(shell.debugger.motions), (stop) => tell(shell, stop, { thread, steps, back }));
}

/** Prints how a run or step ended: reason, thread, position, and findings on the way. */
export function tell(
  shell: Shell,
  stop: DebugStop,
  before: { readonly thread: ThreadId; readonly steps: boolean; readonly back?: boolean },
): void {
  const { palette } = shell;
  shell.frame = 0;
  if (before.steps && stop.reason === "step") tellChanges(shell, before.thread);
  for (const finding of shell.newFindings()) shell.out(`${renderDiagnostic(finding, palette)}\n`);
  if (stop.reason === "interrupt") shell.complain(lateness(shell, stop));
  if (stop.reason === "start" && before.back)
    shell.out(`${palette.strong("the beginning")}: nothing has run before this\n`);
  for (const line of reasons(shell, stop)) shell.out(`${line}\n`);
  if (stop.reason !== "exit" && stop.reason !== "trap") {
    shell.out(`${position(shell, stop)}\n`);
    if (shell.listing > 0) listAround(shell, stop.pc, shell.listing);
  }
  shell.showDisplays();
  if ("id" in stop && stop.id !== undefined) shell.stoppedAt(stop.id);
}

/** `@120 b0 t3 LOOP+2: 17  add.u32 %r3, %r3, 1;`, and below it the line that it was compiled from, where that is found. */
export function position(shell: Shell, { step, thread, pc }: Pick<DebugStop, "step" | "thread" | "pc">): string {
  const { subject, palette } = shell;
  const { program } = subject.debugger.session;
  const head = palette.faint(`@${step} ${threadName(thread, program)} ${placeName(program, pc)}:`);
  const from = originalLine(shell, program.code[pc]?.location);
  return `${head} ${instructionLine(program, pc)}${from === undefined ? "" : `\n  ${from}`}`;
}

/** Prints the new values of the stepped thread's registers. */
function tellChanges(shell: Shell, thread: ThreadId): void {
  const changed = shell.subject.debugger.registers(thread).filter((register) => register.changed);
  for (const { name, type, bits } of changed.slice(0, MAX_SHOWN_REGISTERS))
    shell.out(`  ${assigned(name, type, bits, shell.palette)}\n`);
  if (changed.length > MAX_SHOWN_REGISTERS)
    shell.out(`  and ${changed.length - MAX_SHOWN_REGISTERS} more: info regs\n`);
  const { debugger: debugger_ } = shell.subject;
  if (debugger_.carryChanged(thread))
    shell.out(`  ${assigned("cc.cf", "pred", [BigInt(debugger_.carry(thread))], shell.palette)}\n`);
}

/** The message when `--timeout` stops a command: where all threads are. */
export function lateness(shell: Shell, { thread, pc }: Pick<DebugStop, "thread" | "pc">): readonly Diagnostic[] {
  const { timeout } = shell.options;
  if (!shell.late || timeout === undefined) return [];
  const late = outOfTime(shell.debugger.session, { reason: "pause", at: thread, pc }, timeout);
  return late.reason === "trap" ? [late.diagnostic] : [];
}

function reasons(shell: Shell, stop: DebugStop): string[] {
  const { palette } = shell;
  const { program } = shell.subject.debugger.session;
  switch (stop.reason) {
    case "start":
    case "step":
      return [];
    case "interrupt":
      return shell.late ? [] : [palette.strong("interrupted")];
    case "breakpoint":
      return [palette.strong(`breakpoint ${stop.id}`)];
    case "watchpoint": {
      const watched = shell.watched.get(stop.id);
      const value = (bits: bigint | undefined): string =>
        bits === undefined ? "nothing that can be read" : show({ type: "b64", ...watched, bits });
      return [
        palette.strong(`watchpoint ${stop.id}: ${watched?.text ?? ""}`),
        `  old: ${value(stop.old)}`,
        `  new: ${value(stop.new)}`,
        `  by:  ${placeName(program, stop.writer)}: ${instructionLine(program, stop.writer)}`,
      ];
    }
    case "access": {
      const watched = shell.watched.get(stop.id);
      const value = (bits: bigint | undefined): string =>
        bits === undefined ? "nothing that can be read" : show({ type: "b64", ...watched, bits });
      return [
        palette.strong(
          `watchpoint ${stop.id}: ${watched?.text ?? ""} was ${stop.access === "read" ? "read" : "written"}`,
        ),
        ...(stop.access === "read"
          ? [`  value: ${value(stop.new)}`]
          : [`  old: ${value(stop.old)}`, `  new: ${value(stop.new)}`]),
        `  by:  ${placeName(program, stop.writer)}: ${instructionLine(program, stop.writer)}`,
      ];
    }
    case "catch":
      return [
        palette.strong(`catchpoint ${stop.id}: ${stop.event}`),
        ...(stop.event === "barrier"
          ? []
          : [`  by:  ${placeName(program, stop.cause)}: ${instructionLine(program, stop.cause)}`]),
      ];
    case "trap":
      return [
        ...(stop.id === undefined ? [] : [palette.strong(`catchpoint ${stop.id}: fault`)]),
        renderDiagnostic(withOriginal(stop.diagnostic, shell.originals), palette),
      ];
    case "exit":
      return [palette.strong(`the program has ended after ${stop.step} steps`)];
  }
}
