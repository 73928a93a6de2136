import { describe, expect, it } from "vitest";
import { Driver } from "../../../src/clients/driver/driver.ts";
import { Status } from "../../../src/clients/driver/status.ts";
import { InProcessPool } from "../interp/worker-pool/in-process-pool.ts";
import { kernel, work } from "../interp/worker-pool/several-workers.ts";

const BASE = 0x7e12_3456_7000n;

/** A device of 64 MiB, and as much memory of a caller as it is given. */
function world(bytes: number, workerPool?: InProcessPool) {
  const memory = new Uint8Array(bytes);
  const at = (address: bigint): number => Number(address - BASE);
  const driver = new Driver({
    supplier: {
      read(address, into) {
        const there = memory.subarray(at(address), at(address) + into.length);
        into.set(there);
        return there.length;
      },
      write: (address, from) => memory.set(from, at(address)),
    },
    target: 80,
    memory: 2 ** 26,
    print: () => {},
    found: () => {},
    now: () => 0,
    rest: () => {},
    ...(workerPool && { workerPool }),
  });
  const address = (count: number): bigint => driver.allocate(count).words![0]!;
  const place = (kind: "host" | "device", where: bigint) => ({ kind, address: where, pitch: 0, slice: 0 });
  const copy = (to: "host" | "device", into: bigint, from: "host" | "device", out: bigint, count: number) =>
    driver.copy(place(to, into), place(from, out), count, 1, 1);
  return { memory, driver, address, copy };
}

/** Many bytes, which `expect` would compare one by one. */
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

describe("copies", () => {
  const bytes = 3 * 2 ** 20 + 5;

  it("of many bytes are whole, in every direction", () => {
    const { memory, address, copy } = world(2 * bytes);
    for (let at = 0; at < bytes; at++) memory[at] = at % 251;
    const [one, two] = [address(bytes), address(bytes)];
    expect(copy("device", one, "host", BASE, bytes).status).toBe(Status.success);
    expect(copy("device", two, "device", one, bytes).status).toBe(Status.success);
    expect(copy("host", BASE + BigInt(bytes), "device", two, bytes).status).toBe(Status.success);
    expect(same(memory.subarray(bytes), memory.subarray(0, bytes))).toBe(true);
    // Within one buffer as if all were read first; and within the caller's memory.
    copy("device", one + 3n, "device", one, bytes - 3);
    copy("host", BASE + 7n, "host", BASE, bytes - 7);
    const moved = memory.slice(7, bytes);
    copy("host", BASE + BigInt(bytes), "device", one, bytes);
    const wanted = Uint8Array.from({ length: bytes }, (_, at) => at % 251);
    expect(same(memory.subarray(bytes + 3), wanted.subarray(0, bytes - 3))).toBe(true);
    expect(same(moved, wanted.subarray(0, bytes - 7))).toBe(true);
  });

  it.each([1000, bytes])("of %i bytes of which the caller has not all say so", (count) => {
    const { address, copy } = world(count - 1);
    const { status, text } = copy("device", address(count), "host", BASE, count);
    expect(status).toBe(Status.invalidValue);
    expect(text).toBe(`ptxrun: reads ${count} bytes at 0x7e1234567000, of which the program has ${count - 1} mapped\n`);
  });

  it("leave what the caller has not all of as it was, where that is not large", () => {
    const { memory, address, copy } = world(1000);
    const there = address(2000);
    memory.fill(1);
    copy("device", there, "host", BASE, 1000);
    memory.fill(2);
    copy("device", there, "host", BASE, 2000);
    copy("host", BASE, "device", there, 1000);
    expect(new Set(memory)).toEqual(new Set([1]));
  });
});

it.each([
  [1, 0, 5],
  [1, 1, 1],
  [1, 3, 2 ** 20],
  [2, 2, 5],
  [2, 6, 2 ** 19],
  [4, 4, 70_001],
] as const)("sets elements of %i bytes from byte %i on, %i of them", (width, offset, count) => {
  const bytes = width * count + 16;
  const { memory, driver, address, copy } = world(bytes);
  const there = address(bytes);
  memory.fill(0xee);
  copy("device", there, "host", BASE, bytes);
  driver.set(there + BigInt(offset), 0x1234_5678, width, count, 1, 0);
  copy("host", BASE, "device", there, bytes);
  const set = Array.from({ length: width * count }, (_, at) => (0x1234_5678 >>> (8 * (at % width))) & 255);
  const wanted = new Uint8Array(bytes).fill(0xee);
  wanted.set(set, offset);
  expect(same(memory, wanted)).toBe(true);
});

it("lets workers run blocks of a big grid", () => {
  const text = kernel(`${work} add.u32 %r5, %r5, %r1; st.global.u32 [%rd3], %r5;`);
  const results = [undefined, new InProcessPool(2)].map((pool) => {
    let posts = 0;
    const post = pool?.post.bind(pool);
    if (pool && post)
      pool.post = (...words) => {
        posts += 1;
        post(...words);
      };
    const { memory, driver, address, copy } = world(4 * 64 * 100, pool);
    const there = address(memory.length);
    driver.set(there, 0, 4, memory.length / 4, 1, 0);
    const [module] = driver.load(new TextEncoder().encode(text), "module").words!;
    const [handle] = driver.functionOf(Number(module), "k").words!;
    const launch = {
      kernel: Number(handle),
      grid: [100, 1, 1],
      block: [64, 1, 1],
      cluster: [0, 0, 0],
      dynamicShared: 0,
      cooperative: false,
      stack: 0,
      heap: 0,
      parameters: new Uint8Array(BigUint64Array.of(there).buffer),
    } as const;
    expect(driver.launch(launch)).toEqual({ status: Status.success });
    copy("host", BASE, "device", there, memory.length);
    return { words: [...new Uint32Array(memory.buffer)], posts };
  });
  expect(results[1]!.words).toEqual(results[0]!.words);
  expect(results[1]!.words[64 * 99]).toBe(60 + 99);
  expect(results[1]!.posts).toBeGreaterThan(4);
});
