import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";

/** Transposes the 8x8 matrix of 0 to 63; `before` runs first, in threads whose number is %r1. */
const kernel = (before: string): string => `
.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 out) {
  .reg .b32 %r<5>; .reg .b64 %d<2>; .reg .pred %p, %q;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r2, %r1, 0x20002, 0x10000;
  setp.lt.u32 %p, %r1, 16;
  ${before}
L: movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;
  ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; st.global.u32 [%d1], %r3;
  ret;
M: bra L;
N: @%q exit; bra L;
}`;

function run(before: string, block = 32): { readonly out: number[]; readonly fault: Diagnostic | undefined } {
  const device = new Device();
  const out = device.buffer(new Uint32Array(block));
  const found = device.module(kernel(before)).value?.kernel("k").value;
  const launched = found?.launch({ grid: 1, block, args: [out] }).value;
  const stop = launched?.stop;
  if (stop === undefined) throw new Error("it did not run");
  return { out: out.toArray("u32").map(Number), fault: stop.reason === "trap" ? stop.diagnostic : undefined };
}

/** Row i of the result is column i: lane 4i + j has elements 8(2j) + i and 8(2j + 1) + i. */
const transposed = Array.from({ length: 32 }, (_, lane) => {
  const [row, pair] = [lane >> 2, lane & 3];
  return 16 * pair + row + ((16 * pair + 8 + row) << 16);
});

describe("what all of a warp executes together", () => {
  it("reads all lanes before it writes any", () => {
    expect(run("")).toEqual({ out: transposed, fault: undefined });
  });

  it("waits for lanes that come later, and is skipped where the guard holds for none", () => {
    expect(run("@!%p bra M;").out).toEqual(transposed);
    expect(run("@%p bra M;").out).toEqual(transposed);
    expect(run("@!%p bra M; bra L;").out).toEqual(transposed);
    expect(run("setp.lt.u32 %p, %r1, 99; @!%p movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r2;").out).toEqual(
      transposed,
    );
  });

  it("goes on waiting where others pass an exit that none of them takes", () => {
    expect(run("setp.eq.u32 %q, %r1, 99; @%p bra N;")).toEqual({ out: transposed, fault: undefined });
  });

  it.each([
    ["some have exited", "@%p ret;", 32, "executed by lanes 16 to 31, and lanes 0 to 15 have exited"],
    ["some exit later", "@!%p bra L; mov.u32 %r4, 1; bra O; O: ret;", 32, "and lanes 0 to 15 have exited"],
    [
      "the guard keeps some off",
      "@%p movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r2;",
      32,
      "whose guard does not hold",
    ],
    ["the others wait elsewhere", "@!%p bra L; barrier.sync 0;", 32, "the others wait elsewhere"],
    ["the warp is not whole", "", 48, "this one has 16"],
  ])("is a fault where %s", (_, before, block, message) => {
    const { fault } = run(before, block);
    expect(fault?.code).toBe("PTX3014");
    expect(fault?.message).toContain(message);
    expect(fault?.message).toContain("movmatrix");
  });
});
