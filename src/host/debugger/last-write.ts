import { writesCarry, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { ThreadId } from "../../interp/contract/thread-id.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Edit } from "../../interp/tools/edit.ts";
import type { History } from "../../interp/tools/history.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import { type Pieces, whole } from "../../interp/tools/pieces.ts";
import type { Travel, Write, WriteTarget } from "./stop.ts";
import { type FoundRegister, readerOf, registerOf } from "./target.ts";
import { touches, WriteSearch } from "./write.ts";

/** The last write of a target up to a position, by the program or by hand. The session stays where it is. */
export function lastWrite(
  session: Session,
  history: History,
  target: WriteTarget,
  before: number,
  { interrupt }: Travel,
): Write | undefined {
  // What a name means depends on the function that the thread is in now.
  const sought: Sought = {
    target,
    read: readerOf(() => session, target),
    register: target.kind === "register" ? registerOf(session, target.thread, target.name, target.scope) : undefined,
  };
  const search = new WriteSearch(session, target);
  return whole(history.aside(writeIn(session, history, sought, search, Math.min(before, history.furthest))), interrupt);
}

function* writeIn(
  session: Session,
  history: History,
  sought: Sought,
  search: WriteSearch,
  end: number,
): Pieces<Write | undefined> {
  const byHand = lastEdit(session, history, sought, end);
  try {
    yield* history.backward(end, search, byHand?.step);
  } finally {
    search.stop();
  }
  const { found } = search;
  return found === undefined ? byHand : { ...found, ...values(history, found.step, sought.read) };
}

/** What is looked for, as it was understood where the question was asked. */
interface Sought {
  readonly target: WriteTarget;
  readonly read: () => bigint | undefined;
  readonly register: FoundRegister | undefined;
}

/** What a target was before an instruction, and behind it before changes that were made by hand there. */
function values(history: History, step: number, read: Sought["read"]): Pick<Write, "old" | "new"> {
  history.goTo(step);
  const old = read();
  const edit = history.edits.findIndex((each) => each.step === step + 1);
  if (edit >= 0) return { old, new: history.around(edit, read).old };
  history.goTo(step + 1);
  return { old, new: read() };
}

/** The last change by hand up to a position that wrote a target. */
function lastEdit(session: Session, history: History, sought: Sought, end: number): Write | undefined {
  for (const [index, { step, edit }] of [...history.edits.entries()].reverse()) {
    if (step > end) continue;
    let named = false;
    const around = history.around(index, () => {
      named = names(session, edit, sought);
      return sought.read();
    });
    if (!named && around.old === around.new) continue;
    const thread = edit.thread ?? sought.target.thread ?? { block: 0, warp: 0, lane: 0 };
    return { step, thread, pc: new MachineView(session).thread(thread)?.pc ?? 0, ...around, edit };
  }
  return undefined;
}

/** Whether a change by hand is one of the target by what it says, even if the value stays the same. */
function names(session: Session, edit: Edit, { target, register }: Sought): boolean {
  if (target.kind === "memory") {
    if (edit.kind !== "memory") return false;
    const machine = new MachineView(session);
    const place = machine.bufferOffset(target.space, target.address, target.bytes, target.thread);
    const changed = machine.bufferOffset(edit.space, edit.address, edit.bytes.length, edit.thread);
    if (place === undefined || changed === undefined) return false;
    return place < changed + edit.bytes.length && changed < place + target.bytes;
  }
  if (edit.kind === "memory" || !same(edit.thread, target.thread)) return false;
  if (target.kind === "carry")
    return edit.kind === "carry" || (edit.kind === "instructions" && writesFlag(edit.program));
  if (edit.kind === "carry" || edit.callee !== register?.callee) return false;
  return edit.kind === "register" ? edit.name === target.name : writesRegister(edit.program, target.name);
}

const same = (a: ThreadId, b: ThreadId): boolean => a.block === b.block && a.warp === b.warp && a.lane === b.lane;

const writesFlag = ({ code }: Program): boolean => code.some(({ plan, guard }) => !guard && writesCarry(plan));

/** Whether instructions write a register whatever their guards say. */
function writesRegister({ code, registers }: Program, name: string): boolean {
  const register = registers.find((each) => each.name === name);
  if (register === undefined) return false;
  return code.some(
    ({ plan, operands, guard }) =>
      !guard && operands.slice(0, writtenBy(plan)).some((operand) => touches(operand, register)),
  );
}
