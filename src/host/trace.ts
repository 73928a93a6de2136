import type { ThreadId } from "../interp/contract/launch/thread-id.ts";
import type { Observer } from "../interp/contract/observer.ts";
import type { Operand } from "../interp/contract/operand.ts";
import { meetingOf, nextOf, readsCarry, writesCarry, writtenBy } from "../interp/contract/plan/effects.ts";
import type { Instruction } from "../interp/contract/program.ts";
import type { Space } from "../interp/contract/space.ts";
import type { Session } from "../interp/machine/session.ts";
import { MachineView } from "../interp/tools/machine-view.ts";

/** One instruction of a warp, after it has run. */
export interface Traced {
  /** Warp instructions that the launch had executed before it. */
  readonly step: number;
  readonly block: number;
  readonly warp: number;
  readonly pc: number;
  readonly instruction: Instruction;
  /** The lanes that reached it, and those of them that pass its guard. */
  readonly active: number;
  readonly taken: number;
  readonly lanes: readonly TracedLane[];
  /** False for the instruction that the run ended at: it has no results. */
  readonly completed: boolean;
}

/**
 * The operand values that a lane read and wrote, an entry for each operand of the syntax line, an element
 * each for a vector.
 */
export interface TracedLane {
  readonly lane: number;
  readonly operands: readonly (readonly bigint[] | undefined)[];
  /** Absent while the lane waits for others, at a barrier or at a warp-level instruction. */
  readonly results?: readonly (readonly bigint[] | undefined)[];
  /** The carry flag that it read, and that it set. */
  readonly carryIn?: 0 | 1;
  readonly carryOut?: 0 | 1;
  readonly memory?: TracedAccess;
}

/** Bytes that a lane loaded, stored or updated. */
export interface TracedAccess {
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
}

export interface TraceOptions {
  /** By pc: the instructions to trace; all of them by default. */
  readonly wants?: (pc: number) => boolean;
  /** The one thread to trace; all of them by default. */
  readonly thread?: ThreadId;
}

interface Pending {
  readonly entry: Omit<Traced, "lanes" | "completed">;
  readonly lanes: readonly Omit<TracedLane, "results" | "carryOut" | "memory">[];
  readonly memory: Map<number, TracedAccess>;
}

/**
 * Calls `tell` for each instruction that a session executes from now on. The returned function does the same
 * for the instruction at which the run faulted, if there is one; call it after the last `run`.
 */
export function traceSession(
  session: Session,
  { wants = () => true, thread }: TraceOptions,
  tell: (traced: Traced) => void,
): () => void {
  const { code } = session.program;
  let pending: Pending | undefined;

  const observer: Observer = {
    instruction(block, warp, pc, active, taken) {
      pending = undefined;
      const instruction = code[pc];
      if (instruction === undefined || !wants(pc)) return;
      if (thread !== undefined && !(thread.block === block && thread.warp === warp && (active >>> thread.lane) & 1))
        return;
      const mask = thread === undefined ? taken : taken & (1 << thread.lane);
      const lanes = lanesOf(mask).map((lane) => ({
        lane,
        operands: read(session, { block, warp, lane }, instruction, writtenBy(instruction.plan), undefined),
        ...(readsCarry(instruction.plan) && { carryIn: session.carry({ block, warp, lane }) }),
      }));
      const entry = { step: session.steps, block, warp, pc, instruction, active, taken };
      pending = { entry, lanes, memory: new Map() };
    },
    load: (at, space, address, bytes) => pending?.memory.set(at.lane, { space, address, bytes }),
    store: (at, space, address, bytes) => pending?.memory.set(at.lane, { space, address, bytes }),
    atomic: (at, space, address, bytes) => pending?.memory.set(at.lane, { space, address, bytes }),
    after(block, warp, pc) {
      if (pending === undefined) return;
      const { entry, lanes, memory } = pending;
      pending = undefined;
      const { instruction } = entry;
      const waiting = meetingOf(instruction.plan) === undefined ? 0 : waitingAt(session, block, warp, pc);
      const done = lanes.map((each): TracedLane => {
        const place = memory.get(each.lane);
        const results =
          (waiting >>> each.lane) & 1
            ? {}
            : { results: read(session, { block, warp, lane: each.lane }, instruction, 0, writtenBy(instruction.plan)) };
        const carry = writesCarry(instruction.plan) && { carryOut: session.carry({ block, warp, lane: each.lane }) };
        return { ...each, ...results, ...carry, ...(place === undefined ? {} : { memory: place }) };
      });
      tell({ ...entry, lanes: done, completed: true });
    },
  };
  session.observe(observer);
  return () => {
    if (pending !== undefined) tell({ ...pending.entry, lanes: pending.lanes, completed: false });
    pending = undefined;
  };
}

/** The lanes of a warp that wait at the instruction at `pc` for others. */
function waitingAt(session: Session, block: number, warp: number, pc: number): number {
  const groups = new MachineView(session).warp(block, warp)?.groups ?? [];
  return groups
    .filter((group) => group.pc === pc && group.state !== "running" && group.state !== "ready")
    .reduce((lanes, { mask }) => lanes | mask, 0);
}

/** Reads operands `from` to `end` of an instruction. For a call, only arguments passed in registers are values. */
function read(
  session: Session,
  at: ThreadId,
  { plan, operands }: Instruction,
  from: number,
  end: number | undefined,
): (readonly bigint[] | undefined)[] {
  return operands.slice(from, end).map((operand) => {
    if (operand === undefined || (nextOf(plan) === "callee" && mentionsMemory(operand))) return undefined;
    const values = session.operand(at, operand);
    return values.length === 0 ? undefined : values;
  });
}

const mentionsMemory = (operand: Operand): boolean =>
  operand.kind === "address" || (operand.kind === "vector" && operand.items.some(mentionsMemory));

function lanesOf(mask: number): number[] {
  const lanes: number[] = [];
  for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}
