import { firstLane } from "../../interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Observer } from "../../interp/contract/observer.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { nextOf, writesCarry, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Program, Register } from "../../interp/contract/program.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Edit } from "../../interp/tools/edit.ts";
import type { BackwardSearch, History } from "../../interp/tools/history.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import { type Sliced, whole } from "../../interp/tools/sliced.ts";
import type { Travel, Write, WriteTarget } from "./stop.ts";
import { type FoundRegister, readerOf, registerOf } from "./target.ts";

/** Memory of more bytes than this is not compared after each instruction; stores are observed anyway. */
const COMPARED = 256;

/** An instruction that wrote: its step, and its thread. */
interface WriteEvent {
  readonly step: number;
  readonly thread: ThreadId;
  readonly pc: number;
}

/**
 * Looks for the last write of a target in part of a run. A store counts, and so does an instruction that has the
 * register as its result, even if the value does not change. Other writes (a return that passes its result, a barrier
 * that returns one) are found because the value changes.
 */
class WriteSearch implements BackwardSearch {
  found: WriteEvent | undefined;
  readonly #session: Session;
  readonly #machine: MachineView;
  readonly #target: WriteTarget;
  readonly #read: () => bigint | undefined;
  /** By pc: whether the instruction writes the register, or the flag. */
  readonly #writes: readonly boolean[];
  readonly #observer: Observer | undefined;
  #value: bigint | undefined;
  #last: { readonly block: number; readonly warp: number; readonly pc: number; readonly mask: number } | undefined;

  constructor(session: Session, target: WriteTarget) {
    this.#session = session;
    this.#machine = new MachineView(session);
    this.#target = target;
    const compared = target.kind !== "memory" || target.bytes <= COMPARED;
    this.#read = compared ? readerOf(() => session, target) : () => undefined;
    this.#writes = writesOf(session, target);
    this.#observer = target.kind === "memory" ? this.#storesTo(target) : undefined;
  }

  begin(): void {
    this.#value = this.#read();
    this.#last = undefined;
    if (this.#observer !== undefined) this.#session.observe(this.#observer);
  }

  before(block: number, warp: number, pc: number): void {
    this.#compare();
    const { steps } = this.#session;
    const mask = this.#machine.executing(block, warp);
    this.#last = { block, warp, pc, mask };
    const thread = this.#target.kind === "memory" ? undefined : this.#target.thread;
    if (thread === undefined || !this.#writes[pc] || block !== thread.block || warp !== thread.warp) return;
    if ((mask >>> thread.lane) & 1) this.found = { step: steps, thread, pc };
  }

  edits(repeat: () => void): void {
    this.#compare();
    this.#last = undefined;
    repeat();
    this.#value = this.#read();
  }

  end(): boolean {
    this.#compare();
    this.stop();
    return this.found !== undefined;
  }

  /** Called after a cancelled search, too. */
  stop(): void {
    if (this.#observer !== undefined) this.#session.forget(this.#observer);
  }

  /** Whether the last instruction has changed the value without being known to write it. */
  #compare(): void {
    const before = this.#value;
    this.#value = this.#read();
    const last = this.#last;
    const { steps } = this.#session;
    if (last === undefined || before === undefined || this.#value === before || this.found?.step === steps - 1) return;
    const { block, warp, pc, mask } = last;
    const owner = this.#target.kind === "memory" ? undefined : this.#target.thread;
    const mine = owner?.block === block && owner.warp === warp && ((mask >>> owner.lane) & 1) === 1;
    // A thread that waited for others gets its result from the instruction where it waited.
    if (owner !== undefined && !mine) {
      const own = this.#machine.thread(owner)?.pc ?? pc + 1;
      this.found = { step: steps - 1, thread: owner, pc: Math.max(own - 1, 0) };
    } else {
      const thread = owner ?? { block, warp, lane: firstLane(mask) };
      this.found = { step: steps - 1, thread, pc };
    }
  }

  #storesTo(target: WriteTarget & { kind: "memory" }): Observer {
    const { space, address, bytes, thread } = target;
    const session = this.#session;
    const note = (at: ThreadId, start: number, length: number): void => {
      const place = this.#machine.bufferOffset(space, address, bytes, thread);
      if (place === undefined || start >= place + bytes || start + length <= place) return;
      this.found = { step: session.steps, thread: at, pc: this.#last?.pc ?? 0 };
    };
    return {
      store: (at, _space, _address, length, _sem, _scope, where) => note(at, where, length),
      atomic: (at, _space, _address, length, _sem, _scope, where) => note(at, where, length),
    };
  }
}

/** By pc: whether an instruction writes the register or the flag by itself. */
function writesOf(session: Session, target: WriteTarget): readonly boolean[] {
  const { code } = session.program;
  if (target.kind === "memory") return [];
  if (target.kind === "carry") return code.map(({ plan }) => writesCarry(plan));
  const { register } = registerOf(session, target.thread, target.name, target.scope);
  return code.map(({ plan, operands }) => {
    // A call writes its results when it returns.
    if (nextOf(plan) === "callee") return false;
    return operands.slice(0, writtenBy(plan)).some((operand) => touches(operand, register));
  });
}

/** Whether an operand is a register, or a part of it. */
function touches(operand: Operand | undefined, register: Register): boolean {
  const { bank, slot, bits, elements } = register;
  const end = slot + elements * (bits === 128 ? 2 : 1);
  if (operand?.kind === "vector") return operand.items.some((item) => touches(item, register));
  if (operand?.kind === "predicate") return bank === "p" && operand.slot >= slot && operand.slot < end;
  return operand?.kind === "slot" && operand.bank === bank && operand.slot >= slot && operand.slot < end;
}

/** The last write of a target up to a position, by the program or by hand. The session's position does not change. */
export function lastWrite(
  session: Session,
  history: History,
  target: WriteTarget,
  before: number,
  { interrupt }: Travel,
): Write | undefined {
  // The meaning of a name depends on the thread's current function.
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
): Sliced<Write | undefined> {
  const byHand = lastEdit(session, history, sought, end);
  try {
    yield* history.backward(end, search, byHand?.step);
  } finally {
    search.stop();
  }
  const { found } = search;
  return found === undefined ? byHand : { ...found, ...values(history, found.step, sought.read) };
}

/** The target of a search, resolved in the context where it was requested. */
interface Sought {
  readonly target: WriteTarget;
  readonly read: () => bigint | undefined;
  readonly register: FoundRegister | undefined;
}

/** The value of a target before an instruction, and its value after it but before manual changes there. */
function values(history: History, step: number, read: Sought["read"]): Pick<Write, "old" | "new"> {
  history.goTo(step);
  const old = read();
  const edit = history.edits.findIndex((each) => each.step === step + 1);
  if (edit >= 0) return { old, new: history.around(edit, read).old };
  history.goTo(step + 1);
  return { old, new: read() };
}

/** The last manual change up to a position that wrote a target. */
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

/** Whether a manual change names a target, even if the value does not change. */
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

/** Whether instructions write a register, assuming their guards pass. */
function writesRegister({ code, registers }: Program, name: string): boolean {
  const register = registers.find((each) => each.name === name);
  if (register === undefined) return false;
  return code.some(
    ({ plan, operands, guard }) =>
      !guard && operands.slice(0, writtenBy(plan)).some((operand) => touches(operand, register)),
  );
}
