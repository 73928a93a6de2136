import type { Rounding } from "../../../../src/numeric/exact/exact.ts";
import {
  call,
  divided,
  integral,
  minus,
  plus,
  relation,
  remainder,
  root,
  select,
  times,
} from "../../../../src/numeric/operation/build.ts";
import type { Type } from "../ast.ts";
import { isInteger } from "../type.ts";
import { calculation, type Meaning } from "./calculate.ts";
import { type Check, form } from "./define.ts";
import { arithmetic, floats, integers } from "./types.ts";

/*
 * Functions of floats. The manual gives the functions but not their accuracy: where the hardware approximates, the true
 * value is rounded once here, as %cr0 specifies.
 */

const ofOne = (
  name: string,
  given: { opcode: number; about: string; also?: readonly Type[]; meaning: Meaning; check: readonly Check[] },
) =>
  form(`[(<P>)] ${name}[.sat] (<exec_size>) <dst> <src0>`, {
    opcode: given.opcode,
    about: given.about,
    types: floats(...(given.also ?? [])),
    modifiers: "arithmetic",
    run: calculation(given.meaning),
    check: given.check,
  });

const toIntegral = (name: string, opcode: number, rnd: Rounding, about: string, check: readonly Check[]) =>
  ofOne(name, { opcode, about, also: ["df"], meaning: (a) => integral(rnd, a), check });

const f = (from: number, to: number): Check => ({ types: ["f", "f"], sources: [from], gives: [to] });

