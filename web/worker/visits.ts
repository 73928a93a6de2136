import type { ThreadId } from "../../src/interp/contract/launch/thread-id.ts";
import type { Observer } from "../../src/interp/contract/observer.ts";
import { nextOf, touchesOf, writtenBy } from "../../src/interp/contract/plan/effects.ts";
import type { Session } from "../../src/interp/machine/session.ts";
import { MachineView } from "../../src/interp/tools/machine-view.ts";
import type { StripRecord } from "./strip.ts";

/** Of each instruction, how many of the last times are kept. */
const MOST_VISITS = 12;

/** A bits' worth of operands, an element each for a vector. */
type OperandBits = readonly (readonly bigint[])[];

/** One time that a thread came to an instruction. */
export interface Visit {
  /** Warp instructions executed before it. */
  readonly step: number;
  /** Whether its guard kept the thread from it. */
  readonly kept: boolean;
  /** Where it touched memory, and what it stored there. */
  readonly address?: bigint;
  readonly stored?: readonly bigint[];
  /** What it wrote; absent while the thread waits for others in it. */
  readonly results?: OperandBits;
}

/** All times at an instruction: how many, and the last ones. */
export interface Visits {
  readonly count: number;
  readonly last: readonly Visit[];
}

/** An instruction whose results have not been read. */
interface Pending {
  readonly pc: number;
  readonly step: number;
  /** Of a call, how deep its caller is: its results are there when the thread is back. */
  readonly depth: number | undefined;
}

interface Image {
  readonly byteLength: number;
  readonly visits: readonly (Visits | undefined)[];
  readonly pending: readonly Pending[];
}

/** Without one that has failed and can be tried again. */
function before(visits: Visits | undefined, step: number): Visits | undefined {
  if (visits === undefined || (visits.last.at(-1)?.step ?? -1) < step) return visits;
  return visits.count === 1 ? undefined : { count: visits.count - 1, last: visits.last.slice(0, -1) };
}

/** Bytes of a visit, about. */
const VISIT_BYTES = 200;

/** What a thread has done at each instruction, up to where its session stands; goes back with it. */
export class VisitRecorder implements Observer {
  readonly thread: ThreadId;
  readonly #session: Session;
  readonly #machine: MachineView;
  readonly #strip: StripRecord;
  readonly #warps: number;
  /** By pc. */
  #visits: (Visits | undefined)[] = [];
  /** The last instruction and calls around it: registers have results when the thread comes to the next one. */
  #pending: Pending[] = [];

  /** `warps` of a block. */
  constructor(session: Session, thread: ThreadId, strip: StripRecord, warps: number) {
    this.thread = thread;
    this.#session = session;
    this.#machine = new MachineView(session);
    this.#strip = strip;
    this.#warps = warps;
  }

  instruction(block: number, warp: number, pc: number, active: number, taken: number): void {
    const { steps } = this.#session;
    this.#strip.add(steps, block * this.#warps + warp, pc, active);
    const { thread } = this;
    if (thread.block !== block || thread.warp !== warp || !((active >>> thread.lane) & 1)) return;
    this.#settle();
    const kept = !((taken >>> thread.lane) & 1);
    const { last = [], count = 0 } = before(this.#visits[pc], steps) ?? {};
    const visit = { step: steps, kept, ...(!kept && this.#access(pc)) };
    this.#visits[pc] = { count: count + 1, last: [...last.slice(1 - MOST_VISITS), visit] };
    if (kept || this.#writes(pc) === 0) return;
    const instruction = this.#session.program.code[pc];
    const calls = instruction !== undefined && nextOf(instruction.plan) === "callee";
    this.#pending.push({ pc, step: steps, depth: calls ? this.#machine.depth(thread) : undefined });
  }

  /** By pc, before the session's position: an instruction that failed was not executed. */
  read(): readonly (Visits | undefined)[] {
    if (this.#machine.lives(this.thread) && !this.#machine.waits(this.thread)) this.#settle();
    const { steps } = this.#session;
    return this.#visits.map((visits) => before(visits, steps));
  }

  save(): Image {
    const visits = [...this.#visits];
    const kept = visits.reduce((sum, each) => sum + (each?.last.length ?? 0), 0);
    return { byteLength: kept * VISIT_BYTES, visits, pending: [...this.#pending] };
  }

  restore(image: unknown): void {
    const { visits, pending } = image as Image;
    this.#visits = [...visits];
    this.#pending = [...pending];
  }

  /** Before the instruction, which may write to the registers of its address. */
  #access(pc: number): Pick<Visit, "address" | "stored"> | undefined {
    const instruction = this.#session.program.code[pc];
    const [access] = instruction === undefined ? [] : touchesOf(instruction.plan);
    if (instruction === undefined || access === undefined) return undefined;
    const at = instruction.operands[access.address];
    const data = access.how === "store" && access.data !== undefined ? instruction.operands[access.data] : undefined;
    const address = at && this.#session.operand(this.thread, at)[0];
    return {
      ...(address !== undefined && { address }),
      ...(data !== undefined && { stored: this.#session.operand(this.thread, data) }),
    };
  }

  /** Reads what the last instruction has written, and calls that have returned. */
  #settle(): void {
    const depth = this.#pending.some((each) => each.depth !== undefined) ? this.#machine.depth(this.thread) : 0;
    for (let last = this.#pending.at(-1); last !== undefined && (last.depth ?? depth) >= depth; ) {
      this.#pending.pop();
      this.#readResults(last);
      last = this.#pending.at(-1);
    }
  }

  #readResults({ pc, step }: Pending): void {
    const visits = this.#visits[pc];
    const at = visits?.last.findIndex((visit) => visit.step === step) ?? -1;
    const visit = visits?.last[at];
    if (visits === undefined || visit === undefined) return;
    const results = (this.#session.program.code[pc]?.operands ?? [])
      .slice(0, this.#writes(pc))
      .map((operand) => (operand === undefined ? [] : this.#session.operand(this.thread, operand)));
    this.#visits[pc] = { ...visits, last: visits.last.with(at, { ...visit, results }) };
  }

  /** How many operands it writes. */
  #writes(pc: number): number {
    const plan = this.#session.program.code[pc]?.plan;
    return plan === undefined ? 0 : writtenBy(plan);
  }
}
