import type { Diagnostic } from "../../../source/diagnostic.ts";
import { clusterOf } from "../../contract/launch/cluster-rank.ts";
import { type Dim3, volume } from "../../contract/launch/dim3.ts";
import { firstLane, LANES, lowest } from "../../contract/launch/lane-mask.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import {
  acquires,
  type MemoryScope,
  type PlannedFence,
  reachOf,
  reachOfAccess,
  releases,
} from "../../contract/memory-consistency.ts";
import type { LateAccesses, Observer, WarpAccess } from "../../contract/observer.ts";
import { imagesOf } from "../../contract/plan/effects.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { Program } from "../../contract/program.ts";
import type { Space } from "../../contract/space.ts";
import { windows } from "../../contract/window.ts";
import { Fault } from "../../state/fault.ts";
import { AccessPattern } from "./access-log.ts";
import { DeferredAccesses, type DeferredImage, type DeferredLimits } from "./deferred.ts";
import { type Half, Halves } from "./halves.ts";
import { type PackedImage, PackedRaces } from "./packed.ts";
import type { NamedRange } from "./place.ts";
import { type Doing, RecordedRaces } from "./recorded.ts";
import { fence } from "./scope.ts";
import { StrongLog } from "./strong.ts";
import {
  BlockClock,
  type BlockClockImage,
  type ByReach,
  synchronise,
  synchroniseBlock,
  synchroniseBlocks,
  synchroniseWarp,
  type ThreadClock,
  untold,
} from "./vector-clock.ts";
import { RaceWeight } from "./weight.ts";
import { copyWords, type Manner, type MemoryWord, none } from "./word.ts";

/** The state of the detector at a moment. */
interface RaceImage {
  readonly byteLength: number;
  readonly clocks: readonly { readonly clock: BlockClock; readonly state: BlockClockImage }[];
  readonly words: ReadonlyMap<number, MemoryWord>;
  readonly packed: PackedImage;
  readonly deferred: DeferredImage | undefined;
  readonly turn: number;
  readonly weight: readonly number[];
  readonly strong: ReturnType<StrongLog["save"]>;
  readonly halves: ReturnType<Halves["save"]>;
}

/** The arguments that an observer receives for one thread's access. */
type AccessArguments<How extends "load" | "store" | "atomic"> = Parameters<NonNullable<Observer[How]>>;

/** What the detector may need at most for accesses that it is notified of late. */
const MOST_LATE_BYTES = 96 << 20;

/**
 * Bytes that it needs at most: for a word that has been accessed, and for each access to it besides; for all of a word; and where parts of
 * words have been stored to, which are objects then, for an access, for all of such a word, and for a thread; and for a block.
 */
const MOST_BYTES = { word: 32, access: 48, all: 832, part: 512, object: 12_800, thread: 512, block: 1024 } as const;

/** All lanes of a warp. */
const ALL = lowest(LANES);

interface DetectorOptions {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Blocks of a cluster in each direction; undefined without clusters. */
  readonly cluster: Dim3 | undefined;
  /** Bytes of the device's memory: the detector may use as many itself. */
  readonly limit: number;
  /** How many accesses may be deferred; many by default. */
  readonly deferred?: DeferredLimits;
  /** The allocation that a byte of memory's buffer is in. */
  rangeAt(at: number): NamedRange | undefined;
  /** `instead`: an earlier finding, which says less. False where it is not kept. */
  report(finding: Diagnostic, instead: Diagnostic | undefined): boolean;
}

/**
 * Finds data races in shared and global memory (PTX ISA 8.7.1): two accesses to one byte by two threads, at least one
 * a store, not morally strong with each other and not ordered: no barrier, no instruction among lanes, no
 * release that the other acquired. A race is found whatever order this run happened to take. Strong accesses of
 * different sizes, which overlap in part, count as morally strong here.
 *
 * The accesses to most words are kept as numbers (`packed.ts`); releases, stores to parts of words and new races
 * are handled by objects.
 */
