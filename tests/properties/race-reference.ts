import { clusterOf } from "../../src/interp/contract/launch/cluster-rank.ts";
import type { Dim3 } from "../../src/interp/contract/launch/dim3.ts";
import { LANES } from "../../src/interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../src/interp/contract/launch/thread-id.ts";
import type { MemoryScope, PlannedFence } from "../../src/interp/contract/memory-consistency.ts";
import { reachOf } from "../../src/interp/contract/memory-consistency.ts";
import type { Observer } from "../../src/interp/contract/observer.ts";
import { writtenBy } from "../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../src/interp/contract/program.ts";
import type { Space } from "../../src/interp/contract/space.ts";
import { windows } from "../../src/interp/contract/window.ts";
import { apartIn, type RaceSite, raceFinding } from "../../src/interp/tools/race/report.ts";
import { both, fence, morallyStrong, Release, released } from "../../src/interp/tools/race/scope.ts";
import { StrongLog } from "../../src/interp/tools/race/strong.ts";
import { type ByReach, type ThreadClock, untold } from "../../src/interp/tools/race/vector-clock.ts";
import {
  carriedOn,
  type MemoryWord,
  none,
  observed,
  outside,
  type RecordedAccess,
  read,
  remember,
} from "../../src/interp/tools/race/word.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { meet, ReferenceBlock } from "./reference-clocks.ts";

/** What an observer is told of one thread's access. */
type Told<How extends "load" | "store" | "atomic"> = Parameters<NonNullable<Observer[How]>>;

/** Who accesses what: an address of a space, and where it lies in the memory's buffer. */
interface AccessSite {
  readonly at: ThreadId;
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
  readonly where: number;
  /** The instruction that asked for it. */
  readonly by: number;
}

interface DetectorOptions {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Blocks of a cluster in each direction; undefined without clusters. */
  readonly cluster: Dim3 | undefined;
  rangeAt: RaceSite["rangeAt"];
  report(finding: Diagnostic, instead: Diagnostic | undefined): boolean;
}

/**
 * Finds races as `RaceDetector` does, with an object for each access, nothing packed or put off, and clocks of its own. It
 * judges the other.
 */
