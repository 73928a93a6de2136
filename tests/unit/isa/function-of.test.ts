import { describe, expect, expectTypeOf, it } from "vitest";
import { functionOf, type InstructionFunction } from "../../../src/isa/index.ts";
import type { Operation } from "../../../src/numeric/index.ts";
import { float } from "../../conformance/float-oracle.ts";
import { integer } from "../../conformance/integer-oracle.ts";

const corners = [0n, 1n, 0x3c00n, 0x7c01n, 0x8000n, 0x3f80_0000n, 0x7f80_0000n, 0x8000_0001n, 0xffff_ffff_ffff_ffffn];

describe("functionOf", () => {
  it.each(["fma.rn.f32", "fma.rz.f64", "add.rm.f32", "mul.rn.ftz.f32", "min.f32", "sqrt.rp.f64"])(
    "computes %s as rationals do",
    (spelling) => {
      const run = functionOf(spelling);
      const width = spelling.endsWith("64") ? 64 : 32;
      for (const a of corners)
        for (const b of corners)
          for (const c of corners) {
            const given = [a, b, c].slice(0, run.operation.takes.length).map((x) => BigInt.asUintN(width, x));
            const wanted = float(spelling.split("."), given);
            const isNan = width === 64 && ((wanted ?? 0n) & 0x7fff_ffff_ffff_ffffn) > 0x7ff0_0000_0000_0000n;
            if (wanted !== undefined && !isNan)
              expect([spelling, given, run(...given)]).toEqual([spelling, given, wanted]);
          }
    },
  );

  it.each(["add.u64", "mul.hi.s32", "mad.lo.s64", "sad.u16", "abs.s32"])("computes %s as integers do", (spelling) => {
    const run = functionOf(spelling);
    for (const a of corners)
      for (const b of corners) {
        const width = BigInt(/\d+$/.exec(spelling)?.[0] ?? 32);
        const given = [a, b, a ^ b].slice(0, run.operation.takes.length).map((x) => BigInt.asUintN(Number(width), x));
        expect(run(...given)).toBe(integer(spelling.split("."), given));
      }
  });

  it("does not look above an operand's width, and takes numbers as well as bigints", () => {
    expect(functionOf("add.f16")(0x1_3c00, 0x3c00n)).toBe(0x4000n);
    expect(functionOf("add.u64")(1, -1)).toBe(0n);
    expect(functionOf("add.rn.f16x2")(0x4000_3c00, 0x4000_3c00)).toBe(0x4400_4000n);
    expect(functionOf("setp.lt.f32")(0, 1)).toBe(1n);
  });

  it.each(["ld.global.u32", "bra", "bar.sync", "no.such", "", "add.rz.f16", "mma.sync"])("refuses %j", (spelling) => {
    expect(() => functionOf(spelling)).toThrow(RangeError);
  });

  it("refuses another number of operands", () => {
    expect(() => functionOf("add.f16")(1)).toThrow("add.f16 takes a, b: 1 were given");
  });

  it("has types", () => {
    expectTypeOf(functionOf).toEqualTypeOf<(spelling: string) => InstructionFunction>();
    expectTypeOf<InstructionFunction>().parameters.toEqualTypeOf<(bigint | number)[]>();
    expectTypeOf<InstructionFunction>().returns.toEqualTypeOf<bigint>();
    expectTypeOf<InstructionFunction["operation"]>().toEqualTypeOf<Operation>();
  });
});