export class RaceDetector implements Observer {
  readonly apart = true;
  /** Counts instructions, where some are notified lane by lane; otherwise no count is needed. */
  readonly instruction?: NonNullable<Observer["instruction"]>;
  /** Undefined where deferred accesses are. */
  readonly late: LateAccesses | undefined;
  readonly #options: DetectorOptions;
  readonly #threads: number;
  #blocks: Map<number, BlockClock> = new Map();
  /** The clock that was last needed. */
  #clock: BlockClock | undefined;
  readonly #packed: PackedRaces = new PackedRaces();
  readonly #recorded: RecordedRaces;
  readonly #strong: StrongLog = new StrongLog();
  readonly #halves: Halves = new Halves();
  /** Bytes of accesses that may be deferred. */
  readonly #most: number;
  /** Undefined where several accesses of an instruction count as one turn. */
  readonly #deferred: DeferredAccesses | undefined;
  #pc = 0;
  /** Number of the instruction, or of the access where that is the same. */
  #turn = 0;
  readonly #weight: RaceWeight;
  /** The access of a warp that is being checked. */
  #access: WarpAccess | undefined;
  /** Stops an executor that judges by itself; the accesses that it has judged, and blocks that have ended between them. */
  #stopJudging: (() => void) | undefined;
  #held: (() => void)[] = [];
  /** Whether it has been notified of anything. */
  #isNotified = false;
  readonly #alike = (a: number, b: number): boolean => this.#access!.value(a) === this.#access!.value(b);

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#weight = new RaceWeight(options.limit);
    this.#recorded = new RecordedRaces(options, this.#packed, this.#weight, this.#strong);
    this.#threads = options.block[0] * options.block[1] * options.block[2];
    if (options.program.code.some(({ plan }) => isNotifiedSingly(plan)))
      this.instruction = (_block, _warp, pc) => {
        this.#pc = pc;
        this.#next();
      };
    this.#most = Math.min(options.limit / 4, 128 << 20);
    this.#deferred =
      this.instruction === undefined
        ? new DeferredAccesses(this.#packed, this.#recorded, options.deferred ?? { global: this.#most, shared: 16384 })
        : undefined;
    this.late = this.#deferred && this.#lateAccesses(this.#deferred);
  }

