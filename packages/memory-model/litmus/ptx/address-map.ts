import { spaceOf } from "../../../../src/interp/contract/window.ts";
import type { Location, Placement } from "../../model/event.ts";

/** The memory range of a name: a variable, or a buffer. */
export interface Range {
  readonly name: string;
  readonly space: "global" | "shared";
  /** Its first address; in shared memory, relative to the start of the block's memory. */
  readonly start: number;
  readonly bytes: number;
  /** Bytes of one element; a variable of one element has no index. */
  readonly element: number;
  /** Set where it is another virtual address of this name. */
  readonly aliasOf?: string;
}

/** Start of shared memory; far from all other addresses, and blocks are this far apart. */
const sharedBase = 2 ** 51;
const sharedStride = 2 ** 24;

/** The names of addresses, and their locations in physical memory. */
export class AddressMap {
  readonly #ranges: readonly Range[];
  /** Each block has separate shared memory; blocks on two devices may have the same number (PTX ISA 8.3). */
  readonly #blocks: readonly string[];
  readonly #placements: readonly Placement[];

  constructor(ranges: readonly Range[], placements: readonly Placement[]) {
    this.#ranges = ranges;
    this.#blocks = [...new Set(placements.map(blockOf))];
    this.#placements = placements;
  }

  /** The location of an access; undefined where no name covers all of it. */
  at(space: "global" | "shared", address: number, bytes: number, thread: Placement): Location | undefined {
    const placement = space === "shared" ? this.#ownerOf(address, thread) : thread;
    if (placement === undefined) return undefined;
    for (const range of this.#ranges) {
      const offset = (space === "shared" ? ownAddress(address) : address) - range.start;
      if (range.space !== space || offset < 0 || offset + bytes > range.bytes) continue;
      const of = this.#ranges.find(({ name }) => name === range.aliasOf);
      const base =
        (of ?? range).start +
        (space === "shared" ? sharedBase + this.#blocks.indexOf(blockOf(placement)) * sharedStride : 0);
      const alias = range.aliasOf === undefined ? "" : range.name;
      return { name: this.#name(range, offset, bytes, placement), at: base + offset, bytes, alias, space };
    }
    return undefined;
  }

  /** The blocks of a thread's cluster, by their ranks: those that threads of the test run in. */
  ranks({ gpu, cluster }: Placement): readonly Placement[] {
    const there = this.#placements.filter((each) => each.gpu === gpu && each.cluster === cluster);
    const blocks = new Map(there.map((each) => [each.block, each]));
    return [...blocks.values()].sort((a, b) => a.block - b.block);
  }

  /** The rank of the block whose shared memory an address is in. */
  rankOf(address: number, thread: Placement): number {
    const named = (address >>> 24) - 1;
    return named >= 0 ? named : this.ranks(thread).findIndex(({ block }) => block === thread.block);
  }

  #ownerOf(address: number, thread: Placement): Placement | undefined {
    return address >>> 24 === 0 ? thread : this.ranks(thread)[this.rankOf(address, thread)];
  }

  /** The elements of all names, as a block sees them. */
  *elements(
    placement: Placement,
  ): Generator<{ readonly location: Location; readonly range: Range; readonly offset: number }> {
    for (const range of this.#ranges)
      for (
        let offset = 0;
        offset + range.element <= range.bytes && range.aliasOf === undefined;
        offset += range.element
      ) {
        const location = this.at(range.space, range.start + offset, range.element, placement);
        if (location) yield { location, range, offset };
      }
  }

  /**
   * `x`, `x[4]` (from this byte), `x+2` where it is no element; `s@1` in the shared memory of block 1, `s@1.0` on
   * device 0 where another device has a block 1, too.
   */
  #name({ name, space, bytes, element }: Range, offset: number, wide: number, { block, gpu }: Placement): string {
    const alike = this.#blocks.filter((each) => each.endsWith(` ${block}`)).length;
    const where = alike > 1 ? `@${block}.${gpu}` : `@${block}`;
    const base = space === "shared" && this.#blocks.length > 1 ? `${name}${where}` : name;
    if (wide !== element || offset % element !== 0) return `${base}+${offset}`;
    return bytes === element ? base : `${base}[${offset}]`;
  }
}

/** A shared address without the rank that `mapa` gives it: that of the same variable in the thread's own block. */
export const ownAddress = (address: number): number => address & 0xff_ffff;

/** The address of the same place in the block of a rank, as `mapa` gives it. */
export const addressOf = (address: number, rank: number): number => ownAddress(address) + (rank + 1) * 2 ** 24;

const blockOf = ({ block, cluster, gpu }: Placement): string => `${gpu} ${cluster} ${block}`;

/** The space and offset of a generic address; undefined where it is neither shared nor global. */
export function generic(
  address: bigint,
): { readonly space: "global" | "shared"; readonly address: number } | undefined {
  const space = spaceOf(address);
  if (space === "global") return { space, address: Number(address) };
  if (space === "shared") return { space, address: Number(address & 0xffff_ffffn) };
  return undefined;
}
