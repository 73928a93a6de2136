import { addressIn } from "../contract/window.ts";
import { type Allocation, Allocations } from "./allocation.ts";
import { ImageTable } from "./image-table.ts";
import { LARGEST, Linear, type Views } from "./linear.ts";
import { type Marks, marksOf, STRIDE } from "./marks.ts";
import { Pressure } from "./pressure.ts";
import { ALLOCATED, fourfold, INITIALISED, READ_ONLY, STORED, WINDOWED } from "./shadow.ts";
import { copyPage } from "./snapshot-pages.ts";
import { type Room, type Supplier, Supply } from "./supply.ts";

/** The shadow is filled in by the page, when the page is first touched: a huge allocation costs nothing. */
export const PAGE_BITS = 12;
export const PAGE: number = 1 << PAGE_BITS;
/** Bytes that stay free around an allocation, so that an overrun is detected. */
const GAP = 4096;
/** Bytes of its own that a launch which reaches a supplier's memory has at most. */
const MOST_FOR_LAUNCH = 2 ** 29;
/** Bytes whose marks are worth a module. */
const LARGE = 1 << 18;
/**
 * Where memory begins. Below, in the gap before the first allocation, an executor keeps private data: no access of a
 * program reaches it, not even without the bounds check.
 */
export const LOWEST: number = GAP;

export interface AllocationRequest {
  /** Its name in messages. */
  readonly name: string;
  readonly bytes: number;
  /** A power of two; 256 by default. */
  readonly align?: number;
  readonly space?: "global" | "const";
  /** True when its zeros count as initialised: reading them is no finding. */
  readonly initialised?: boolean;
  /** True for device malloc. */
  readonly heap?: boolean;
  /** Its required offset in the buffer; anywhere by default. */
  readonly at?: number;
}

/** A range of multimem addresses, and its replicas on each device, by offset in the buffer. */
export interface Multicast {
  readonly name: string;
  readonly bytes: number;
  /** The address of the range has the first replica's offset in its low word. */
  readonly replicas: readonly number[];
}

export interface MemoryOptions {
  readonly limit: number;
  readonly linear?: Linear;
  readonly supplier?: Supplier;
}

/** Memory of a device: global and constant allocations, and room for the launches that work on them. */
export class Memory {
  readonly allocations: Allocations = new Allocations();
  /** Textures and surfaces of the device, whose images lie in this memory. */
  readonly images: ImageTable = new ImageTable();
  /** Ranges of multimem addresses. */
  readonly multicasts: Multicast[] = [];
  /** Bytes requested, and bytes that the system granted. */
  readonly limit: number;
  readonly #granted: number;
  /** The buffer itself, for executors. */
  readonly linear: Linear;
  /** The bytes, and one shadow byte a byte. Neither ever moves: a bound step keeps the views. */
  readonly data: Views;
  readonly shadow: Views;
  /**
   * How often the shadow of bytes may have lost permissions: freed, made uninitialised or marked as in flight;
   * separately for global and constant bytes, and for those of windows.
   */
  readonly worsened: { global: number; windows: number } = { global: 0, windows: 0 };
  /** The shadow bits that a store sets. */
  readonly storing: number;
  /** Memory of a supplier, where launches can reach it. */
  readonly supply: Supply | undefined;
  /** Pages with filled-in shadow. */
  #known: Set<number> = new Set();
  /** Bytes of registers now allocated. */
  #stateBytes = 0;
  readonly #pressure: Pressure = new Pressure();
  #marks: Marks | undefined;

