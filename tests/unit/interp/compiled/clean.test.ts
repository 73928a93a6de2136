import { describe, expect, it } from "vitest";
import { CONSTANT_RANGE, stateOf } from "../../../../src/interp/compiled/boundary/state-layout.ts";
import { CleanRanges } from "../../../../src/interp/compiled/running/clean.ts";
import { LOWEST, Memory } from "../../../../src/interp/memory/memory.ts";
import { markOf } from "../../../../src/interp/memory/reduction-mark.ts";
import type { Scan } from "../../../../src/interp/memory/scan-code.ts";
import { scanFunctions } from "../../../../src/interp/memory/scan-code.ts";
import { ALLOCATED, fourfold, INITIALISED, STORED, WINDOWED } from "../../../../src/interp/memory/shadow.ts";
import { compileModule, instantiate } from "../../../../src/wasm/engine.ts";
import { ModuleWriter } from "../../../../src/wasm/module.ts";

const RANGE = 1;

/** What the module of a program looks at memory with. */
function scanOf({ linear }: Memory): Scan {
  const module = new ModuleWriter((2 * linear.distance) / 65536);
  scanFunctions(module);
  return instantiate(compileModule(module.result()), { memory: linear.wasm! }) as unknown as Scan;
}

function setUp(initialised: number) {
  const memory = new Memory({ limit: 16 << 20 });
  const start = Number(BigInt.asUintN(32, memory.allocate({ name: "x", bytes: 1 << 20 })!));
  memory.put(start, new Uint8Array(initialised));
  const state = stateOf(new ArrayBuffer(LOWEST)).ranges;
  const ranges = new CleanRanges(memory, scanOf(memory), state, new Set());
  return { memory, start, state, ranges, range: () => [state.start[RANGE]! - start, state.length[RANGE]!] };
}

describe("a range of clean memory", () => {
  it("grows until it has all that is initialised, in few calls", () => {
    const { start, ranges, range } = setUp(1 << 20);
    ranges.grow(RANGE, start + 4096);
    expect(range()).toEqual([0, 8192]);
    let calls = 0;
    for (let at = 0; at < 1 << 20; at += 4096) {
      const [from, bytes] = range() as [number, number];
      if (at >= from && at + 4 <= from + bytes) continue;
      calls++;
      ranges.grow(RANGE, start + at);
    }
    expect(range()).toEqual([0, 1 << 20]);
    expect(calls).toBeLessThan(20);
  });

  it("ends where bytes are not initialised, and has none of them", () => {
    const { start, ranges, range, state } = setUp(6000);
    ranges.grow(RANGE, start + 64);
    ranges.grow(RANGE, start + 5000);
    expect(range()).toEqual([0, 6000]);
    const before = [...state.start, ...state.length];
    ranges.grow(RANGE, start + 6000);
    expect([...state.start, ...state.length]).toEqual(before);
    ranges.forget();
    expect([...state.start, ...state.length].every((word) => word === 0)).toBe(true);
  });

  it("begins anew where it is not joined to what it was", () => {
    const { memory, start, ranges, range } = setUp(4096);
    memory.put(start + 65536, new Uint8Array(4096));
    ranges.grow(RANGE, start);
    ranges.grow(RANGE, start + 65536 + 128);
    expect(range()).toEqual([65536, 4096]);
  });

  it("is that of another access where it has the byte, even one that stores", () => {
    const { memory, start, state } = setUp(1 << 20);
    const asked: number[] = [];
    const scan = scanOf(memory);
    const above: Scan["above"] = (...words) => {
      asked.push(words[0]);
      return scan.above(...words);
    };
    const ranges = new CleanRanges(memory, { ...scan, above }, state, new Set([RANGE + 1]));
    ranges.grow(RANGE, start + 100_000);
    const before = asked.length;
    ranges.grow(RANGE + 1, start + 99_000);
    expect([state.start[RANGE + 1], state.length[RANGE + 1]]).toEqual([state.start[RANGE], state.length[RANGE]]);
    expect(asked).toHaveLength(before);
    // It goes on to grow by itself.
    ranges.grow(RANGE + 1, start + 110_000);
    expect(asked.length).toBeGreaterThan(before);
  });

  it("grows to each side by twice what was known, which itself does not count", () => {
    const begun = () => {
      const made = setUp(1 << 20);
      made.ranges.grow(RANGE, made.start + 100_000);
      expect(made.range()).toEqual([100_000 - 4096, 2 * 4096]);
      return made;
    };
    const [from, to, most] = [100_000 - 4096, 100_000 + 4096, 4 * 4096];
    const below = begun();
    below.ranges.grow(RANGE, below.start + 90_000);
    const rest = most - (from - 90_000);
    expect(below.range()).toEqual([90_000 - most, to + rest - (90_000 - most)]);
    const above = begun();
    above.ranges.grow(RANGE, above.start + 110_000);
    const first = from - (most - (110_000 - to));
    expect(above.range()).toEqual([first, 110_000 + most - first]);
  });

  it("joins what it comes to, from either side, and passes over what it knows", () => {
    for (const first of [0, 20_000, 40_000])
      for (const second of [36, 19_996, 20_004, 60_000]) {
        const { start, ranges, range } = setUp(65_536);
        ranges.grow(RANGE, start + first);
        for (let calls = 0; calls < 8; calls++) ranges.grow(RANGE, start + second);
        const [from, bytes] = range() as [number, number];
        expect(from).toBeLessThanOrEqual(second);
        expect(from + bytes).toBeGreaterThan(second);
        for (let calls = 0; calls < 8; calls++) ranges.grow(RANGE, start + (calls & 1 ? from : from + bytes));
        expect(range()).toEqual([0, 65_536]);
      }
  });
});

