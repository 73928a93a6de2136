import type { ImageObject } from "../../interp/contract/image.ts";
import type { Memory } from "../../interp/index.ts";
import { type Allocation, isAddressed } from "../../interp/memory/allocation.ts";
import { PAGE, PAGE_BITS } from "../../interp/memory/memory.ts";
import { INITIALISED } from "../../interp/memory/shadow.ts";

/**
 * An allocation of global or constant memory, or a freed one: `address` is relative to the window, so its high word is
 * 0.
 */
export interface StateAllocation {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly space: "global" | "const";
  /** Its bytes count as written though no thread has stored them, as those of a module's variables do. */
  readonly initialised: boolean;
  /** Allocated by malloc on the device. */
  readonly heap: boolean;
  readonly freed: boolean;
}

/** 4096 bytes that were touched, from offset `at` on, and a bit for each, the lowest first: whether it was written. */
export interface StatePage {
  readonly at: number;
  readonly data: Uint8Array;
  readonly written: Uint8Array;
}

/** A texture, sampler or surface object: its handle, and its definition as data. Its image is in the pages. */
export interface StateImage {
  readonly handle: bigint;
  readonly object: ImageObject;
}

/**
 * The contents of a device between launches, as data; `Device.state` and `Device.restore`. Bindings of variables are
 * not included.
 */
export interface DeviceState {
  readonly allocations: readonly StateAllocation[];
  readonly pages: readonly StatePage[];
  readonly images?: readonly StateImage[];
}

/** A copy of a memory's allocations, and of their nonempty pages. */
export function stateOf(memory: Memory): DeviceState {
  const [live, freed] = memory.allocations.save();
  const mine = live.filter(isAddressed);
  const numbers = new Set<number>();
  for (const { start, end } of mine) for (const page of memory.knownPages(start, end - start)) numbers.add(page);
  const pages: StatePage[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const page = pageOf(memory, number << PAGE_BITS);
    if (page.data.some((byte) => byte !== 0) || page.written.some((bits) => bits !== 0)) pages.push(page);
  }
  return {
    allocations: [...freed.map((each) => described(each, true)), ...mine.map((each) => described(each, false))],
    pages,
    images: imagesOf(memory),
  };
}

const imagesOf = ({ images }: Memory): readonly StateImage[] =>
  images.all.flatMap(({ handle, object, variable }) => (variable || object === undefined ? [] : [{ handle, object }]));

const described = ({ name, start, end, kind, shadow, heap }: Allocation, freed: boolean): StateAllocation => ({
  name,
  address: start,
  bytes: end - start,
  freed,
  space: kind === "const" ? "const" : "global",
  initialised: (shadow & INITIALISED) !== 0,
  heap: heap === true,
});

function pageOf(memory: Memory, at: number): StatePage {
  const data = new Uint8Array(PAGE);
  const written = new Uint8Array(PAGE / 8);
  for (const { start, end, kind } of memory.allocations.overlapping(at, at + PAGE)) {
    if (kind !== "global" && kind !== "const") continue;
    const [from, to] = [Math.max(start, at), Math.min(end, at + PAGE)];
    data.set(memory.data.u8.subarray(from, to), from - at);
    for (let byte = from; byte < to; byte++)
      if (((memory.shadow.u8[byte] ?? 0) & INITIALISED) !== 0)
        written[(byte - at) >>> 3] = (written[(byte - at) >>> 3] ?? 0) | (1 << (byte & 7));
  }
  return { at, data, written };
}

/** Puts a state into a memory without allocations; throws a RangeError where they overlap or are not within its limit. */
export function putState(memory: Memory, { allocations, pages, images = [] }: DeviceState): void {
  memory.images.restore(images.map(({ handle, object }) => [handle, object]));
  for (const { name, address, bytes, space, initialised, heap, freed } of allocations) {
    const placed = memory.allocate({ name, bytes, space, initialised, heap, at: address });
    if (placed === undefined) throw new RangeError(`${name}: no room at its address`);
    if (freed) memory.free(placed);
  }
  for (const { at, data, written } of pages) {
    for (const { start, end } of memory.allocations.overlapping(at, at + PAGE)) {
      const [first, last] = [Math.max(start, at), Math.min(end, at + PAGE)];
      for (let from = first; from < last; from++) {
        if (!isWritten(written, from - at)) continue;
        const begin = from;
        while (from < last && isWritten(written, from - at)) from++;
        memory.put(begin, data.subarray(begin - at, from - at));
      }
    }
  }
}

const isWritten = (written: Uint8Array, byte: number): boolean =>
  (((written[byte >>> 3] ?? 0) >>> (byte & 7)) & 1) !== 0;
