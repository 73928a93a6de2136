import { kernelName } from "../../interp/contract/launch/kernel-name.ts";
import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Instruction } from "../../interp/contract/program.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";

/** One function of a call stack. */
export interface Frame {
  /** The kernel's name for the outermost. */
  readonly name: string;
  /** Index into `Program.functions`; undefined for the kernel. */
  readonly callee: number | undefined;
  /** The current instruction; for all but the innermost function, the call. */
  readonly pc: number;
  readonly instruction: Instruction | undefined;
  /** Its source line, where `.loc` gives one. */
  readonly location: Instruction["location"];
}

export function framesOf(session: Session, thread: ThreadId): readonly Frame[] {
  const { program } = session;
  const machine = new MachineView(session);
  const at = machine.thread(thread)?.pc;
  if (at === undefined) return [];
  const calls = machine.calls(thread);
  const places = [at, ...calls.map(({ from }) => from)];
  return places.map((pc, index) => {
    const callee = calls[index]?.callee;
    const instruction = program.code[pc];
    const name = (callee === undefined ? undefined : program.functions[callee]?.name) ?? kernelName(program);
    return { name, callee, pc, instruction, location: instruction?.location };
  });
}
