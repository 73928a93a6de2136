import { windows } from "../contract/window.ts";
import type { Views } from "./linear.ts";
import { ALLOCATED, fourfold, INITIALISED, READ_ONLY, STORED } from "./shadow.ts";

/** Another owner's memory, at separate addresses: for example the process that launched the kernel. */
export interface Supplier {
  /** Copies mapped bytes from `address` on into `into`; returns how many, 0 where nothing is mapped. */
  read(address: bigint, into: Uint8Array): number;
  /** Writes bytes that a launch has stored; they may change afterwards. */
  write(address: bigint, bytes: Uint8Array): void;
  /** Whether only announced ranges may be touched, even while there are none; by default everything may then. */
  readonly onlyAnnounced?: boolean;
}

/**
 * Addresses that lie in the buffer as they lie in the supplier's memory: an address with the high word `high` at its low word and `delta`,
 * modulo 2^32, if that is in the zone. It is laid around the first address that a launch touches.
 */
export interface Zone {
  readonly high: number;
  readonly delta: number;
  readonly start: number;
  readonly bytes: number;
}

/** The part of the buffer for pages of a supplier. Offsets and sizes in bytes. */
export interface Room {
  /** Where it begins in a launch that begins now. */
  start(): number;
  readonly end: number;
  readonly data: Views;
  readonly shadow: Views;
  /** Fills in the shadow of the bytes. */
  know(at: number, bytes: number): void;
  /** Notes that the shadow of bytes has lost permissions. */
  worsens(): void;
}

/** A range of the supplier's memory that it has announced. */
export interface Announced {
  readonly name: string;
  readonly address: bigint;
  readonly bytes: number;
}

/** A part of an announced range, at a multiple of a chunk: the same bytes as those from another address on, or only to be read. */
export interface Mapped {
  readonly address: bigint;
  readonly bytes: number;
  /** The address itself where its bytes are nowhere else. */
  readonly same: bigint;
  readonly readOnly: boolean;
}

const PAGE = 4096;
const EACH_STORED = fourfold(STORED);
/** The supplier's address space is divided into chunks of this size; each is contiguous in the buffer. */
const PIECE = 2 ** 20;
/** Chunks of one high word, and the part of the room that is the zone's. */
const CHUNKS_OF_HIGH = 2 ** 32 / PIECE;
const ZONE_PART = 2 / 3;
/** Returned by `reach` instead of an offset: the bytes are not the supplier's, or there is no room for more of them. */
export const NOT_THERE = -1;
export const NO_ROOM = -2;
/** Bytes before and behind the zone where nothing lies. */
export const FREE_AROUND_ZONE: number = PIECE;
/** Pages read at once where a launch goes from page to page. */
const MOST_AHEAD = 256;

interface Page {
  readonly address: bigint;
  /** The supplier's contents when the page was read. */
  readonly before: Uint8Array;
}

/**
 * Memory outside the device: a launch finds it at the owner's addresses. A page is read when an instruction first
 * touches it; when the launch ends, the stored bytes are written back and nothing else, as other objects on the page
 * may change meanwhile.
 */
export class Supply {
  /** Start of the room for pages: everything below is the device's memory. Outside of launches there is none. */
  start: number;
  readonly #room: Room;
  readonly #supplier: Supplier;
  /** By chunk number in the supplier's address space: its place in the room, counted in chunks. */
  readonly #places: Map<number, number> = new Map();
  /** By place in the room: the supplier's chunk there, if any. */
  #pieces: (number | undefined)[] = [];
  /** By offset in the buffer. */
  readonly #pages: Map<number, Page> = new Map();
  readonly #announced: Announced[] = [];
  /** By chunk number: the chunk that has the same bytes, and keeps them for both. */
  readonly #same: Map<number, number> = new Map();
  #readOnly: readonly Mapped[] = [];
  #zone: Zone | undefined;
  /** The zone's first chunk in the supplier's address space, and how many it has; behind it the room is for others. */
  #zoneFirst = 0;
  #zoneChunks = 0;
  /** Whether a launch is going on. */
  #isOpen = false;
  /** The chunk of the last look-up. */
  #last = -1;
  #lastAt = -1;
  /** By the end offset of a run of pages: how many pages the last read took. */
  readonly #runs: Map<number, number> = new Map();

