import { describe, expect, it } from "vitest";
import { changesOf } from "../diff/origin/repair/changes.ts";
import { Literals, literalsIn } from "../diff/origin/repair/literals.ts";

const none = new Literals([], []);
const texts = (text: string, literals = none): readonly string[] =>
  changesOf(text, literals).map((change) => change.text);

describe("what may stand in place of an instruction", () => {
  it.each([
    ["add.s32 %r1, %r2, %r3;", ["sub.s32 %r1, %r2, %r3;", "mul.lo.s32 %r1, %r2, %r3;"]],
    ["mul.lo.s32 %r1, %r2, %r3;", ["add.s32 %r1, %r2, %r3;", "mul.lo.u32 %r1, %r2, %r3;"]],
    ["sub.f32 %f1, %f2, %f3;", ["add.f32 %f1, %f2, %f3;", "mul.f32 %f1, %f2, %f3;", "sub.f32 %f1, %f3, %f2;"]],
    ["and.b32 %r1, %r2, %r3;", ["or.b32 %r1, %r2, %r3;", "xor.b32 %r1, %r2, %r3;"]],
    ["shl.b64 %rd1, %rd2, %r3;", ["shr.u64 %rd1, %rd2, %r3;", "shr.s64 %rd1, %rd2, %r3;"]],
    ["fma.rz.ftz.f32 %f1, %f2, %f3, %f4;", ["fma.rn.ftz.f32 %f1, %f2, %f3, %f4;", "fma.rz.f32 %f1, %f2, %f3, %f4;"]],
    ["setp.le.u32 %p1, %r1, %r2;", ["setp.gt.u32 %p1, %r1, %r2;", "setp.lt.u32 %p1, %r1, %r2;", "setp.le.s32 %p1, %r1, %r2;"]],
    ["@%p1 bra $L__BB0_2;", ["@!%p1 bra $L__BB0_2;"]],
    ["@!%p1\tbra \t$L__BB0_2;", ["@%p1\tbra \t$L__BB0_2;"]],
    ["redux.sync.or.b32 %r1, %r3, %r2;", ["redux.sync.xor.b32 %r1, %r3, %r2;"]],
    ["atom.global.min.s32 %r2, [%rd1], %r1;", ["atom.global.max.s32 %r2, [%rd1], %r1;"]],
    ["selp.b32 %r1, %r2, %r3, %p1;", ["selp.b32 %r1, %r3, %r2, %p1;"]],
  ])("%s", (text, expected) => {
    expect(texts(text)).toEqual(expect.arrayContaining(expected));
    expect(texts(text)).not.toContain(text);
  }); // biome-ignore format: a table

  it("has the constants of the other program, above all for one that it has not", () => {
    const literals = new Literals(["mov.u32 %r1, 114;"], ["and.b32 %r1, %r2, 14;", "add.f32 %f1, %f2, 0f3F800000;"]);
    const [first] = changesOf("xor.b32 %r1, %r1, 114;", literals).filter(({ what }) => what === "constant");
    expect(first).toMatchObject({ text: "xor.b32 %r1, %r1, 14;", tier: 0, constant: { from: "114", to: "14" } });
    expect(texts("mul.f32 %f1, %f1, 0f3F800001;", literals)).toContain("mul.f32 %f1, %f1, 0f3F800000;");
    expect([literals.strangeness("114"), literals.strangeness("15"), literals.strangeness("14")]).toEqual([1, 0.5, 0]);
  });

  it("takes no names for numbers", () => {
    const numbers = (text: string) => literalsIn(text).map((each) => each.text);
    expect(numbers("\t%r1, [param1+8], -1, 0x1F, $L__BB0_2, 0f3F800000, %rd2;")).toEqual([
      "8",
      "-1",
      "0x1F",
      "0f3F800000",
    ]);
  });

  it("is nothing that cannot be read, for texts of any kind", () => {
    for (const text of ["", ";", "@", "@%p1", "ret;", "bar.sync 0;", "call (r), f, (a, b);", "mov.b64 {%r1, %r2}, %rd1;", "add.f32 %f1, 1.5e3, 1e5;"])
      expect(texts(text)).not.toContain(text); // biome-ignore format: one row
  });
});
