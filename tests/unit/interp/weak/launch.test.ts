import { describe, expect, test } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/index.ts";

const head = `.version 8.0 .target sm_90 .address_size 64
  .global .align 16 .b32 x[8] = {0, 0, 0, 0, 21, 22, 23, 24}; .global .align 4 .b32 flag; .global .align 4 .b32 passed; .shared .align 16 .b32 s[64];`;
const begin = `.reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<5>; .reg .pred %p<5>; .local .align 8 .b32 l[4];
  ld.param.u64 %rd1, [out]; ld.param.u32 %r9, [reader]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3; setp.eq.u32 %p1, %r4, 0; setp.eq.u32 %p2, %r4, %r9;`;

/** What a kernel leaves in its sixteen words of `out`, under each seed. */
function* outcomes(body: string, reader: number, options: LaunchOptions, seeds: number): Generator<number[]> {
  const text = `${head} .entry k(.param .u64 out, .param .u32 reader) { ${begin} ${body} ret; }`;
  for (let seed = 0; seed < seeds; seed++) {
    const device = new Device({ maxMemory: 1 << 20 });
    const out = device.buffer(new Uint8Array(64));
    const kernel = must(must(device.module(text)).kernel("k"));
    const { stop } = must(kernel.launch({ ...options, args: [out, reader], weak: { seed }, schedule: { seed } }));
    expect(stop.reason).toBe("exit");
    yield [...new Uint32Array(out.read().buffer)];
  }
}

/** Thread 0 writes x and then a flag, for which the reader waits; whether the reader then finds the old x under some seed. */
function isLate(
  writes: string,
  reads: string,
  reader: number,
  options: LaunchOptions,
  before = "",
  x: "x" | "s" = "x",
): boolean {
  const body = `${before} @!%p1 bra OTHER; ${writes} ret;
    OTHER: @!%p2 bra END; ${reads} ld.${x === "s" ? "shared" : "global"}.u32 %r6, [${x}]; st.global.u32 [%rd1], %r6; END:`;
  for (const [found] of outcomes(body, reader, options, 10)) if (found === 0) return true;
  return false;
}

const spin = (load: string): string => `L: ${load} setp.eq.u32 %p3, %r5, 0; @%p3 bra L;`;
/** Two clusters of two blocks of two warps. */
const two: LaunchOptions = { grid: 4, block: 64, cluster: 2 };
/** Threads of the writer's warp, block, cluster, and of another one, and how far a scope has to reach for them. */
const readers = [
  [33, 0],
  [64, 1],
  [128, 2],
] as const;

describe.each([
  ["cta", 0],
  ["cluster", 1],
  ["gpu", 2],
] as const)("a launch with weak memory orders by scopes that include both, .%s", (scope, reach) => {
  const store = "st.weak.global.u32 [x], 1;";
  test.each([
    ["release and acquire", `st.release.${scope}.u32 [flag], 1;`, spin(`ld.acquire.${scope}.u32 %r5, [flag];`)],
    [
      "fences",
      `fence.acq_rel.${scope}; st.relaxed.sys.u32 [flag], 1;`,
      `${spin("ld.relaxed.sys.u32 %r5, [flag];")} fence.sc.${scope};`,
    ],
    [
      "atomic operations",
      `atom.release.${scope}.exch.b32 %r5, [flag], 1;`,
      spin(`atom.acq_rel.${scope}.add.u32 %r5, [flag], 0;`),
    ],
  ])("with %s", (_, writes, reads) => {
    for (const [reader, distance] of readers)
      expect([reader, isLate(store + writes, reads, reader, two)]).toEqual([reader, reach < distance]);
  });
});

