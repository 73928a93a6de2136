import { describe, expect, it } from "vitest";
import { globalSectors, localSectors, sharedBanks } from "../../../src/host/stats/transactions.ts";

/** Lane i at `start + i * stride`, for `count` lanes. */
const lanes = (stride: number, { start = 0, count = 32 } = {}) =>
  Array.from({ length: count }, (_, lane) => ({ lane, address: start + lane * stride }));

describe("sectors of global memory", () => {
  it.each([
    ["a warp side by side", lanes(4), 4, 4, 4],
    ["a warp side by side, off by a word", lanes(4, { start: 4 }), 4, 5, 4],
    ["bytes side by side", lanes(1), 1, 1, 1],
    ["vectors of 16 bytes", lanes(16), 16, 16, 16],
    ["one address for all", lanes(0), 4, 1, 1],
    ["every second word", lanes(8), 4, 8, 4],
    ["a column of a matrix", lanes(4096), 4, 32, 4],
    ["in the other direction", lanes(-4, { start: 1024 }), 4, 5, 4],
    ["one lane, across a border", lanes(0, { start: 24, count: 1 }), 16, 2, 1],
    ["lanes that overlap", lanes(4, { count: 8 }), 8, 2, 2],
  ])("%s", (_, touches, bytes, touched, fewest) => {
    expect(globalSectors(touches, bytes)).toEqual({ touched, fewest });
  });
});

describe("sectors of local memory", () => {
  it.each([
    // Word w of lane i lies at word 32 w + i.
    ["one offset for all", lanes(0), 4, 4, 4],
    ["one offset for all, two words", lanes(0, { start: 8 }), 8, 8, 8],
    ["an offset for each", lanes(4), 4, 32, 4],
    ["a byte of each word", lanes(0), 1, 4, 1],
    ["one lane", lanes(0, { count: 1 }), 4, 1, 1],
  ])("%s", (_, touches, bytes, touched, fewest) => {
    expect(localSectors(touches, bytes)).toEqual({ touched, fewest });
  });
});

describe("banks of shared memory", () => {
  it.each([
    ["side by side", lanes(4), 4, 1, 1],
    ["one word for all", lanes(0), 4, 1, 1],
    ["bytes of eight words", lanes(1), 1, 1, 1],
    ["every second word", lanes(8), 4, 1, 2],
    ["every eighth word", lanes(32), 4, 1, 8],
    ["a column of 32 words a row", lanes(128), 4, 1, 32],
    ["a column of 33 words a row", lanes(132), 4, 1, 1],
    ["8 bytes a lane, half a warp at a time", lanes(8), 8, 2, 2],
    ["16 bytes a lane, a quarter at a time", lanes(16), 16, 4, 4],
    ["8 bytes a lane with a hole behind each", lanes(16), 8, 2, 4],
    ["the upper half of a warp alone", lanes(8).slice(16), 8, 1, 1],
  ])("%s", (_, touches, bytes, parts, passes) => {
    expect(sharedBanks(touches, bytes)).toEqual({ parts, passes });
  });
});
