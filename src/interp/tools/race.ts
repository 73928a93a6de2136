import type { Diagnostic } from "../../source/diagnostic.ts";
import { clusterOf } from "../contract/cluster-rank.ts";
import { type Dim3, unlinear } from "../contract/dim3.ts";
import { imagesOf, settles, touchesOf, writtenBy } from "../contract/effects.ts";
import { LANES, lowest } from "../contract/lane-mask.ts";
import type { Observer } from "../contract/observer.ts";
import type { Program } from "../contract/program.ts";
import type { MemoryOrder, MemoryScope, Space } from "../contract/space.ts";
import type { ThreadId } from "../contract/thread-id.ts";
import { windows } from "../contract/window.ts";
import { Fault } from "../state/fault.ts";
import { RaceWeight } from "./race-weight.ts";
import {
  carriedOn,
  copyWords,
  type MemoryWord,
  none,
  observed,
  outside,
  type RecordedAccess,
  read,
  remember,
} from "./race-word.ts";
import { both, distance, fence, morallyStrong, Release, reachOf, released } from "./scope.ts";
import {
  BlockClock,
  type BlockClockImage,
  type ByReach,
  type Epoch,
  synchronise,
  synchroniseBlock,
  synchroniseBlocks,
  synchroniseWarp,
  type ThreadClock,
  untold,
} from "./vector-clock.ts";

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

/** What it knows at a moment. */
interface RaceImage {
  readonly byteLength: number;
  readonly clocks: readonly { readonly clock: BlockClock; readonly state: BlockClockImage }[];
  readonly words: ReadonlyMap<number, MemoryWord>;
  readonly reported: ReadonlySet<string>;
  readonly turn: number;
  readonly weight: readonly number[];
}

interface DetectorOptions {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Blocks of a cluster in each direction; undefined without clusters. */
  readonly cluster: Dim3 | undefined;
  /** Bytes of the device's memory: the detector may take as many for itself. */
  readonly limit: number;
  report(finding: Diagnostic): void;
}

/**
 * Finds data races in shared and global memory (PTX ISA 8.7.1): two accesses to one byte by two threads, at least one
 * a store, not morally strong with each other, with nothing that orders them: no barrier, no instruction among lanes, no
 * release that the other acquired. A race is found whatever order this run happened to take. Strong accesses of
 * different sizes, which overlap in part, count as morally strong here.
 */
