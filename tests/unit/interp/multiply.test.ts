import { describe, expect, it } from "vitest";
import { left, runKernel } from "../../conformance/on-device.ts";

const fill = `
  .reg .b32 %a<8>, %b<4>, %e; .reg .f32 %f<8>; .reg .u16 %s<4>;
  mov.b32 %a0, 0x3c003c00; mov.b32 %a1, %a0; mov.b32 %a2, %a0; mov.b32 %a3, %a0;
  mov.b32 %b0, 0x40004000; mov.b32 %b1, %b0; mov.b32 %b2, %b0; mov.b32 %b3, %b0;`;
const around = { target: "sm_120a", launch: { block: [32, 1, 1] as const } };
const store = (register: string): string => `st.global.b32 [%at], ${register};`;

describe("mma", () => {
  it("reads all of its operands before it writes D, which may be the same registers", () => {
    // 16 products of 1 and 2, and C of 1: then D is where A, B and C were.
    const same = `${fill} mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%a0, %b0}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%a0, %a3};`;
    expect(new Set(left(`${same}${store("%a0")}`, 32, around))).toEqual(new Set([0x5020_5020]));
    expect(new Set(left(`${same}${store("%b0")}`, 32, around))).toEqual(new Set([0x5020_5020]));
  });

  it("leaves out what goes to _, and takes constants beside registers", () => {
    const some = `${fill} mov.f32 %f7, 4.0;
      mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, _, %f2, %f3}, {%a0, %a1, %a2, %a3}, {%b0, 0}, {1.0, 2.0, 3.0, %f7};`;
    // Eight products, because the other rows of B are 0, and 3.
    expect(new Set(left(`${some}${store("%f2")}`, 32, around))).toEqual(new Set([0x4198_0000]));
  });

  const scaled = (ids: string): string =>
    `${fill} mov.b32 %e, 0x7f7f7f7f; ${ids}
     mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%f0, %f1, %f2, %f3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {0.0, 0.0, 0.0, 0.0}, %e, {%s0, %s1}, %e, {0, 0};`;

  it.each([
    ["mov.u16 %s0, 1; mov.u16 %s1, 0;", "has byte-id-a 1, where 0 or 2 is defined"],
    ["mov.u16 %s0, 0; mov.u16 %s1, 2;", "has thread-id-a 2, where 0 to 1 is defined"],
    ["mov.u16 %s0, 0; cvt.u16.u32 %s1, %lane; and.b16 %s1, %s1, 1;", "has thread-id-a 1, and lane 0 has 0"],
  ])("ends the run at selectors of scales that name none: %s", (ids, message) => {
    const { stop, diagnostic } = runKernel(scaled(ids), 32, around);
    expect(stop.reason).toBe("trap");
    expect(diagnostic).toMatchObject({ code: "PTX3016", message: expect.stringContaining(message) });
  });

  const sparse = (variant: string, metadata: string): string =>
    `${fill} mov.b32 %e, ${metadata};
     mma.${variant}.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%a0, %a1}, {%b0, %b1}, {0.0, 0.0, 0.0, 0.0}, %e, 0;
     ${store("%f0")}`;

  it("finds metadata of a sparse A that the manual leaves undefined, and goes on", () => {
    for (const [variant, metadata, found] of [
      ["sp", "0x44444444", []],
      ["sp", "0x11111111", []],
      ["sp", "0x44444445", ["PTX4050"]],
      ["sp::ordered_metadata", "0x11111111", ["PTX4050"]],
    ] as const) {
      const ran = runKernel(sparse(variant, metadata), 32, around);
      expect(ran.findings, `${variant} ${metadata}`).toEqual(found);
      expect(ran.words[31]).toBe(0x4180_0000);
    }
  });
});
