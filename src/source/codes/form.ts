import { pages } from "./page.ts";

/** PTX12xx: mnemonic, modifiers, types of an instruction. */
export const form = pages({
  PTX1201: {
    title: "unknown instruction",
    why: "ptxrun knows no instruction of this name: it has all of PTX 9.0, and some that came later. Names are lower case.",
    wrong: "ad.f16 d, a, b;",
    right: "add.f16 d, a, b;",
  },
  PTX1202: {
    title: "unknown modifier",
    why: "No instruction of PTX has this modifier or type, or it is part of another instruction's name, as .wide is of mul.wide. Modifiers are case-sensitive: .NaN, .L1::evict_last.",
    wrong: "min.nAn.f16 d, a, b;",
    right: "min.NaN.f16 d, a, b;",
  },
  PTX1203: {
    title: "rounding that the instruction does not have",
    why: "Half precision instructions round to nearest even only; .rz, .rm and .rp exist for f32, f64 and the mixed forms; integer instructions do not round (PTX ISA, Floating Point, Half Precision, Mixed Precision).",
    wrong: "add.rz.f16 d, a, b;",
    right: "add.rn.f16 d, a, b;",
  },
  PTX1204: {
    title: "rounding required",
    why: "fma has no default rounding, and a conversion that can lose bits must say how it rounds (PTX ISA, fma, cvt).",
    wrong: "fma.f16 d, a, b, c;",
    right: "fma.rn.f16 d, a, b, c;",
  },
  PTX1205: {
    title: "more than one rounding",
    why: "An instruction rounds one way.",
    wrong: "add.rn.rz.f32 d, a, b;",
    right: "add.rz.f32 d, a, b;",
  },
  PTX1206: {
    title: "modifier that the instruction does not have",
    why: "The modifier exists, but not for this instruction with these types, or not at this place: .lo, .hi and .wide stand right behind the name.",
    wrong: "add.sat.bf16 d, a, b;",
    right: "add.bf16 d, a, b;",
  },
  PTX1207: {
    title: "modifiers that exclude each other",
    why: "Each of them is allowed alone, not both in one instruction.",
    wrong: "fma.rn.sat.relu.f16 d, a, b, c;",
    right: "fma.rn.relu.f16 d, a, b, c;",
  },
  PTX1208: {
    title: "modifier given twice",
    why: "ptxas lets .sat, .relu, .NaN, .approx and .cc be repeated, nothing else.",
    wrong: "add.ftz.ftz.f16 d, a, b;",
    right: "add.ftz.f16 d, a, b;",
  },
  PTX1209: {
    title: "modifier missing",
    why: "The instruction exists only with this modifier: ex2 and tanh only as .approx, ex2.approx.bf16 only with .ftz.",
    wrong: "tanh.f16 d, a;",
    right: "tanh.approx.f16 d, a;",
  },
  PTX1210: {
    title: "types that the instruction does not have",
    why: "Every instruction has a fixed list of types, and of pairs of types where it takes two.",
    wrong: "neg.u32 d, a;",
    right: "neg.s32 d, a;",
  },
  PTX1211: {
    title: "modifier that needs another",
    why: ".xorsign works on magnitudes, so it stands only together with .abs (PTX ISA, min, max).",
    wrong: "min.xorsign.f16 d, a, b;",
    right: "min.xorsign.abs.f16 d, a, b;",
  },
  PTX1212: {
    title: "target too old",
    why: "The instruction needs hardware that .target (or --target) does not promise.",
    wrong: ".target sm_80 ... add.bf16 d, a, b;",
    right: ".target sm_90 ... add.bf16 d, a, b;",
  },
  PTX1213: {
    title: "PTX version too old",
    why: "The instruction came with a later version of the language than .version (or --ptx) names.",
    wrong: ".version 7.0 ... add.bf16 d, a, b;",
    right: ".version 7.8 ... add.bf16 d, a, b;",
  },
  PTX1214: {
    title: "too many modifiers",
    why: "No instruction has more than about a dozen modifiers; an opcode with more than 64 is not looked at.",
  },
});
