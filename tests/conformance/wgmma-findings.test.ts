import { describe, expect, it } from "vitest";
import type { Moving } from "../../src/interp/async/moving.ts";
import { createSession, Memory } from "../../src/interp/index.ts";
import { parse } from "../../src/parser/index.ts";
import { loadModule } from "../../src/resolve/index.ts";
import { Source } from "../../src/source/source.ts";
import { share } from "../share.ts";

const W = "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8";
const D = "{d0, d1, d2, d3}";
const mma = `${W} ${D}, qa, qb, 1;`;
const fromRegisters = `${W} ${D}, {a0, a1, a2, a3}, qb, 1;`;
const fence = "wgmma.fence.sync.aligned;";
const commit = "wgmma.commit_group.sync.aligned;";
const wait = (pending: number): string => `wgmma.wait_group.sync.aligned ${pending};`;
const proxy = "fence.proxy.async.shared::cta; bar.sync 0;";
const zero = "mov.u32 d0, 0; mov.u32 d1, d0; mov.u32 d2, d0; mov.u32 d3, d0;";
const store = "st.global.v4.s32 [out], {d0, d1, d2, d3};";

/** A and B are all ones, each in half of tile; `t` is the thread, `own` its 16 bytes of each half. */
const kernel = (body: string, fill: string): string => `.version 8.4\n.target sm_90a\n.address_size 64
.entry k(.param .u64 result) {
  .reg .s32 d<4>, e<4>; .reg .b32 a<4>, t, tile32, own, one, h; .reg .b64 qa, qb, out; .reg .pred p; .shared .align 1024 .b8 tile[4096];
  mov.u32 t, %tid.x; mov.u32 tile32, tile; mad.lo.u32 own, t, 16, tile32; mov.u32 one, 0x01010101;
  mov.u32 a0, one; mov.u32 a1, one; mov.u32 a2, one; mov.u32 a3, one; mov.u32 e0, 0; mov.u32 e1, e0; mov.u32 e2, e0; mov.u32 e3, e0;
  ld.param.u64 out, [result]; mad.wide.u32 out, t, 16, out;
  shr.u32 h, tile32, 4; cvt.u64.u32 qa, h; or.b64 qa, qa, 0x0000001000080000; add.s64 qb, qa, 128;
  ${fill}
  ${body}
  ret;
}`;
const filled = "st.shared.v4.b32 [own], {one, one, one, one}; st.shared.v4.b32 [own+2048], {one, one, one, one};";

/** As nvcc -G marks what it makes. */
const debugged = (text: string): string =>
  `${text.replace("sm_90a", "sm_90a, debug")}\n.section .debug_str { .b8 0 }\n`;

interface Outcome {
  readonly found: readonly string[];
  readonly places: readonly (readonly string[])[];
  readonly result: readonly number[];
  readonly fault: string | undefined;
}

function begin(body: string, moving: Moving, fill: string, block: number, debug = false) {
  const source = new Source("k.ptx", debug ? debugged(kernel(body, fill)) : kernel(body, fill));
  const parsed = parse(source);
  const loaded = loadModule(source, parsed.value);
  const { value: program, diagnostics } = loaded.value.kernel("k");
  const errors = [...parsed.diagnostics, ...loaded.diagnostics, ...diagnostics].filter(
    ({ severity }) => severity === "error",
  );
  if (program === undefined) throw new Error(errors.map(({ message }) => message).join("; "));
  const memory = new Memory({ limit: 16 << 20 });
  const out = memory.allocate({ name: "out", bytes: 16 * block, initialised: true })!;
  const session = createSession({
    program,
    memory,
    moving,
    grid: [1, 1, 1],
    block: [block, 1, 1],
    parameters: new Uint8Array(BigUint64Array.of(out).buffer),
    addressOf: () => 0n,
  });
  return { session, result: () => [...new Int32Array(memory.read(out, 16 * block).buffer)] };
}

function run(body: string, moving: Moving, fill: string, block = 128, debug = false): Outcome {
  const { session, result } = begin(body, moving, fill, block, debug);
  const stop = session.run();
  const real = session.findings.filter(({ severity }) => severity === "error");
  return {
    found: real.map(({ code }) => code),
    places: real.map(({ source: text, span, related = [] }) => [
      ...(text && span ? [text.text.slice(span.start, span.end)] : []),
      ...related.map((each) => each.source.text.slice(each.span.start, each.span.end)),
    ]),
    result: result(),
    fault: stop.reason === "trap" ? stop.diagnostic.code : undefined,
  };
}