  constructor(room: Room, supplier: Supplier) {
    this.#room = room;
    this.#supplier = supplier;
    this.start = room.end;
  }

  /** The buffer offset of an address, whether or not its page has been read; -1 before a place is assigned. */
  locate(high: number, low: number): number {
    const piece = high * 4096 + (low >>> 20);
    if (piece === this.#last) return this.#lastAt + (low & (PIECE - 1));
    const place = this.#places.get(piece);
    if (place === undefined) return -1;
    this.#last = piece;
    this.#lastAt = this.start + place * PIECE;
    return this.#lastAt + (low & (PIECE - 1));
  }

  /**
   * The offset of the bytes in the buffer, after reading their pages; NOT_THERE where the supplier does not have all
   * of them, or did not announce them although it announces; NO_ROOM.
   */
  reach(high: number, low: number, bytes: number): number {
    const address = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    if (this.announces && !this.#isAnnounced(address, bytes)) return NOT_THERE;
    const kept = this.#kept(address);
    // Bytes side by side here may be kept apart.
    if (this.#kept(address + BigInt(bytes - 1)) !== kept + BigInt(bytes - 1)) return NO_ROOM;
    const at = this.#place(kept, bytes);
    if (at < 0) return NO_ROOM;
    for (let page = at - (at % PAGE); page < at + bytes; page += PAGE)
      if (!this.#pages.has(page) && !this.#read(page, kept - BigInt(at - page))) return NOT_THERE;
    if (kept !== address)
      for (let piece = pieceOf(address); piece <= pieceOf(address + BigInt(bytes - 1)); piece++)
        this.#places.set(piece, this.#places.get(this.#same.get(piece)!)!);
    return at;
  }

  /** Replaces what is known of parts of announced ranges. */
  map(mapped: readonly Mapped[]): void {
    this.#same.clear();
    for (const { address, bytes, same } of mapped)
      for (let at = 0; same !== address && at < bytes / PIECE; at++)
        this.#same.set(pieceOf(address) + at, pieceOf(same) + at);
    this.#readOnly = mapped.filter(({ readOnly }) => readOnly);
  }

  /** Where the bytes at an address are kept. */
  #kept(address: bigint): bigint {
    if (this.#same.size === 0) return address;
    const piece = pieceOf(address);
    return address + BigInt((this.#same.get(piece) ?? piece) - piece) * BigInt(PIECE);
  }

  get zone(): Zone | undefined {
    return this.#zoneChunks === 0 ? undefined : this.#zone;
  }

  /** Whether the byte at an offset belongs to neither the device nor the zone. */
  isElsewhere(at: number): boolean {
    const { start, bytes } = this.zone ?? { start: 0, bytes: 0 };
    return at >= this.start && !(at >= start && at < start + bytes);
  }

  /** Whether a launch can touch anything here. */
  get isReachable(): boolean {
    return this.#announced.length > 0 || !this.announces;
  }

  /** Whether this launch has touched anything here. */
  get isTouched(): boolean {
    return this.#pages.size > 0;
  }

  /** Whether only what is announced can be touched. */
  get announces(): boolean {
    return this.#announced.length > 0 || this.#supplier.onlyAnnounced === true;
  }

  /** Once anything is announced, only that may be touched. */
  announce(range: Announced): void {
    this.renounce(range.address);
    this.#announced.push(range);
  }

  /** Withdraws an announcement; false where nothing was announced at the address. */
  renounce(address: bigint): boolean {
    const at = this.#announced.findIndex((each) => each.address === address);
    if (at < 0) return false;
    this.#announced.splice(at, 1);
    return true;
  }

  /** The announced range that the byte lies in, or else the nearest one. */
  announcedAt(address: bigint): Announced | undefined {
    let best: Announced | undefined;
    for (const each of this.#announced)
      if (best === undefined || distance(each, address) < distance(best, address)) best = each;
    return best;
  }

  /** At the start of a launch: drops all pages, since they may have changed. */
  begin(): void {
    const { start, end } = this.#room;
    this.#drop(this.isReachable ? Math.min(end, Math.ceil(start() / PIECE) * PIECE) : end);
    this.#isOpen = true;
  }

  /** At the end of a launch: its pages stay until somebody needs their room. */
  end(): void {
    this.#isOpen = false;
  }

  /** Gives the room for pages to the device; false where a launch needs it, and where there is none. */
  vacate(): boolean {
    const { end } = this.#room;
    if (this.#isOpen || this.start === end) return false;
    this.#drop(end);
    return true;
  }

  #drop(start: number): void {
    if (this.#pages.size > 0) this.#room.worsens();
    for (const page of this.#pages.keys()) this.#forget(page);
    this.#pages.clear();
    this.#runs.clear();
    this.#last = -1;
    if (this.#places.size === 0 && start === this.start) return;
    this.#places.clear();
    this.#zone = undefined;
    this.#zoneChunks = 0;
    this.start = start;
    this.#pieces = Array(Math.floor((this.#room.end - start) / PIECE)).fill(undefined);
  }

  /** Writes back what has been stored since the pages were read, or since the last call. */
  giveBack(): void {
    const { u8: data } = this.#room.data;
    const { u8: shadow, s32: words } = this.#room.shadow;
    const pages = [...this.#pages].sort(([a], [b]) => a - b);
    let run = { address: 0n, from: 0, to: 0 };
    const flush = (): void => {
      if (run.to > run.from) this.#supplier.write(run.address, data.subarray(run.from, run.to));
    };
    for (const [start, { address, before }] of pages) {
      if (!this.#isStoredTo(start)) continue;
      for (let byte = 0; byte < PAGE; byte++) {
        if ((shadow[start + byte]! & STORED) === 0) continue;
        const from = byte;
        while (byte < PAGE && (shadow[start + byte]! & STORED) !== 0) {
          byte++;
          // Mostly all bytes of a word are stored.
          while ((byte & 3) === 0 && byte < PAGE && (words[(start + byte) >>> 2]! & EACH_STORED) === EACH_STORED)
            byte += 4;
        }
        const changed = unlike(data.subarray(start + from, start + byte), before.subarray(from, byte));
        if (changed === undefined) continue;
        const [first, end] = [start + from + changed[0], start + from + changed[1]];
        if (first === run.to && this.#follows(run, first)) run.to = end;
        else {
          flush();
          run = { address: address + BigInt(first - start), from: first, to: end };
        }
        before.set(data.subarray(first, end), first - start);
      }
    }
    flush();
  }

  /** Drops pages that are no longer known, to be read again. */
  keep(isKnown: (at: number) => boolean): void {
    for (const page of this.#pages.keys()) if (!isKnown(page)) this.#pages.delete(page);
  }

  #isAnnounced(address: bigint, bytes: number): boolean {
    return this.#announced.some(
      (each) => each.address <= address && address + BigInt(bytes) <= each.address + BigInt(each.bytes),
    );
  }

  /** The offset reserved for bytes, whose pages may not have been read; -1 where no contiguous room is left. */
  #place(address: bigint, bytes: number): number {
    const [first, last] = [pieceOf(address), pieceOf(address + BigInt(bytes - 1))];
    const place = this.#placeOf(first);
    if (place === undefined) return -1;
    for (let more = 1; first + more <= last; more++) if (this.#placeOf(first + more) !== place + more) return -1;
    return this.start + place * PIECE + Number(address % BigInt(PIECE));
  }

  /** Places a chunk next to its neighbours where possible; otherwise in the middle of the free room. */
  #placeOf(piece: number): number | undefined {
    const known = this.#places.get(piece);
    if (known !== undefined) return known;
    const place = this.#inZone(piece) ?? this.#beside(piece - 1, 1) ?? this.#beside(piece + 1, -1) ?? this.#middle();
    if (place === undefined) return undefined;
    this.#places.set(piece, place);
    this.#pieces[place] = piece;
    return place;
  }

  /** The place of a chunk of the zone, which the first one decides where it lies. */
  #inZone(piece: number): number | undefined {
    const high = Math.floor(piece / CHUNKS_OF_HIGH);
    if (this.#zone === undefined) {
      // An address with the high word of a window may lie there instead.
      const isPlain = !Object.values<number>(windows).includes(high);
      this.#zoneChunks = isPlain ? Math.max(0, Math.floor(this.#pieces.length * ZONE_PART) - 2) : 0;
      this.#zoneFirst = piece - (this.#zoneChunks >>> 1);
      const start = this.start + PIECE;
      const delta = (start + (high * CHUNKS_OF_HIGH - this.#zoneFirst) * PIECE) | 0;
      this.#zone = { high: high | 0, delta, start, bytes: this.#zoneChunks * PIECE };
    }
    const at = piece - this.#zoneFirst;
    return at >= 0 && at < this.#zoneChunks && this.#zone.high === (high | 0) ? at + 1 : undefined;
  }

  /** The first place for chunks outside of the zone. */
  get #others(): number {
    return this.#zoneChunks + 2;
  }

  #beside(piece: number, step: number): number | undefined {
    const place = this.#places.get(piece);
    if (place === undefined) return undefined;
    const at = place + step;
    return place >= this.#others && at >= this.#others && at < this.#pieces.length && this.#pieces[at] === undefined
      ? at
      : undefined;
  }

  #middle(): number | undefined {
    let best = { from: 0, count: 0 };
    for (let at = this.#others; at < this.#pieces.length; at++) {
      const from = at;
      while (at < this.#pieces.length && this.#pieces[at] === undefined) at++;
      if (at - from > best.count) best = { from, count: at - from };
    }
    return best.count === 0 ? undefined : best.from + (best.count >>> 1);
  }

  /** Reads the page at offset `page`; where a run ends there, twice as many pages as the last time. */
  #read(page: number, address: bigint): boolean {
    const { data, shadow } = this.#room;
    const inPiece = (PIECE - (page % PIECE)) / PAGE;
    const pages = Math.min(2 * (this.#runs.get(page) ?? 0.5), MOST_AHEAD, inPiece);
    const bytes = new Uint8Array(pages * PAGE);
    const got = Math.floor(this.#supplier.read(address, bytes) / PAGE);
    // A run of pages stays within a chunk, and so within a part.
    const known =
      ALLOCATED | INITIALISED | (this.#readOnly.some((each) => distance(each, address) === 0n) ? READ_ONLY : 0);
    for (let index = 0; index < got; index++) {
      const at = page + index * PAGE;
      if (this.#pages.has(at)) continue;
      const before = new Uint8Array(bytes.subarray(index * PAGE, (index + 1) * PAGE));
      this.#room.know(at, PAGE);
      data.u8.set(before, at);
      shadow.s32.fill(fourfold(known), at >>> 2, (at + PAGE) >>> 2);
      this.#pages.set(at, { address: address + BigInt(index * PAGE), before });
    }
    this.#runs.delete(page);
    this.#runs.set(page + got * PAGE, pages);
    return got > 0;
  }

  #isStoredTo(page: number): boolean {
    const { s32 } = this.#room.shadow;
    let marks = 0;
    for (let word = page >>> 2; word < (page + PAGE) >>> 2; word++) marks |= s32[word]!;
    return (marks & EACH_STORED) !== 0;
  }

  /** The device may have the place next, and finds zeros there. */
  #forget(page: number): void {
    const { data, shadow } = this.#room;
    for (const { s32 } of [data, shadow]) s32.fill(0, page >>> 2, (page + PAGE) >>> 2);
  }

  /** Whether the byte at offset `at` has the address that follows the run. */
  #follows({ address, from, to }: { address: bigint; from: number; to: number }, at: number): boolean {
    const page = this.#pages.get(at - (at % PAGE));
    return page !== undefined && page.address + BigInt(at % PAGE) === address + BigInt(to - from);
  }
}

/** From the first to behind the last byte that differs; undefined where none does. */
function unlike(a: Uint8Array, b: Uint8Array): readonly [number, number] | undefined {
  let first = 0;
  while (first < a.length && a[first] === b[first]) first++;
  if (first === a.length) return undefined;
  let end = a.length;
  while (a[end - 1] === b[end - 1]) end--;
  return [first, end];
}

const pieceOf = (address: bigint): number => Number(address / BigInt(PIECE));

const distance = ({ address, bytes }: Pick<Announced, "address" | "bytes">, at: bigint): bigint =>
  at < address ? address - at : at >= address + BigInt(bytes) ? at - address - BigInt(bytes) + 1n : 0n;
