import { type ByteRange, lineOf, type Operation, type Site } from "../../async/operation.ts";
import { bitsIn, LANES, lowest } from "../../contract/lane-mask.ts";
import type { ThreadId } from "../../contract/thread-id.ts";
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

/** What lanes of a warp copy: each `bytes`, the first `read` of which it reads; places by lane, as offsets of the buffer. */
export interface WarpCopies {
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
 * Whether these lanes' copies are right, and in nobody's way, at first sight: whole words from global memory that is there
 * to places in shared memory that nothing in flight touches.
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

/**
 * What lanes of a warp ask for by one cp.async, some or all of those `among` which are active: copies, zeros behind those
 * that read less, by the lanes' own groups.
 */
export function copyOf(
  site: Site,
  thread: ThreadId,
  {
    lanes,
    among,
    bytes,
    rows,
  }: { readonly lanes: number; readonly among: number; readonly bytes: number; readonly rows: readonly Row[] },
  data: Pick<Views, "u8" | "s32">,
): Operation {
  const single = (lane: number): Operation => {
    // As many copies before it as lanes.
    let before = bitsIn(lanes & lowest(lane)) * bytes;
    const row = rows.find((each) => {
      if (before < each.bytes) return true;
      before -= each.bytes;
      return false;
    })!;
    const read = Math.min(row.read, bytes);
    const own = { start: row.start + before, from: row.from + before, bytes, read };
    const alone = (1 << lane) >>> 0;
    return copyOf(site, { ...thread, lane }, { lanes: alone, among: alone, bytes, rows: [own] }, data);
  };
  return {
    site,
    thread,
    what: "copy",
    proxy: "generic",
    reads: rows.flatMap(({ from, read }) => (read === 0 ? [] : [{ start: from, bytes: read }])),
    writes: rows,
    completion: { kind: "group", line: lineOf("cp.async", thread) },
    ...((among & (among - 1)) !== 0 && { together: { lanes, among, of: single } }),
    perform: () => {
      for (const row of rows) copy(row, data);
    },
  };
}

/** Rows are mostly short: a call would take longer than a few words. */
function copy({ from, start, bytes, read }: Row, { u8, s32 }: Pick<Views, "u8" | "s32">): void {
  if (read !== bytes || bytes > SHORT) {
    u8.copyWithin(start, from, from + read);
    u8.fill(0, start + read, start + bytes);
    return;
  }
  for (let at = 0; at < bytes >>> 2; at++) s32[(start >>> 2) + at] = s32[(from >>> 2) + at]!;
}

const SHORT = 256;
