import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { loadAnew } from "../../sources.ts";

// What other files have run with the same functions would count: the engine makes code for the kinds of objects that it has seen.
const JAVASCRIPT = "src/interp/javascript/executor.ts";
const load = await loadAnew(["src/index.ts", JAVASCRIPT]);
const { Device, must } = load<typeof import("../../../src/index.ts")>("src/index.ts");
const { javascript } = load<typeof import("../../../src/interp/javascript/executor.ts")>(JAVASCRIPT);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** A loop that never ends: its body, with registers that the loop keeps. */
const looping = (body: string): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b64 %rd<8>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .pred %p<4>;
  .shared .align 8 .b32 s[256];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 8;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u64 [%rd1], %rd2;
  mov.u32 %r9, s;
  mad.lo.u32 %r9, %r1, 4, %r9;
  st.shared.u32 [%r9], %r1;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p2, %r2, 0;
  mov.u32 %r3, 0;
  mov.f32 %f1, 0f3F800000;
LOOP:
  ${body}
  add.u32 %r3, %r3, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra LOOP;
  ret;
}
`;

const computing = [
  "mad.lo.u32 %r4, %r3, %r1, %r4; shl.b32 %r5, %r4, 3; min.u32 %r6, %r5, %r1; selp.u32 %r4, %r5, %r6, %p2;",
  "add.u64 %rd4, %rd4, %rd2; mul.wide.u32 %rd5, %r3, %r1; mov.b64 {%r4, %r5}, %rd5;",
  "add.cc.u32 %r4, %r4, %r1; addc.cc.u32 %r5, %r5, %r3; addc.u32 %r6, %r6, 0;",
  "fma.rn.f32 %f2, %f1, %f2, %f1; mul.f32 %f3, %f2, %f1; add.f32 %f4, %f3, %f2; setp.lt.f32 %p3, %f4, %f1;",
  "ld.global.u64 %rd3, [%rd1]; st.global.u32 [%rd1], %r3; ld.shared.u32 %r4, [%r9]; @%p2 st.shared.u32 [%r9], %r3;",
  "atom.shared.add.u32 %r4, [%r9], 1; red.shared.max.u32 [%r9], %r3;",
].join(" ");
const meeting = "bar.sync 0; shfl.sync.bfly.b32 %r4, %r4, 1, 31, -1; vote.sync.any.pred %p3, %p2, -1;";
const parting = "@%p2 bra A; add.u32 %r4, %r4, 1; bra B; A: add.u32 %r4, %r4, 2; B: add.u32 %r4, %r4, 3;";

/** Warp instructions of a stretch that is measured: few enough that no collection falls into it. */
const STRETCH = 20_000;

/** Bytes a step: a closure or a group would be some 100, and numbers beyond 31 bits that an object keeps take 16. */
const MOST = 24;

it.each([
  ["that computes", computing],
  ["where warps and lanes meet", meeting],
  ["where lanes part", parting],
])("makes nothing in a loop %s", (_, body) => {
  const device = new Device();
  const kernel = must(must(device.module(looping(body))).kernel("k"));
  const session = must(kernel.session({ block: 64, args: [device.buffer(1024)], executor: javascript }));
  session.run({ budget: 6 * STRETCH });
  let least = Number.POSITIVE_INFINITY;
  // The engine's own compiler works beside it: where others take the processor, many stretches come before it is done.
  for (let stretch = 0; stretch < 60 && least >= MOST; stretch++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    session.run({ budget: STRETCH });
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / STRETCH);
  }
  expect(least).toBeLessThan(MOST);
  session.close();
});
