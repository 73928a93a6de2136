import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Memory } from "../../../src/interp/index.ts";
import { LARGEST, Linear, type WebAssemblyMemory } from "../../../src/interp/memory/linear.ts";
import { loadAnew } from "../../sources.ts";

const MiB = 2 ** 20;
const resident = (): number => process.memoryUsage().rss;

/** `(func (param i32) (result i32) (i32.load8_u offset=DISTANCE (local.get 0)))` on an imported shared memory. */
function shadowReader(memory: WebAssemblyMemory, distance: number): (at: number) => number {
  const leb = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...leb(Math.floor(value / 128))];
  const section = (id: number, ...content: number[]): number[] => [id, ...leb(content.length), ...content];
  const pages = leb((2 * distance) / 65536);
  const load = [0x20, 0, 0x2d, 0, ...leb(distance), 0x0b];
  const bytes = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 1, 0x7f, 1, 0x7f),
    ...section(2, 1, 1, 0x65, 1, 0x6d, 2, 3, ...pages, ...pages),
    ...section(3, 1, 0),
    ...section(7, 1, 1, 0x66, 0, 0),
    ...section(10, 1, load.length + 1, 0, ...load),
  );
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;
  return new Instance(new Module(bytes), { e: { m: memory } }).exports.f;
}

interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly f: (at: number) => number } };
}

test.each([1, 65536, 100_000, 64 * MiB, LARGEST])(
  "a memory of %i bytes has its shadow at a constant distance",
  (bytes) => {
    const { distance, buffer, data, shadow } = new Linear(bytes);
    expect(distance).toBe(Math.ceil(bytes / 65536) * 65536);
    expect(buffer.byteLength).toBe(2 * distance);
    data.u8[7] = 1;
    shadow.u8[7] = 2;
    shadow.u32[1]! |= 0x300;
    expect([...new Uint8Array(buffer, 4, 4)]).toEqual([0, 0, 0, 1]);
    expect([...new Uint8Array(buffer, distance + 4, 4)]).toEqual([0, 3, 0, 2]);
    expect([data.u16.length, data.s32.length, data.u64.length]).toEqual([distance / 2, distance / 4, distance / 8]);
    expect([shadow.u16.length, shadow.u32.length, shadow.u8.length]).toEqual([distance / 2, distance / 4, distance]);
  },
);

test.each([MiB, LARGEST])(
  "one WebAssembly instruction reaches the shadow of %i bytes, and nothing behind it",
  (bytes) => {
    const { wasm, distance, shadow } = new Linear(bytes);
    const read = shadowReader(wasm!, distance);
    shadow.u8[5] = 9;
    shadow.u8[distance - 1] = 8;
    expect([read(5), read(6), read(distance - 1)]).toEqual([9, 0, 8]);
    for (const wild of [distance, -1, -distance, 0x7fff_ffff, -0x8000_0000])
      expect(() => read(wild)).toThrow("out of bounds");
  },
);

test("the views of a memory are the same for ever", () => {
  const memory = new Memory({ limit: 256 * MiB });
  const { data, shadow, linear } = memory;
  const views = [...Object.values(data), ...Object.values(shadow)];
  for (let at = 0; at < 60; at++) memory.write(memory.allocate({ name: "a", bytes: 4 * MiB })!, Uint8Array.of(at));
  expect(memory.linear).toBe(linear);
  for (const [at, view] of [...Object.values(memory.data), ...Object.values(memory.shadow)].entries())
    expect(view).toBe(views[at]);
  for (const view of views) expect(view.buffer).toBe(linear.buffer);
});

