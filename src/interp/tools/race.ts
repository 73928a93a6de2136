import type { Diagnostic } from "../../source/diagnostic.ts";
import { type Dim3, unlinear } from "../contract/dim3.ts";
import { touchesOf } from "../contract/effects.ts";
import { LANES, lowest } from "../contract/lane-mask.ts";
import type { Observer } from "../contract/observer.ts";
import type { Program } from "../contract/program.ts";
import type { MemoryOrder, MemoryScope, Space } from "../contract/space.ts";
import type { ThreadId } from "../contract/thread-id.ts";
import { windows } from "../contract/window.ts";
import {
  BlockClock,
  type Epoch,
  joined,
  nothing,
  synchronise,
  synchroniseBlock,
  synchroniseBlocks,
  synchroniseWarp,
  type ThreadClock,
  type VectorClock,
} from "./vector-clock.ts";

/** An access to one word that a later one may conflict with. */
interface RecordedAccess extends Epoch {
  readonly pc: number;
  /** Which of the word's four bytes, a bit each. */
  readonly bytes: number;
  /** Morally strong with others of its kind: those do not race (PTX ISA 8.7). */
  readonly strong: boolean;
  /** The instruction's turn, so that lanes that store one value together are not at odds. */
  readonly turn: number;
  readonly value: bigint | undefined;
}

/** What is known of a word of memory. */
interface Word {
  /** The last store to each byte; one entry where they are the same. */
  writes: RecordedAccess[];
  /** Loads since then, one a thread and instruction. */
  reads: RecordedAccess[];
  /** What a thread that acquires here comes to know, and whose block alone may when the scope is a block. */
  released: { readonly known: VectorClock; readonly block: number | undefined } | undefined;
  /** Shared memory goes with its block. */
  readonly shared: boolean;
}

/** Who accesses what: an address of a space, and where it lies in the memory's buffer. */
interface AccessSite {
  readonly at: ThreadId;
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
  readonly where: number;
}

/** Loads that are kept of one word; a store that races with more than these races with one of them too. */
const MOST_READS = 64;

interface DetectorOptions {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  report(finding: Diagnostic): void;
}

/**
 * Finds data races in shared and global memory (PTX ISA 8.7.1): two accesses to one byte by two threads, at least one
 * a store, not both strong, with nothing that orders them: no barrier, no instruction among lanes, no release that the
 * other acquired. A race is found whatever order this run happened to take.
 */
