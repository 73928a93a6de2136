import { describe, expect, it } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import { InProcessPool } from "./in-process-pool.ts";
import { kernel, run, same, WORDS, work } from "./several-workers.ts";

/** A worker pool whose clock says that launches are short. */
class ShortLaunches extends InProcessPool {
  #time = 0;
  override now(): number {
    this.#time += 2;
    return this.#time;
  }
}

describe("blocks on several workers", () => {
  it.each([...executors])("give what one gives: registers, memory, steps (executor %s)", (_, executor) => {
    const text = kernel(`// Threads of the sixteenth block carry, and those behind it.
      add.cc.u32 %r7, %r3, -1024; ${work} ld.global.u32 %r6, [%rd3]; mad.lo.u32 %r6, %r6, %r5, %r3; st.global.u32 [%rd3], %r6;`);
    const { blocks, workers, alone } = same(text, { executor });
    expect(workers).toBe(2);
    expect(blocks).toBeGreaterThan(20);
    expect(alone).toBe("");
  });

  it.each([...executors])(
    "have room of their own for matrices and for copies in flight (executor %s)",
    (_, executor) => {
      const text =
        kernel(`mul.wide.u32 %rd5, %r2, 4; mov.u64 %rd6, tile; add.u64 %rd5, %rd6, %rd5; cvt.u32.u64 %r8, %rd5;
      cp.async.ca.shared.global [%r8], [%rd3], 4; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
      ${work} and.b32 %r9, %r2, 15; mov.u64 %rd6, tile; cvt.u32.u64 %r10, %rd6; shl.b32 %r9, %r9, 4; add.u32 %r10, %r10, %r9;
      ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r11, %r12}, [%r10];
      mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r13, %r14, %r15, %r16}, {%r11, %r12}, {%r11}, {%r1, %r1, %r1, %r1};
      add.u32 %r13, %r13, %r16; st.global.u32 [%rd3], %r13;`);
      const { blocks, alone } = same(text, { executor });
      expect(blocks).toBeGreaterThan(20);
      expect(alone).toBe("");
    },
  );

  it("initialise what they store to, byte by byte, also where two of them share a word", () => {
    const text = kernel(`// raw
      ${work} mul.lo.u32 %r7, %r3, 1; cvt.u64.u32 %rd4, %r7; add.u64 %rd4, %rd1, %rd4; st.global.u8 [%rd4+1], %r3;`);
    const { blocks, rounds } = same(text, { block: 33 });
    expect(blocks).toBeGreaterThan(20);
    // Words that both have stored to are no reason to do anything again: blocks of 36 bytes share none, and have as many warps.
    expect(rounds).toBe(run(text, { block: 36 }, 2).teamwork!.rounds);
  });

  it("leave what they have initialised so for launches behind", () => {
    const device = new Device({ maxMemory: 1 << 24 });
    const data = device.buffer(4 * WORDS);
    const launch = (body: string) => {
      const loaded = must(must(device.module(kernel(`${work} ${body}`))).kernel("k"));
      return must(loaded.launch({ grid: 40, block: 64, args: [data], workerPool: new InProcessPool(2) }))!;
    };
    expect(launch("st.global.u32 [%rd3], %r5;").teamwork?.blocks).toBeGreaterThan(20);
    expect(launch("ld.global.u32 %r6, [%rd3];").findings).toEqual([]);
  });

  it("let the last block in order win where all store to one place", () => {
    const text = kernel(`${work} st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], 7;`);
    const { seen, blocks } = same(text);
    expect(seen.data.slice(0, 2)).toEqual([39n, 7n]);
    expect(blocks).toBeGreaterThan(20);
  });

  it("run again, one after the other, where each reads what the one before it has stored", () => {
    const text = kernel(
      `${work} mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd1, %rd4; ld.global.u32 %r6, [%rd4]; add.u32 %r6, %r6, 1; st.global.u32 [%rd4+4], %r6;`,
    );
    const { seen, alone } = same(text);
    expect(seen.data.slice(0, 41)).toEqual(Array.from({ length: 41 }, (_, at) => BigInt(at)));
    expect(alone).toBe("a block reads what one of the blocks before it stores");
  });

  it("are not told apart by what a block stores without changing it", () => {
    // Each block stores what is there already, and all read it.
    const text = kernel(`${work} ld.global.u32 %r6, [%rd1]; st.global.u32 [%rd1], %r6; st.global.u32 [%rd3+256], %r6;`);
    expect(same(text).alone).toBe("");
  });

  it.each([0, 1, 3, 20, 39])("stop at a fault in block %i as one does, with memory as it was then", (block) => {
    const text = kernel(
      `${work} st.global.u32 [%rd3], %r5; setp.ge.u32 %p2, %r1, ${block}; @%p2 ld.global.u32 %r6, [%rd1+65536];`,
    );
    const { seen } = same(text);
    expect(seen.stop.reason).toBe("trap");
    expect(JSON.stringify(seen.stop)).toContain(`block (${block},0,0)`);
  });

  it("report what one would have found first", () => {
    const text = kernel(`// raw
      ${work} setp.lt.u32 %p2, %r1, 9; @%p2 bra ON; ld.global.u32 %r6, [%rd3]; ON: st.global.u32 [%rd3], %r5;`);
    const { seen } = same(text);
    expect(seen.findings.join()).toMatch(/^PTX4001 .*thread \(0,0,0\) of block \(9,0,0\)$/);
  });

  it("go on together behind a finding that was made before they came", () => {
    const text = kernel(`// raw\n ld.global.u32 %r6, [%rd3]; ${work} st.global.u32 [%rd3], %r5;`);
    expect(same(text).blocks).toBeGreaterThan(20);
  });

  it.each([100, 3000, 7777, 9000])("stop at the same of %i steps", (maxSteps) => {
    const { seen } = same(kernel(`${work} st.global.u32 [%rd3], %r5;`), { maxSteps });
    expect(seen.steps).toBe(maxSteps);
  });

  it("print in order", () => {
    const outside = `.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
      .global .align 1 .b8 text[4] = {104, 105, 10, 0};`;
    const text = kernel(
      `${work} setp.ne.u32 %p2, %r2, 0; @%p2 bra DONE;
       mov.u64 %rd5, text; cvta.global.u64 %rd5, %rd5; mov.u64 %rd6, 0;
       { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd5; st.param.b64 [a], %rd6; call (r), vprintf, (f, a); }
       DONE:`,
      outside,
    );
    expect(same(text).seen.printed).toHaveLength(40);
  });

  it("have shared memory and barriers of their own", () => {
    const text = kernel(
      `${work} mov.u32 %r8, tile; mad.lo.u32 %r9, %r2, 4, %r8; st.shared.u32 [%r9], %r3; bar.sync 0;
       xor.b32 %r10, %r2, 63; mad.lo.u32 %r9, %r10, 4, %r8; ld.shared.u32 %r6, [%r9]; atom.shared.add.u32 %r7, [%r8], 1;
       st.global.u32 [%rd3], %r6;`,
    );
    expect(same(text).alone).toBe("");
  });

  it.each([
    ["an atomic", "atom.global.add.u32 %r6, [%rd1], 1;", {}, "atom.global.add.u32 depends on the order of blocks"],
    ["time", "mov.u32 %r6, %clock;", {}, "mov.u32 reads the time"],
    ["a seed", "", { schedule: { seed: 1 } }, "its order is drawn by a seed"],
    ["time of the whole device", "mov.u64 %rd4, %globaltimer;", {}, "mov.u64 reads the time"],
    [
      "an exchange",
      "atom.global.exch.b32 %r6, [%rd1], %r3; st.global.u32 [%rd3], %r6;",
      {},
      "atom.global.exch.b32 depends on the order of blocks",
    ],
    [
      "a barrier object",
      "mbarrier.init.shared.b64 [tile], 1;",
      {},
      "mbarrier.init.shared.b64 reaches beyond its block",
    ],
    ["all blocks together", "", { cooperative: true }, "it is cooperative"],
    ["data that move at other times", "", { async: { when: "early" } }, "asynchronous data move at other times"],
    ["no check", "", { sanitize: { mem: false, init: true } }, "accesses are not checked"],
    ["a cluster", "", { cluster: 2 }, "its blocks form clusters"],
    ["one block", "", { grid: 1 }, "it has one block"],
    [
      "a search for races",
      "",
      { sanitize: { mem: true, init: true, race: true } },
      "something listens to its instructions",
    ],
  ] as const)("are one worker's for %s", (_, body, options, why) => {
    const { teamwork } = run(kernel(`${work} ${body}`).replace("sm_80", "sm_90"), options, 2);
    expect(teamwork).toMatchObject({ alone: why, workers: 1 });
  });

  it("leave nothing behind of what a worker has given up, when others do it again", () => {
    const text = kernel(
      `${work} ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, %r5; st.global.u32 [%rd3], %r6;
       setp.ge.u32 %p2, %r1, 33; @%p2 ld.global.u32 %r6, [%rd1+65536];`,
    );
    expect(same(text).seen.stop.reason).toBe("trap");
    // The first worker meets the fault, which later is in another one's piece.
    expect(run(text, {}, 3, 0).seen).toEqual(run(text, {}, 0).seen);
  });

  it("are those of a device whose supplier's memory none of them touches, and what it has stored before counts as nothing", () => {
    const text = kernel(`${work} add.u32 %r5, %r5, %r1; st.global.u32 [%rd3], %r5; ld.global.u32 %r6, [%rd1];`);
    const launched = (workerPool?: InProcessPool) => {
      const device = new Device({ maxMemory: 1 << 24, supplier: { read: () => 0, write: () => {} } });
      const data = device.buffer(new Uint32Array(WORDS));
      const loaded = must(must(device.module(text)).kernel("k"));
      must(loaded.launch({ grid: 40, block: 64, args: [data] }));
      const { teamwork } = must(
        loaded.launch({ grid: 40, block: 64, args: [data], ...(workerPool && { workerPool }) }),
      );
      return { teamwork, words: data.toBits("u32") };
    };
    const { teamwork, words } = launched(new InProcessPool(2));
    expect(teamwork).toMatchObject({ workers: 2, alone: "" });
    expect(teamwork?.blocks).toBeGreaterThan(20);
    expect(words).toEqual(launched().words);
  });

  it("are one worker's where they touch memory that is somebody else's", () => {
    const supplier = {
      read: (_: bigint, into: Uint8Array) => into.fill(1).length,
      write: () => {},
    };
    const device = new Device({ maxMemory: 1 << 24, supplier });
    const data = device.buffer(new Uint32Array(WORDS));
    const text = kernel(`${work} mov.u64 %rd4, 0x7e1234567000; ld.global.u32 %r6, [%rd4]; st.global.u32 [%rd3], %r6;`);
    const loaded = must(must(device.module(text)).kernel("k"));
    const { teamwork } = must(loaded.launch({ grid: 40, block: 64, args: [data], workerPool: new InProcessPool(2) }))!;
    expect(teamwork).toMatchObject({ workers: 1, alone: "it works on memory that is somebody else's" });
    expect(data.toBits("u32")[2559]).toBe(0x0101_0101n);
  });

  it("are done by the launch itself when the workerPool breaks down", () => {
    const text = kernel(`${work} st.global.u32 [%rd3], %r5;`);
    const device = new Device({ maxMemory: 1 << 24 });
    const data = device.buffer(new Uint32Array(WORDS));
    const workerPool = new InProcessPool(2);
    workerPool.broken = "a worker ended: out of memory";
    const options = { grid: 40, block: 64, args: [data], workerPool };
    const { stop, teamwork } = must(must(must(device.module(text)).kernel("k")).launch(options))!;
    expect(stop.reason).toBe("exit");
    expect(teamwork?.alone).toBe("a worker ended: out of memory");
    expect(data.toBits("u32").slice(0, 2560)).toEqual(Array.from({ length: 2560 }, () => 60n));
  });

  it("run long loops one block after the other, unless the loop may be waiting for another block", () => {
    const long = "LONG: add.u32 %r7, %r7, 1; setp.lt.u32 %p3, %r7, 2000; @%p3 bra LONG;";
    const counts = kernel(`mov.u32 %r7, 0; ${long} st.global.u32 [%rd3], %r7;`);
    expect(same(counts, { grid: 8 }).alone).toBe("");
    // Here the loop asks memory whether to go on.
    const asks = kernel(
      `mov.u32 %r7, 0; ${long.replace("setp", "ld.volatile.global.u32 %r8, [%rd1]; add.u32 %r9, %r7, %r8; setp").replace("%r7, 2000", "%r9, 2000")}`,
    );
    expect(same(asks, { grid: 8 }).alone).toMatch(/side by side|may wait for others/);
  });

  it("begin one more here where the first one waits for it, though the others were to begin elsewhere", () => {
    // Block 0 reads long enough to be worth a worker pool, and goes on when block 1 has stored.
    const text = kernel(
      `setp.ne.u32 %p2, %r1, 0; @%p2 bra STORE;
       WAIT: add.u32 %r6, %r6, 1; ld.global.u32 %r5, [%rd1+8]; setp.eq.u32 %p1, %r5, 6; @%p1 bra WAIT;
       st.global.u32 [%rd1], %r5; ret;
       STORE: st.global.u32 [%rd1+8], 77;`,
    );
    const { seen } = same(text, { block: 1, readableRegisters: false, maxSteps: 100_000 });
    expect(seen.stop.reason).toBe("exit");
    expect(seen.data.slice(0, 3)).toEqual([77n, 3n, 77n]);
  });

  it("serve launch after launch, of several kernels and devices", () => {
    const workerPool = new InProcessPool(2);
    for (const words of [3000, 4000]) {
      const device = new Device({ maxMemory: 1 << 24 });
      const data = device.buffer(new Uint32Array(words));
      for (const step of [1, 2, 3]) {
        const text = kernel(`${work} ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, ${step}; st.global.u32 [%rd3], %r6;`);
        const options = { grid: 40, block: 64, args: [data], workerPool };
        const { teamwork } = must(must(must(device.module(text)).kernel("k")).launch(options))!;
        expect(teamwork?.blocks).toBeGreaterThan(20);
        // The host writes in between.
        data.write(new Uint32Array([100 * step]), 4 * 2000);
      }
      expect(data.toBits("u32").slice(1998, 2002)).toEqual([6n, 6n, 300n, 6n]);
    }
  });
});

describe("a program that is launched again and again", () => {
  it("is told to workers once they would have gained what that costs", () => {
    const device = new Device();
    const text = kernel(`${work} st.global.u32 [%rd3], %r5;`);
    const launched = must(must(device.module(text)).kernel("k"));
    const workerPool = new ShortLaunches(2);
    const buffer = device.buffer(new Uint32Array(WORDS));
    const helped = Array.from({ length: 30 }, () => {
      const { teamwork } = must(
        launched.launch({ grid: 40, block: 32, args: [buffer], workerPool, executor: executors.get("js")! }),
      );
      return (teamwork?.rounds ?? 0) > 0;
    });
    expect(helped[0]).toBe(false);
    expect(helped.at(-1)).toBe(true);
    const first = helped.indexOf(true);
    expect(helped.slice(first).every((each) => each)).toBe(true);
  });
});