describe("a range of clean memory where it is noted who has stored", () => {
  const [LOADS, STORES, ADDS] = [1, 2, 3] as const;
  const GOOD = fourfold(ALLOCATED | INITIALISED);
  const CELL = markOf("add32") | fourfold(STORED);

  /** As on the memory of a worker, or one whose owner wants back what was stored. */
  function noted(storing: number) {
    const memory = new Memory({ limit: 16 << 20 });
    const start = Number(BigInt.asUintN(32, memory.allocate({ name: "x", bytes: 1 << 16 })!));
    memory.put(start, new Uint8Array(1 << 16));
    Object.defineProperty(memory, "storing", { value: storing });
    const state = stateOf(new ArrayBuffer(LOWEST)).ranges;
    const [stored, reduced] = [new Set([STORES, ADDS]), new Map([[ADDS, CELL]])];
    const ranges = new CleanRanges(memory, scanOf(memory), state, stored, reduced);
    const words = (from: number, to: number, shadow: number) =>
      memory.shadow.s32.fill(shadow, (start + from) >> 2, (start + to) >> 2);
    const grown = (range: number, at: number) => {
      ranges.grow(range, start + at);
      return state.length[range] === 0 ? undefined : [state.start[range]! - start, state.length[range]!];
    };
    return { memory, start, words, grown, ranges, state };
  }

  it("has what was stored and what was not for loads, and what was stored alone for stores", () => {
    const { words, grown } = noted(INITIALISED | STORED);
    words(256, 512, GOOD | fourfold(STORED));
    expect([grown(STORES, 0), grown(STORES, 252), grown(STORES, 300)]).toEqual([undefined, undefined, [256, 256]]);
    expect(grown(LOADS, 300)).toEqual([0, 300 + 4096]);
  });

  it("has all that is good for stores where nobody asks who has stored, and nothing in flight", () => {
    const { words, grown } = noted(INITIALISED);
    words(256, 260, GOOD | fourfold(16));
    words(400, 404, fourfold(ALLOCATED));
    expect([grown(STORES, 0), grown(LOADS, 300), grown(LOADS, 256), grown(LOADS, 400)]).toEqual([
      [0, 256],
      [260, 140],
      [260, 140],
      [260, 140],
    ]);
  });

  it("has cells of its reduction for that alone, where they have happened", () => {
    const { words, grown } = noted(INITIALISED | STORED);
    words(256, 512, CELL);
    words(512, 768, CELL & ~fourfold(STORED));
    words(768, 1024, GOOD | fourfold(STORED));
    expect([grown(LOADS, 300), grown(STORES, 300), grown(ADDS, 600), grown(ADDS, 300)]).toEqual([
      undefined,
      undefined,
      undefined,
      [256, 256],
    ]);
    expect(grown(ADDS, 800)).toEqual([768, 256]);
    const plain = noted(INITIALISED);
    plain.words(256, 512, CELL);
    expect(plain.grown(ADDS, 300)).toBeUndefined();
  });

  it("has constants for loads of those, and counts what is clean of a block's shared memory", () => {
    const { memory, grown, start, words, ranges } = noted(INITIALISED | STORED);
    const constant = Number(
      BigInt.asUintN(32, memory.allocate({ name: "c", bytes: 64, space: "const", initialised: true })!),
    );
    memory.know(constant, 64);
    expect([grown(LOADS, constant - start), grown(CONSTANT_RANGE, constant - start)]).toEqual([
      undefined,
      [constant - start, 64],
    ]);
    const clean = GOOD | fourfold(WINDOWED);
    words(0, 64, clean);
    words(16, 24, clean | fourfold(STORED));
    words(64, 68, clean | fourfold(32));
    expect([
      ranges.shared(start, 0, 64),
      ranges.shared(start, 8, 128),
      ranges.shared(start, 64, 128),
      ranges.shared(start, 0, 30),
    ]).toEqual([64, 64, 64, 28]);
  });
});

it("is looked at by the word, to the word that is another, in both directions", () => {
  const { memory, start } = setUp(0);
  const { above, below } = scanOf(memory);
  const { u8, s32 } = memory.data;
  for (const length of [0, 4, 8, 60, 64, 68, 124, 128, 132, 200, 256])
    for (const at of [start + 1024, start + 1028, start + 1060]) {
      u8.fill(0xff, start, start + 4096);
      for (let byte = 0; byte < length; byte += 4) {
        s32[(at + byte) >> 2] = 0x0101_0101 | (byte << 8);
        s32[(at - 4 - byte) >> 2] = 0x0101_0101 | (byte << 8);
      }
      const [mask, want] = [0xff, 1];
      for (const look of [above, below]) {
        expect(look(at, 512, mask, want)).toBe(length);
        expect(look(at, 64, mask, want)).toBe(Math.min(64, length));
        expect(look(at, 0, mask, want)).toBe(0);
      }
    }
});
