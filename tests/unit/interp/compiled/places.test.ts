import { expect, it } from "vitest";
import * as places from "../../../../src/interp/compiled/boundary/places.ts";
import { LANES } from "../../../../src/interp/contract/lane-mask.ts";
import { LOWEST } from "../../../../src/interp/memory/memory.ts";

/** Bytes of what is no single word. */
const bytes: Readonly<Record<string, number>> = {
  GROUPS: places.GROUP_BYTES * LANES,
  CALLS: 4 * places.MOST_CALLS,
  WARPS: places.WARP_BYTES * LANES,
  LANE_WORDS: 4 * LANES,
  LANE_RESULTS: 4 * LANES,
  TOLD_ADDRESSES: 8 * LANES,
  TOLD_WHERE: 4 * LANES,
  BARRIERS: places.BARRIER_BYTES * places.MOST_BARRIERS,
  CHAIN_GRID: 8,
  CHAIN_CTAID: 12,
  CHAIN_ROWS: places.CHAIN_ROW_BYTES * places.MOST_CHAIN_ROWS,
  CONSTANT_RANGE: 8,
  RANGES: 8 * places.MOST_RANGES,
};

const apart = (ranges: readonly (readonly [name: string, start: number, end: number])[], all: number): void => {
  const sorted = ranges.toSorted(([, one], [, other]) => one - other);
  for (const [at, [name, start, end]] of sorted.entries()) {
    const [next, limit] = sorted[at + 1] ?? ["the end", all];
    expect(end, `${name} ends before ${next} begins`).toBeLessThanOrEqual(limit);
    expect([name, start % 4, start >= 0]).toEqual([name, 0, true]);
  }
};

const all = Object.entries(places).filter((entry): entry is [string, number] => typeof entry[1] === "number");

it("each thing that compiled code and JavaScript leave for each other has a place of its own, below all of a program's", () => {
  const parts = /^(?:WARP|BARRIER)_(?!S$)|^MOST_|_BYTES$/;
  const own = all.filter(([name]) => !parts.test(name) || ["SHARED_BYTES", "LOCAL_BYTES"].includes(name));
  expect(own.length).toBeGreaterThan(30);
  apart(
    own.map(([name, start]) => [name, start, start + (bytes[name] ?? 4)]),
    LOWEST,
  );
});

it.each(["WARP", "BARRIER"])("so has each word of what there is of a %s", (of) => {
  const size = all.find(([name]) => name === `${of}_BYTES`)![1];
  const words = all.filter(([name]) => name.startsWith(`${of}_`) && name !== `${of}_BYTES`);
  expect(words.length).toBeGreaterThan(2);
  apart(
    words.map(([name, start]) => [name, start, start + 4]),
    size,
  );
});
