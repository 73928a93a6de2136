import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import type { HostSpace } from "../../../src/interp/contract/space.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { INITIALISED } from "../../../src/interp/memory/shadow.ts";
import { History } from "../../../src/interp/tools/history.ts";
import { MachineView } from "../../../src/interp/tools/machine-view.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { RunLog } from "./log.ts";

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

  /** The past of a session at a step. The session is moved: see `History.aside`. */
  constructor(session: Session, history: History, now: number, fault?: Diagnostic) {
    this.session = session;
    this.history = history;
    this.program = session.program;
    this.machine = new MachineView(session);
    this.now = now;
    this.fault = fault;
    history.goTo(Math.max(history.beginning, now - MOST_STEPS));
    this.log = new RunLog(session);
    session.observe(this.log);
    history.travel(now);
    session.forget(this.log);
  }

  /** Runs a session that has not begun to its end. */
  static whole(session: Session): Past {
    const history = new History(session);
    history.travel(Number.MAX_SAFE_INTEGER);
    const { end } = history;
    return new Past(session, history, history.furthest, end?.reason === "trap" ? end.diagnostic : undefined);
  }

  /** True when the log begins later than the launch. */
  get isCut(): boolean {
    return this.log.first > this.history.beginning;
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
