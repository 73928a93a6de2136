import { addressIn } from "../contract/window.ts";
import { type Allocation, Allocations } from "./allocation.ts";
import { LARGEST, Linear, type Views } from "./linear.ts";
import { ALLOCATED, INITIALISED, READ_ONLY } from "./shadow.ts";
import { copyPage } from "./snapshot-pages.ts";

/** The shadow is filled in by the page, when the page is first touched: a huge allocation costs nothing. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
/** Bytes that stay free around an allocation, so that stepping over its end is seen. */
const GAP = 4096;

export interface AllocationRequest {
  /** What messages call it. */
  readonly name: string;
  readonly bytes: number;
  /** A power of two; 256 unless told. */
  readonly align?: number;
  readonly space?: "global" | "const";
  /** True when its zeros are meant: reading them is no finding. */
  readonly initialised?: boolean;
  /** True for what malloc of the device gives. */
  readonly heap?: boolean;
}

/** Memory of a device: global and constant allocations, and room for the launches that work on them. */
export class Memory {
  readonly allocations: Allocations = new Allocations();
  readonly limit: number;
  /** Changes whenever views taken from `data` or `shadow` have become dead. */
  generation = 0;
  readonly #data: Linear;
  readonly #shadow: Linear;
  /** Pages whose shadow is filled in. */
  #known: Set<number> = new Set();

  /** `limit`: bytes at most, guard gaps and the state of launches included; capped below 2 GiB. */
  constructor({ limit }: { readonly limit: number }) {
    this.limit = Math.min(limit, LARGEST);
    this.#data = new Linear(this.limit);
    this.#shadow = new Linear(this.limit);
  }

  /** The bytes themselves. */
  get data(): Views {
    return this.#data.views;
  }

  /** One byte a byte of `data`. */
  get shadow(): Views {
    return this.#shadow.views;
  }

  /** The address of a new allocation, or undefined when the limit is reached. */
  allocate({ name, bytes, align = 256, space = "global", initialised, heap }: AllocationRequest): bigint | undefined {
    const shadow = ALLOCATED | (initialised === true ? INITIALISED : 0) | (space === "const" ? READ_ONLY : 0);
    const start = this.reserve({ name, bytes, align, kind: space, shadow, ...(heap && { heap }) });
    return start === undefined ? undefined : addressIn(space, start);
  }

  /** The same for any kind of owner; gives the offset in the buffer. */
  reserve(request: Omit<Allocation, "start" | "end"> & { bytes: number; align: number }): number | undefined {
    const { name, bytes, align, kind, shadow, heap } = request;
    // One byte at least, so that two allocations never share an address.
    const size = Math.max(bytes, 1);
    const start = this.allocations.place(size, align, GAP, this.limit);
    if (start === undefined) return undefined;
    const data = this.#data.reach(start + size);
    const shadows = this.#shadow.reach(start + size);
    if (data === undefined || shadows === undefined) return undefined;
    if (data || shadows) this.generation++;
    const allocation: Allocation = { name, start, end: start + bytes, kind, shadow, ...(heap && { heap }) };
    this.allocations.add(allocation);
    this.#refill(allocation.start, allocation.end, shadow);
    return start;
  }