  #lateAccesses(deferred: DeferredAccesses): LateAccesses {
    const noted: AccessPattern[] = [];
    const warpSyncs = new Int32Array(LANES);
    return {
      isOpen: () => this.#weight.hasRoom(this.#bytes(), MOST_LATE_BYTES),
      note: (access) => {
        const pattern = new AccessPattern(access);
        return pattern.how === "store" && !pattern.isApart ? undefined : noted.push(pattern) - 1;
      },
      access: (number, block, warp, start) => this.#repeat(noted[number]!, block, warp, start),
      interval: (block) => {
        if (this.#options.cluster !== undefined) return undefined;
        const interval = deferred.ask(this.#blockClock(block, 0));
        if (interval === undefined) return undefined;
        warpSyncs.fill(0);
        const add = (pattern: AccessPattern, warp: number, start: number): boolean =>
          interval.reach(pattern, start) && interval.add(pattern, start, warp, warpSyncs[warp]!);
        return {
          isNeedless: (number, warp, start) => add(noted[number]!, warp, start),
          isNeedlessAccess: (access) =>
            add(deferred.patterns.of(access), access.warp, access.where[firstLane(access.lanes)]!),
          met: (warp) => {
            warpSyncs[warp]!++;
          },
        };
      },
      mayDrop: ({ how, sem }) => (how === "atomic" ? !acquires(sem) && !releases(sem) : sem === "weak"),
      drop: (count) => {
        this.#turn += count;
      },
      judge: (stop) => {
        if (this.#isNotified || this.#stopJudging !== undefined || this.#options.cluster !== undefined) return false;
        this.#stopJudging = stop;
        return true;
      },
      hold: (replay) => {
        this.#held.push(replay);
      },
      mayHold: ({ bytes, words, accesses, blocks, parts }) => {
        const { word, access, all, part, object, thread, block } = MOST_BYTES;
        const objects = object * Math.min(words, parts) + thread * volume(this.#options.block) * (blocks + 1);
        const each = word * words + (parts > 0 ? part : access) * accesses;
        const most = Math.min(each, all * words + (parts > 0 ? objects : 0));
        const more = bytes + most + block * blocks + this.#most;
        return bytes <= this.#most && this.#weight.hasRoom(more, MOST_LATE_BYTES);
      },
      replay: () => this.#replay(),
      dropAtomic: (access) => {
        this.#turn++;
        const { how, sem, pc, scope, block, warp, lanes, where, bytes } = access;
        const lane = 31 - Math.clz32(lanes);
        const manner = { how, sem, pc, reach: reachOf(scope) };
        this.#note(this.#blockClock(block, 0), warp, lane, (where[lane]! + bytes - 1) & ~3, manner, untold);
      },
    };
  }

  /** Before it is notified of what the executor has not judged: from now on it has to know of everything. */
  #replay(): void {
    this.#isNotified = true;
    const stop = this.#stopJudging;
    if (stop === undefined) return;
    this.#stopJudging = undefined;
    stop();
    const held = this.#held;
    this.#held = [];
    for (const replay of held) replay();
  }

  end(block: number): void {
    if (this.#held.length > 0) this.#held.push(() => this.#end(block));
    else this.#end(block);
  }

  #end(block: number): void {
    const clock = this.#blocks.get(block);
    if (clock === undefined) return;
    this.#deferred?.end(clock);
    clock.end();
  }

  save(): RaceImage {
    this.#replay();
    const deferred = this.#deferred?.save();
    const blocks = [...this.#blocks.values()];
    return {
      byteLength: this.#bytes(),
      clocks: blocks.map((clock) => ({ clock, state: clock.save() })),
      words: copyWords(this.#recorded.words),
      packed: this.#packed.save(),
      deferred,
      turn: this.#turn,
      weight: this.#weight.save(),
      strong: this.#strong.save(),
      halves: this.#halves.save(),
    };
  }

  restore(image: unknown): void {
    this.#held = [];
    this.#replay();
    const { clocks, words, packed, deferred, turn, weight, strong, halves } = image as RaceImage;
    for (const { clock, state } of clocks) clock.restore(state);
    this.#blocks = new Map(clocks.map(({ clock }) => [clock.block, clock]));
    this.#clock = undefined;
    this.#recorded.words = copyWords(words);
    this.#packed.restore(packed);
    if (deferred !== undefined) this.#deferred?.restore(deferred);
    this.#turn = turn;
    this.#weight.restore(weight);
    this.#strong.restore(strong);
    this.#halves.restore(halves);
  }

  barrier(block: number, _id: number, arrived: Uint32Array, whole: boolean): void {
    this.#replay();
    const clock = this.#blockClock(block, 0);
    if (whole) {
      this.#deferred?.met(clock);
      synchroniseBlock(clock);
      return;
    }
    this.#notify(clock);
    synchronise([...arrived].flatMap((lanes, warp) => threadsOf(clock, warp, lanes)));
  }

  halfBarrier(block: number, id: number, what: Half, warp: number, lanes: number): void {
    this.#replay();
    const clock = this.#blockClock(block, 0);
    this.#notify(clock);
    this.#halves.add(id, what, clock, threadsOf(clock, warp, lanes));
  }

  cluster(blocks: readonly number[]): void {
    this.#replay();
    const clocks = blocks.map((block) => this.#blockClock(block, 0));
    for (const clock of clocks) this.#notify(clock);
    synchroniseBlocks(clocks);
  }

  warpSync(block: number, warp: number, lanes: number): void {
    this.#replay();
    const clock = this.#blockClock(block, 0);
    const all = lowest(Math.min(LANES, this.#threads - warp * LANES));
    if (lanes === all) {
      synchroniseWarp(clock, warp, clock.hasSeen(warp) ? threadsOf(clock, warp, lanes) : none);
      return;
    }
    this.#notify(clock);
    synchronise(threadsOf(clock, warp, lanes));
  }

  fence(block: number, warp: number, lanes: number, scope: MemoryScope, sem: PlannedFence["sem"]): void {
    this.#replay();
    const clock = this.#blockClock(block, 0);
    this.#notify(clock);
    for (const thread of threadsOf(clock, warp, lanes)) fence(thread, reachOf(scope), sem);
  }

  /** What happened to memory before it was freed has happened before it was given again. */
  allocated(where: number, bytes: number): void {
    this.#replay();
    this.#deferred?.settle();
    const { shadow } = this.#packed;
    for (let at = where; at < where + bytes; at += 4) {
      this.#recorded.forget(at);
      shadow.begin(shadow.find(at), false);
    }
  }

  access(access: WarpAccess): void {
    const { how, space, sem, scope, block, pc, lanes } = access;
    if (space !== "generic" && sharing(space, 0) === undefined) return;
    this.#replay();
    if (this.instruction === undefined) this.#next();
    const clock = this.#blockClock(block, firstLane(lanes));
    const manner: Manner = { how, sem, pc, reach: reachOfAccess(how, sem, scope) };
    const left = this.#putOff(clock, access, manner);
    if (left !== 0) this.#check(clock, access, manner, left);
  }

  /** An access like one that was noted; returns the lanes that must be checked, as in any access. */
  #repeat(pattern: AccessPattern, block: number, warp: number, start: number): number {
    const clock = this.#blockClock(block, 0);
    const shared = pattern.space === "shared";
    if (!clock.isPlain || ordersMore(pattern) || (shared && this.#options.cluster !== undefined)) return pattern.lanes;
    this.#next();
    const left = this.#deferred!.take(clock, warp, pattern, start, this.#turn);
    if (left === 0) this.#noteDeferred(clock, warp, pattern, start);
    else if (pattern.isRow && pattern.reach < 0 && pattern.how !== "atomic" && (start & 127) === 0) {
      const packed = this.#packed;
      packed.act(clock, warp, pattern.pc, -1);
      const base = packed.row(start, shared);
      if (base >= 0 && this.#touchRow(base, pattern.how)) return 0;
    }
    return left;
  }

  /** Checks an access of some lanes. */
  #check(clock: BlockClock, access: WarpAccess, manner: Manner, lanes: number): void {
    const { how, space, bytes, warp, pc, where, addresses } = access;
    this.#access = access;
    this.#packed.act(clock, warp, pc, manner.reach);
    const plain = clock.isPlain && manner.reach < 0 && how !== "atomic" && isRow(access);
    const base = plain ? this.#packed.row(where[0]!, sharing(space, addresses[1]!)!) : -1;
    if (base < 0 || !this.#touchRow(base, how)) {
      let isPacked = plain && how === "store";
      for (let lane = 0; lane < LANES; lane++) {
        const at = where[lane]!;
        if (!((lanes >>> lane) & 1) || at < 0) continue;
        const shared = sharing(space, addresses[2 * lane + 1]!);
        if (shared === undefined) isPacked = false;
        else if (!this.#touch(clock, warp, lane, at, bytes, shared, manner, how === "store")) isPacked = false;
      }
      if (isPacked) this.#packed.shadow.join(where[0]!);
    }
    this.#access = undefined;
    this.#weigh(firstLane(lanes));
  }

  load(...[at, space, address, bytes, sem, scope, where, by = this.#pc]: AccessArguments<"load">): void {
    const reach = reachOfAccess("load", sem, scope);
    this.#single(at, space, address, bytes, where, { how: "load", sem, pc: by, reach }, undefined);
  }

  store(...[at, space, address, bytes, sem, scope, where, value, by = this.#pc]: AccessArguments<"store">): void {
    const reach = reachOfAccess("store", sem, scope);
    this.#single(at, space, address, bytes, where, { how: "store", sem, pc: by, reach }, value);
  }

  atomic(...[at, space, address, bytes, sem, scope, where, by = this.#pc]: AccessArguments<"atomic">): void {
    this.#single(at, space, address, bytes, where, { how: "atomic", sem, pc: by, reach: reachOf(scope) }, undefined);
  }

  /** Checks an access that observers receive for one thread. */
  #single(
    { block, warp, lane }: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    where: number,
    manner: Manner,
    value: bigint | undefined,
  ): void {
    const shared = sharing(space, Number(address >> 32n));
    if (shared === undefined || where < 0) return;
    this.#replay();
    const clock = this.#blockClock(block, lane);
    if (this.instruction === undefined) this.#next();
    this.#now(clock, shared, where, manner);
    this.#packed.act(clock, warp, manner.pc, manner.reach);
    this.#touch(clock, warp, lane, where, bytes, shared, manner, false, value);
    this.#weigh(lane);
  }

  /** Checks a plain access of all lanes to a row of words at once; false where each word has to be checked. */
  #touchRow(base: number, how: WarpAccess["how"]): boolean {
    if (how === "load") return this.#packed.load(base, 0, 15);
    return this.#packed.store(base, 0, 15, this.#turn, this.#alike);
  }

  /** Checks every word of one lane's access; false where one does not fit into numbers. `told`: the access has the stored value; otherwise `value` does. */
  #touch(
    clock: BlockClock,
    warp: number,
    lane: number,
    where: number,
    bytes: number,
    shared: boolean,
    manner: Manner,
    told: boolean,
    value?: bigint,
  ): boolean {
    const packed = this.#packed;
    const plain = value === undefined && this.#isPlain(clock, warp, lane, manner);
    const turn = told ? this.#turn : 0;
    let doing: Doing | undefined;
    for (let from = where & ~3; from < where + bytes; from += 4) {
      const first = Math.max(where - from, 0);
      const last = Math.min(where + bytes - from, 4);
      const touched = ((1 << last) - 1) & ~((1 << first) - 1);
      const base = packed.word(from, shared);
      if (plain) {
        if (
          manner.how === "load"
            ? packed.load(base, lane, touched)
            : packed.store(base, lane, touched, turn, this.#alike)
        ) {
          if (manner.reach >= 0) this.#note(clock, warp, lane, from, manner, untold);
          continue;
        }
      }
      if (shared && this.#deferred?.strange(clock)) this.#packed.act(clock, warp, manner.pc, manner.reach);
      doing ??= {
        ...manner,
        epoch: clock.thread(warp, lane).stamp(),
        released: undefined,
        turn: this.#turn,
        access: this.#access,
        value: told ? this.#access!.value(lane) : value,
      };
      this.#recorded.touch(from, base, shared, touched, doing);
      if (manner.reach >= 0) this.#note(clock, warp, lane, from, manner, doing.released ?? untold);
    }
    return doing === undefined;
  }

  #note({ block }: BlockClock, warp: number, lane: number, from: number, manner: Manner, told: ByReach): void {
    const { how, sem, pc, reach } = manner;
    const thread = block * 1024 + warp * LANES + lane;
    this.#strong.note(block, { how, sem, pc, reach, thread, from, turn: this.#turn, released: told });
  }

  /** Defers an access where possible. Returns the lanes to check now, after deferred accesses at the same places. */
  #putOff(clock: BlockClock, access: WarpAccess, manner: Manner): number {
    const deferred = this.#deferred;
    const { space, lanes, where, addresses, warp } = access;
    if (ordersMore(manner)) this.#notify(clock);
    if (deferred === undefined) return lanes;
    if (clock.isPlain && this.#isDeferrable({ space, ...manner })) {
      const pattern = deferred.patterns.of(access);
      const start = where[firstLane(lanes)]!;
      const left = deferred.take(clock, warp, pattern, start, this.#turn);
      if (left === 0) this.#noteDeferred(clock, warp, pattern, start);
      return left;
    }
    if (space === "global") return deferred.look(access);
    if (space === "shared") {
      deferred.lookShared(clock);
      return lanes;
    }
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1) || where[lane]! < 0) continue;
      const shared = sharing(space, addresses[2 * lane + 1]!);
      if (shared !== undefined) this.#now(clock, shared, where[lane]!, manner);
    }
    return lanes;
  }

  /** Whether an access to a space may be deferred by a plain block: loads, and whatever only its own threads can meet. */
  #isDeferrable({ space, how, reach }: Pick<AccessPattern, "space" | "how" | "reach">): boolean {
    if (space === "shared") return this.#options.cluster === undefined;
    return space === "global" && how === "load" && reach < 0;
  }

  /** A deferred access need not be checked later: what the report has to know of it is noted now. */
  #noteDeferred(
    clock: BlockClock,
    warp: number,
    { how, sem, pc, reach, offsets, lanes, bytes }: AccessPattern,
    start: number,
  ): void {
    if (reach < 0) return;
    const lane = 31 - Math.clz32(lanes);
    this.#note(clock, warp, lane, (start + offsets[lane]! + bytes - 1) & ~3, { how, sem, pc, reach }, untold);
  }

  /** Before an access that is checked singly: checks the deferred loads at its place. */
  #now(clock: BlockClock, shared: boolean, where: number, manner: Manner): void {
    if (ordersMore(manner)) this.#notify(clock);
    if (this.#deferred === undefined) return;
    if (shared) this.#deferred.lookShared(clock);
    else this.#deferred.lookAt(where, manner.how !== "load");
  }

  /** Threads of a block are about to learn more than the packed numbers express. */
  #notify(clock: BlockClock): void {
    if (clock.deferred > 0) this.#deferred?.settle();
    clock.isPlain = false;
  }

  /** Whether the lane's access fits the packed numbers: it releases nothing. */
  #isPlain(clock: BlockClock, warp: number, lane: number, { how, sem, reach }: Manner): boolean {
    if (how === "load" || reach < 0) return true;
    if (releases(sem)) return false;
    const fenced = clock.seen(warp, lane)?.fenced;
    return fenced === undefined || fenced === untold;
  }

  /** The next instruction. */
  #next(): void {
    this.#turn++;
    if (this.#weight.isDue(this.#turn)) this.#tidy();
  }

  /** Forgets ended blocks that appear in no word, and counts the memory of the rest. */
  #tidy(): void {
    const named = new Set<BlockClock>();
    this.#packed.tidy((clock) => named.add(clock));
    for (const { writes, reads } of this.#recorded.words.values()) {
      for (const { thread } of writes) named.add(thread.blockClock);
      for (const { thread } of reads) named.add(thread.blockClock);
    }
    for (const [block, clock] of this.#blocks) {
      if (!clock.ended || clock.deferred > 0 || named.has(clock)) continue;
      this.#blocks.delete(block);
      this.#packed.leave(clock);
    }
    this.#weight.count(this.#turn, this.#packed.shadow.bytes / 32, this.#recorded.words, this.#blocks);
  }

  #bytes(): number {
    const numbers = this.#packed.shadow.bytes + (this.#deferred?.bytes ?? 0);
    return this.#weight.bytes(numbers, this.#recorded.words.size);
  }

  /** Throws a fault when there is no room for the lane's access. */
  #weigh(lane: number): void {
    const excess = this.#weight.excess(this.#bytes(), this.#packed.shadow.count);
    if (excess !== undefined) throw noRoom(lane, excess);
  }

