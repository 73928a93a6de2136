import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../src/index.ts";
import { compiled, javascript } from "../../src/interp/index.ts";
import { runKernel } from "./on-device.ts";

const text = readFileSync(new URL("../data/nvcc/races.ptx", import.meta.url), "utf8");

interface Run {
  readonly kernel: string;
  readonly grid: number;
  readonly block: number;
  /** Buffers of 32-bit integers, and numbers. */
  readonly args: readonly (readonly number[] | number)[];
  readonly seed?: number;
}

/** The codes of what is found, and the first message. */
function findings({ kernel, grid, block, args, seed }: Run): { codes: string[]; first: string } {
  const device = new Device();
  const { findings, stop } = must(
    must(must(device.module(text)).kernel(kernel)).launch({
      grid,
      block,
      args: args.map((arg) => (typeof arg === "number" ? arg : device.buffer(new Int32Array(arg)))),
      sanitize: { mem: true, init: false, race: true },
      ...(seed === undefined ? {} : { schedule: { seed } }),
    }),
  );
  expect(stop.reason).toBe("exit");
  return { codes: findings.map(({ code }) => code), first: findings[0]?.message ?? "" };
}

const iota = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const zeros = (count: number): number[] => iota(count).map(() => 0);

/** The last argument says whether the kernel orders its threads. */
const kernels: readonly (readonly [name: string, run: Omit<Run, "args">, args: (ordered: 0 | 1) => Run["args"]])[] = [
  [
    "a barrier between stores and loads of shared memory",
    { kernel: "rev", grid: 1, block: 256 },
    (ordered) => [iota(256), 256, ordered],
  ],
  ["atomics in a histogram", { kernel: "hist", grid: 4, block: 64 }, (ordered) => [zeros(4), iota(256), ordered]],
  ["fences around a flag between blocks", { kernel: "pc", grid: 2, block: 1 }, (ordered) => [[0], [0], [0], ordered]],
  ["a meeting of a warp", { kernel: "warpsync", grid: 1, block: 64 }, (ordered) => [zeros(64), ordered]],
  [
    "fences around the atomic that counts blocks",
    { kernel: "last", grid: 8, block: 32 },
    (ordered) => [[0], zeros(8), [0], ordered],
  ],
];

describe.each(kernels)("%s", (_, run, args) => {
  it("orders threads, in whatever order they run", () => {
    for (const seed of [undefined, 1, 2, 3])
      expect(findings({ ...run, args: args(1), ...(seed === undefined ? {} : { seed }) }).codes).toEqual([]);
  });

  it("is missed where it is left out, in whatever order threads run", () => {
    for (const seed of [undefined, 1, 2, 3]) {
      const { codes, first } = findings({ ...run, args: args(0), ...(seed === undefined ? {} : { seed }) });
      expect(new Set(codes)).toEqual(new Set(["PTX4002"]));
      expect(first).toMatch(/: (no .*|the flag does not) orders? them$/);
    }
  });
});

it("a reduction by shuffles, shared memory and one barrier is in order", () => {
  expect(findings({ kernel: "red", grid: 1, block: 256, args: [[0], iota(256)] }).codes).toEqual([]);
});

it("both accesses are shown, with their threads", () => {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("warpsync"));
  const out = device.buffer(new Int32Array(32));
  const { findings } = must(
    kernel.launch({ block: 32, args: [out, 0], sanitize: { mem: true, init: true, race: true } }),
  );
  const [race] = findings;
  expect(race?.message).toBe(
    "thread (0,0,0) of block (0,0,0) reads shared _ZZ8warpsyncE1a[1] on line 276 while thread (1,0,0) writes it on line 267: no barrier orders them",
  );
  expect(race?.related?.map(({ message }) => message)).toEqual(["thread (1,0,0) of block (0,0,0) writes it"]);
  expect(text.slice(race?.span.start, race?.span.end)).toContain("ld.shared.u32");
});

describe("the barrier of a cluster", () => {
  const cluster = readFileSync(new URL("../../examples/gallery/cluster.ptx", import.meta.url), "utf8");
  const codesOf = (module: string): Set<string> => {
    const device = new Device();
    const kernel = must(must(device.module(module)).kernel(must(device.module(module)).entries[0] ?? ""));
    const values = new Uint32Array(iota(150).map((index) => (index * 7) % 256));
    const args = [device.buffer(values), 150, device.buffer(new Uint32Array(256)), device.buffer(new Uint32Array(4))];
    const { findings } = must(
      kernel.launch({ grid: 4, block: 39, args, sanitize: { mem: true, init: false, race: true } }),
    );
    return new Set(findings.map(({ code }) => code));
  };

  it("orders what its blocks do to each other's shared memory", () => {
    expect(codesOf(cluster)).toEqual(new Set());
  });

  it("is missed where it is left out", () => {
    const without = cluster.replaceAll(/barrier\.cluster\.(arrive|wait)[^;]*;/g, "");
    expect(without).not.toBe(cluster);
    expect(codesOf(without)).toContain("PTX4002");
  });
});