  /**
   * `limit`: bytes at most, guard gaps and the state of launches included; capped below 2 GiB. `linear`: the buffer,
   * where one exists already. `supplier`: whose memory launches can reach besides, in what the allocations leave of the 2 GiB.
   */
  constructor({ limit, linear, supplier }: MemoryOptions) {
    this.limit = Math.min(limit, LARGEST);
    this.linear = linear ?? new Linear(supplier === undefined ? this.limit : LARGEST);
    const { distance } = this.linear;
    this.#granted = Math.min(this.limit, distance);
    this.data = this.linear.data;
    this.shadow = this.linear.shadow;
    this.storing = supplier === undefined ? INITIALISED : INITIALISED | STORED;
    this.supply = supplier && new Supply(this.#roomFor(), supplier);
  }

  /** The bytes that allocations can have: during a launch that reaches a supplier's memory, those before its pages. */
  get given(): number {
    return this.supply === undefined ? this.#granted : Math.min(this.#granted, this.supply.start - GAP);
  }

  /** If the system granted less than the limit: how much, and the way out. For the help of a diagnostic. */
  get shortage(): string | undefined {
    if (this.#granted === this.limit) return undefined;
    return `the system gave ${this.#granted} of ${this.limit} bytes: raise this process's limit of address space (ulimit -v)`;
  }

  /** The address of a new allocation; undefined when the limit is reached, or its required place is taken. */
  allocate(request: AllocationRequest): bigint | undefined {
    const { name, bytes, align = 256, space = "global", initialised, heap, at } = request;
    const shadow = ALLOCATED | (initialised === true ? INITIALISED : 0) | (space === "const" ? READ_ONLY : 0);
    const start = this.reserve({ name, bytes, align, kind: space, shadow, ...(heap && { heap }) }, at);
    return start === undefined ? undefined : addressIn(space, start);
  }

  /** The same for any kind of allocation; returns the offset in the buffer. */
  reserve(
    request: Omit<Allocation, "start" | "end"> & { bytes: number; align: number },
    at?: number,
  ): number | undefined {
    const { name, bytes, align, kind, shadow, heap } = request;
    // One byte at least, so that two allocations never share an address.
    const size = Math.max(bytes, 1);
    const place = (): number | undefined => this.allocations.place(size, align, GAP, this.given);
    const start = at ?? place() ?? (this.supply?.vacate() ? place() : undefined);
    if (start === undefined || (at !== undefined && !this.#isFree(at, size))) return undefined;
    const allocation: Allocation = { name, start, end: start + bytes, kind, shadow, ...(heap && { heap }) };
    this.allocations.add(allocation);
    this.#refill(allocation, shadow);
    if (kind === "state") this.#stateBytes += bytes;
    this.#weigh();
    return start;
  }

  /** Frees an allocation; later accesses to it are faults. */
  free(address: bigint): void {
    const owner = this.allocations.find(this.#offset(address));
    if (owner?.start !== Number(BigInt.asUintN(32, address)))
      throw new RangeError(`${show(address)} is not the address of an allocation`);
    this.release(owner);
  }

  /** `touched`: where those bytes of the state of a launch end that may not be zero. */
  release(allocation: Allocation, touched: number = allocation.end): void {
    if (!this.allocations.live.includes(allocation)) throw new Error(`${allocation.name} is not allocated`);
    // Registers are written without filled-in shadow, so their pages may be touched but not known.
    if (allocation.kind === "state") {
      this.#stateBytes -= allocation.end - allocation.start;
      fill(this.data, allocation.start, touched, 0);
    } else this.#wipe(allocation);
    this.#refill(allocation, 0);
    this.allocations.remove(allocation);
  }

  /** Releases what a launch has allocated: a snapshot that was restored since may lack it, or have a copy of it. */
  releaseOwn({ name, start }: Allocation): void {
    const there = this.allocations.find(start);
    if (there?.name === name && there.start === start) this.release(there);
  }

  /** Makes an allocation's bytes zero and uninitialised again. */
  recycle(allocation: Allocation): void {
    this.#wipe(allocation);
    this.#refill(allocation, allocation.shadow);
  }

  /** Bytes at an address, initialised or not. */
  read(address: bigint, bytes: number): Uint8Array {
    const copy = new Uint8Array(bytes);
    // A constructor that is given shared bytes copies them one by one.
    copy.set(this.view(address, bytes));
    return copy;
  }

  /** The bytes themselves, which change with the memory. */
  view(address: bigint, bytes: number): Uint8Array {
    const at = this.#inside(address, bytes);
    return this.data.u8.subarray(at, at + bytes);
  }

  /** Lets `fill` write bytes in their place; as many from the first one on as it returns are initialised from then on. */
  receive(address: bigint, bytes: number, fill: (into: Uint8Array) => number): number {
    const at = this.#inside(address, bytes);
    this.know(at, bytes);
    const got = fill(this.data.u8.subarray(at, at + bytes));
    this.initialise(at, got);
    return got;
  }

  /** Writes bytes as the host does: constant memory too. They are initialised from then on. */
  write(address: bigint, bytes: Uint8Array): void {
    this.put(this.#inside(address, bytes.length), bytes);
  }

  /** The same by offset in the buffer. */
  put(at: number, bytes: Uint8Array): void {
    this.know(at, bytes.length);
    this.data.u8.set(bytes, at);
    this.initialise(at, bytes.length);
  }

  /** Marks bytes as initialised; their pages must be known. */
  initialise(at: number, bytes: number): void {
    const { storing } = this;
    const { u8, s32 } = this.shadow;
    const end = at + bytes;
    const [first, last] = wordsIn(at, end);
    const each = fourfold(storing);
    for (let byte = at; byte < first * 4; byte++) u8[byte]! |= storing;
    const marked = this.#markMost(4 * first, 4 * (last - first), each);
    for (let word = first + marked / 4; word < last; word++) s32[word]! |= each;
    for (let byte = Math.max(at, last * 4); byte < end; byte++) u8[byte]! |= storing;
  }

  /** Of the buffer; made when they are needed first. */
  protected get marks(): Marks {
    this.#marks ??= marksOf(this.linear);
    return this.#marks;
  }

  /** Marks the first bytes of a large range, and returns how many those are. */
  #markMost(at: number, bytes: number, word: number): number {
    if (bytes < LARGE) return 0;
    const most = bytes - (bytes % STRIDE);
    this.marks.mark(this.linear.distance + at, most, word);
    return most;
  }

  /** Called at the first store to bytes without all bits of `storing`, where that has more than `INITIALISED`. */
  noteStore(_at: number): void {}

  /**
   * Called at a reduction of aligned bytes that are not marked as reduced; true where they now are (`markOf`), and hold
   * the reduction instead of the value. Only overlays have such marks.
   */
  reduces(_at: number, _bytes: number, _mark: number): boolean {
    return false;
  }

  /** Makes bytes uninitialised again; their pages must be known. */
  forget(at: number, bytes: number): void {
    this.worsens(at);
    const { u8 } = this.shadow;
    for (let byte = at; byte < at + bytes; byte++) u8[byte]! &= ~INITIALISED;
  }

  /** Notes that the shadow of the byte at `at` has lost permissions; its page must be known. */
  worsens(at: number): void {
    this.worsened[(this.shadow.u8[at]! & WINDOWED) === 0 ? "global" : "windows"]++;
  }

  /** True when all the bytes lie in one allocation. */
  holds(address: bigint, bytes: number): boolean {
    const offset = BigInt.asUintN(32, address);
    const owner = this.allocations.find(Number(offset));
    if (owner === undefined || (owner.kind !== "global" && owner.kind !== "const")) return false;
    return addressIn(owner.kind, Number(offset)) === address && Number(offset) + bytes <= owner.end;
  }

  /** Fills in the shadow of the pages under `[at, at + bytes)`; `reads` is false if none of the bytes are read. */
  know(at: number, bytes: number, _reads?: boolean): void {
    const { u8 } = this.shadow;
    for (let page = at >>> PAGE_BITS; page << PAGE_BITS < at + bytes; page++) {
      if (this.#known.has(page)) continue;
      this.#known.add(page);
      const start = page << PAGE_BITS;
      const end = Math.min(start + PAGE, u8.length);
      for (const owner of this.allocations.overlapping(start, end))
        fill(this.shadow, Math.max(start, owner.start), Math.min(end, owner.end), owner.shadow);
    }
    this.#weigh();
  }

  /** The known pages under `[at, at + bytes)`: all others hold zeros that nothing has written. */
  knownPages(at: number, bytes: number): readonly number[] {
    return [...range(at >>> PAGE_BITS, (at + bytes - 1) >>> PAGE_BITS)].filter((page) => this.#known.has(page));
  }

  /** Whether each byte's shadow is `want` under `mask`; the pages must be known. */
  all(at: number, bytes: number, mask: number, want: number): boolean {
    const end = at + bytes;
    if (((at | bytes) & 3) === 0) return this.#allWords(at >>> 2, end >>> 2, mask, want);
    if (bytes < 16) return this.#allBytes(at, end, mask, want);
    const [first, last] = wordsIn(at, end);
    if (!this.#allWords(first, last, mask, want)) return false;
    return this.#allBytes(at, 4 * first, mask, want) && this.#allBytes(4 * last, end, mask, want);
  }

  #allWords(first: number, last: number, mask: number, want: number): boolean {
    const { s32 } = this.shadow;
    const [masks, wants] = [fourfold(mask), fourfold(want)];
    for (let word = first; word < last; word++) if ((s32[word]! & masks) !== wants) return false;
    return true;
  }

  #allBytes(start: number, end: number, mask: number, want: number): boolean {
    const { u8 } = this.shadow;
    for (let byte = start; byte < end; byte++) if ((u8[byte]! & mask) !== want) return false;
    return true;
  }

  /** All memory that was ever touched, for `restore`. Pages that equal those of `before` are shared with it. */
  save(before?: MemoryImage): MemoryImage {
    const pages = new Map<number, PageImage>();
    for (const page of this.#known) {
      const start = page << PAGE_BITS;
      const old = before?.pages.get(page);
      const data = copyPage(this.data.u8.subarray(start, start + PAGE), old?.data);
      const shadow = copyPage(this.shadow.u8.subarray(start, start + PAGE), old?.shadow);
      pages.set(page, old !== undefined && data === old.data && shadow === old.shadow ? old : { data, shadow });
    }
    return { pages, allocations: this.allocations.save() };
  }

  /** Restores the memory. Addresses handed out since then are no longer allocated. */
  restore(image: MemoryImage): void {
    this.worsened.global++;
    this.worsened.windows++;
    for (const page of this.#known) {
      if (image.pages.has(page)) continue;
      this.data.u8.fill(0, page << PAGE_BITS, (page + 1) << PAGE_BITS);
      this.shadow.u8.fill(0, page << PAGE_BITS, (page + 1) << PAGE_BITS);
    }
    for (const [page, { data, shadow }] of image.pages) {
      this.data.u8.set(data, page << PAGE_BITS);
      this.shadow.u8.set(shadow, page << PAGE_BITS);
    }
    this.#known = new Set(image.pages.keys());
    this.supply?.keep((at) => this.#known.has(at >>> PAGE_BITS));
    this.allocations.restore(image.allocations);
    this.#stateBytes = this.allocations.live.reduce(
      (sum, { kind, start, end }) => (kind === "state" ? sum + end - start : sum),
      0,
    );
  }

  #isFree(at: number, bytes: number): boolean {
    return at >= LOWEST && at + bytes <= this.given && this.allocations.overlapping(at, at + bytes).length === 0;
  }

  #roomFor(): Room {
    const { distance } = this.linear;
    return {
      // What the allocations leave, without some for the launch itself.
      start: () => {
        const { top } = this.allocations;
        return top + Math.min(MOST_FOR_LAUNCH, (distance - top) / 2);
      },
      end: distance,
      data: this.data,
      shadow: this.shadow,
      know: (at, bytes) => this.know(at, bytes),
      worsens: () => void this.worsened.global++,
    };
  }

  /** Accounts for the real memory in use: registers, and both halves of each known page. */
  #weigh(): void {
    this.#pressure.note(this.#stateBytes + 2 * PAGE * this.#known.size);
  }

  #inside(address: bigint, bytes: number): number {
    if (!this.holds(address, bytes)) throw new RangeError(`no allocation holds ${bytes} bytes at ${show(address)}`);
    return this.#offset(address);
  }

  #offset(address: bigint): number {
    if (!this.holds(address, 0)) throw new RangeError(`${show(address)} lies in no allocation`);
    return Number(BigInt.asUintN(32, address));
  }

  /** Zeroes an allocation; pages that were never touched are zero already. */
  #wipe({ start, end }: Allocation): void {
    this.#fill(this.data, start, end, 0);
  }

