import { isBarrier, meetingOf, nextOf, touchesOf } from "../interp/contract/effects.ts";
import { bitsIn } from "../interp/contract/lane-mask.ts";
import type { Plan } from "../interp/contract/plan.ts";
import type { Instruction } from "../interp/contract/program.ts";
import type { Space } from "../interp/contract/space.ts";
import type { ThreadId } from "../interp/contract/thread-id.ts";
import { windows } from "../interp/contract/window.ts";
import type { Session } from "../interp/machine/session.ts";
import { globalSectors, localSectors, sharedBanks, type Touch } from "./transactions.ts";

/**
 * Executions: `warp` counts one for a warp, however many lanes take part; `thread` one for each lane that passes the
 * guard.
 */
export interface ExecutionCount {
  readonly warp: number;
  readonly thread: number;
}

/** What a run did, in numbers. */
export interface Stats {
  readonly instructions: ExecutionCount;
  /** Lanes that reached instructions, those of them that passed the guards, and 32 for each instruction of a warp. */
  readonly lanes: { readonly active: number; readonly taken: number; readonly all: number };
  /** Most frequent first. */
  readonly opcodes: readonly (ExecutionCount & { readonly opcode: string })[];
  /** A divergent branch sends lanes of one warp to different places. */
  readonly branches: { readonly warp: number; readonly divergent: number };
  readonly calls: ExecutionCount;
  /** Arrivals of warps, and barriers that became complete. */
  readonly barriers: { readonly warp: number; readonly completed: number };
  /** Shuffles, votes and the like. */
  readonly exchanges: ExecutionCount;
  readonly atomics: ExecutionCount;
  readonly memory: readonly MemoryStats[];
  /**
   * Shared memory: parts of accesses, the turns that they took, and how many of those were caused by bank conflicts.
   */
  readonly banks: { readonly parts: number; readonly passes: number; readonly conflicts: number };
}

export interface MemoryStats {
  readonly space: Exclude<Space, "generic">;
  readonly kind: AccessKind;
  /** Instructions of warps; accesses of lanes, and their bytes. */
  readonly requests: number;
  readonly accesses: number;
  readonly bytes: number;
  /** Global and local memory: transactions of 32 bytes, and the fewest that would be enough. */
  readonly sectors: number;
  readonly fewest: number;
}

type AccessKind = "load" | "store" | "atomic";

/** Counts what a session executes from now on; the returned function gives the numbers up to where it stands. */
export function countSession(session: Session): () => Stats {
  const { code } = session.program;
  const warps = new Float64Array(code.length);
  const active = new Float64Array(code.length);
  const taken = new Float64Array(code.length);
  const memory = new MemoryCounter();
  let divergent = 0;
  let completed = 0;
  session.observe({
    instruction(block, warp, pc, lanes, passing) {
      const instruction = code[pc];
      if (instruction === undefined) return;
      warps[pc] = (warps[pc] ?? 0) + 1;
      active[pc] = (active[pc] ?? 0) + bitsIn(lanes);
      taken[pc] = (taken[pc] ?? 0) + bitsIn(passing);
      if (parts(instruction, session, { block, warp, lane: 0 }, lanes, passing)) divergent++;
    },
    after: () => memory.end(),
    load: (at, space, address, bytes) => memory.touch("load", at.lane, space, address, bytes),
    store: (at, space, address, bytes) => memory.touch("store", at.lane, space, address, bytes),
    atomic: (at, space, address, bytes) => memory.touch("atomic", at.lane, space, address, bytes),
    barrier: () => {
      completed++;
    },
    save: () => ({
      byteLength: 3 * warps.byteLength,
      counts: [warps, active, taken].map((each) => each.slice()),
      events: [divergent, completed],
      memory: memory.save(),
    }),
    restore: (image) => {
      const { counts, events, memory: accesses } = image as CountImage;
      for (const [at, each] of [warps, active, taken].entries()) each.set(counts[at] ?? []);
      [divergent = 0, completed = 0] = events;
      memory.restore(accesses);
    },
  });

  const count = (wanted: (instruction: Instruction) => boolean): ExecutionCount => {
    let [warp, thread] = [0, 0];
    for (const [pc, instruction] of code.entries()) {
      if (!wanted(instruction)) continue;
      warp += warps[pc] ?? 0;
      thread += taken[pc] ?? 0;
    }
    return { warp, thread };
  };
  const planned = (wanted: (plan: Plan) => boolean): ExecutionCount => count(({ plan }) => wanted(plan));
  return () => {
    const instructions = count(() => true);
    const opcodes = [...new Set(code.map(({ opcode }) => opcode))]
      .map((opcode) => ({ opcode, ...count((instruction) => instruction.opcode === opcode) }))
      .filter(({ warp }) => warp > 0)
      .sort((a, b) => b.warp - a.warp || (a.opcode < b.opcode ? -1 : 1));
    return {
      instructions,
      lanes: { active: active.reduce((a, b) => a + b, 0), taken: instructions.thread, all: 32 * instructions.warp },
      opcodes,
      branches: { warp: planned(isBranch).warp, divergent },
      calls: planned((plan) => nextOf(plan) === "callee"),
      barriers: { warp: planned(isBarrier).warp, completed },
      exchanges: planned((plan) => meetingOf(plan) === "lanes"),
      atomics: planned((plan) => touchesOf(plan).some(({ how }) => how === "atomic")),
      memory: memory.rows(),
      banks: memory.banks(),
    };
  };
}