export class RaceDetector implements Observer {
  readonly #options: DetectorOptions;
  readonly #threads: number;
  #blocks: Map<number, BlockClock> = new Map();
  #words: Map<number, MemoryWord> = new Map();
  #reported: Set<string> = new Set();
  #pc = 0;
  #turn = 0;
  readonly #weight: RaceWeight;

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#weight = new RaceWeight(options.limit);
    this.#threads = options.block[0] * options.block[1] * options.block[2];
  }

  instruction(_block: number, _warp: number, pc: number): void {
    this.#pc = pc;
    this.#turn++;
    if (this.#weight.isDue(this.#turn)) this.#tidy();
  }

  end(block: number): void {
    this.#blocks.get(block)?.end();
  }

  save(): RaceImage {
    const blocks = [...this.#blocks.values()];
    return {
      byteLength: this.#weight.bytes(this.#words.size),
      clocks: blocks.map((clock) => ({ clock, state: clock.save() })),
      words: copyWords(this.#words),
      reported: new Set(this.#reported),
      turn: this.#turn,
      weight: this.#weight.save(),
    };
  }

  restore(image: unknown): void {
    const { clocks, words, reported, turn, weight } = image as RaceImage;
    for (const { clock, state } of clocks) clock.restore(state);
    this.#blocks = new Map(clocks.map(({ clock }) => [clock.block, clock]));
    this.#words = copyWords(words);
    this.#reported = new Set(reported);
    this.#turn = turn;
    this.#weight.restore(weight);
  }

  barrier(block: number, _id: number, arrived: Uint32Array, whole: boolean): void {
    const clock = this.#blockClock(block);
    if (whole) synchroniseBlock(clock);
    else synchronise([...arrived].flatMap((lanes, warp) => threadsOf(clock, warp, lanes)));
  }

  cluster(blocks: readonly number[]): void {
    synchroniseBlocks(blocks.map((block) => this.#blockClock(block)));
  }

  warpSync(block: number, warp: number, lanes: number): void {
    const clock = this.#blockClock(block);
    const all = lowest(Math.min(LANES, this.#threads - warp * LANES));
    if (lanes === all) synchroniseWarp(clock, warp, threadsOf(clock, warp, lanes));
    else synchronise(threadsOf(clock, warp, lanes));
  }

  fence(block: number, warp: number, lanes: number, scope: MemoryScope): void {
    for (const thread of threadsOf(this.#blockClock(block), warp, lanes)) fence(thread, reachOf(scope));
  }

  load(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
    by: number = this.#pc,
  ): void {
    const reach = sem === "weak" ? -1 : reachOf(scope);
    this.#access({ at, space, address, bytes, where, by }, { reach, value: undefined }, (word, access) => {
      this.#judge(word.writes, access, "reads");
      remember(word, access);
      for (const write of observed(word, access)) read(write, access, sem === "acquire");
    });
  }

  store(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
    value: bigint | undefined,
    by: number = this.#pc,
  ): void {
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

  atomic(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
    by: number = this.#pc,
  ): void {
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
      const before = word.reads.length + word.writes.length;
      // Each field by name: objects that are made by copying others take twice as much memory.
      const [pc, turn] = [by, this.#turn];
      each(word, { thread, count, warpSync, barrier, reach, value, pc, turn, bytes: touched });
      this.#weight.note(word.reads.length + word.writes.length - before);
    }
    const excess = this.#weight.excess(this.#words.size);
    if (excess !== undefined)
      throw new Fault("PTX6007", at.lane, `is an access for which the race detector has no room: ${excess}`);
  }

  /** Forgets ended blocks that have no part in any word, and counts what the rest takes. */
  #tidy(): void {
    const named = new Set<BlockClock>();
    for (const { writes, reads } of this.#words.values()) {
      for (const { thread } of writes) named.add(thread.blockClock);
      for (const { thread } of reads) named.add(thread.blockClock);
    }
    for (const [block, clock] of this.#blocks) if (clock.ended && !named.has(clock)) this.#blocks.delete(block);
    this.#weight.count(this.#turn, this.#words, this.#blocks);
  }

  #write(word: MemoryWord, access: RecordedAccess, own: ByReach, carried: Release | undefined): void {
    this.#judge(word.writes, access, "writes");
    this.#judge(word.reads, access, "writes");
    const release = carried ?? (own === untold ? undefined : new Release());
    release?.tell(access.thread, own);
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
      this.#tell(other, now, does);
    }
  }

  #tell(other: RecordedAccess, now: RecordedAccess, does: "reads" | "writes"): void {
    const pair = `${Math.min(other.pc, now.pc)} ${Math.max(other.pc, now.pc)}`;
    if (this.#reported.has(pair)) return;
    this.#reported.add(pair);
    const { program } = this.#options;
    const [mine, its] = [program.code[now.pc]!, program.code[other.pc]!];
    const narrow = tooNarrow(other, now);
    const touches = touchesOf(its.plan);
    // What is asynchronous touches nothing when it is executed.
    const asked = touches.length === 0 && settles(its.plan);
    const loads = !asked && touches.every(({ how }) => how === "load") && imagesOf(its.plan) !== "writes";
    const did = loads ? "read" : "written";
    this.#options.report({
      code: "PTX4002",
      severity: "error",
      message: `${mine.opcode} ${does} what ${this.#who(other)} has ${did} by ${its.opcode}, and nothing orders the two${narrow?.why ?? ""}, in ${this.#who(now)}`,
      source: program.source,
      span: mine.span,
      related: [{ source: program.source, span: its.span, message: `${its.opcode}, in ${this.#who(other)}` }],
      help: [
        ...(narrow === undefined ? [] : [{ message: narrow.help }]),
        { message: "order them by a barrier, by an instruction among lanes, or by a release and an acquire" },
      ],
    });
  }

  #who({ thread: who }: Epoch): string {
    const { grid, block } = this.#options;
    const thread = unlinear(who.warp * LANES + who.lane, block).join(",");
    return `thread (${thread}) of block (${unlinear(who.blockClock.block, grid).join(",")})`;
  }

  #blockClock(block: number): BlockClock {
    let clock = this.#blocks.get(block);
    if (clock === undefined) {
      const { grid, cluster } = this.#options;
      clock = new BlockClock(block, cluster === undefined ? block : clusterOf(block, grid, cluster));
      this.#blocks.set(block, clock);
    }
    return clock;
  }

  #word(from: number, shared: boolean, by: BlockClock): MemoryWord {
    let word = this.#words.get(from);
    // The shared memory of a block that has ended belongs to another block now; to one of its cluster it did all the time.
    const user = (word?.writes[0] ?? word?.reads[0])?.thread.blockClock;
    const given = shared && user?.ended === true && user.cluster !== by.cluster;
    if (word === undefined || word.shared !== shared || given) {
      if (word !== undefined) this.#weight.note(-word.writes.length - word.reads.length);
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

function threadsOf(block: BlockClock, warp: number, lanes: number): ThreadClock[] {
  const found: ThreadClock[] = [];
  for (let lane = 0; lane < LANES; lane++) if ((lanes >>> lane) & 1) found.push(block.thread(warp, lane));
  return found;
}

/** Why two strong accesses are not morally strong with each other, and what would make them so. */
function tooNarrow(other: RecordedAccess, now: RecordedAccess): { why: string; help: string } | undefined {
  const reach = Math.min(other.reach, now.reach);
  if (reach < 0) return undefined;
  const wide = distance(other.thread, now.thread) === 1 ? ".cluster" : ".gpu";
  return reach === 0
    ? { why: ": .cta does not include another block", help: `give both the scope ${wide}` }
    : { why: ": .cluster does not include a block of another cluster", help: `give both the scope ${wide}` };
}