  #blockClock(block: number, lane: number): BlockClock {
    if (this.#clock?.block === block && !this.#clock.ended) return this.#clock;
    let clock = this.#blocks.get(block);
    if (clock === undefined) {
      const { grid, cluster } = this.#options;
      clock = new BlockClock(block, cluster === undefined ? block : clusterOf(block, grid, cluster));
      if (this.#packed.enter(clock) === undefined) throw noRoom(lane, "too many blocks have a part in it");
      this.#blocks.set(block, clock);
    }
    this.#clock = clock;
    return clock;
  }
}

const noRoom = (lane: number, why: string): Fault =>
  new Fault("PTX6007", lane, `is an access for which the race detector has no room: ${why}`);

/**
 * Whether lanes notify observers one by one of what they do by this instruction, and do not say by which: several calls
 * belong to it. Asynchronous operations say who issued them, and store values that nobody compares.
 */
const isNotifiedSingly = (plan: Plan): boolean =>
  imagesOf(plan) !== undefined || plan.shape === "multimem" || plan.shape === "zero fill";

/** Whether an access orders threads, beyond synchronisation at barriers: it acquires or releases. */
const ordersMore = ({ sem }: Manner): boolean => acquires(sem) || releases(sem);

/** Whether all lanes access a row: consecutive words, the first one at a multiple of their size. */
function isRow({ bytes, lanes, where }: WarpAccess): boolean {
  const first = where[0]!;
  if (lanes !== ALL || bytes !== 4 || first < 0 || (first & 127) !== 0) return false;
  for (let lane = 1; lane < LANES; lane++) if (where[lane] !== first + 4 * lane) return false;
  return true;
}

/** True for shared memory, false for global; undefined for memory that is private to a thread or never written. */
function sharing(space: Space, high: number): boolean | undefined {
  if (space === "shared") return true;
  if (space === "global") return false;
  if (space !== "generic") return undefined;
  return high === windows.shared ? true : high === windows.global ? false : undefined;
}

function threadsOf(block: BlockClock, warp: number, lanes: number): ThreadClock[] {
  const found: ThreadClock[] = [];
  for (let lane = 0; lane < LANES; lane++) if ((lanes >>> lane) & 1) found.push(block.thread(warp, lane));
  return found;
}
