import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Instruction, Program } from "../../../src/interp/contract/program.ts";
import type { HostSpace } from "../../../src/interp/contract/space.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { INITIALISED } from "../../../src/interp/memory/shadow.ts";
import type { Edit } from "../../../src/interp/tools/edit.ts";
import type { History } from "../../../src/interp/tools/history.ts";
import { MachineView } from "../../../src/interp/tools/machine-view.ts";
import type { Sliced } from "../../../src/interp/tools/sliced.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { RunLog } from "./log.ts";
import type { Sought } from "./sought.ts";

/** Warp instructions that are followed back at most. */
const MOST_STEPS = 4_000_000;

/** A run up to a moment, whose every step can be looked at: the log of what was executed, and values by going back. */
export class Past {
  readonly session: Session;
  readonly history: History;
  readonly program: Program;
  readonly machine: MachineView;
  readonly log: RunLog;
  /** The moment that is asked about: steps executed. */
  readonly now: number;
  /** The fault that ended the run. */
  readonly fault: Diagnostic | undefined;

  private constructor(session: Session, history: History, log: RunLog, fault: Diagnostic | undefined) {
    this.session = session;
    this.history = history;
    this.program = session.program;
    this.machine = new MachineView(session);
    this.log = log;
    this.now = log.behind;
    this.fault = fault;
  }

  /** The past of a session at its position, of so many steps at most; undefined when it was interrupted. The session is moved: see `History.aside`. */
  static *upTo(
    session: Session,
    history: History,
    fault?: Diagnostic,
    most: number = MOST_STEPS,
  ): Sliced<Past | undefined> {
    const now = session.steps;
    yield* history.goingTo(Math.max(history.beginning, now - most));
    const log = new RunLog(session);
    session.observe(log);
    try {
      const arrival = yield* history.travelling(now);
      return arrival === "interrupted" ? undefined : new Past(session, history, log, fault);
    } finally {
      session.forget(log);
    }
  }

  /** True when the log begins later than the launch. */
  get isCut(): boolean {
    return this.log.first > this.history.beginning;
  }

  instruction(pc: number): Instruction {
    const found = this.program.code[pc];
    if (found === undefined) throw new Error(`there is no instruction ${pc}`);
    return found;
  }

  /** An operand's elements before a step. */
  operand(step: number, thread: ThreadId, operand: Operand): readonly bigint[] {
    this.#goTo(step);
    return this.machine.exists(thread) ? this.session.operand(thread, operand) : [];
  }

  carry(step: number, thread: ThreadId): 0 | 1 {
    this.#goTo(step);
    return this.session.carry(thread);
  }

  /** Memory before a step as a number, the first byte lowest; undefined where it cannot be read. */
  memory(step: number, space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): bigint | undefined {
    this.#goTo(step);
    if (this.machine.bufferOffset(space, address, bytes, thread) === undefined) return undefined;
    const found = this.session.read(space, address, bytes, thread);
    return found.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }

  /** The offset in memory's buffer of an address, as the log has it. */
  offset(step: number, space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): number | undefined {
    this.#goTo(step);
    return this.machine.bufferOffset(space, address, bytes, thread);
  }

  /** The step that reported a finding. */
  stepOf({ code, span }: Diagnostic): number {
    const reported = (): boolean =>
      this.session.findings.some((each) => each.code === code && each.span.start === span.start);
    this.#goTo(this.history.beginning);
    this.history.travel(this.now, { before: reported });
    return this.session.steps - 1;
  }

  /** The position of the last change by hand that wrote something, up to a step. */
  lastEdit(sought: Sought, step: number): number | undefined {
    const { edits } = this.history;
    const place = edits.length > 0 && sought.kind === "memory" ? this.offset(step, sought.space, sought.address, sought.bytes, sought.thread) : undefined; // biome-ignore format: one row
    const found = edits.findLast(({ step: at, edit }) => at <= step && this.#writes(edit, sought, place, at));
    return found?.step;
  }

  #writes(edit: Edit, sought: Sought, place: number | undefined, step: number): boolean {
    if (edit.kind === "memory" || sought.kind === "memory") {
      if (edit.kind !== "memory" || sought.kind !== "memory" || place === undefined) return false;
      const { space, address, bytes, thread } = edit;
      const changed = this.offset(step, space, address, bytes.length, thread);
      return changed !== undefined && place < changed + bytes.length && changed < place + sought.bytes;
    }
    const { thread } = edit;
    const same = thread.block === sought.thread.block && thread.warp === sought.thread.warp && thread.lane === sought.thread.lane; // biome-ignore format: one row
    if (!same || edit.kind === "carry" || sought.kind === "carry") return same && edit.kind === sought.kind;
    const { registers } =
      (edit.callee === undefined ? this.program : this.program.functions[edit.callee]) ?? this.program;
    const own = registers.find(({ bank, slot, elements, bits }) => bank === sought.bank && sought.slot >= slot && sought.slot < slot + elements * (bits === 128 ? 2 : 1)); // biome-ignore format: one row
    if (own === undefined) return false;
    // Of instructions that were typed, those that name the register count.
    return edit.kind === "register"
      ? edit.name === own.name
      : edit.program.registers.some(({ name }) => name === own.name);
  }

  /** Whether the run has written bytes of global memory. */
  wrote(address: bigint, bytes: number): boolean {
    const where = this.offset(this.now, "generic", address, bytes);
    return (
      where !== undefined &&
      this.log.writes.some(
        (event) =>
          event.from < where + bytes &&
          where < event.end &&
          event.where.some((from) => from < where + bytes && where < from + event.bytes),
      )
    );
  }

  /** Whether bytes held a value when the launch began, by their offset in memory's buffer. */
  isInitialised(where: number, bytes: number): boolean {
    this.#goTo(this.history.beginning);
    return this.session.state?.context.memory.all(where, bytes, INITIALISED, INITIALISED) ?? true;
  }

  #goTo(step: number): void {
    if (this.session.steps !== step) this.history.goTo(step);
  }
}
