import type { Reader } from "../protocol.ts";
import type { Answer } from "./answer.ts";
import type { Driver } from "./driver.ts";
import { arrayAsked, resourceAsked, textureAsked } from "./image-words.ts";
import type { Place } from "./memory.ts";
import { Status } from "./status.ts";
import { encodeTiled } from "./tensor-map.ts";

/** What the driver library asks for, by number; `native/cuda/calls.h` is the other side of this page. */
export const calls: Readonly<Record<number, (driver: Driver, words: Reader) => Answer>> = {
  /** bytes of the image: `[module]` */
  1: (driver, words) => driver.load(words.rest(), "<module>"),
  /** u64 module */
  2: (driver, words) => driver.unload(number(words)),
  /** u64 module, text of the name: `[function, ...]` as `describe` says */
  3: (driver, words) => driver.functionOf(number(words), words.text()),
  /** u64 module, text of the name: `[address, bytes]` */
  4: ({ modules }, words) => {
    const loaded = modules.module(number(words));
    const found = loaded?.module.variable(words.text());
    if (loaded === undefined) return { status: Status.invalidHandle };
    return found === undefined
      ? { status: Status.notFound }
      : { status: Status.success, words: [found.address, BigInt(found.bytes)] };
  },
  /** u64 module: `[kernels]`, and their names with a line end behind each */
  5: ({ modules }, words) => {
    const entries = modules.module(number(words))?.module.entries;
    if (entries === undefined) return { status: Status.invalidHandle };
    const text = entries.map((name) => `${name}\n`).join("");
    return { status: Status.success, words: [BigInt(entries.length)], text };
  },
  /** u64 bytes: `[address]` */
  6: (driver, words) => driver.allocate(number(words)),
  /** u64 address */
  7: (driver, words) => driver.free(words.u64()),
  /** `[bytes that are free, bytes that there are]` */
  8: (driver) => ({ status: Status.success, words: driver.room.map(BigInt) }),
  /** u64 address: `[address, bytes]` of the allocation around it */
  9: ({ memory }, words) => {
    const found = memory.find(words.u64());
    return found === undefined
      ? { status: Status.invalidValue }
      : { status: Status.success, words: [found.address, BigInt(found.bytes)] };
  },
  /** u32 kind of the destination, u32 of the source, u64 address, pitch, slice of each, u64 bytes, rows, slices */
  10: (driver, words) => {
    const kinds = [words.u32(), words.u32()] as const;
    const [to, from] = [placeOf(kinds[0], words), placeOf(kinds[1], words)];
    return driver.copy(to, from, number(words), number(words), number(words));
  },
  /** u64 address, u32 value, u32 bytes of it, u64 how many in a row, u64 rows, u64 bytes from row to row */
  11: (driver, words) => {
    const address = words.u64();
    const [value, width] = [words.u32(), words.u32()];
    if (width !== 1 && width !== 2 && width !== 4) return { status: Status.invalidValue };
    return driver.set(address, value, width, number(words), number(words), number(words));
  },
  /** u64 function, u32 grid, block, cluster in x, y, z, u32 dynamic shared bytes, u32 cooperative, u64 stack, u64 heap, parameters */
  12: (driver, words) => {
    const kernel = number(words);
    const extent = (): [number, number, number] => [words.u32(), words.u32(), words.u32()];
    const [grid, block, cluster] = [extent(), extent(), extent()];
    const [dynamicShared, cooperative] = [words.u32(), words.u32() !== 0];
    const [stack, heap] = [number(words), number(words)];
    const parameters = words.rest();
    return driver.launch({ kernel, grid, block, cluster, dynamicShared, cooperative, stack, heap, parameters });
  },
  /**
   * u32 dimensions, type, interleave, swizzle, promotion, fill, u64 address, u64 elements in each dimension, u64 strides of all
   * but the first, u32 box, u32 element strides: 16 words
   */
  13: (_, words) => encodeTiled(words),
  /** An array, as `arrayAsked` says: `[address, where, row, slice of each level ...]` */
  14: ({ images }, words) => images.array(arrayAsked(words)),
  /** u64 address of an array */
  15: ({ images }, words) => images.freeArray(words.u64()),
  /** A resource and how it is looked up, as `resourceAsked` and `textureAsked` say: `[handle]` */
  16: ({ images }, words) => {
    const resource = resourceAsked(words);
    return images.texture(resource, textureAsked(words, resource));
  },
  /** A resource: `[handle]` */
  17: ({ images }, words) => images.surface(resourceAsked(words)),
  /** u64 handle of a texture or surface */
  18: ({ images }, words) => images.destroy(words.u64()),
};

const KINDS = ["host", "device", "any"] as const;

function placeOf(kind: number, words: Reader): Place {
  const [address, pitch, slice] = [words.u64(), number(words), number(words)];
  return { kind: KINDS[kind] ?? "any", address, pitch, slice };
}

/** A number of 64 bits that counts something: what nobody can have that much of stays larger than all there is. */
const number = (words: Reader): number => Number(words.u64());
