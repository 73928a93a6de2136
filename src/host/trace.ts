import { writtenBy } from "../interp/contract/effects.ts";
import type { Space } from "../interp/contract/plan.ts";
import type { Instruction, Operand } from "../interp/contract/program.ts";
import type { Observer, Session, ThreadId } from "../interp/contract/session.ts";

/** One instruction of a warp, after it has run. */
export interface Traced {
  /** Warp instructions that the launch had executed before it. */
  readonly step: number;
  readonly block: number;
  readonly warp: number;
  readonly pc: number;
  readonly instruction: Instruction;
  /** The lanes that came to it, and those of them that pass its guard. */
  readonly active: number;
  readonly taken: number;
  readonly lanes: readonly TracedLane[];
  /** False for the instruction that the run ended at: it has no results. */
  readonly completed: boolean;
}

/** What a lane read and wrote, an entry for each operand of the syntax line, an element each for a vector. */
export interface TracedLane {
  readonly lane: number;
  readonly operands: readonly (readonly bigint[] | undefined)[];
  /** Absent while the lane waits for others, at a barrier or at an instruction among lanes. */
  readonly results?: readonly (readonly bigint[] | undefined)[];
  readonly memory?: MemoryAccess;
}

/** Bytes that a lane loaded, stored or updated. */
export interface MemoryAccess {
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
}

export interface TraceOptions {
  /** By pc: the instructions to tell of; all of them unless told. */
  readonly wants?: (pc: number) => boolean;
  /** The one thread to tell of; all of them unless told. */
  readonly thread?: ThreadId;
}

interface Pending {
  readonly entry: Omit<Traced, "lanes" | "completed">;
  readonly lanes: readonly Omit<TracedLane, "results" | "memory">[];
  readonly memory: Map<number, MemoryAccess>;
  /** Lanes whose waiting this instruction has ended. */
  released: number;
}

/**
 * Tells `tell` of each instruction that a session executes from now on. The function that comes back tells of the
 * instruction at which the run ended by a fault, if there was one; call it after the last `run`.
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
      }));
      const entry = { step: session.steps, block, warp, pc, instruction, active, taken };
      pending = { entry, lanes, memory: new Map(), released: 0 };
    },
    load: (at, space, address, bytes) => pending?.memory.set(at.lane, { space, address, bytes }),
    store: (at, space, address, bytes) => pending?.memory.set(at.lane, { space, address, bytes }),
    atomic: (at, space, address, bytes) => pending?.memory.set(at.lane, { space, address, bytes }),
    warpSync(block, warp, lanes) {
      if (pending?.entry.block === block && pending.entry.warp === warp) pending.released |= lanes;
    },
    barrier(block, _, threads) {
      if (pending?.entry.block === block) pending.released |= threads[pending.entry.warp] ?? 0;
    },
    after(block, warp) {
      if (pending === undefined) return;
      const { entry, lanes, memory, released } = pending;
      pending = undefined;
      const { instruction } = entry;
      const { shape } = instruction.plan;
      const ready = shape === "warp" || shape === "barrier" ? released : -1;
      const done = lanes.map((each): TracedLane => {
        const place = memory.get(each.lane);
        const results =
          (ready >>> each.lane) & 1
            ? { results: read(session, { block, warp, lane: each.lane }, instruction, 0, writtenBy(instruction.plan)) }
            : {};
        return { ...each, ...results, ...(place === undefined ? {} : { memory: place }) };
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

/** Reads operands `from` to `end` of an instruction. Of a call only what it passes in registers is a value. */
function read(
  session: Session,
  at: ThreadId,
  { plan, operands }: Instruction,
  from: number,
  end: number | undefined,
): (readonly bigint[] | undefined)[] {
  return operands.slice(from, end).map((operand) => {
    if (operand === undefined || (plan.shape === "call" && mentionsMemory(operand))) return undefined;
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
