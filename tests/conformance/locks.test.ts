import { expect, test } from "vitest";
import { left } from "./on-device.ts";

test("a lock that 256 threads take in turn costs few instructions", () => {
  // As nvcc compiles `while (atomicCAS(..)) ;`: whoever takes the lock falls through, behind all who spin.
  const body = `
  setp.ne.u32 %p1, %me, 0; @%p1 bra B;
  st.shared.v2.u32 [lock], {0, 0};
B:
  bar.sync 0;
L:
  atom.shared.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra L;
  ld.shared.u32 %r2, [lock+4]; add.u32 %r2, %r2, %me; st.shared.u32 [lock+4], %r2;
  membar.cta; atom.shared.exch.b32 %r3, [lock], 0;
  bar.sync 0;
  ld.shared.u32 %r4, [lock+4]; st.global.u32 [%at], %r4; ret;`;
  const module = ".shared .align 8 .b32 lock[2];";
  const sum = (255 * 256) / 2;
  expect(left(body, 256, { module, launch: { block: 256, maxSteps: 1_000_000 } })).toEqual(Array(256).fill(sum));
});