export class RaceDetector implements Observer {
  readonly #options: DetectorOptions;
  readonly #threads: number;
  readonly #blocks = new Map<number, BlockClock>();
  readonly #words = new Map<number, Word>();
  readonly #reported = new Set<string>();
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
    this.#blockClock(block).ended = true;
  }

  rewound(): void {
    this.#blocks.clear();
    this.#words.clear();
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

  fence(block: number, warp: number, lanes: number): void {
    for (const thread of threadsOf(this.#blockClock(block), warp, lanes)) fence(thread);
  }

  load(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
  ): void {
    const how = { strong: sem !== "weak", value: undefined };
    this.#access({ at, space, address, bytes, where }, how, (word, access) => {
      this.#judge(word.writes, access, "reads");
      remember(word, access);
      if (sem !== "weak") acquire(access.thread, word, sem, scope);
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
    value: bigint,
  ): void {
    let known: VectorClock | undefined;
    const how = { strong: sem !== "weak", value };
    this.#access({ at, space, address, bytes, where }, how, (word, access) => {
      this.#write(word, access);
      known ??= sem === "release" ? access.thread.publish() : sem === "weak" ? undefined : access.thread.released;
      word.released = known && { known, block: scope === "cta" ? at.block : undefined };
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
  ): void {
    let known: VectorClock | undefined;
    this.#access({ at, space, address, bytes, where }, { strong: true, value: undefined }, (word, access) => {
      const { thread } = access;
      this.#write(word, access);
      acquire(thread, word, sem === "acq_rel" ? "acquire" : sem, scope);
      known ??= sem === "release" || sem === "acq_rel" ? thread.publish() : thread.released;
      // An atomic carries on what was released here before it (a release sequence).
      const block = scope === "cta" ? at.block : undefined;
      if (known !== undefined) word.released = { known: joined(word.released?.known ?? nothing, known), block };
    });
  }

  /** Calls `each` for every word of an access to memory that threads share. */
  #access(
    { at, space, address, bytes, where }: AccessSite,
    how: Pick<RecordedAccess, "strong" | "value">,
    each: (word: Word, access: RecordedAccess) => void,
  ): void {
    const shared = sharing(space, address);
    if (shared === undefined || where < 0) return;
    const now = {
      ...this.#blockClock(at.block).thread(at.warp, at.lane).stamp(),
      ...how,
      pc: this.#pc,
      turn: this.#turn,
    };
    for (let from = where & ~3; from < where + bytes; from += 4) {
      const first = Math.max(where - from, 0);
      const last = Math.min(where + bytes - from, 4);
      each(this.#word(from, shared), { ...now, bytes: ((1 << last) - 1) & ~((1 << first) - 1) });
    }
  }

  #write(word: Word, access: RecordedAccess): void {
    this.#judge(word.writes, access, "writes");
    this.#judge(word.reads, access, "writes");
    const untouched = ({ bytes }: RecordedAccess): boolean => (bytes & access.bytes) === 0;
    word.writes = [...word.writes.filter(untouched), access];
    word.reads = word.reads.filter(untouched);
  }

  #judge(before: readonly RecordedAccess[], now: RecordedAccess, does: "reads" | "writes"): void {
    for (const other of before) {
      if ((other.bytes & now.bytes) === 0 || (other.strong && now.strong) || now.thread.follows(other)) continue;
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
    const did = touchesOf(its.plan).every(({ how }) => how === "load") ? "read" : "written";
    this.#options.report({
      code: "PTX4002",
      severity: "warning",
      message: `${mine.opcode} ${does} what ${this.#who(other)} has ${did} by ${its.opcode}, and nothing orders the two, in ${this.#who(now)}`,
      source: program.source,
      span: mine.span,
      related: [{ source: program.source, span: its.span, message: `${its.opcode}, in ${this.#who(other)}` }],
      help: [{ message: "order them by a barrier, by an instruction among lanes, or by a release and an acquire" }],
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
      clock = new BlockClock(block);
      this.#blocks.set(block, clock);
    }
    return clock;
  }

  #word(from: number, shared: boolean): Word {
    let word = this.#words.get(from);
    // The room of a block that has ended is another block's now.
    const owner = word?.writes[0] ?? word?.reads[0];
    if (word === undefined || word.shared !== shared || (shared && owner?.thread.blockClock.ended)) {
      word = { writes: [], reads: [], released: undefined, shared };
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

/** Keeps a load until the word is stored to. A thread's own earlier load of it by the same instruction says no more. */
function remember(word: Word, access: RecordedAccess): void {
  const same = word.reads.findIndex(
    ({ thread, pc, bytes }) => thread === access.thread && pc === access.pc && bytes === access.bytes,
  );
  if (same >= 0) word.reads[same] = access;
  else {
    if (word.reads.length >= MOST_READS) word.reads.shift();
    word.reads.push(access);
  }
}

/** What was released here is known: at once to an acquire, from the next fence on to a relaxed load. */
function acquire(thread: ThreadClock, { released }: Word, sem: MemoryOrder, scope: MemoryScope): void {
  if (released === undefined) return;
  const { block } = thread.blockClock;
  // A scope of one block orders nothing for another block.
  const near = released.known.blocks.has(block);
  if ((released.block !== undefined && released.block !== block) || (scope === "cta" && !near)) return;
  if (sem === "acquire") thread.known = joined(thread.known, released.known);
  else thread.pending = joined(thread.pending, released.known);
}

function fence(thread: ThreadClock): void {
  thread.known = joined(thread.known, thread.pending);
  thread.pending = nothing;
  thread.released = thread.publish();
}