describe("many memories in one process", () => {
  const used = (limit: number): Memory => {
    const memory = new Memory({ limit });
    memory.write(memory.allocate({ name: "a", bytes: 100 })!, Uint8Array.of(1));
    return memory;
  };

  test("two hundred of the largest live side by side and cost what is touched", () => {
    const before = resident();
    const memories = Array.from({ length: 200 }, () => used(LARGEST));
    for (const memory of memories) expect(memory.linear.wasm).toBeDefined();
    expect(resident() - before).toBeLessThan(40 * MiB);
  });

  // An engine reserves 10 GiB of addresses for each, and 13,000 of them are all that there are.
  test("fifteen thousand come and go", () => {
    const before = resident();
    for (let at = 0; at < 15_000; at++) expect(used(2 ** 30).shortage).toBeUndefined();
    expect(used(2 ** 30).linear.wasm).toBeDefined();
    expect(resident() - before).toBeLessThan(500 * MiB);
  });

  test("what they have touched counts for the engine's collector, until they are dropped", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const counted = (): number => {
      collect();
      // What one collection finds is swept by the next one.
      collect();
      return process.memoryUsage().external;
    };
    const bytes = new Uint8Array(4 * MiB).fill(1);
    const before = counted();
    let memories: Memory[] | undefined = Array.from({ length: 20 }, () => {
      const memory = new Memory({ limit: 64 * MiB });
      memory.write(memory.allocate({ name: "a", bytes: bytes.length })!, bytes);
      return memory;
    });
    // 8 MiB each, with the shadow.
    expect(counted() - before).toBeGreaterThan(8 * (memories.length - 1) * MiB);
    memories = undefined;
    expect(counted() - before).toBeLessThan(8 * MiB);
  });
});

describe("where the system refuses address space", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** A system with `left` bytes of address space, too few for WebAssembly's guard pages. */
  async function withOnly(left: number): Promise<{ Memory: typeof Memory; asked: number[] }> {
    const asked: number[] = [];
    const engine = (globalThis as unknown as { WebAssembly: object }).WebAssembly;
    vi.stubGlobal("WebAssembly", {
      ...engine,
      Memory: class {
        constructor() {
          asked.push(-1);
          throw new RangeError("could not allocate memory");
        }
      },
    });
    const Real = globalThis.SharedArrayBuffer;
    vi.stubGlobal(
      "SharedArrayBuffer",
      class {
        constructor(bytes: number) {
          asked.push(bytes);
          if (bytes > left) throw new RangeError("Array buffer allocation failed");
          // biome-ignore lint/correctness/noConstructorReturn: what is made is an ordinary one.
          return new Real(bytes);
        }
      },
    );
    // Others keep what they know of this system.
    const load = await loadAnew(["src/interp/index.ts"]);
    return { Memory: load<typeof import("../../../src/interp/index.ts")>("src/interp/index.ts").Memory, asked };
  }

  test("half of what there is is taken, and the program can run", async () => {
    const { Memory, asked } = await withOnly(100 * MiB);
    const memory = new Memory({ limit: 2 ** 30 });
    expect([memory.given, memory.linear.distance, memory.limit]).toEqual([16 * MiB, 16 * MiB, 2 ** 30]);
    expect(memory.linear.wasm).toBeUndefined();
    expect(memory.linear.buffer.byteLength).toBe(32 * MiB);
    expect(memory.shortage).toMatch(/^the system gave 16777216 of 1073741824 bytes: raise this process's limit/);
    const at = memory.allocate({ name: "a", bytes: 15 * MiB })!;
    memory.write(at, Uint8Array.of(1, 2, 3));
    expect([...memory.read(at, 4)]).toEqual([1, 2, 3, 0]);
    expect(memory.allocate({ name: "b", bytes: 2 * MiB })).toBeUndefined();
    // The next one knows what was refused.
    asked.length = 0;
    expect(new Memory({ limit: 2 ** 30 }).given).toBe(16 * MiB);
    expect(asked).toEqual([64 * MiB, 32 * MiB, 128 * MiB]);
  });

  test("a memory that fits is whole", async () => {
    const { Memory } = await withOnly(100 * MiB);
    const memory = new Memory({ limit: 3 * MiB });
    expect([memory.given, memory.shortage]).toEqual([3 * MiB, undefined]);
  });

  test("the smallest is tried at last, whatever it leaves", async () => {
    const { Memory } = await withOnly(8 * MiB);
    expect(new Memory({ limit: 2 ** 30 }).given).toBe(4 * MiB);
    expect(new Memory({ limit: 65536 }).shortage).toBeUndefined();
  });

  test("without any the first allocation says so", async () => {
    const { Memory } = await withOnly(MiB);
    const memory = new Memory({ limit: 2 ** 30 });
    expect(memory.given).toBe(0);
    expect(memory.allocate({ name: "a", bytes: 1 })).toBeUndefined();
    expect(memory.shortage).toMatch(/^the system gave 0 of 1073741824 bytes/);
  });
});