describe("a launch with weak memory", () => {
  const [writes, reads] = ["st.relaxed.sys.u32 [flag], 1;", spin("ld.relaxed.sys.u32 %r5, [flag];")];

  test("buffers loads whose results nothing needs yet, between blocks and in a warp, and not what follows from them", () => {
    const body = (
      data: string,
    ) => `mov.u64 %rd2, x; add.u64 %rd3, %rd2, 4; selp.u64 %rd4, %rd2, %rd3, %p1; selp.u64 %rd5, %rd3, %rd2, %p1;
      ld.relaxed.gpu.global.u32 %r6, [%rd4]; add.u32 %r7, %r4, 1; ${data} st.relaxed.gpu.global.u32 [%rd5], %r7;
      mul.wide.u32 %rd6, %r4, 4; add.u64 %rd1, %rd1, %rd6; st.global.u32 [%rd1], %r6;`;
    for (const shape of [
      { grid: 2, block: 1 },
      { grid: 1, block: 2 },
    ]) {
      const found = (data: string) => [...outcomes(body(data), 1, shape, 200)].map(([a, b]) => `${a} ${b}`);
      expect(found("")).toContain("2 1");
      for (const each of found("or.b32 %r7, %r6, %r6;")) expect(each).toBe("0 0");
    }
  });

  test("does a postponed load before its operands change, and before its lane leaves", () => {
    const body = `@!%p1 bra END; mov.u64 %rd2, x; mov.u32 %r6, 9; ld.global.u32 %r6, [%rd2+16]; add.u64 %rd2, %rd2, 4;
      ld.global.u32 %r7, [%rd2+16]; setp.ne.u32 %p3, %r9, 0; @%p3 ld.global.u32 %r8, [%rd2+20]; setp.eq.u32 %p3, %r9, 0;
      mov.b64 {%r10, %r11}, %rd2; st.global.u32 [%rd1], %r6; st.global.u32 [%rd1+4], %r7; st.global.u32 [%rd1+8], %r8; END:`;
    for (const [first, second, third] of outcomes(body, 1, { grid: 1, block: 1 }, 20))
      expect([first, second, third]).toEqual([21, 22, 23]);
  });

  test.each<[string, string, LaunchOptions, readonly (readonly [reader: number, late: boolean])[]]>([
    [
      "of a block",
      "bar.sync 0;",
      { grid: 1, block: 96 },
      [
        [1, false],
        [40, false],
        [95, false],
      ],
    ],
    [
      "of some warps of it",
      "setp.lt.u32 %p4, %r3, 64; @%p4 bar.sync 1, 64;",
      { grid: 1, block: 96 },
      [
        [1, false],
        [40, false],
        [95, true],
      ],
    ],
    [
      "of blocks by themselves",
      "bar.sync 0;",
      { grid: 2, block: 32 },
      [
        [1, false],
        [32, true],
      ],
    ],
    [
      "of some lanes",
      "setp.lt.u32 %p4, %r4, 2; @%p4 bar.warp.sync 0x3;",
      { grid: 1, block: 64 },
      [
        [1, false],
        [2, true],
        [33, true],
      ],
    ],
    [
      "of a cluster",
      "barrier.cluster.arrive; barrier.cluster.wait;",
      { grid: 4, block: 32, cluster: 2 },
      [
        [1, false],
        [33, false],
        [64, true],
        [97, true],
      ],
    ],
  ])("orders those that meet at a barrier %s", (_, barrier, options, all) => {
    for (const [reader, late] of all) {
      const before = `@!%p1 bra MEET; st.weak.global.u32 [x], 1; MEET: ${barrier}`;
      expect([reader, isLate(writes, reads, reader, options, before)]).toEqual([reader, late]);
    }
  });

  test("shows shared memory late, too, by its own and by generic addresses", () => {
    const block = { grid: 1, block: 64 };
    expect(isLate(`st.shared.u32 [s], 1; ${writes}`, reads, 33, block, "", "s")).toBe(true);
    const generic = "cvta.shared.u64 %rd2, s; st.u32 [%rd2], 1;";
    expect(isLate(generic + writes, reads, 33, block, "", "s")).toBe(true);
    expect(isLate(`${generic} fence.acq_rel.cta; ${writes}`, `${reads} fence.acq_rel.cta;`, 33, block, "", "s")).toBe(
      false,
    );
  });

  test("passes nothing on by a weak flag", () => {
    for (const reader of [1, 33]) {
      const flag = [
        "fence.acq_rel.sys; st.weak.u32 [flag], 1;",
        `${spin("ld.weak.u32 %r5, [flag];")} fence.acq_rel.sys;`,
      ] as const;
      expect(isLate(`st.global.u32 [x], 1; ${flag[0]}`, flag[1], reader, { grid: 1, block: 64 })).toBe(true);
    }
  });

  test("knows that a compare that fails has written nothing: what was released is still there (8.10.3)", () => {
    const other = `setp.eq.u32 %p4, %r4, 64; @!%p4 bra GO; M: ld.relaxed.sys.u32 %r5, [flag]; setp.eq.u32 %p3, %r5, 0; @%p3 bra M;
      atom.relaxed.cta.global.cas.b32 %r5, [flag], 7, 8; st.relaxed.sys.u32 [passed], 1; ret; GO:`;
    const reads = `${spin("ld.relaxed.sys.u32 %r5, [passed];")} fence.sc.gpu; ld.acquire.gpu.u32 %r5, [flag]; setp.eq.u32 %p3, %r5, 0;
      selp.u32 %r5, 1, 0, %p3; @%p3 st.global.u32 [%rd1], 1; @%p3 ret;`;
    expect(isLate("st.global.u32 [x], 1; st.release.gpu.u32 [flag], 1;", reads, 128, two, other)).toBe(false);
  });

  test("orders all before what it does not follow, as matrices", () => {
    const matrix = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [s];";
    const run = (between: string) =>
      [
        ...outcomes(
          `setp.eq.u32 %p4, %r1, 1; @!%p1 bra OTHER; st.global.u32 [x], 1; ${writes} OTHER: @!%p4 ret;
         @!%p2 bra MEET; ${reads} MEET: bar.warp.sync -1; ${between} @!%p2 ret;
         ld.global.u32 %r6, [x]; st.global.u32 [%rd1], %r6;`,
          32,
          { grid: 2, block: 32 },
          14,
        ),
      ].map(([found]) => found);
    expect(run("")).toContain(0);
    expect(run(matrix)).not.toContain(0);
  });

  test("lets a thread find what it has written itself, in any size and place, where its guard is true", () => {
    const found = outcomes(
      `st.global.v4.u32 [x], {0x04030201, 2, 3, 4}; st.global.u8 [x+1], 0xff; ld.global.u16 %r10, [x]; st.global.b64 [x+8], %rd1;
       ld.global.v2.b32 {%r11, %r12}, [x]; ld.global.b64 %rd4, [x+8]; sub.u64 %rd4, %rd4, %rd1; cvt.u32.u64 %r13, %rd4;
       @!%p1 st.global.u32 [x+4], 9; mov.u32 %r14, 7; @!%p1 ld.global.u32 %r14, [x+4]; ld.global.u32 %r15, [x+4];
       st.local.u32 [l], 5; cvta.local.u64 %rd5, l; ld.u32 %r16, [%rd5]; st.u32 [%rd5], 6; ld.local.u32 %r17, [l];
       atom.global.cas.b32 %r18, [x+4], 2, 8; red.global.add.u32 [x+4], 100; ld.global.u32 %r19, [x+4];
       st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13}; st.global.v4.u32 [%rd1+16], {%r14, %r15, %r16, %r17};
       st.global.v2.u32 [%rd1+32], {%r18, %r19}; atom.global.cas.b32 %r18, [x+4], 8, 1; ld.global.u32 %r19, [x+4];
       st.global.v2.u32 [%rd1+40], {%r18, %r19}; st.global.u32 [x+20], 1; ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [x+16];
       ld.global.u32 %r13, [x+28]; st.global.v4.u32 [%rd1+48], {%r10, %r11, %r12, %r13};`,
      0,
      {},
      6,
    );
    for (const each of found)
      expect(each).toEqual([0xff01, 0x0403_ff01, 2, 0, 7, 2, 5, 6, 2, 108, 108, 108, 21, 1, 23, 24]);
  });
});
