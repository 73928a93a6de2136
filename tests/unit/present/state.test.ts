import { describe, expect, it } from "vitest";
import { renderState, rows, stateToJson } from "../../../src/present/state.ts";

const registers = [
  { name: "%p1", type: "pred", width: 1, bits: 1n },
  { name: "%rd10", type: "b64", width: 64, bits: 0xfn },
  ...rows({ name: "v", type: "f32", width: 32, bits: [0x3f800000n, 0xbf800000n] }),
];

describe("the final state as text", () => {
  it("is aligned, one register a line, vectors by element", () => {
    expect(renderState({ threads: [{ block: 0, thread: 0, registers }], buffers: [] })).toBe(
      [
        "%p1    pred  1                   true",
        "%rd10  b64   0x000000000000000f  15",
        "v.x    f32   0x3f800000          1.0",
        "v.y    f32   0xbf800000          -1.0",
        "",
      ].join("\n"),
    );
  });

  it("names the threads when there are several", () => {
    const threads = [0, 1].map((thread) => ({ block: 2, thread, registers: registers.slice(0, 1) }));
    expect(renderState({ threads, buffers: [] })).toBe(
      "block 2, thread 0\n%p1  pred  1  true\n\nblock 2, thread 1\n%p1  pred  1  true\n",
    );
  });

  it("lists a buffer in a line, or in full", () => {
    const bits = Array.from({ length: 10 }, (_, index) => BigInt(index));
    const buffer = { name: "x", type: "u8" as const, bits };
    expect(renderState({ threads: [], buffers: [{ ...buffer, brief: true }] })).toBe(
      "x  u8x10  0 1 2 3 4 5 6 7 ... (2 more)\n",
    );
    expect(renderState({ threads: [], buffers: [{ ...buffer, brief: false }] })).toBe(
      "x  u8x10\n  [0] 0 1 2 3 4 5 6 7\n  [8] 8 9\n",
    );
    expect(renderState({ threads: [], buffers: [{ ...buffer, brief: false, digits: "beside" }] })).toBe(
      "x  u8x10\n  [0] 0x00 0x01 0x02 0x03 0x04 0x05 0x06 0x07  0 1 2 3 4 5 6 7\n  [8] 0x08 0x09  8 9\n",
    );
  });

  it("keeps the lanes of packed elements together", () => {
    const buffers = [{ name: "h", type: "f16x2" as const, bits: [0x40003c00n, 0n], brief: false }];
    expect(renderState({ threads: [], buffers })).toContain("[0] 1.0,2.0 0.0,0.0\n");
    const exact = buffers.map((each) => ({ ...each, digits: "beside" as const }));
    expect(renderState({ threads: [], buffers: exact })).toContain("1.0, 2.0 | 0.0, 0.0\n");
  });
});

describe("the final state as data", () => {
  it("has bits as strings of all their digits", () => {
    const state = { threads: [{ block: 0, thread: 0, registers: registers.slice(0, 2) }], buffers: [] };
    expect(stateToJson(state)).toEqual({
      threads: [
        {
          block: 0,
          thread: 0,
          registers: [
            { name: "%p1", type: "pred", bits: "0x1", value: "true" },
            { name: "%rd10", type: "b64", bits: "0x000000000000000f", value: "15" },
          ],
        },
      ],
      buffers: [],
    });
  });
});