  #refill({ start, end, kind }: Pick<Allocation, "start" | "end" | "kind">, shadow: number): void {
    this.worsened[kind === "global" || kind === "const" ? "global" : "windows"]++;
    this.#fill(this.shadow, start, end, shadow);
  }

  #fill(views: Views, start: number, end: number, value: number): void {
    const first = start >>> PAGE_BITS;
    const last = (end - 1) >>> PAGE_BITS;
    const one = (page: number): void =>
      fill(views, Math.max(start, page << PAGE_BITS), Math.min(end, (page + 1) << PAGE_BITS), value);
    // Whichever is fewer: the pages of the range, or those that are known.
    if (last - first < this.#known.size) {
      for (let page = first; page <= last; page++) if (this.#known.has(page)) one(page);
    } else for (const page of this.#known) if (page >= first && page <= last) one(page);
  }
}

/** A copy of all memory that was touched; opaque. */
export interface MemoryImage {
  readonly pages: ReadonlyMap<number, PageImage>;
  readonly allocations: ReturnType<Allocations["save"]>;
}
export interface PageImage {
  readonly data: Uint8Array;
  readonly shadow: Uint8Array;
}

/** Sets bytes, by words where possible: an engine writes shared memory one element after the other. */
function fill({ u8, s32 }: Views, start: number, end: number, value: number): void {
  const [first, last] = wordsIn(start, end);
  u8.fill(value, start, first * 4);
  s32.fill(fourfold(value), first, last);
  u8.fill(value, Math.max(start, last * 4), end);
}

/** The complete words in `[start, end)`; bytes before them are those below four times the first. */
function wordsIn(start: number, end: number): readonly [first: number, last: number] {
  const first = Math.ceil(start / 4);
  const last = end >>> 2;
  return first <= last ? [first, last] : [last, last];
}

function* range(first: number, last: number): Iterable<number> {
  for (let at = first; at <= last; at++) yield at;
}

const show = (address: bigint): string => `0x${address.toString(16)}`;
