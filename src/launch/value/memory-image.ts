import type { DeviceState, StateAllocation, StateImage, StatePage, Supplier } from "../../host/index.ts";
import type { Change } from "./memory-changes.ts";
import { PAGE, type Recorded, RecordReader, tag } from "./memory-records.ts";

/**
 * Memory as `ptxrun exec --record` records it, see `memory-records.ts`: pages of the program's own memory, at their
 * addresses, and the memory of the driver API's device. As a supplier it returns those pages, unchanged, to each
 * launch.
 */
export class MemoryImage implements Supplier {
  readonly #pages: Map<bigint, Uint8Array> = new Map();
  readonly #allocations: StateAllocation[] = [];
  readonly #devicePages: StatePage[] = [];
  readonly #images: StateImage[] = [];
  readonly #expected: Change[] = [];
  /** Data that launches have stored in the program's own memory. */
  readonly stored: Change[] = [];
  /** Recorded addresses of variables of the launched module. */
  readonly variables: Map<string, bigint> = new Map();
  readonly ranges: { readonly address: bigint; readonly bytes: number; readonly name: string }[] = [];
  /** Whether launches may touch only announced ranges, and nothing without any. */
  onlyAnnounced = false;
  #isComplete = false;

  /** Adds the contents of a file; false for another kind of file. */
  load(bytes: Uint8Array): boolean {
    const reader = new RecordReader(bytes);
    try {
      for (let record = reader.next(); record !== undefined; record = reader.next()) this.#take(record);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    return reader.isWhole;
  }

  /** The device's memory; undefined where none was recorded. */
  get device(): DeviceState | undefined {
    if (this.#allocations.length === 0) return undefined;
    return { allocations: this.#allocations, pages: this.#devicePages, images: this.#images };
  }

  /** The changes that the launch made in memory; undefined where it never ended. */
  get expected(): readonly Change[] | undefined {
    return this.#isComplete ? this.#expected : undefined;
  }

  /** The byte at an address before the launch; 0 where it is unknown. */
  before(address: bigint): number {
    const byte = new Uint8Array(1);
    if (this.read(address, byte) === 1) return byte[0] ?? 0;
    const offset = Number(BigInt.asUintN(32, address));
    const page = this.#devicePages.find(({ at }) => at <= offset && offset < at + PAGE);
    return page?.data[offset - page.at] ?? 0;
  }

  read(address: bigint, into: Uint8Array): number {
    let read = 0;
    while (read < into.length) {
      const at = address + BigInt(read);
      const inside = Number(at % BigInt(PAGE));
      const page = this.#pages.get(at - BigInt(inside));
      if (page === undefined) break;
      const part = page.subarray(inside, Math.min(PAGE, inside + into.length - read));
      into.set(part, read);
      read += part.length;
    }
    return read;
  }

  write(address: bigint, bytes: Uint8Array): void {
    this.stored.push({ address, bytes: new Uint8Array(bytes) });
  }

  #take(record: Recorded): void {
    switch (record.kind) {
      case tag.onlyAnnounced:
        this.onlyAnnounced = true;
        return;
      case tag.range:
        this.ranges.push(record);
        return;
      case tag.page:
        this.#pages.set(record.address, record.bytes);
        return;
      case tag.allocation:
        this.#allocations.push(record.allocation);
        return;
      case tag.devicePage:
        this.#devicePages.push(record.page);
        return;
      case tag.image:
        this.#images.push(record.image);
        return;
      case tag.variable:
        this.variables.set(record.name, record.address);
        return;
      case tag.change:
        this.#expected.push(record);
        return;
      case tag.end:
        this.#isComplete = true;
    }
  }
}
