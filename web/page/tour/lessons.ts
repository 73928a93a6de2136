import type { Thread } from "../client.ts";

/** Where "Show me" leads. */
export interface Show {
  /** Before the instruction of the line that has this in it; at the end of the run without it. */
  readonly at?: string;
  /** The focused thread: block, warp, lane. */
  readonly thread?: Thread;
  readonly panel?: "registers" | "lanes" | "warps" | "result" | "messages" | "explain";
  /** A part of the line that the cursor is put to. */
  readonly line?: string;
}

export interface Step {
  /** At most forty words; code stands between backticks. */
  readonly text: string;
  readonly show: Show;
}

/** A mistake to be found: the program and its launch are those of `examples/tour/ID.ptx`. */
export interface Lesson {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
  /** What a buffer must hold in the end. */
  readonly right: { readonly buffer: string; readonly values: Uint32Array | Float32Array };
  /** What is replaced in the program, and what by. */
  readonly solution: readonly (readonly [from: string, to: string])[];
}

const thread = (block: number, warp: number, lane: number): Thread => ({ block, warp, lane });
const integers = (count: number, value: (at: number) => number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, at) => value(at));

/** The tour, in its order. */
export const lessons: readonly Lesson[] = [
  {
    id: "race",
    title: "A race",
    right: { buffer: "x", values: integers(64, (at) => (at + 1) % 64) },
    solution: [["  st.global.u32 [%mine], %value;", "  bar.sync 0;\n  st.global.u32 [%mine], %value;"]],
    steps: [
      {
        text: "`x` begins as 0, 1, 2 … 63. When the program has run, it should be 1, 2, 3 … 63, and then the 0 that `x[0]` held. Look at the last number in Result: it is 1.",
        show: { panel: "result" },
      },
      {
        text: "The finding says why: a thread writes where another one reads, and nothing says who comes first. Both lines are marked in the program, and Messages names both threads.",
        show: { panel: "messages" },
      },
      {
        text: "Go back to the load of thread 63, in warp 1. It reads `x[0]`, and Result says that this is 1 by now: thread 0, in warp 0, has already written there.",
        show: { at: "ld.global.u32", thread: thread(0, 1, 31), panel: "result" },
      },
      {
        text: "Warps go at their own pace. All threads must have read before any of them writes. Put a barrier for the whole block between the load and the store, `bar.sync 0;`: it runs again by itself.",
        show: { line: "st.global.u32" },
      },
    ],
  },
  {
    id: "off-by-one",
    title: "Off by one",
    right: { buffer: "d", values: integers(32, (at) => (at < 31 ? 1 : 0)) },
    solution: [["setp.gt.u32 %done", "setp.ge.u32 %done"]],
    steps: [
      {
        text: "The run stops: thread 31 loads 4 bytes just past the end of `x`. On a GPU such a load often returns something, and it goes unnoticed for years.",
        show: {},
      },
      {
        text: "Which address is that? In Registers of thread 31, `%i` is 31 and `%px` is the address of `x[31]`. The load reads 4 bytes further on: `x[32]`, which is not there.",
        show: { thread: thread(0, 0, 31), panel: "registers" },
      },
      {
        text: "Thread 31 has nothing to do: 32 numbers have 31 differences. Step back to the comparison that should send it home. `%i` is 31, and `%last` is 31, too.",
        show: { at: "setp", thread: thread(0, 0, 31), panel: "registers" },
      },
      {
        text: "31 is not greater than 31, so thread 31 goes on. It must leave when `%i` is greater or equal. Fix the comparison (`gt` becomes `ge`): it runs again by itself.",
        show: { line: "setp.gt" },
      },
    ],
  },
  {
    id: "deadlock",
    title: "A deadlock",
    right: { buffer: "out", values: integers(32, (at) => at * at) },
    solution: [["bar.sync 2, 64; ", "bar.sync 1, 64; "]],
    steps: [
      {
        text: "The run stops at `bar.sync`: all threads that are left wait, and nothing can release them. On a GPU this kernel hangs until somebody kills it.",
        show: {},
      },
      {
        text: "Warps says who waits for what. Warp 1 waits at barrier 2, where 32 of 64 threads have come. Warp 0 has done its part and ended.",
        show: { thread: thread(0, 1, 0), panel: "warps" },
      },
      {
        text: "Step back, in a thread of warp 0, to its `bar.arrive`. It says at barrier 1 that the buffer is full. Nobody says so at barrier 2.",
        show: { at: "bar.arrive", thread: thread(0, 0, 0), panel: "warps" },
      },
      {
        text: "A named barrier counts only those that come to it: 32 threads that arrive and 32 that wait, at the same number. Let warp 1 wait at barrier 1: it runs again by itself.",
        show: { line: "bar.sync" },
      },
    ],
  },
  {
    id: "wrong-mask",
    title: "A wrong mask",
    right: { buffer: "out", values: integers(1, () => 190) },
    solution: [["%away, 31, %mask;", "%away, 31, 0xffffffff;"]],
    steps: [
      {
        text: "The run stops at the shuffle: lane 20 executes it, and the mask does not name lane 20. PTX leaves undefined what happens then.",
        show: {},
      },
      {
        text: "In Registers, `%mask` is `0x000fffff`: twenty ones, for the twenty numbers. But Lanes shows that lanes 20 to 31 have come to the shuffle, too.",
        show: { thread: thread(0, 0, 20), panel: "registers" },
      },
      {
        text: "Step back to the vote that makes the mask. `%has` is false in lanes 20 to 31. So the mask says who has a number. It does not say who takes part.",
        show: { at: "vote.sync", thread: thread(0, 0, 20), panel: "lanes" },
      },
      {
        text: "All 32 lanes shuffle, and those without a number add 0. The mask must name every lane that executes the instruction: write `0xffffffff` as the shuffle's mask: it runs again by itself.",
        show: { line: "shfl.sync" },
      },
    ],
  },
  {
    id: "nan",
    title: "A NaN",
    right: {
      buffer: "x",
      values: Float32Array.of(3 / 5, 6 / 10, -5 / 13, 0, 8 / 17, 0, 20 / 29, 1),
    },
    solution: [
      ["  div.rn.f32 %fx, %fx, %length;", "  max.f32 %length, %length, 0f00800000;\n  div.rn.f32 %fx, %fx, %length;"],
    ],
    steps: [
      {
        text: "When the program has run, look at `x` in Result. Each number lies between -1 and 1, but `x[5]` is NaN. Nothing has stopped the run: NaN is a value as good as any other.",
        show: { panel: "result" },
      },
      {
        text: "Where does it come from? Choose lane 5 and step back to the division, the first instruction that can make one. Both `%fx` and `%length` are 0 there.",
        show: { at: "div.rn", thread: thread(0, 0, 5), panel: "registers" },
      },
      {
        text: "Vector 5 is (0, 0): it has no direction. 0 divided by 0 is NaN, as Explain works out. Every later sum with it would be NaN as well.",
        show: { at: "div.rn", thread: thread(0, 0, 5), panel: "explain" },
      },
      {
        text: "Say what such a vector becomes: 0, here. Keep the length above 0, by `max.f32` with `0f00800000` (the smallest normal number) before the division: it runs again by itself.",
        show: { line: "div.rn" },
      },
    ],
  },
  {
    id: "rounding",
    title: "Rounding",
    right: { buffer: "d", values: Float32Array.of(1, 0, 1, 1) },
    solution: [
      [
        "  mul.rn.f32 %square, %b, %b;\n  sub.rn.f32 %d, %square, %product;",
        "  neg.f32 %product, %product;\n  fma.rn.f32 %d, %b, %b, %product;",
      ],
    ],
    steps: [
      {
        text: "When the program has run, look at `d` in Result. `d[2]` is 0: two equal roots. But 4097 · 4097 is 16785409, and 4 · 4196352 is 16785408. The difference is 1.",
        show: { panel: "result" },
      },
      {
        text: "Choose lane 2 and go back to the subtraction. `%square` is 16785408 there: it has lost its last digit before anything was subtracted.",
        show: { at: "sub.rn", thread: thread(0, 0, 2), panel: "registers" },
      },
      {
        text: "Step back to the multiplication. Explain shows the exact product and what is left of it: f32 has 24 bits, and this product needs 25. Half-way cases go to the even neighbour.",
        show: { at: "mul.rn.f32 %square", thread: thread(0, 0, 2), panel: "explain" },
      },
      {
        text: "fma multiplies and adds with one rounding at the end. Replace both instructions by `neg.f32 %product, %product;` and `fma.rn.f32 %d, %b, %b, %product;`: it runs again by itself.",
        show: { line: "mul.rn.f32 %square" },
      },
    ],
  },
  {
    id: "mma-layout",
    title: "Layout of mma",
    right: { buffer: "d", values: Float32Array.from({ length: 128 }, (_, at) => at) },
    solution: [["[%pa+64]", "[%pa+128]"]],
    steps: [
      {
        text: "B is the identity, so D must be A: 0, 1, 2 … 127, eight numbers a row. When the program has run, Result shows that row 8 of D begins with 32 in place of 64.",
        show: { panel: "result" },
      },
      {
        text: "Rows 8 to 15 of D are made from `%a1`, the second register of each lane's part of A. Go back to the mma and look at it: it is `0x50205000`, the halves 32 and 33.",
        show: { at: "mma.sync", thread: thread(0, 0, 0), panel: "registers" },
      },
      {
        text: "So lane 0 was given row 4. In the layout of m16n8k8, the first register holds row lane / 4, and the second the row eight below: lane 0 has rows 0 and 8.",
        show: { at: "ld.global.b32 %a1", thread: thread(0, 0, 0), panel: "registers" },
      },
      {
        text: "A row of A is eight halves, 16 bytes, so eight rows are 128 bytes. The second load goes only 64 bytes further. Fix its address: it runs again by itself.",
        show: { line: "ld.global.b32 %a1" },
      },
    ],
  },
  {
    id: "missing-fence",
    title: "A missing fence",
    right: { buffer: "out", values: integers(1, () => 42) },
    solution: [
      ["ld.relaxed.gpu", "ld.acquire.gpu"],
      ["st.relaxed.gpu", "st.release.gpu"],
    ],
    steps: [
      {
        text: "When the program has run, `out` is 42, as it should be, this time. But there is a finding: block 1 reads `data` while block 0 writes it, and the flag does not order them.",
        show: { panel: "messages" },
      },
      {
        text: "Go back to the load of data in block 1. It comes after the flag was seen; is that no order? A relaxed load says nothing about other addresses: data may still be old.",
        show: { at: "ld.global.u32 %value", thread: thread(1, 0, 0), panel: "registers" },
      },
      {
        text: "Now the other side: block 0 is about to set the flag. A relaxed store does not publish what was stored before it. The flag may become visible first, and 42 later.",
        show: { at: "st.relaxed", thread: thread(0, 0, 0), panel: "result" },
      },
      {
        text: "The writer has to release and the reader to acquire. Write `st.release.gpu` and `ld.acquire.gpu` for the flag, or a `fence.acq_rel.gpu` on both sides: it runs again by itself.",
        show: { line: "ld.relaxed" },
      },
    ],
  },
];

/** The program of a lesson without its mistake. */
export const mended = ({ solution }: Lesson, text: string): string =>
  solution.reduce((changed, [from, to]) => changed.replace(from, () => to), text);

/** The first element that is not as it should be; undefined where all are. NaN is never right. */
export function firstWrong(
  { right: { values } }: Lesson,
  bytes: Uint8Array,
): { readonly at: number; readonly is: number; readonly should: number } | undefined {
  const kind = values instanceof Float32Array ? Float32Array : Uint32Array;
  // A copy, since its bytes need not begin at a multiple of four.
  const found = new kind(bytes.slice().buffer, 0, Math.min(values.length, bytes.length >> 2));
  const at = values.findIndex((value, index) => found[index] !== value);
  return at < 0 ? undefined : { at, is: found[at] ?? Number.NaN, should: values[at] ?? 0 };
}