/** What a session has executed up to a snapshot. */
interface CountImage {
  readonly byteLength: number;
  readonly counts: readonly Float64Array[];
  readonly events: readonly number[];
  readonly memory: MemoryCounts;
}

interface MemoryCounts {
  readonly rows: readonly MemoryStats[];
  readonly banks: Stats["banks"];
}

const isBranch = (plan: Plan): boolean => nextOf(plan) === "targets";

/** True for a branch that sends the lanes of a warp different ways. */
function parts(
  { plan, operands }: Instruction,
  session: Session,
  at: ThreadId,
  active: number,
  taken: number,
): boolean {
  if (!isBranch(plan)) return false;
  if (taken !== 0 && taken !== active) return true;
  const [index, targets] = operands;
  if (index === undefined || targets?.kind !== "vector") return false;
  const ways = new Set<number | undefined>();
  for (let lane = 0; lane < 32; lane++) {
    if (!((taken >>> lane) & 1)) continue;
    const target = targets.items[Number(session.operand({ ...at, lane }, index)[0])];
    ways.add(target?.kind === "target" ? target.pc : undefined);
  }
  return ways.size > 1;
}

/** Collects what the lanes of a warp access with one instruction, and adds it up by space and kind. */
class MemoryCounter {
  readonly #rows = new Map<string, { -readonly [K in keyof MemoryStats]: MemoryStats[K] }>();
  #banks = { parts: 0, passes: 0, conflicts: 0 };
  #kind: AccessKind = "load";
  #bytes = 0;
  /** By the space that the address lies in: one generic access may go to several. */
  #touches = new Map<MemoryStats["space"], Touch[]>();

  touch(kind: AccessKind, lane: number, space: Space, address: bigint, bytes: number): void {
    this.#kind = kind;
    this.#bytes = bytes;
    const place = space === "generic" ? spaceOf(address) : space;
    const touch = { lane, address: Number(address & 0xffff_ffffn) };
    const others = this.#touches.get(place);
    if (others === undefined) this.#touches.set(place, [touch]);
    else others.push(touch);
  }

  /** The instruction is done. */
  end(): void {
    if (this.#touches.size === 0) return;
    for (const [space, touches] of this.#touches) this.#add(space, touches);
    this.#touches = new Map();
  }

  save(): MemoryCounts {
    return { rows: this.rows(), banks: this.banks() };
  }

  restore({ rows, banks }: MemoryCounts): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(`${row.space} ${row.kind}`, { ...row });
    this.#banks = { ...banks };
    this.#touches = new Map();
  }

  rows(): readonly MemoryStats[] {
    return [...this.#rows.values()].map((row) => ({ ...row })).sort((a, b) => order(a) - order(b));
  }

  banks(): Stats["banks"] {
    return { ...this.#banks };
  }

  #add(space: MemoryStats["space"], touches: readonly Touch[]): void {
    const kind = this.#kind;
    const bytes = this.#bytes;
    const key = `${space} ${kind}`;
    const row = this.#rows.get(key) ?? { space, kind, requests: 0, accesses: 0, bytes: 0, sectors: 0, fewest: 0 };
    this.#rows.set(key, row);
    row.requests += 1;
    row.accesses += touches.length;
    row.bytes += touches.length * bytes;
    if (space === "global" || space === "local") {
      const { touched, fewest } = (space === "global" ? globalSectors : localSectors)(touches, bytes);
      row.sectors += touched;
      row.fewest += fewest;
    }
    if (space !== "shared") return;
    const { parts, passes } = sharedBanks(touches, bytes);
    this.#banks.parts += parts;
    this.#banks.passes += passes;
    this.#banks.conflicts += passes - parts;
  }
}

const spaces: readonly MemoryStats["space"][] = ["global", "shared", "local", "const", "param"];
const kinds: readonly AccessKind[] = ["load", "store", "atomic"];
const order = ({ space, kind }: MemoryStats): number => spaces.indexOf(space) * 3 + kinds.indexOf(kind);

/** The space that a generic address lies in. An address in no window has faulted before. */
function spaceOf(address: bigint): MemoryStats["space"] {
  const window = Number(address >> 32n);
  return spaces.find((space) => windows[space] === window) ?? "global";
}
