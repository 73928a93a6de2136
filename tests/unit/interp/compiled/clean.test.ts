import { describe, expect, it } from "vitest";
import type { Scan } from "../../../../src/interp/compiled/boundary/module-exports.ts";
import { scanFunctions } from "../../../../src/interp/compiled/module/scan-code.ts";
import { CleanRanges } from "../../../../src/interp/compiled/running/clean.ts";
import { Memory } from "../../../../src/interp/memory/memory.ts";
import { compileModule, instantiate } from "../../../../src/wasm/engine.ts";
import { ModuleWriter } from "../../../../src/wasm/module.ts";

const RANGE = 2;

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
  const state = new Int32Array(8);
  const ranges = new CleanRanges(memory, () => scanOf(memory), state, new Set());
  return { memory, start, state, ranges, range: () => [state[RANGE]! - start, state[RANGE + 1]!] };
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
    const before = [...state];
    ranges.grow(RANGE, start + 6000);
    expect([...state]).toEqual(before);
  });

  it("begins anew where it is not joined to what it was", () => {
    const { memory, start, ranges, range } = setUp(4096);
    memory.put(start + 65536, new Uint8Array(4096));
    ranges.grow(RANGE, start);
    ranges.grow(RANGE, start + 65536 + 128);
    expect(range()).toEqual([65536, 4096]);
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