  /** Gives an allocation back; later accesses to it are faults. */
  free(address: bigint): void {
    const owner = this.allocations.find(this.#offset(address));
    if (owner?.start !== Number(BigInt.asUintN(32, address)))
      throw new RangeError(`${show(address)} is not the address of an allocation`);
    this.release(owner);
  }

  release(allocation: Allocation): void {
    if (!this.allocations.live.includes(allocation)) throw new Error(`${allocation.name} is not allocated`);
    // Registers are written without filling in the shadow, so their pages may be touched but not known.
    if (allocation.kind === "state") this.data.u8.fill(0, allocation.start, allocation.end);
    else this.#wipe(allocation);
    this.#refill(allocation.start, allocation.end, 0);
    this.allocations.remove(allocation);
  }

  /** Makes an allocation's bytes zero and uninitialised again. */
  recycle(allocation: Allocation): void {
    this.#wipe(allocation);
    this.#refill(allocation.start, allocation.end, allocation.shadow);
  }

  /** Bytes at an address, initialised or not. */
  read(address: bigint, bytes: number): Uint8Array {
    const at = this.#inside(address, bytes);
    return this.data.u8.slice(at, at + bytes);
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

  /** Notes that somebody has written the bytes; their pages must be known. */
  initialise(at: number, bytes: number): void {
    const { u8 } = this.shadow;
    for (let byte = at; byte < at + bytes; byte++) u8[byte]! |= INITIALISED;
  }

  /** Makes bytes uninitialised again; their pages must be known. */
  forget(at: number, bytes: number): void {
    const { u8 } = this.shadow;
    for (let byte = at; byte < at + bytes; byte++) u8[byte]! &= ~INITIALISED;
  }

  /** True when all the bytes lie in one allocation. */
  holds(address: bigint, bytes: number): boolean {
    const offset = BigInt.asUintN(32, address);
    const owner = this.allocations.find(Number(offset));
    if (owner === undefined || (owner.kind !== "global" && owner.kind !== "const")) return false;
    return addressIn(owner.kind, Number(offset)) === address && Number(offset) + bytes <= owner.end;
  }

  /** Fills in the shadow of the pages under `[at, at + bytes)`. */
  know(at: number, bytes: number): void {
    const { u8 } = this.shadow;
    for (let page = at >>> PAGE_BITS; page << PAGE_BITS < at + bytes; page++) {
      if (this.#known.has(page)) continue;
      this.#known.add(page);
      const start = page << PAGE_BITS;
      const end = Math.min(start + PAGE, u8.length);
      for (const owner of this.allocations.overlapping(start, end))
        u8.fill(owner.shadow, Math.max(start, owner.start), Math.min(end, owner.end));
    }
  }

  /** Whether each byte's shadow is `want` under `mask`; the pages must be known. */
  all(at: number, bytes: number, mask: number, want: number): boolean {
    const { u8 } = this.shadow;
    for (let byte = at; byte < at + bytes; byte++) if ((u8[byte]! & mask) !== want) return false;
    return true;
  }

  /** All that was ever touched, to be put back by `restore`. Pages that are as `before` has them are shared with it. */
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

  /** Puts memory back as it was. Addresses handed out since then are no longer allocated. */
  restore(image: MemoryImage): void {
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
    this.allocations.restore(image.allocations);
  }

  #inside(address: bigint, bytes: number): number {
    if (!this.holds(address, bytes)) throw new RangeError(`no allocation holds ${bytes} bytes at ${show(address)}`);
    return this.#offset(address);
  }

  #offset(address: bigint): number {
    if (!this.holds(address, 0)) throw new RangeError(`${show(address)} lies in no allocation`);
    return Number(BigInt.asUintN(32, address));
  }

  /** Bytes of pages that nobody touched are zero already. */
  #wipe({ start, end }: Allocation): void {
    this.#fill(this.data.u8, start, end, 0);
  }

  #refill(start: number, end: number, shadow: number): void {
    this.#fill(this.shadow.u8, start, end, shadow);
  }

  #fill(bytes: Uint8Array, start: number, end: number, value: number): void {
    const first = start >>> PAGE_BITS;
    const last = (end - 1) >>> PAGE_BITS;
    // Whichever is fewer: the pages of the range, or those that are known.
    const pages = last - first < this.#known.size ? range(first, last) : this.#known;
    for (const page of pages) {
      if (page < first || page > last || !this.#known.has(page)) continue;
      bytes.fill(value, Math.max(start, page << PAGE_BITS), Math.min(end, (page + 1) << PAGE_BITS));
    }
  }
}

/** A copy of all memory that was touched; opaque. */
export interface MemoryImage {
  readonly pages: ReadonlyMap<number, PageImage>;
  readonly allocations: ReturnType<Allocations["save"]>;
}
interface PageImage {
  readonly data: Uint8Array;
  readonly shadow: Uint8Array;
}

function* range(first: number, last: number): Iterable<number> {
  for (let at = first; at <= last; at++) yield at;
}

const show = (address: bigint): string => `0x${address.toString(16)}`;