export class ReferenceDetector implements Observer {
  readonly #options: DetectorOptions;
  readonly #threads: number;
  #blocks: Map<number, ReferenceBlock> = new Map();
  #words: Map<number, MemoryWord> = new Map();
  /** The word that is accessed. */
  #touched = { from: 0, shared: false };
  #reported: Map<string, { readonly apart: number; readonly pc: number; readonly finding: Diagnostic }> = new Map();
  #pc = 0;
  #turn = 0;

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#threads = options.block[0] * options.block[1] * options.block[2];
  }

  instruction(_block: number, _warp: number, pc: number): void {
    this.#pc = pc;
    this.#turn++;
  }

  end(block: number): void {
    this.#blocks.get(block)?.end();
  }

  barrier(block: number, _id: number, arrived: Uint32Array, whole: boolean): void {
    const clock = this.#blockClock(block);
    meet(whole ? clock.threads : [...arrived].flatMap((lanes, warp) => threadsOf(clock, warp, lanes)));
  }

  cluster(blocks: readonly number[]): void {
    meet(blocks.flatMap((block) => this.#blockClock(block).threads));
  }

  warpSync(block: number, warp: number, lanes: number): void {
    meet(threadsOf(this.#blockClock(block), warp, lanes));
  }

  fence(block: number, warp: number, lanes: number, scope: MemoryScope, sem: PlannedFence["sem"]): void {
    for (const thread of threadsOf(this.#blockClock(block), warp, lanes)) fence(thread, reachOf(scope), sem);
  }

  load(...[at, space, address, bytes, sem, scope, where, by = this.#pc]: Told<"load">): void {
    const reach = sem === "weak" ? -1 : reachOf(scope);
    this.#access({ at, space, address, bytes, where, by }, { reach, value: undefined }, (word, access) => {
      this.#judge(word.writes, access, "reads");
      remember(word, access);
      for (const write of observed(word, access)) read(write, access, sem === "acquire");
    });
  }

  store(...[at, space, address, bytes, sem, scope, where, value, by = this.#pc]: Told<"store">): void {
    const reach = sem === "weak" ? -1 : reachOf(scope);
    let told: ByReach | undefined;
    this.#access({ at, space, address, bytes, where, by }, { reach, value }, (word, access) => {
      const { thread } = access;
      told ??= sem === "weak" ? untold : sem === "release" ? released(thread, reach) : thread.fenced;
      // A thread's release of this memory is in its next store to it too (PTX ISA 8.8, the second release pattern).
      const earlier = observed(word, access).filter((write) => write.thread === thread);
      this.#write(word, access, reach < 0 ? untold : earlier.reduce((all, { own }) => both(all, own), told), undefined);
    });
  }

  atomic(...[at, space, address, bytes, sem, scope, where, by = this.#pc]: Told<"atomic">): void {
    const reach = reachOf(scope);
    // What red reads nobody gets: it acquires nothing (PTX ISA 8.11.1).
    const reads = writtenBy(this.#options.program.code[by]!.plan) > 0;
    let told: ByReach | undefined;
    this.#access({ at, space, address, bytes, where, by }, { reach, value: undefined }, (word, access) => {
      const { thread } = access;
      const before = observed(word, access);
      if (reads) for (const write of before) read(write, access, sem === "acquire" || sem === "acq_rel");
      told ??= sem === "release" || sem === "acq_rel" ? released(thread, reach) : thread.fenced;
      const earlier = before.filter((write) => write.thread === thread);
      // An atomic carries on what the stores released that it observes (PTX ISA 8.9.2).
      const carried = carriedOn(before, access.bytes);
      const own = earlier.reduce((all, { own }) => both(all, own), told);
      this.#write(word, access, own, carried);
    });
  }

  /** Calls `each` for every word of an access to memory that threads share. */
  #access(
    { at, space, address, bytes, where, by }: AccessSite,
    how: Pick<RecordedAccess, "reach" | "value">,
    each: (word: MemoryWord, access: RecordedAccess) => void,
  ): void {
    const shared = sharing(space, address);
    if (shared === undefined || where < 0) return;
    const clock = this.#blockClock(at.block);
    const { thread, count, warpSync, barrier } = clock.thread(at.warp, at.lane).stamp();
    const { reach, value } = how;
    for (let from = where & ~3; from < where + bytes; from += 4) {
      const first = Math.max(where - from, 0);
      const last = Math.min(where + bytes - from, 4);
      const touched = ((1 << last) - 1) & ~((1 << first) - 1);
      const word = this.#word(from, shared, clock);
      this.#touched = { from, shared };
      // Each field by name: objects that are made by copying others take twice as much memory.
      const [pc, turn] = [by, this.#turn];
      each(word, { thread, count, warpSync, barrier, reach, value, pc, turn, bytes: touched });
    }
  }

  #write(word: MemoryWord, access: RecordedAccess, own: ByReach, carried: Release | undefined): void {
    this.#judge(word.writes, access, "writes");
    this.#judge(word.reads, access, "writes");
    const release = carried ?? (own === untold ? undefined : new Release());
    release?.publish(access.thread, own);
    const { thread, count, warpSync, barrier, reach, value, pc, turn, bytes } = access;
    const write = { thread, count, warpSync, barrier, reach, value, pc, turn, bytes, release, own };
    const others = outside(word.writes, bytes);
    word.writes = others.length === 0 ? [write] : [...others, write];
    word.reads = outside(word.reads, access.bytes);
  }

  #judge(before: readonly RecordedAccess[], now: RecordedAccess, does: "reads" | "writes"): void {
    for (const other of before) {
      if ((other.bytes & now.bytes) === 0 || morallyStrong(other, now) || now.thread.follows(other)) continue;
      // Lanes that store together, and the same, leave no doubt about what is stored.
      if (other.turn === now.turn && other.value !== undefined && other.value === now.value) continue;
      const pair = `${Math.min(other.pc, now.pc)} ${Math.max(other.pc, now.pc)}`;
      const apart = apartIn({ other, now });
      const said = this.#reported.get(pair);
      if (said !== undefined && said.apart >= apart) continue;
      const pc = said?.pc ?? now.pc;
      const { from, shared } = this.#touched;
      const at = from + 31 - Math.clz32(other.bytes & now.bytes & -(other.bytes & now.bytes));
      const finding = raceFinding(this.#options, new StrongLog(), { other, now, does, shared, at }, pc);
      this.#reported.set(pair, { apart, pc, finding });
      this.#options.report(finding, said?.finding);
    }
  }

  #blockClock(block: number): ReferenceBlock {
    let clock = this.#blocks.get(block);
    if (clock === undefined) {
      const { grid, cluster } = this.#options;
      clock = new ReferenceBlock(block, cluster === undefined ? block : clusterOf(block, grid, cluster), this.#threads);
      this.#blocks.set(block, clock);
    }
    return clock;
  }

  #word(from: number, shared: boolean, by: ReferenceBlock): MemoryWord {
    let word = this.#words.get(from);
    // The shared memory of a block that has ended belongs to another block now; to one of its cluster it did all the time.
    const user = (word?.writes[0] ?? word?.reads[0])?.thread.blockClock;
    const given = shared && user?.ended === true && user.cluster !== by.cluster;
    if (word === undefined || word.shared !== shared || given) {
      word = { writes: none, reads: none, shared };
      this.#words.set(from, word);
    }
    return word;
  }
}

/** True for shared memory, false for global; undefined for memory that a thread has to itself or nobody writes. */
function sharing(space: Space, address: bigint): boolean | undefined {
  if (space === "shared") return true;
  if (space === "global") return false;
  if (space !== "generic") return undefined;
  const window = Number(address >> 32n);
  return window === windows.shared ? true : window === windows.global ? false : undefined;
}

function threadsOf(block: ReferenceBlock, warp: number, lanes: number): ThreadClock[] {
  const found: ThreadClock[] = [];
  for (let lane = 0; lane < LANES; lane++) if ((lanes >>> lane) & 1) found.push(block.thread(warp, lane));
  return found;
}
