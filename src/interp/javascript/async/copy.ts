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

/** Copies of lanes that follow each other, from bytes in a row to bytes in a row. */
interface Row extends ByteRange {
  readonly from: number;
  bytes: number;
  read: number;
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

/** The copies of these lanes as rows, in order of lane. */
export function rowsOf(lanes: number, { bytes, to, from, read }: WarpCopies): readonly Row[] {
  const rows: Row[] = [];
  let row: Row | undefined;
  for (let lane = 0; lane < LANES; lane++) {
    if (!((lanes >>> lane) & 1)) continue;
    const [start, source, count] = [to[lane]!, from[lane]!, read[lane]!];
    const follows = row !== undefined && row.start + row.bytes === start && row.from + row.bytes === source;
    if (follows && count === bytes && row!.read === row!.bytes) {
      row!.bytes += bytes;
      row!.read += bytes;
    } else {
      row = { from: source, start, bytes, read: count };
      rows.push(row);
    }
  }
  return rows;
}

/** Whether two rows write the same bytes. */
export function overlap(rows: readonly Row[]): boolean {
  for (let a = 0; a < rows.length; a++)
    for (let b = 0; b < a; b++) {
      const [one, other] = [rows[a]!, rows[b]!];
      if (one.start < other.start + other.bytes && other.start < one.start + one.bytes) return true;
    }
  return false;
}

/** The lanes that start copies of `bytes` by one cp.async, as rows; `among` are all lanes that execute it. */
interface Started {
  readonly lanes: number;
  readonly among: number;
  readonly bytes: number;
  readonly rows: readonly Row[];
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
    const reads: ByteRange[] = [];
    for (const { from, read } of started.rows) if (read > 0) reads.push({ start: from, bytes: read });
    this.reads = reads;
  }

  get writes(): readonly Row[] {
    return this.#started.rows;
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
    const { lanes, bytes, rows } = this.#started;
    // One copy before it for each lower lane.
    let before = bitsIn(lanes & lowest(lane)) * bytes;
    const row = rows.find((each) => {
      if (before < each.bytes) return true;
      before -= each.bytes;
      return false;
    })!;
    const read = Math.min(row.read, bytes);
    const own = { start: row.start + before, from: row.from + before, bytes, read };
    const alone = (1 << lane) >>> 0;
    const thread = { ...this.thread, lane };
    return copyOf(this.site, thread, { lanes: alone, among: alone, bytes, rows: [own] }, this.#data);
  }

  perform(): void {
    for (const row of this.#started.rows) copy(row, this.#data);
  }
}

/** Copies one row. Rows are mostly short: a call of `copyWithin` would take longer than a few words. */
function copy({ from, start, bytes, read }: Row, { u8, s32 }: Data): void {
  if (read !== bytes || bytes > SHORT) {
    u8.copyWithin(start, from, from + read);
    u8.fill(0, start + read, start + bytes);
    return;
  }
  for (let at = 0; at < bytes >>> 2; at++) s32[(start >>> 2) + at] = s32[(from >>> 2) + at]!;
}

const SHORT = 256;

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
  const wanted = fills === undefined ? () => bytes : fills === "size" ? sized(size, lanes) : unless(size, bytes);
  const destination: MemoryAccess = { kind: "store", space: "shared", bytes, sum: to.sum };
  const places = new Int32Array(LANES);
  const counts = new Uint32Array(LANES);
  const copies: WarpCopies = { bytes, to: places, from: scratch.at, read: counts };
  const { data, shadow } = memory;
  const site = siteOf(context);
  /** Starts the copies of all lanes at once; returns false, having done nothing, if some lanes need a closer check. */
  const askTogether = (warp: Warp): boolean => {
    const { active, block, index } = warp;
    if (asynchrony.apart || active === 0) return false;
    from.locate(warp);
    for (let lane = 0; lane < lanes; lane++) counts[lane] = (active >>> lane) & 1 ? wanted(warp, lane) : 0;
    if (!areFree(active, copies, shadow.s32)) return false;
    const rows = rowsOf(active, copies);
    if (overlap(rows)) return false;
    const line = lineOf("cp.async", { block, warp: index, lane: 0 });
    asynchrony.issueTogether(line, active, (part) => {
      const thread: ThreadId = { block, warp: index, lane: firstLane(part) };
      const own = part === active ? rows : rowsOf(part, copies);
      return copyOf(site(warp), thread, { lanes: part, among: active, bytes, rows: own }, data);
    });
    return true;
  };
  const ask = (warp: Warp, lane: number): void => {
    const read = wanted(warp, lane);
    if (read > bytes) throw new Fault("PTX3030", lane, `reads ${read} bytes for a copy of ${bytes}`);
    if (read > 0 && !isGood(shadow.s32, scratch.at[lane]!, read, bytes)) {
      const source: MemoryAccess = { kind: "load", space: "global", bytes: read, align: bytes, sum: from.sum };
      if (reach(warp, lane, source, context)) inspectInitialised(warp, lane, source, context);
    }
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    const row = { from: scratch.at[lane]!, start: places[lane]!, bytes, read };
    const alone = (1 << lane) >>> 0;
    asynchrony.issue(copyOf(site(warp), thread, { lanes: alone, among: alone, bytes, rows: [row] }, data));
  };
  return (warp) => {
    to.locate(warp);
    places.set(scratch.at);
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
