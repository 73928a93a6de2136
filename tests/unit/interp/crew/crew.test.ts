import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import { InProcessCrew } from "./in-process-crew.ts";

const WORDS = 4096;

/** `%rd1`: the buffer's address; `%r1`: the block; `%r2`: the thread; `%r3`: the thread of the grid; `%rd3`: its word's address. */
const kernel = (body: string, outside = ""): string => `.version 8.0
.target sm_80
.address_size 64
${outside}
.visible .entry k(.param .u64 buffer)
{
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .shared .align 4 .b32 tile[64];
  ld.param.u64 %rd1, [buffer];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r3, %r1, %r4, %r2;
  mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 0;
  ${body}
  ret;
}
`;

/** Some hundred instructions that touch nothing: a block that takes a while. */
const work = "WORK: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 60; @%p1 bra WORK;";

function run(text: string, options: LaunchOptions, workers: number) {
  const device = new Device({ maxMemory: 1 << 24 });
  const data = device.buffer(Uint32Array.from({ length: WORDS }, (_, at) => at * 3));
  // A second one, of which nothing is initialised.
  const raw = device.buffer(4 * WORDS);
  const printed: string[] = [];
  const crew = workers === 0 ? undefined : new InProcessCrew(workers);
  const launched = must(
    must(must(device.module(text)).kernel("k")).launch({
      grid: 40,
      block: 64,
      args: [text.includes("// raw") ? raw : data],
      readableRegisters: true,
      print: (line) => printed.push(line),
      ...options,
      ...(crew && { crew }),
    }),
  )!;
  const { stop, findings, session, teamwork } = launched;
  const registers = [0, 1, 7, 20, 39].map((block) => [0, 1].map((warp) => session.registers({ block, warp, lane: 5 })));
  const seen = {
    stop: stop.reason === "trap" ? { ...stop, diagnostic: stop.diagnostic.message } : stop,
    findings: findings.map(({ code, message }) => `${code} ${message}`),
    steps: session.steps,
    data: data.toBits("u32"),
    raw: raw.toBits("u32"),
    printed,
    registers,
  };
  return { seen, teamwork };
}

/** The same with no, one, two and three workers; gives what two workers did. */
function same(text: string, options: LaunchOptions = {}) {
  const { seen: wanted } = run(text, options, 0);
  const [, two] = [1, 2, 3].map((workers) => {
    const { seen, teamwork } = run(text, options, workers);
    expect(seen).toEqual(wanted);
    return teamwork!;
  });
  return { ...two!, seen: wanted };
}

describe("blocks on several workers", () => {
  it.each([...executors])("give what one gives: registers, memory, steps (executor %s)", (_, executor) => {
    const text = kernel(`${work} ld.global.u32 %r6, [%rd3]; mad.lo.u32 %r6, %r6, %r5, %r3; st.global.u32 [%rd3], %r6;`);
    const { blocks, workers, alone } = same(text, { executor });
    expect(workers).toBe(2);
    expect(blocks).toBeGreaterThan(20);
    expect(alone).toBe("");
  });

  it("initialise what they store to, byte by byte, also where two of them share a word", () => {
    const text = kernel(`// raw
      ${work} mul.lo.u32 %r7, %r3, 1; cvt.u64.u32 %rd4, %r7; add.u64 %rd4, %rd1, %rd4; st.global.u8 [%rd4+1], %r3;`);
    expect(same(text, { block: 33 }).blocks).toBeGreaterThan(20);
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
    const { alone, workers } = same(kernel(`${work} ${body}`).replace("sm_80", "sm_90"), options);
    expect([alone, workers]).toEqual([why, 1]);
  });

  it("see no update of others that has no result: then they run one after the other", () => {
    const { seen } = same(kernel(`${work} red.global.add.u32 [%rd1], 1;`));
    expect(seen.data[0]).toBe(2560n);
  });

  it("are done by the launch itself when the crew breaks down", () => {
    const text = kernel(`${work} st.global.u32 [%rd3], %r5;`);
    const device = new Device({ maxMemory: 1 << 24 });
    const data = device.buffer(new Uint32Array(WORDS));
    const crew = new InProcessCrew(2);
    crew.broken = "a worker ended: out of memory";
    const options = { grid: 40, block: 64, args: [data], crew };
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

  it("serve launch after launch, of several kernels and devices", () => {
    const crew = new InProcessCrew(2);
    for (const words of [3000, 4000]) {
      const device = new Device({ maxMemory: 1 << 24 });
      const data = device.buffer(new Uint32Array(words));
      for (const step of [1, 2, 3]) {
        const text = kernel(`${work} ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, ${step}; st.global.u32 [%rd3], %r6;`);
        const options = { grid: 40, block: 64, args: [data], crew };
        const { teamwork } = must(must(must(device.module(text)).kernel("k")).launch(options))!;
        expect(teamwork?.blocks).toBeGreaterThan(20);
        // The host writes in between.
        data.write(new Uint32Array([100 * step]), 4 * 2000);
      }
      expect(data.toBits("u32").slice(1998, 2002)).toEqual([6n, 6n, 300n, 6n]);
    }
  });
});
