import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/index.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside");
});

const [BLOCKS, THREADS, ROUNDS] = [3, 96, 5];
const ROW = 16 * THREADS;

/** Threads copy rows two rounds ahead into a ring of three, and each adds up what its neighbour has copied. */
const program = (wait: string, end = ""): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 in, .param .b64 out)
{
  .reg .b32 t, i, x, d, a, b, s; .reg .b64 o, w; .reg .pred p;
  .shared .align 16 .b8 ring[${3 * ROW}];
  ld.param.b64 w, [in]; mov.u32 t, %tid.x; mov.u32 b, %ctaid.x;
  mul.wide.u32 o, t, 16; add.s64 w, w, o; ld.param.b64 o, [out];
  mov.u32 s, ring; mad.lo.u32 s, t, 16, s; add.u32 a, s, 0; mov.u32 d, b; mov.u32 i, 0;
  cp.async.cg.shared.global [s], [w], 16; cp.async.commit_group;
  cp.async.cg.shared.global [s+${ROW}], [w+${ROW}], 16; cp.async.commit_group;
again:
  ${wait}
  bar.sync 0;
  rem.u32 a, i, 3; mul.lo.u32 a, a, ${ROW}; add.u32 x, t, 33; rem.u32 x, x, ${THREADS}; mad.lo.u32 a, x, 16, a;
  mov.u32 x, ring; add.u32 a, a, x; ld.shared.u32 x, [a+4]; mad.lo.u32 d, d, 31, x;
  add.u32 x, i, 2; setp.lt.u32 p, x, ${ROUNDS}; rem.u32 x, x, 3; mad.lo.u32 x, x, ${ROW}, s;
  @p cp.async.cg.shared.global [x], [w+${2 * ROW}], 16;
  cp.async.commit_group;
  add.s64 w, w, ${ROW}; add.u32 i, i, 1; setp.lt.u32 p, i, ${ROUNDS}; @p bra again;
  ${end}
  mad.lo.u32 b, b, ${THREADS}, t; mul.wide.u32 w, b, 4; add.s64 o, o, w; st.u32 [o], d;
  ret;
}`;

function results(text: string, options: LaunchOptions, executor: Executor) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const numbers = Uint32Array.from({ length: (ROW * ROUNDS) / 4 }, (_, at) => Math.imul(at + 1, 0x9e3779b1));
  const out = device.buffer(new Uint8Array(4 * BLOCKS * THREADS));
  const args = [device.buffer(numbers), out];
  const launch = { grid: BLOCKS, block: THREADS, args, executor, readableRegisters: false, ...options };
  const session = must(kernel.session(launch))!;
  const { reason } = session.run();
  session.close();
  return {
    reason,
    steps: session.steps,
    findings: session.findings,
    out: [...new Uint32Array(out.read().buffer)],
  };
}

/** Both executors give the same. */
function compare(text: string, options: LaunchOptions = {}) {
  const expected = results(text, options, javascript);
  outside.mockClear();
  expect(results(text, options, compiled)).toEqual(expected);
  return expected;
}

describe("warps with copies in flight", () => {
  it.each(["late", "early"] as const)("take turns at barriers in the module while data move %s", (when) => {
    const { findings } = compare(program("cp.async.wait_group 1;"), { async: { when } });
    expect(findings).toEqual([]);
    expect(outside).not.toHaveBeenCalled();
  });

  it("take turns by the scheduler where a seed draws when data move", () => {
    for (let seed = 1; seed < 4; seed++)
      compare(program("cp.async.wait_group 1;"), { async: { when: "random", seed } });
    expect(outside).toHaveBeenCalled();
  });

  it("read too early alike", () => {
    const { findings } = compare(program("cp.async.wait_group 2;"));
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["PTX4020", "PTX4023"]));
  });

  it("leave copies behind, of which a block is told when it ends, before the next one begins", () => {
    const copy = "ld.param.b64 w, [in]; cp.async.ca.shared.global [s], [w], 4;";
    const read = "setp.eq.u32 p, b, 1; @p ld.shared.u32 x, [s];";
    const { findings } = compare(program("cp.async.wait_group 1;", `${copy} ${read}`));
    expect(findings.map(({ code }) => code)).toEqual(["PTX4023", "PTX4020"]);
  });
});
