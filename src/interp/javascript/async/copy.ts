import { inspectInitialised, reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import { type ByteRange, lineOf, type Operation, type Site, type Together } from "../../async/operation.ts";
import { constantValue } from "../../contract/constant.ts";
import { bitsIn, firstLane, LANES, lowest } from "../../contract/launch/lane-mask.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Views } from "../../memory/linear.ts";
import {
  ALLOCATED,
  fourfold,
  IN_FLIGHT_READ,
  IN_FLIGHT_WRITE,
  INITIALISED,
  MBARRIER,
  READ_ONLY,
  WINDOWED,
} from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { locator } from "../locate.ts";
import { siteOf } from "./site.ts";

/** What lanes of a warp copy: each `bytes`, of which it reads the first `read`; offsets in the buffer, by lane. */
interface WarpCopies {
  readonly bytes: number;
  readonly to: Int32Array;
  readonly from: ArrayLike<number>;
  readonly read: ArrayLike<number>;
}

const FREE = ALLOCATED | WINDOWED;
const FREE_MASK = fourfold(FREE | READ_ONLY | IN_FLIGHT_READ | IN_FLIGHT_WRITE | MBARRIER);
const THERE = ALLOCATED | INITIALISED;
const THERE_MASK = fourfold(THERE | READ_ONLY | WINDOWED | IN_FLIGHT_WRITE | MBARRIER);

/**
 * A quick test that these lanes' copies are right and conflict with nothing: complete words, from valid global memory
 * to shared memory that nothing in flight touches.
 */
export function areFree(lanes: number, { bytes, to, from, read }: WarpCopies, shadow: Int32Array): boolean {
  for (let lane = 0; lane < LANES; lane++) {
    if (!((lanes >>> lane) & 1)) continue;
    const [target, count] = [to[lane]!, read[lane]!];
    if (target < 0 || count > bytes || target & (bytes - 1) || count & 3) return false;
    for (let word = target >>> 2; word < (target + bytes) >>> 2; word++)
      if ((shadow[word]! & FREE_MASK) !== fourfold(FREE)) return false;
    if (count === 0) continue;
    const source = from[lane]!;
    if (source < 0 || source & (bytes - 1)) return false;
    for (let word = source >>> 2; word < (source + count) >>> 2; word++)
      if ((shadow[word]! & THERE_MASK) !== fourfold(THERE)) return false;
  }
  return true;
}

/** The copies of these lanes, in order of lane: where each goes, where it comes from, and how much it reads. */
export function placesOf(lanes: number, { to, from, read }: WarpCopies): readonly number[] {
  let end = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (!((lanes >>> lane) & 1)) continue;
    room[end++] = to[lane]!;
    room[end++] = from[lane]!;
    room[end++] = read[lane]!;
  }
  // An array that grows would be larger, and operations keep theirs.
  return room.slice(0, end);
}

const room: number[] = Array.from({ length: 3 * LANES }, () => 0);
/** Where copies go, in order of place. */
const starts = new Int32Array(LANES);

/** What copies write, in order of place; undefined where two write the same bytes. */
export function writesOf(places: readonly number[], bytes: number): readonly ByteRange[] | undefined {
  const count = places.length / 3;
  for (let copy = 0; copy < count; copy++) {
    // Lanes mostly are in order of place, or nearly so.
    const start = places[3 * copy]!;
    let before = copy;
    for (; before > 0 && starts[before - 1]! > start; before--) starts[before] = starts[before - 1]!;
    starts[before] = start;
  }
  const writes: ByteRange[] = [];
  for (let first = 0, last = 0; first < count; first = ++last) {
    while (last + 1 < count && starts[last + 1] === starts[last]! + bytes) last++;
    if (last + 1 < count && starts[last + 1]! < starts[last]! + bytes) return undefined;
    writes.push({ start: starts[first]!, bytes: starts[last]! + bytes - starts[first]! });
  }
  return writes;
}

/** What copies read, as ranges of lanes one behind the other. */
function readsOf(places: readonly number[]): readonly ByteRange[] {
  const reads: ByteRange[] = [];
  for (let at = 0; at < places.length; ) {
    const start = places[at + 1]!;
    let end = start + places[at + 2]!;
    for (at += 3; places[at + 1] === end; at += 3) end += places[at + 2]!;
    if (end > start) reads.push({ start, bytes: end - start });
  }
  return reads;
}

/** The lanes that start copies of `bytes` by one cp.async; `among` are all lanes that execute it. */
interface Started {
  readonly lanes: number;
  readonly among: number;
  readonly bytes: number;
  /** Of `lanes`, as `placesOf` and `writesOf` have them. */
  readonly places: readonly number[];
  readonly writes: readonly ByteRange[];
}

type Data = Pick<Views, "u8" | "s32">;

/**
 * The operation that some lanes of a warp start by one cp.async, whose groups are separate. It copies, and fills with
 * zeros behind copies that read less.
 */
export const copyOf = (site: Site, thread: ThreadId, started: Started, data: Data): Operation =>
  new Copies(site, thread, started, data);

/** A class, because programs start many: no operation has closures of its own. */
class Copies implements Operation, Together {
  readonly what = "copy";
  readonly proxy = "generic";
  readonly site: Site;
  readonly thread: ThreadId;
  readonly reads: readonly ByteRange[];
  readonly completion: Operation["completion"];
  readonly #started: Started;
  readonly #data: Data;

  constructor(site: Site, thread: ThreadId, started: Started, data: Data) {
    this.site = site;
    this.thread = thread;
    this.#started = started;
    this.#data = data;
    this.completion = { kind: "group", line: lineOf("cp.async", thread) };
    this.reads = readsOf(started.places);
  }

