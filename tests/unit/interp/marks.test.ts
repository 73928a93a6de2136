import { expect, it } from "vitest";
import { Linear } from "../../../src/interp/memory/linear.ts";
import { type Marks, marksOf, STRIDE } from "../../../src/interp/memory/marks.ts";

/** Two buffers with the same words, of which few differ: marks by WebAssembly, and those where there is none. */
function both(): readonly { readonly marks: Marks; readonly words: Int32Array }[] {
  const linear = new Linear(1 << 16);
  const plain = new SharedArrayBuffer(linear.buffer.byteLength);
  return [linear, { ...linear, buffer: plain, wasm: undefined }].map((each) => {
    const words = new Int32Array(each.buffer);
    for (const at of words.keys()) words[at] = at % 7 === 0 ? 0x0103_0143 : 0x0303_0303;
    return { marks: marksOf(each), words };
  });
}

it("is done to words by WebAssembly as it is without", () => {
  const [fast, slow] = both();
  const same = (change: (marks: Marks) => unknown): void => {
    expect(change(fast!.marks)).toEqual(change(slow!.marks));
    expect(Buffer.compare(Buffer.from(fast!.words.buffer), Buffer.from(slow!.words.buffer))).toBe(0);
  };
  for (const bytes of [STRIDE, 3 * STRIDE, 4096]) {
    const at = 5 * 4096 + STRIDE;
    same((marks) => marks.union(at, bytes));
    same((marks) => marks.keep(at, bytes, ~0x4040_4040));
    same((marks) => marks.mark(at - STRIDE, bytes, 0x0202_0202));
    same((marks) => marks.union(at - STRIDE, bytes));
    for (const [mask, want] of [
      [-1, 0x0303_0303],
      [0x0202_0202, 0x0202_0202],
      [0x4040_4040, 0],
    ] as const)
      for (const from of [at - STRIDE, at, at + 8]) {
        same((marks) => marks.above(from, bytes + 4, mask, want));
        same((marks) => marks.below(from, bytes + 4, mask, want));
      }
  }
  expect(fast!.marks.union(5 * 4096, STRIDE)).toBe(0x0303_0343);
  expect(fast!.marks.above(5 * 4096, 4096, 0x0202_0202, 0x0202_0202)).toBe(4096);
});
