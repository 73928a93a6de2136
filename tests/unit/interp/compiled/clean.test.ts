import { describe, expect, it } from "vitest";
import { CleanRanges } from "../../../../src/interp/compiled/clean.ts";
import { Memory } from "../../../../src/interp/memory/memory.ts";

const RANGE = 2;

function setUp(initialised: number) {
  const memory = new Memory({ limit: 16 << 20 });
  const start = Number(BigInt.asUintN(32, memory.allocate({ name: "x", bytes: 1 << 20 })!));
  memory.put(start, new Uint8Array(initialised));
  const state = new Int32Array(8);
  const ranges = new CleanRanges(memory, state, new Set());
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
});
