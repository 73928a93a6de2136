import { bitsIn } from "../../interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import { isBarrier, meetingOf, nextOf, touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { Session } from "../../interp/machine/session.ts";
import { match } from "../../isa/match/match.ts";
import { table } from "../../isa/table.ts";
import { type LineCount, lineCounts, type SourceLineCount, sourceCounts } from "./line-counts.ts";
import { type AccessStats, banksOf, bySpace, MemoryCounter, type MemoryStats } from "./memory-counter.ts";
import { Requests } from "./requests.ts";

/** Executions of one family of instructions: a section of the manual. */
interface FamilyCount {
  /** The number of its chapter; empty for instructions without a section: all of vISA. */
  readonly section: string;
  readonly title: string;
  readonly warp: number;
  readonly thread: number;
}

/** Adds up executions by section of the manual; `warps` and `threads` are by index of the instruction. */
function familiesOf({ code, target }: Program, warps: Float64Array, threads: Float64Array): readonly FamilyCount[] {
  const found = new Map<string, { -readonly [K in keyof FamilyCount]: FamilyCount[K] }>();
  const known = new Map<string, Family>();
  for (const [pc, { opcode }] of code.entries()) {
    if (warps[pc] === 0) continue;
    const family = known.get(opcode) ?? (target === "" ? visa : familyOf(opcode));
    known.set(opcode, family);
    const sum = found.get(family.title) ?? { ...family, warp: 0, thread: 0 };
    found.set(family.title, sum);
    sum.warp += warps[pc] ?? 0;
    sum.thread += threads[pc] ?? 0;
  }
  return [...found.values()].sort(
    (a, b) => b.warp - a.warp || (`${a.section} ${a.title}` < `${b.section} ${b.title}` ? -1 : 1),
  );
}

type Family = Pick<FamilyCount, "section" | "title">;
const visa: Family = { section: "", title: "Intel vISA" };
const other: Family = { section: "", title: "other" };

/** The section of an opcode's form; several sections have an `add`. */
function familyOf(opcode: string): Family {
  const [mnemonic = "", ...words] = opcode.split(".");
  const having = table.filter(({ mnemonics }) => mnemonics.includes(mnemonic));
  const [first = undefined] = having;
  if (first === undefined) return other;
  const found = having.length === 1 ? undefined : match(mnemonic, words);
  const form = found?.kind === "forms" ? found.candidates[0].form : undefined;
  const { number, title } = having.find(({ forms }) => form !== undefined && forms.includes(form)) ?? first;
  return { section: number, title };
}

export type { AccessStats, MemoryStats } from "./memory-counter.ts";

/**
 * Executions: `warp` counts one for a warp, however many lanes take part; `thread` one for each lane that passes the
 * guard.
 */
export interface ExecutionCount {
  readonly warp: number;
  readonly thread: number;
}

/** The statistics of a run. */
export interface Stats {
  readonly instructions: ExecutionCount;
  /** Lanes that reached instructions, those of them that passed the guards, and 32 for each instruction of a warp. */
  readonly lanes: { readonly active: number; readonly taken: number; readonly all: number };
  /** Most frequent first. */
  readonly opcodes: readonly (ExecutionCount & { readonly opcode: string })[];
  /** A divergent branch makes lanes of one warp diverge. */
  readonly branches: { readonly warp: number; readonly divergent: number };
  readonly calls: ExecutionCount;
  /** Arrivals of warps, and barriers that became complete. */
  readonly barriers: { readonly warp: number; readonly completed: number };
  /** Shuffles, votes and the like. */
  readonly exchanges: ExecutionCount;
  readonly atomics: ExecutionCount;
  readonly memory: readonly MemoryStats[];
  /** Shared memory: parts of accesses, the passes that they took, and how many of those bank conflicts caused. */
  readonly banks: { readonly parts: number; readonly passes: number; readonly conflicts: number };
  /** By section of the manual, most frequent first. */
  readonly mix: readonly FamilyCount[];
  /** By line of the program that was executed, in the order of the text; then by line of what it was compiled from (`.loc`). */
  readonly lines: readonly LineCount[];
  readonly sources: readonly SourceLineCount[];
}

/** Counts what a session executes from now on; the returned function returns the numbers up to its position. */
export function countSession(session: Session): () => Stats {
  const { program } = session;
  const { code } = program;
  const warps = new Float64Array(code.length);
  const active = new Float64Array(code.length);
  const taken = new Float64Array(code.length);
  const divergent = new Float64Array(code.length);
  const counts = { warps, active, taken, divergent };
  const memory = new MemoryCounter();
  const requests = new Requests(session, (request) => memory.add(request));
  let completed = 0;
  session.observe({
    ...requests.observer(),
    instruction(block, warp, pc, lanes, passing) {
      requests.begin(block, warp, pc, passing);
      const instruction = code[pc];
      if (instruction === undefined) return;
      warps[pc] = (warps[pc] ?? 0) + 1;
      active[pc] = (active[pc] ?? 0) + bitsIn(lanes);
      taken[pc] = (taken[pc] ?? 0) + bitsIn(passing);
      if (parts(instruction, session, { block, warp, lane: 0 }, lanes, passing))
        divergent[pc] = (divergent[pc] ?? 0) + 1;
    },
    after: () => requests.end(),
    barrier: () => {
      completed++;
    },
    halfBarrier: (_, __, what) => {
      if (what === "complete") completed++;
    },
    save: (): CountImage => ({
      byteLength: 4 * warps.byteLength,
      counts: Object.values(counts).map((each) => each.slice()),
      completed,
      accesses: memory.accesses(),
    }),
    restore: (image) => {
      const before = image as CountImage;
      for (const [at, each] of Object.values(counts).entries()) each.set(before.counts[at] ?? []);
      completed = before.completed;
      memory.restore(before.accesses);
      requests.clear();
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
    const accesses = memory.accesses();
    const instructions = count(() => true);
    const opcodes = [...new Set(code.map(({ opcode }) => opcode))]
      .map((opcode) => ({ opcode, ...count((instruction) => instruction.opcode === opcode) }))
      .filter(({ warp }) => warp > 0)
      .sort((a, b) => b.warp - a.warp || (a.opcode < b.opcode ? -1 : 1));
    return {
      instructions,
      lanes: { active: active.reduce((a, b) => a + b, 0), taken: instructions.thread, all: 32 * instructions.warp },
      opcodes,
      branches: { warp: planned(isBranch).warp, divergent: divergent.reduce((a, b) => a + b, 0) },
      calls: planned((plan) => nextOf(plan) === "callee"),
      barriers: { warp: planned(isBarrier).warp, completed },
      exchanges: planned((plan) => meetingOf(plan) === "lanes"),
      atomics: planned((plan) => touchesOf(plan).some(({ how }) => how === "atomic")),
      memory: bySpace(accesses),
      banks: banksOf(accesses),
      mix: familiesOf(program, warps, taken),
      lines: lineCounts(program, counts, accesses),
      sources: sourceCounts(program, counts, accesses),
    };
  };
}

/** The counts of a session at a snapshot. */
interface CountImage {
  readonly byteLength: number;
  readonly counts: readonly Float64Array[];
  readonly completed: number;
  readonly accesses: readonly AccessStats[];
}

const isBranch = (plan: Plan): boolean => nextOf(plan) === "targets";

/** True for a branch that makes the lanes of a warp diverge. */
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