describe("the shared memory of another block", () => {
  const module = ".shared .align 4 .b32 word;";
  /** Block 1 stores to block 0, which loads; `between` comes between the two. */
  const codesOf = (between: string, launch: LaunchOptions): readonly string[] =>
    runKernel(
      `mov.u32 %r1, word; setp.eq.u32 %p1, %block, 0; @%p1 st.shared.u32 [word], 1; barrier.cluster.arrive; barrier.cluster.wait;
      mapa.shared::cluster.u32 %r1, %r1, 0; @!%p1 st.shared::cluster.u32 [%r1], 7; ${between} bar.sync 0; bar.sync 0; bar.sync 0;
      ld.shared.u32 %r3, [word]; @%p1 st.global.u32 [%at], %r3;`,
      2,
      {
        module,
        target: "sm_90a",
        launch: { grid: 2, block: 1, cluster: 2, sanitize: { mem: true, race: true, init: false }, ...launch },
      },
    ).findings;

  it.each([{}, { schedule: { seed: 1 } }, { schedule: { seed: 2 } }, { schedule: { seed: 3 } }])(
    "%j: is raced for, even where that block has ended before",
    (launch) => {
      expect(codesOf("", launch)).toContain("PTX4002");
      expect(codesOf("barrier.cluster.arrive; barrier.cluster.wait;", launch)).toEqual([]);
    },
  );
});

describe("the race detector's memory", () => {
  /** Each thread writes a word of its own, then all of a block meet, then each adds to one word. */
  const spread = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 sum) {
  .reg .u64 a, d; .reg .u32 i, b, n;
  ld.param.u64 a, [p]; mov.u32 i, %tid.x; mov.u32 b, %ctaid.x; mov.u32 n, %ntid.x; mad.lo.u32 i, b, n, i;
  mul.wide.u32 d, i, 4; add.u64 d, a, d;
  st.global.u32 [d], i;
  bar.sync 0;
  ld.param.u64 a, [sum]; red.global.add.u32 [a], 1;
  ret;
}`;
  const sanitize = { mem: true, init: false, race: true };
  /** Launches blocks of 32 threads, of which `words` of memory are written. */
  const launch = (grid: number, maxMemory: number, step = 4) => {
    const device = new Device({ maxMemory });
    const kernel = must(must(device.module(spread.replace("d, i, 4", `d, i, ${step}`))).kernel("k"));
    const args = [device.buffer(Math.max(32 * grid * step, 128)), device.buffer(4)];
    return must(kernel.launch({ grid, block: 32, args, sanitize })).stop;
  };

  it("has the limit of the device's memory, at which the run ends with what is needed", () => {
    // Every second word: a warp that writes words in a row needs little.
    const stop = launch(2400, 4 << 20, 8);
    expect(stop).toMatchObject({ reason: "trap", diagnostic: { code: "PTX6007" } });
    const [, words, bytes, more] =
      /: (\d+) words of memory take (\d+) bytes, and 4194304 are allowed \(--max-mem (\d+)M allows more\), in thread/.exec(
        stop.reason === "trap" ? stop.diagnostic.message : "",
      ) ?? [];
    expect(Number(words)).toBeGreaterThan(5000);
    expect(Number(bytes)).toBeGreaterThan(4 << 20);
    expect(more).toBe("8");
    expect(launch(2400, 8 << 20, 8).reason).toBe("exit");
    expect(launch(4000, 4 << 20).reason).toBe("exit");
  });

  it("forgets the blocks that have ended and wrote nothing that is still there", () => {
    expect(launch(1500, 4 << 20, 0)).toEqual({ reason: "exit" });
  });
});

/** Each thread copies 16 bytes, waits, and reads a word of what the thread `behind` it has copied. */
const copies = `.version 8.0 .target sm_80 .address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 behind) {
.reg .b32 %r<10>; .reg .b64 %rd<8>; .shared .align 16 .b8 s[1024];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r5, [behind];
mov.u32 %r1, %tid.x; mov.u32 %r6, s; mad.lo.u32 %r2, %r1, 16, %r6; mad.wide.u32 %rd3, %r1, 16, %rd1;
cp.async.cg.shared.global [%r2], [%rd3], 16;
cp.async.wait_all;
xor.b32 %r3, %r1, %r5; mad.lo.u32 %r2, %r3, 16, %r6;
ld.shared.u32 %r4, [%r2];
mov.u32 %r7, %ctaid.x; mad.lo.u32 %r7, %r7, 64, %r1; mad.wide.u32 %rd4, %r7, 4, %rd2; st.global.u32 [%rd4], %r4;
ret; }`;

describe.each([
  ["javascript", javascript],
  ["compiled", compiled],
] as const)("by %s, threads that have waited for their copies", (_, executor) => {
  const found = (behind: number): readonly string[] => {
    const device = new Device();
    const kernel = must(must(device.module(copies)).kernel("k"));
    const args = [device.buffer(new Uint32Array(256)), device.buffer(new Uint32Array(192)), behind];
    const sanitize = { mem: true, init: true, race: true };
    // The first block's warps find no copies that have begun before theirs.
    const { findings, stop } = must(
      kernel.launch({ grid: 3, block: 64, args, executor, sanitize, readableRegisters: false }),
    );
    expect(stop.reason).toBe("exit");
    return findings.map(({ message }) => message);
  };

  it("may read what they have copied themselves", () => {
    expect(found(0)).toEqual([]);
  });

  it("may not read what others have copied, without a barrier", () => {
    expect(found(1)).toEqual([
      "thread (0,0,0) of block (0,0,0) reads shared s[4] on line 9 while thread (1,0,0) writes it on line 6: no barrier orders them",
    ]);
  });
});
