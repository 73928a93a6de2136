import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/index.ts";
import { Asynchrony } from "../../../../src/interp/async/asynchrony.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";
import { InProcessPool } from "../worker-pool/in-process-pool.ts";

const issued = vi.spyOn(Asynchrony.prototype, "issueTogether");
const alone = vi.spyOn(Asynchrony.prototype, "issue");
const taken = vi.spyOn(Asynchrony.prototype, "take");
beforeEach(() => {
  for (const spy of [issued, alone, taken]) spy.mockClear();
});
afterEach(() => vi.clearAllMocks());

const [BLOCKS, THREADS] = [3, 64];
/** Bytes of the source, of which each block has a third. */
const SOURCE = 3 * 4096;

/** `body`: `w` is where the thread's 16 bytes of the source are, `s` those of shared memory; what it leaves in `d` is stored. */
const program = (body: string): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 in, .param .b64 out)
{
  .reg .b32 t, x, y, d, b, s, n; .reg .b64 o, w, in0; .reg .pred p;
  .shared .align 16 .b8 ring[4096];
  ld.param.b64 in0, [in]; cvta.to.global.u64 in0, in0; mov.u32 t, %tid.x; mov.u32 b, %ctaid.x;
  mad.lo.u32 n, b, 256, t; mul.wide.u32 o, n, 16; add.s64 w, in0, o; ld.param.b64 o, [out];
  mov.u32 s, ring; mad.lo.u32 s, t, 16, s; mov.u32 d, 0;
  ${body}
  mad.lo.u32 n, b, ${THREADS}, t; mul.wide.u32 w, n, 4; add.s64 o, o, w; st.u32 [o], d;
  ret;
}`;

function results(text: string, options: LaunchOptions, executor: Executor) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const source = device.buffer(Uint32Array.from({ length: SOURCE / 4 }, (_, at) => Math.imul(at + 1, 0x9e3779b1)));
  const out = device.buffer(new Uint8Array(4 * BLOCKS * THREADS));
  const launch = { grid: BLOCKS, block: THREADS, args: [source, out], executor, readableRegisters: false, ...options };
  const session = must(kernel.session(launch))!;
  const { reason } = session.run();
  session.close();
  return {
    reason,
    steps: session.steps,
    findings: session.findings,
    out: [...new Uint32Array(out.read().buffer)],
    source: [...new Uint32Array(source.read().buffer)],
  };
}

/** Both executors give the same; returns the findings' codes. */
function compare(text: string, options: LaunchOptions = {}): readonly string[] {
  const expected = results(text, options, javascript);
  for (const spy of [issued, alone, taken]) spy.mockClear();
  expect(results(text, options, compiled)).toEqual(expected);
  return [...new Set(expected.findings.map(({ code }) => code))];
}

const copy = (to: string, from: string, rest = "16"): string =>
  `cp.async.cg.shared.global [${to}], [${from}], ${rest};`;
const [commit, all] = ["cp.async.commit_group;", "cp.async.wait_all;"];
const sum =
  "bar.sync 0; xor.b32 x, t, 1; mov.u32 y, ring; mad.lo.u32 y, x, 16, y; ld.shared.u32 x, [y+8]; add.u32 d, d, x;";

/** The operations that the module has handed over. */
const handed = (): readonly unknown[] =>
  taken.mock.calls.flatMap(([queues]) => queues.flatMap(({ groups }) => groups.flat()));

describe("copies of full warps that the module holds", () => {
  const held = (): void => {
    expect(issued).not.toHaveBeenCalled();
    expect(alone).not.toHaveBeenCalled();
  };

  it("begin, become groups and happen there", () => {
    const body = `${copy("s", "w")} ${commit} ${copy("s+2048", "w+2048")} ${commit} cp.async.wait_group 1; ${sum} ${all}`;
    expect(compare(program(body))).toEqual([]);
    held();
    expect(handed()).toEqual([]);
  });

  it.each([4, 8])("of %i bytes are left to JavaScript", (bytes) => {
    const one = (at: number): string => `cp.async.ca.shared.global [s+${at}], [w+${at}], ${bytes};`;
    expect(compare(program(`${one(0)} ${copy("s+2048", "w+2048")} ${one(8)} ${all} ${sum}`))).toEqual([]);
    expect(issued).toHaveBeenCalled();
  });

  it("stay there where a worker of a pool has no page of the source yet", () => {
    const grid = 40;
    const body = `${copy("s", "w")} ${commit} ${copy("s+2048", "w+2048")} ${commit} cp.async.wait_group 1; ${sum} ${all} ${"add.u32 d, d, 3;".repeat(40)}`;
    const run = (workerPool?: InProcessPool) => {
      const device = new Device();
      const source = device.buffer(Uint32Array.from({ length: 1024 * grid }, (_, at) => Math.imul(at + 1, 0x9e3779b1)));
      const out = device.buffer(new Uint8Array(4 * grid * THREADS));
      const kernel = must(must(device.module(program(body))).kernel("k"));
      const launch = { grid, block: THREADS, args: [source, out], executor: compiled, readableRegisters: false };
      const { teamwork } = must(kernel.launch({ ...launch, ...(workerPool && { workerPool }) }))!;
      return { teamwork, out: out.toBits("u32").join() };
    };
    const { teamwork, out } = run(new InProcessPool(2));
    expect(teamwork?.blocks).toBeGreaterThan(20);
    held();
    expect(out).toBe(run().out);
  });

  it("read as much as a register says, and none where it says so: the source may then be anywhere", () => {
    const body = `and.b32 x, t, 1; mul.lo.u32 y, x, 16; setp.eq.u32 p, x, 0; @p mov.b64 w, 0; ${copy("s", "w", "16, y")} ${all} ${sum}`;
    expect(compare(program(body))).toEqual([]);
    held();
    // Some of the bytes: JavaScript begins those.
    expect(compare(program(`and.b32 x, t, 1; mul.lo.u32 y, x, 8; ${copy("s", "w", "16, y")} ${all} ${sum}`))).toEqual(
      [],
    );
    expect(issued).toHaveBeenCalled();
  });

  it("pass a guard together, or not at all", () => {
    const body = `setp.eq.u32 p, b, 1; @p ${copy("s", "w")} @!p ${copy("s", "w+2048")} ${commit} ${all} ${sum}`;
    expect(compare(program(body))).toEqual([]);
    held();
    expect(
      compare(program(`setp.lt.u32 p, t, 40; @p ${copy("s", "w")} @!p ${copy("s", "w+2048")} ${all} ${sum}`)),
    ).toEqual([]);
    expect(issued).toHaveBeenCalled();
  });

  it("come from memory that stores have found clean before, and store to again", () => {
    const body = `st.global.u32 [w+4], t; st.global.u32 [w+8], t; ${copy("s", "w")} ${commit} st.global.u32 [w+4], n; ${all} ${sum}`;
    expect(compare(program(body))).toEqual(["PTX4021"]);
    expect(handed()).not.toEqual([]);
  });

  it.each([
    ["nobody waits for", "", ["PTX4023"]],
    [
      "are read too early",
      `${commit} ${copy("s+2048", "w+2048")} ${commit} cp.async.wait_group 2; ${sum}`,
      ["PTX4020", "PTX4023"],
    ],
    [
      "wait for another group",
      `${commit} ${copy("s+2048", "w+2048")} ${commit} cp.async.wait_group 1; ld.shared.u32 d, [s+2048]; ${all}`,
      ["PTX4020"],
    ],
    ["go where one is in flight", `${copy("s", "w+2048")} ${all} ${sum}`, ["PTX4022"]],
    ["come from where a store writes", `st.global.u32 [w+4], t; ${all} ${sum}`, ["PTX4021"]],
    [
      "belong to an arrival at an mbarrier object",
      `mov.u32 x, ring; add.u32 x, x, 4088; setp.eq.u32 p, t, 0; @p mbarrier.init.shared.b64 [x], 64; bar.sync 0; cp.async.mbarrier.arrive.noinc.shared.b64 [x]; ${all}`,
      ["PTX4023"],
    ],
  ] as const)("are handed over where they %s", (_, body, codes) => {
    expect(compare(program(`${copy("s", "w")} ${body}`))).toEqual(codes);
    expect(handed()).not.toEqual([]);
  });
});
