import { expect, test } from "vitest";
import { Device, must } from "../../../src/index.ts";

const source = `
.version 8.0
.target sm_80
.address_size 64
.visible .entry sums(.param .u64 out) {
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 cell[4];
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, cell;
  cvta.shared.u64 %rd3, %rd2;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p, %r2, 0;
  mov.u32 %r3, 0;
  st.shared.u32 [cell], %r3;
  bar.warp.sync -1;
  selp.b64 %rd4, %rd1, %rd3, %p;
  mov.u32 %r4, 1;
  @!%p mov.u32 %r4, 3;
  atom.add.f32 %r5, [%rd4], %r4;
  bar.warp.sync -1;
  ld.shared.u32 %r3, [cell];
  st.global.u32 [%rd1+4], %r3;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd6, %rd1, %rd5;
  st.global.u32 [%rd6+8], %r5;
  ret;
}`;

test("a generic atom.add.f32 of lanes that lead to shared and to global memory does in each what that memory does", () => {
  const device = new Device();
  const kernel = must(must(device.module(source)).kernel("sums"));
  const out = device.buffer(new Uint8Array(8 + 4 * 8));
  const { stop } = must(kernel.launch({ grid: 1, block: 8, args: [out] }))!;
  expect(stop).toEqual({ reason: "exit" });
  const words = new Uint32Array(out.read().slice().buffer);
  // Subnormals: global memory flushes them, shared memory adds four times 3 units of the last place.
  expect([...words]).toEqual([0, 12, 0, 0, 0, 3, 0, 6, 0, 9]);
});
