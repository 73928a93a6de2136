import { type Example, made, step } from "./executions.ts";

const [R, W, fence, bar] = ["R", "W", "fence", "bar"] as const;

/** Names of events, `a` first. */
const letters = (count: number): string[] => Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at));

/** All of program order, of threads of so many events each. */
function programOrder(lengths: readonly number[]): (readonly [string, string])[] {
  const names = letters(lengths.reduce((sum, length) => sum + length, 0));
  return lengths.flatMap((length, thread) => {
    const from = lengths.slice(0, thread).reduce((sum, each) => sum + each, 0);
    const own = names.slice(from, from + length);
    return own.flatMap((a, at) => own.slice(at + 1).map((b) => [a, b] as const));
  });
}

/** Five threads of two devices: arrows that go past columns, up and down, and several to one box. */
export const crowded: Example = made(
  [
    [step(W, "st.relaxed.sys.global.u32 [x], 1;", "x", 1n), step(W, "st.relaxed.sys.global.u32 [y], 1;", "y", 1n)],
    [
      step(R, "ld.relaxed.sys.global.u32 r0, [x];", "x", 1n),
      step(fence, "fence.sc.sys;"),
      step(W, "st.relaxed.sys.global.u32 [z], 1;", "z", 1n),
    ],
    [step(R, "ld.relaxed.sys.global.u32 r0, [z];", "z", 1n), step(R, "ld.relaxed.sys.global.u32 r1, [x];", "x", 0n)],
    [
      step(W, "st.relaxed.sys.global.u32 [x], 2;", "x", 2n),
      step(fence, "fence.sc.sys;"),
      step(R, "ld.relaxed.sys.global.u32 r0, [y];", "y", 0n),
      step(R, "ld.relaxed.sys.global.u32 r1, [z];", "z", 0n),
    ],
    [
      step(R, "ld.relaxed.sys.global.u32 r0, [y];", "y", 1n),
      step(R, "ld.relaxed.sys.global.u32 r1, [x];", "x", 2n),
      step(R, "ld.relaxed.sys.global.u32 r2, [x];", "x", 2n),
    ],
  ],
  {
    placements: [0, 1, 1, 2, 2].map((block, thread) => ({
      block,
      cluster: block === 0 ? 1 : block,
      gpu: thread > 2 ? 1 : 0,
    })),
    relations: {
      po: programOrder([2, 3, 2, 4, 3]),
      rf: [
        ["a", "c"],
        ["e", "f"],
        ["init x", "g"],
        ["init y", "j"],
        ["init z", "k"],
        ["b", "l"],
        ["h", "m"],
        ["h", "n"],
      ],
      co: [["a", "h"]],
      fr: [
        ["c", "h"],
        ["g", "a"],
        ["g", "h"],
        ["j", "b"],
        ["k", "e"],
      ],
      sc: [["d", "i"]],
      sw: [["d", "i"]],
    },
    registers: [{}, { r0: 1n }, { r0: 1n, r1: 0n }, { r0: 0n, r1: 0n }, { r0: 1n, r1: 2n, r2: 2n }],
    memory: { x: [1n, 2n], y: [1n], z: [1n] },
    races: [["a", "g"]],
  },
);

/** Two threads with a long cycle between them: many lines in one gutter, up and down. */
export const ladder: Example = made(
  [
    [0, 1, 2, 3].map((at) =>
      at % 2 === 0
        ? step(W, `st.release.cluster.shared::cluster.b32 [v], ${at};`, "v", BigInt(at))
        : step(R, `ld.acquire.cluster.shared::cluster.b32 r${at}, [v];`, "v"),
    ),
    [4, 5, 6, 7].map((at) =>
      at % 2 === 0
        ? step(R, `ld.volatile.shared.u32 r${at}, [v];`, "v")
        : step(W, `st.volatile.shared.u32 [v], ${at};`, "v", BigInt(at)),
    ),
  ],
  {
    relations: {
      po: programOrder([4, 4]),
      rf: [
        ["a", "e"],
        ["a", "g"],
        ["h", "b"],
        ["f", "d"],
      ],
      fr: [
        ["b", "c"],
        ["g", "h"],
        ["e", "c"],
      ],
      co: [
        ["a", "f"],
        ["f", "c"],
        ["c", "h"],
      ],
      sw: [["c", "g"]],
    },
    memory: { v: [0n] },
    forbidden: {
      axiom: "SC-per-Location",
      section: "8.10.5",
      cycle: [
        ["a", "rf", "e"],
        ["e", "po", "h"],
        ["h", "rf", "b"],
        ["b", "dep", "a"],
      ],
    },
  },
);

/** One thread, whose arrows go past its own instructions, and more initial writes than it is wide. */
export const lonely: Example = made(
  [
    [
      step(R, "ld.weak.u8 r0, [a_name_of_a_variable_that_is_long.and_longer];", "long_name_of_a_variable", 0x1234567n),
      step(W, "st.weak.u8 [b], r0;", "b", 1n),
      step(R, "ld.weak.u8 r1, [c];", "c", 0n),
      step(W, "st.weak.u8 [c], r1;", "c", 1n, "atomic"),
      step(R, "ld.weak.u8 r2, [b];", "b", 1n),
      step(R, "ld.weak.u8 r3, [d];", "d", 0n),
      step(R, "ld.weak.u8 r3, [d];", "e", 0n, "vector"),
    ],
  ],
  {
    names: ["the_only_thread_there_is"],
    relations: {
      po: programOrder([7]),
      rf: [
        ["init long_name_of_a_variable", "a"],
        ["init c", "c"],
        ["b", "e"],
        ["init d", "f"],
        ["init e", "g"],
      ],
      fr: [["c", "d"]],
      co: [["init b", "b"]],
    },
    registers: [{ r0: 0x1234567n, r1: 0n, r2: 1n, r3: 0n, r4: 4n, r5: 5n }],
    initial: { long_name_of_a_variable: 0x1234567n },
    memory: { b: [1n], c: [1n] },
  },
);

/** Threads that do next to nothing, of which one reads what five initial writes have left. */
export const sparse: Example = made(
  [
    [],
    [step(bar, "bar")],
    ["p", "q", "s", "t", "u"].map((name, at) => step(R, `ld r${at}, [${name}]`, name)),
    [step(bar, "bar"), step(W, "st [p], 1", "p", 1n)],
  ],
  {
    relations: {
      po: programOrder([0, 1, 5, 2]),
      rf: ["p", "q", "s", "t", "u"].map((name, at) => [`init ${name}`, letters(6)[at + 1]!] as const),
      fr: [["b", "h"]],
      co: [["init p", "h"]],
      sw: [
        ["a", "g"],
        ["g", "a"],
      ],
    },
  },
);