  get writes(): readonly ByteRange[] {
    return this.#started.writes;
  }

  get lanes(): number {
    return this.#started.lanes;
  }

  get among(): number {
    return this.#started.among;
  }

  get together(): Together | undefined {
    return (this.among & (this.among - 1)) === 0 ? undefined : this;
  }

  of(lane: number): Operation {
    const { lanes, bytes, places } = this.#started;
    const at = 3 * bitsIn(lanes & lowest(lane));
    return copyOf(this.site, { ...this.thread, lane }, alone(lane, bytes, places.slice(at, at + 3)), this.#data);
  }

  perform(): void {
    const { bytes, places } = this.#started;
    const { u8, s32 } = this.#data;
    for (let at = 0; at < places.length; at += 3) {
      const [to, from, read] = [places[at]!, places[at + 1]!, places[at + 2]!];
      if (read === bytes)
        for (let byte = 0; byte < bytes; byte += 4) s32[(to + byte) >>> 2] = s32[(from + byte) >>> 2]!;
      else {
        u8.copyWithin(to, from, from + read);
        u8.fill(0, to + read, to + bytes);
      }
    }
  }
}

/** The copy of one lane, whose `places` are given. */
function alone(lane: number, bytes: number, places: readonly number[]): Started {
  const lanes = (1 << lane) >>> 0;
  return { lanes, among: lanes, bytes, places, writes: [{ start: places[0]!, bytes }] };
}

/**
 * cp.async: starts a copy of n bytes. Addresses and bounds are checked at issue; the bytes are read and written when
 * the copy happens.
 */
export function copyAsync(
  { fills }: PlanOf<"copy async">,
  [d, a, n, size]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, asynchrony, memory, scratch } = context;
  const bytes = Number(constantValue(n, context.program));
  const to = locator(d, "shared", bytes, context);
  const from = locator(a, "global", bytes, context);
  const wanted = fills === undefined ? undefined : fills === "size" ? sized(size, lanes) : unless(size, bytes);
  const destination: MemoryAccess = { kind: "store", space: "shared", bytes, sum: to.sum };
  const targets = new Int32Array(LANES);
  const counts = new Uint32Array(LANES).fill(bytes);
  /** Finds out how much the lanes read. */
  const count = (warp: Warp): void => {
    if (wanted !== undefined) for (let lane = 0; lane < lanes; lane++) counts[lane] = wanted(warp, lane);
  };
  const copies: WarpCopies = { bytes, to: targets, from: scratch.at, read: counts };
  const { data, shadow } = memory;
  const site = siteOf(context);
  /** Starts the copies of all lanes at once; returns false, having done nothing, if some lanes need a closer check. */
  const askTogether = (warp: Warp): boolean => {
    const { active, block, index } = warp;
    if (asynchrony.apart || active === 0) return false;
    from.locate(warp);
    if (!areFree(active, copies, shadow.s32)) return false;
    const places = placesOf(active, copies);
    const writes = writesOf(places, bytes);
    if (writes === undefined) return false;
    const line = lineOf("cp.async", { block, warp: index, lane: 0 });
    asynchrony.issueTogether(line, active, (part) => {
      const thread: ThreadId = { block, warp: index, lane: firstLane(part) };
      const own = part === active ? places : placesOf(part, copies);
      const started = {
        lanes: part,
        among: active,
        bytes,
        places: own,
        writes: part === active ? writes : writesOf(own, bytes)!,
      };
      return copyOf(site(warp), thread, started, data);
    });
    return true;
  };
  const ask = (warp: Warp, lane: number): void => {
    const read = counts[lane]!;
    if (read > bytes) throw new Fault("PTX3030", lane, `reads ${read} bytes for a copy of ${bytes}`);
    if (read > 0 && !isGood(shadow.s32, scratch.at[lane]!, read, bytes)) {
      const source: MemoryAccess = { kind: "load", space: "global", bytes: read, align: bytes, sum: from.sum };
      if (reach(warp, lane, source, context)) inspectInitialised(warp, lane, source, context);
    }
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    const started = alone(lane, bytes, [targets[lane]!, scratch.at[lane]!, read]);
    asynchrony.issue(copyOf(site(warp), thread, started, data));
  };
  return (warp) => {
    to.locate(warp);
    targets.set(scratch.at);
    count(warp);
    if (askTogether(warp)) return;
    to.locate(warp);
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) reach(warp, lane, destination, context);
    from.locate(warp);
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) ask(warp, lane);
  };
}

/** True for the usual source: all its words are allocated, initialised, and not read-only. */
function isGood(shadow: Int32Array, at: number, read: number, align: number): boolean {
  if ((at & (align - 1)) !== 0) return false;
  const want = fourfold(ALLOCATED | INITIALISED);
  for (let word = at >>> 2; word < (at + read + 3) >>> 2; word++)
    if ((shadow[word]! & (want | fourfold(READ_ONLY))) !== want) return false;
  return true;
}

type Sizes = (warp: Warp, lane: number) => number;

/** The number of bytes to read, from a register. */
function sized(operand: Operand | undefined, lanes: number): Sizes {
  const from = slot(operand).slot * lanes;
  return ({ r }, lane) => r[from + lane]!;
}

/** The number of bytes to read: 0 if the predicate (ignore-src) holds. */
function unless(operand: Operand | undefined, bytes: number): Sizes {
  const { slot: from, negated } = predicate(operand);
  return ({ p }, lane) => (((negated ? ~p[from]! : p[from]!) >>> lane) & 1 ? 0 : bytes);
}