export const functions = [
  ofOne("EXP", {
    opcode: 0x08,
    about: "2 to the power of it",
    meaning: (a) => call("ex2", a),
    check: [f(0x4040_0000, 0x4100_0000), f(0x3f00_0000, 0x3fb5_04f3), f(0xff80_0000, 0)],
  }),
  ofOne("LOG", {
    opcode: 0x0b,
    about: "its logarithm to base 2",
    meaning: (a) => call("lg2", a),
    check: [f(0x4100_0000, 0x4040_0000), f(0, 0xff80_0000)],
  }),
  ofOne("INV", {
    opcode: 0x1b,
    about: "1 divided by it",
    also: ["df"],
    meaning: (a) => divided(1, a),
    check: [f(0x4040_0000, 0x3eaa_aaab), f(0x8000_0000, 0xff80_0000)],
  }),
  ofOne("SQRT", {
    opcode: 0x19,
    about: "its square root",
    also: ["df"],
    meaning: (a) => root(a),
    check: [f(0x4000_0000, 0x3fb5_04f3), f(0x8000_0000, 0x8000_0000)],
  }),
  ofOne("RSQRT", {
    opcode: 0x1a,
    about: "1 divided by its square root",
    meaning: (a) => call("rsqrt", a),
    check: [f(0x4080_0000, 0x3f00_0000), f(0x4000_0000, 0x3f35_04f3)],
  }),
  ofOne("SIN", {
    opcode: 0x17,
    about: "the sine of an angle in radians",
    meaning: (a) => call("sin", a),
    check: [f(0x3f80_0000, 0x3f57_6aa4), f(0x8000_0000, 0x8000_0000)],
  }),
  ofOne("COS", {
    opcode: 0x18,
    about: "the cosine of an angle in radians",
    meaning: (a) => call("cos", a),
    check: [f(0x3f80_0000, 0x3f0a_5140), f(0, 0x3f80_0000)],
  }),
  form("[(<P>)] DIV[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x03,
    about: "the quotient; of integers towards zero, and by 0 all ones",
    saturatesFloats: true,
    types: arithmetic,
    modifiers: "arithmetic",
    run: (instance) =>
      calculation(
        instance.types.some((type) => type !== undefined && isInteger(type))
          ? (a, b) => select(relation("ne", b, 0), divided(a, b), -1)
          : (a, b) => divided(a, b),
      )(instance),
    check: [
      { types: ["f", "f", "f"], sources: [0x3f80_0000, 0x4040_0000], gives: [0x3eaa_aaab] },
      { types: ["d", "d", "d"], sources: [0xffff_fff9, 2], gives: [0xffff_fffd] },
      { types: ["ud", "ud", "ud"], sources: [7, 0], gives: [0xffff_ffff] },
    ],
  }),
  form("[(<P>)] MOD[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x0f,
    about: "the remainder of a quotient towards zero, with the sign of src0; by 0 src0",
    types: integers,
    modifiers: "arithmetic",
    run: calculation((a, b) => select(relation("ne", b, 0), remainder(a, b), a)),
    check: [
      { types: ["d", "d", "d"], sources: [0xffff_fff9, 2], gives: [0xffff_ffff] },
      { types: ["d", "d", "d"], sources: [7, 0xffff_fffe], gives: [1] },
      { types: ["ud", "ud", "ud"], sources: [7, 0], gives: [7] },
    ],
  }),
  form("[(<P>)] DIVM[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x7f,
    about: "the quotient, rounded once",
    types: floats("df"),
    modifiers: "arithmetic",
    run: calculation((a, b) => divided(a, b)),
    check: [
      { types: ["f", "f", "f"], sources: [0x3f80_0000, 0x4040_0000], gives: [0x3eaa_aaab] },
      {
        types: ["df", "df", "df"],
        sources: [0x3ff0_0000_0000_0000n, 0x4008_0000_0000_0000n],
        gives: [0x3fd5_5555_5555_5555n],
      },
    ],
  }),
  ofOne("SQRTM", {
    opcode: 0x7e,
    about: "its square root, rounded once",
    also: ["df"],
    meaning: (a) => root(a),
    check: [f(0x4000_0000, 0x3fb5_04f3)],
  }),
  ofOne("TANH", {
    opcode: 0x97,
    about: "its hyperbolic tangent",
    meaning: (a) => call("tanh", a),
    check: [f(0x3f80_0000, 0x3f42_f7d6), f(0x7f80_0000, 0x3f80_0000)],
  }),
  form("[(<P>)] POW[.sat] (<exec_size>) <dst> <src0> <src1>", {
    opcode: 0x11,
    about: "src0 to the power of src1, as 2 to the power of src1 times its logarithm; 1 where src1 is 0",
    types: floats(),
    modifiers: "arithmetic",
    run: calculation((a, b) => select(relation("eq", b, 0), 1, call("ex2", times(b, call("lg2", a))))),
    check: [
      { types: ["f", "f", "f"], sources: [0x4040_0000, 0x4000_0000], gives: [0x4110_0000] },
      { types: ["f", "f", "f"], sources: [0x4000_0000, 0x3f00_0000], gives: [0x3fb5_04f3] },
      { types: ["f", "f", "f"], sources: [0, 0], gives: [0x3f80_0000] },
      { types: ["f", "f", "f"], sources: [0, 0x3f80_0000], gives: [0] },
    ],
  }),
  form("[(<P>)] LRP[.sat] (<exec_size>) <dst> <src0> <src1> <src2>", {
    opcode: 0x0e,
    about: "src0 * src1 + (1 - src0) * src2, rounded once",
    types: floats(),
    modifiers: "arithmetic",
    run: calculation((a, b, c) => plus(times(a, b), times(minus(1, a), c))),
    check: [{ types: ["f", "f", "f", "f"], sources: [0x3e80_0000, 0x4100_0000, 0x4080_0000], gives: [0x40a0_0000] }],
  }),
  toIntegral("RNDD", 0x12, "rm", "the greatest integer that is not above it", [f(0xbfc0_0000, 0xc000_0000)]),
  toIntegral("RNDU", 0x13, "rp", "the smallest integer that is not below it", [f(0xbfc0_0000, 0xbf80_0000)]),
  toIntegral("RNDE", 0x14, "rn", "the nearest integer, the even one of two", [f(0x4020_0000, 0x4000_0000)]),
  toIntegral("RNDZ", 0x15, "rz", "it without its fraction", [f(0xbfc0_0000, 0xbf80_0000)]),
  form("[(<P>)] FRC (<exec_size>) <dst> <src0>", {
    opcode: 0x09,
    about: "it less the greatest integer that is not above it",
    types: floats(),
    modifiers: "arithmetic",
    run: calculation((a) => minus(a, integral("rm", a))),
    check: [f(0xbfa0_0000, 0x3f40_0000)],
  }),
];