const settings: readonly Moving[] = [
  { when: "late" },
  { when: "early" },
  ...Array.from({ length: 10 }, (_, seed): Moving => ({ when: "random", seed })),
];

/** What is wrong, what is right, the code, and what of the program both places say. */
const mistakes: readonly (readonly [string, wrong: string, right: string, code: string, places: readonly string[]])[] =
  [
    [
      "reads the accumulator before the wait",
      `${proxy} ${zero} ${fence} ${mma} ${commit} add.s32 e0, d0, d1; ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} add.s32 e0, d0, d1; ${store}`,
      "PTX4026",
      ["add.s32 e0", W],
    ],
    [
      "stores the accumulator and never waits",
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4026",
      ["st.global", W],
    ],
    [
      "waits without a commit",
      `${proxy} ${zero} ${fence} ${mma} ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4026",
      ["st.global", W],
    ],
    [
      "waits for the wrong group",
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(1)} ${store} ${wait(0)}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${commit} ${wait(1)} ${store} ${wait(0)}`,
      "PTX4026",
      ["st.global", W, "wgmma.wait_group"],
    ],
    [
      "writes the accumulator before the wait",
      `${proxy} ${zero} ${fence} ${mma} ${commit} add.s32 d2, e0, 1; ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} add.s32 d2, e0, 1; ${store}`,
      "PTX4026",
      ["add.s32 d2", W],
    ],
    [
      "overwrites A in registers before the wait",
      `${proxy} ${zero} ${fence} ${fromRegisters} ${commit} add.u32 a1, a1, 1; ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${fromRegisters} ${commit} ${wait(0)} add.u32 a1, a1, 1; ${store}`,
      "PTX4026",
      ["add.u32 a1", W],
    ],
    [
      "begins without a wgmma.fence",
      `${proxy} ${zero} ${mma} ${commit} ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4027",
      [W],
    ],
    [
      "changes the accumulator behind the wgmma.fence",
      `${proxy} ${zero} ${fence} add.s32 d0, d0, 1; ${mma} ${commit} ${wait(0)} ${store}`,
      `${proxy} ${zero} add.s32 d0, d0, 1; ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4027",
      [W, "add.s32 d0"],
    ],
    [
      "changes A behind the wgmma.fence",
      `${proxy} ${zero} ${fence} xor.b32 a3, a3, 2; ${fromRegisters} ${commit} ${wait(0)} ${store}`,
      `${proxy} ${zero} xor.b32 a3, a3, 2; ${fence} ${fromRegisters} ${commit} ${wait(0)} ${store}`,
      "PTX4027",
      [W, "xor.b32 a3"],
    ],
    [
      "hands the accumulator to another shape without a wgmma.fence",
      `${proxy} ${zero} ${fence} ${mma} wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc ${D}, qa, qb, 1; ${commit} ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${fence} wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc ${D}, qa, qb, 1; ${commit} ${wait(0)} ${store}`,
      "PTX4027",
      ["wgmma.mma_async.sync.aligned.m64n8k256"],
    ],
    [
      "overwrites shared memory before the wait",
      `${proxy} ${zero} ${fence} ${mma} ${commit} st.shared.b32 [own], one; ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} bar.sync 0; st.shared.b32 [own], one; ${store}`,
      "PTX4021",
      ["st.shared.b32", W],
    ],
    [
      "reads by the async proxy what no fence has followed",
      `bar.sync 0; ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4025",
      [W, "st.shared.v4.b32"],
    ],
    [
      // Of the values behind the fence there is a note at the same place, which hides nothing.
      "has a fence for registers only",
      `bar.sync 0; ${fence} ${zero} ${mma} ${commit} ${wait(0)} ${store}`,
      `${proxy} ${fence} ${zero} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4025",
      [W, "st.shared.v4.b32"],
    ],
    [
      "fences in one thread before the others meet it",
      `setp.eq.u32 p, t, 0; @p fence.proxy.async; bar.sync 0; ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      `bar.sync 0; setp.eq.u32 p, t, 0; @p fence.proxy.async; bar.sync 0; ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4025",
      [W, "st.shared.v4.b32"],
    ],
    [
      "keeps a warp away",
      `${proxy} ${zero} setp.lt.u32 p, t, 96; ${fence} @p ${mma} ${commit} ${wait(0)} ${store}`,
      `${proxy} ${zero} setp.lt.u32 p, t, 128; ${fence} @p ${mma} ${commit} ${wait(0)} ${store}`,
      "PTX4028",
      [],
    ],
    [
      "lets a warp end before the others",
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store} setp.ge.u32 p, t, 32; @p ret; ${fence}`,
      `${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)} ${store} ${fence}`,
      "PTX4028",
      [fence],
    ],
  ];

describe.each(share(mistakes, 10))("a kernel that %s", (_, wrong, right, code, places) => {
  it(`is found, as ${code}, whenever data move, and both places are named`, () => {
    for (const moving of settings) {
      const { found, places: said, fault } = run(wrong, moving, filled);
      expect(fault).toBeUndefined();
      expect(found).toContain(code);
      const where = said[found.indexOf(code)]!;
      for (const place of places) expect(where.some((each) => each.startsWith(place))).toBe(true);
    }
  });

  it("is silent once it is right", () => {
    for (const moving of settings) expect(run(right, moving, filled)).toMatchObject({ found: [], fault: undefined });
  });
});

describe("wgmma in flight", () => {
  it("uses the registers of when it happens, and the program goes on with its results", () => {
    const early = `${proxy} ${zero} ${fence} ${mma} ${commit} add.s32 d1, d1, 5; ${wait(0)} ${store}`;
    for (const moving of settings) expect(run(early, moving, filled).result.slice(0, 4)).toEqual([32, 37, 32, 32]);
  });

  it("adds up in the order in which it was asked for", () => {
    const twice = `${proxy} ${zero} ${fence} ${mma} ${mma} ${commit} ${mma} ${commit} ${wait(1)} ${wait(0)} ${store}`;
    for (const moving of settings) expect(run(twice, moving, filled)).toMatchObject({ found: [], fault: undefined });
    expect(new Set(run(twice, { when: "early" }, filled).result)).toEqual(new Set([96]));
  });

  it("is a note where a plain mov gives the accumulator its first value behind the fence", () => {
    const { found } = run(`${proxy} ${fence} ${zero} ${mma} ${commit} ${wait(0)} ${store}`, { when: "late" }, filled);
    expect(found).toEqual([]);
  });

  it("is a note where nvcc -G moves accumulators to memory, and the results are right", () => {
    const body = `${proxy} ${zero} ${fence} ${mma} ${store} ${commit} ${wait(0)}`;
    expect(run(body, { when: "late" }, filled).found).toEqual(["PTX4026"]);
    expect(run(body, { when: "late" }, filled, 128, true)).toMatchObject({ found: [], fault: undefined });
    expect(new Set(run(body, { when: "late" }, filled, 128, true).result)).toEqual(new Set([32]));
  });

  it("goes on alike from a snapshot that was taken while it was in flight", () => {
    const body = `${proxy} ${zero} ${fence} ${mma} ${commit} ${mma} add.s32 e0, d0, 1; ${commit} ${wait(0)} ${store}`;
    for (const moving of settings.slice(0, 4)) {
      const whole = run(body, moving, filled);
      expect(whole.found).toEqual(["PTX4026"]);
      const { session, result } = begin(body, moving, filled, 128);
      for (let step = 0; step < 4; step++) {
        session.run({ budget: step === 0 ? 90 : 7 });
        const there = session.snapshot();
        session.run();
        expect(result()).toEqual(whole.result);
        expect(session.findings.map(({ code }) => code)).toEqual(["PTX4026"]);
        session.restore(there);
      }
    }
  });

  it.each([
    ["PTX3017", "in a block without a warpgroup", fence, 96],
    ["PTX3018", "with descriptors that differ", `setp.eq.u32 p, t, 5; @p add.s64 qa, qa, 1; ${fence} ${mma}`, 128],
    ["PTX3018", "with a scale-d that differs", `setp.eq.u32 p, t, 5; ${fence} ${W} ${D}, qa, qb, p;`, 128],
    ["PTX3002", "with a descriptor that leads out of shared memory", `add.s64 qa, qa, 4096; ${fence} ${mma}`, 128],
    ["PTX3014", "in a part of a warp", `setp.lt.u32 p, t, 16; @p ${fence}`, 128],
  ] as const)("is %s %s", (code, _, body, block) => {
    expect(run(`${proxy} ${zero} ${body}`, { when: "late" }, filled, block).fault).toBe(code);
  });

  it("finds descriptors that differ between warps, and shared memory that nothing has written", () => {
    const apart = `${proxy} ${zero} setp.ge.u32 p, t, 32; @p add.s64 qb, qb, 1; ${fence} ${mma} ${commit} ${wait(0)}`;
    expect(run(apart, { when: "late" }, filled).found).toContain("PTX4028");
    expect(run(`${proxy} ${zero} ${fence} ${mma} ${commit} ${wait(0)}`, { when: "late" }, "").found).toContain(
      "PTX4001",
    );
  });
});
