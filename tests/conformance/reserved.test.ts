import { expect, test } from "vitest";
import { left } from "./on-device.ts";

// Cooperative groups of more than a warp keep their barriers and what warps exchange in shared memory that nobody declares.
test.each([0, 40])("reserved shared memory lies outside the program's own, with %i dynamic bytes", (dynamicShared) => {
  const module = ".shared .align 4 .b8 own[12]; .extern .shared .align 16 .b8 more[];";
  const body = `
  mov.u32 %r1, %reserved_smem_offset_begin; mov.u32 %r2, %reserved_smem_offset_1;
  mov.u32 %r3, %reserved_smem_offset_end; mov.u32 %r4, %reserved_smem_offset_cap; mov.u32 %r5, %total_smem_size;
  mov.u32 %r10, more; st.shared.u32 [own+8], 7; st.shared.u32 [%r1], 1; red.shared.and.b32 [%r2], 6; st.shared.u32 [%r2+284], 2; st.shared.u32 [%r3+-4], 3;
  cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd2, %rd1; ld.u32 %r6, [%rd2+284]; ld.shared.u32 %r7, [own+8];
  sub.u32 %r8, %r3, %r1; setp.ge.u32 %p1, %r1, %r5; selp.u32 %r9, 1, 0, %p1;
  st.global.v4.u32 [%at], {%r4, %r6, %r7, %r8}; st.global.v2.u32 [%at+16], {%r9, %r5}; ret;`;
  const own = dynamicShared === 0 ? 12 : 16 + dynamicShared;
  expect(left(body, 6, { module, launch: { block: 1, dynamicShared } })).toEqual([1024, 2, 7, 1024, 1, own]);
});
