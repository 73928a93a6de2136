import { type Example, made, step } from "./executions.ts";

const [R, W, fence, bar] = ["R", "W", "fence", "bar"] as const;

/** Message passing, allowed: the flag and the data arrive. */
export const mp: Example = made(
  [
    [step(W, "st.weak.global.u32 [x], 1;", "x", 1n), step(W, "st.release.gpu.global.u32 [flag], 1;", "flag", 1n)],
    [step(R, "ld.acquire.gpu.global.u32 r0, [flag];", "flag", 1n), step(R, "ld.weak.global.u32 r1, [x];", "x", 1n)],
  ],
  {
    relations: {
      po: [
        ["a", "b"],
        ["c", "d"],
      ],
      rf: [
        ["b", "c"],
        ["a", "d"],
      ],
      co: [
        ["init x", "a"],
        ["init flag", "b"],
      ],
      sw: [["b", "c"]],
      cause: [
        ["a", "b"],
        ["b", "c"],
        ["a", "c"],
        ["a", "d"],
      ],
    },
    registers: [{}, { r0: 1n, r1: 1n }],
    memory: { x: [1n], flag: [1n] },
  },
);

/** Message passing, forbidden: the flag arrives and the data does not. */
export const mpForbidden: Example = made(
  [
    [step(W, "st.weak.global.u32 [x], 1;", "x", 1n), step(W, "st.release.gpu.global.u32 [flag], 1;", "flag", 1n)],
    [step(R, "ld.acquire.gpu.global.u32 r0, [flag];", "flag", 1n), step(R, "ld.weak.global.u32 r1, [x];", "x", 0n)],
  ],
  {
    relations: {
      po: [
        ["a", "b"],
        ["c", "d"],
      ],
      rf: [
        ["b", "c"],
        ["init x", "d"],
      ],
      co: [
        ["init x", "a"],
        ["init flag", "b"],
      ],
      fr: [["d", "a"]],
      sw: [["b", "c"]],
    },
    registers: [{}, { r0: 1n, r1: 0n }],
    memory: { x: [1n], flag: [1n] },
    forbidden: {
      axiom: "Causality",
      section: "8.10.6",
      cycle: [
        ["a", "po", "b"],
        ["b", "sw", "c"],
        ["c", "po", "d"],
        ["d", "fr", "a"],
      ],
    },
  },
);

/** Store buffering between two blocks with fence.sc: one of the fences comes first. */
export const sbForbidden: Example = made(
  ["x", "y"].map((own, thread) => [
    step(W, `st.relaxed.gpu.global.u32 [${own}], 1;`, own, 1n),
    step(fence, "fence.sc.gpu;"),
    step(R, `ld.relaxed.gpu.global.u32 r0, [${thread === 0 ? "y" : "x"}];`, thread === 0 ? "y" : "x", 0n),
  ]),
  {
    relations: {
      po: [
        ["a", "b"],
        ["b", "c"],
        ["a", "c"],
        ["d", "e"],
        ["e", "f"],
        ["d", "f"],
      ],
      rf: [
        ["init x", "f"],
        ["init y", "c"],
      ],
      co: [
        ["init x", "a"],
        ["init y", "d"],
      ],
      fr: [
        ["c", "d"],
        ["f", "a"],
      ],
      sc: [["b", "e"]],
      sw: [["b", "e"]],
    },
    registers: [{ r0: 0n }, { r0: 0n }],
    memory: { x: [1n], y: [1n] },
    forbidden: {
      axiom: "Causality",
      section: "8.10.6",
      cycle: [
        ["a", "po", "b"],
        ["b", "sc", "e"],
        ["e", "po", "f"],
        ["f", "fr", "a"],
      ],
    },
  },
);

/** Two readers in one block see two independent writes in different orders. */
export const iriw: Example = made(
  [
    [step(W, "st.relaxed.gpu.global.u32 [x], 1;", "x", 1n)],
    [step(R, "ld.acquire.gpu.global.u32 r0, [x];", "x", 1n), step(R, "ld.relaxed.gpu.global.u32 r1, [y];", "y", 0n)],
    [step(R, "ld.acquire.gpu.global.u32 r0, [y];", "y", 1n), step(R, "ld.relaxed.gpu.global.u32 r1, [x];", "x", 0n)],
    [step(W, "st.relaxed.gpu.global.u32 [y], 1;", "y", 1n)],
  ],
  {
    placements: [0, 1, 1, 2].map((block) => ({ block, cluster: block === 2 ? 0 : block, gpu: 0 })),
    relations: {
      po: [
        ["b", "c"],
        ["d", "e"],
      ],
      rf: [
        ["a", "b"],
        ["f", "d"],
        ["init y", "c"],
        ["init x", "e"],
      ],
      co: [
        ["init x", "a"],
        ["init y", "f"],
      ],
      fr: [
        ["c", "f"],
        ["e", "a"],
      ],
    },
    registers: [{}, { r0: 1n, r1: 0n }, { r0: 1n, r1: 0n }, {}],
    memory: { x: [1n], y: [1n] },
  },
);

/** Three threads of one block meet at a barrier, with an atomic, a vector and a race on the way. */
export const meeting: Example = made(
  [
    [
      step(W, "st.weak.global.v2.u32 [p], {1, 2};", "p", 1n),
      step(W, "st.weak.global.v2.u32 [p], {1, 2};", "p[4]", 2n, "vector"),
      step(bar, "barrier.cta.sync 0;"),
      step(R, "atom.relaxed.gpu.global.add.u32 r0, [n], 1;", "n", 0n),
      step(W, "atom.relaxed.gpu.global.add.u32 r0, [n], 1;", "n", 1n, "atomic"),
    ],
    [
      step(bar, "barrier.cta.sync 0;"),
      step(R, "atom.relaxed.gpu.global.add.u32 r0, [n], 1;", "n", 1n),
      step(W, "atom.relaxed.gpu.global.add.u32 r0, [n], 1;", "n", 2n, "atomic"),
      step(R, "ld.weak.global.v2.u32 {r1, r2}, [p];", "p", 1n),
      step(R, "ld.weak.global.v2.u32 {r1, r2}, [p];", "p[4]", 2n, "vector"),
    ],
    [step(bar, "barrier.cta.sync 0;"), step(W, "st.weak.global.u32 [n], 70000;", "n", 70000n)],
  ],
  {
    placements: [0, 0, 0].map((block) => ({ block, cluster: 0, gpu: 0 })),
    names: ["producer", "consumer", "P2"],
    relations: {
      po: [
        ["a", "c"],
        ["b", "c"],
        ["c", "d"],
        ["c", "e"],
        ["d", "e"],
        ["f", "g"],
        ["g", "h"],
        ["h", "i"],
        ["h", "j"],
        ["k", "l"],
      ],
      rf: [
        ["init n", "d"],
        ["e", "g"],
        ["a", "i"],
        ["b", "j"],
      ],
      co: [
        ["e", "h"],
        ["init n", "e"],
        ["init n", "h"],
        ["init n", "l"],
      ],
      fr: [
        ["d", "e"],
        ["d", "h"],
        ["g", "h"],
      ],
      sw: ["c", "f", "k"].flatMap((a) => ["c", "f", "k"].flatMap((b) => (a === b ? [] : [[a, b] as const]))),
    },
    registers: [{ r0: 0n }, { r0: 1n, r1: 1n, r2: 2n }, {}],
    memory: { p: [1n], "p[4]": [2n], n: [2n, 70000n] },
    races: [
      ["e", "l"],
      ["h", "l"],
    ],
  },
);
