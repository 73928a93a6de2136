import {
  and,
  approximated,
  argument,
  as,
  operation,
  plus,
  signedSlice,
  slice,
  times,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type * as ast from "../ast.ts";
import type { Form, Product } from "./define.ts";

/** Steps of a row: the systolic depth of every platform that multiplies matrices. */
export const DEPTH = 8;

/** Formats of elements; the manual does not say what numbers the bits of bf8 and hf8 are. */
const floats: Readonly<Record<string, FloatElements>> = {
  hf: { bits: 16, sums: ["f", "hf"], read: (x) => as("visa.hf", x) },
  bf: { bits: 16, sums: ["f", "bf"], read: (x) => as("visa.bf", x) },
  // The low bits of a dword are no part of the number.
  tf32: { bits: 32, sums: ["f"], read: (x) => as("visa.f", and(x, 0xffff_e000)) },
  bf8: { bits: 8, sums: ["f"] },
  hf8: { bits: 8, sums: ["f"] },
};

interface FloatElements {
  readonly bits: number;
  readonly sums: readonly ast.Type[];
  readonly read?: (x: Expression) => Expression;
}

/** Reads `.W.A.SD.RC`, the precisions of src1 and src2, the depth and the repeat count, or returns the error in them. */
function productOf({ opcode, modifiers }: ast.Instruction): Product | string {
  const [b = "", a = "", depth, count, more] = modifiers.map(({ text }) => text);
  const repeat = Number(count);
  if (more !== undefined || !(repeat >= 1 && repeat <= 8))
    return `${opcode.text} takes the precisions of src1 and src2, the depth and 1 to 8 rows: .s8.u4.8.8`;
  if (depth !== String(DEPTH)) return `${opcode.text} has a depth of ${DEPTH}, not ${depth}`;
  const float = floats[b];
  if (float !== undefined) {
    if (floats[a]?.bits !== float.bits || (float.bits > 8 && a !== b)) return `.${b} does not go with .${a}`;
    const { bits, sums } = float;
    return { sums, repeat, perStep: 32 / bits, bits: [bits, bits], step: stepOfFloats(float) };
  }
  const [, signB, widthB] = integer.exec(b) ?? [];
  const [, signA, widthA] = integer.exec(a) ?? [];
  if (widthB === undefined || widthA === undefined)
    return `unknown precision .${widthB === undefined ? b : a}: s8, u8, s4, u4, s2, u2, hf, bf or tf32`;
  const bits = [Number(widthB), Number(widthA)] as const;
  const perStep = Math.max(...bits) === 8 ? 4 : 8;
  const elements = (sign: string | undefined, name: string, width: number, low: number, k: number) =>
    (sign === "s" ? signedSlice : slice)(argument(name), low + k * width, width);
  return {
    sums: ["d", "ud"],
    repeat,
    perStep,
    bits,
    step: (lowB, lowA) => {
      const products = Array.from({ length: perStep }, (_, k) =>
        times(elements(signB, "b", bits[0], lowB, k), elements(signA, "a", bits[1], lowA, k)),
      );
      return operation({ c: "u32", b: "u32", a: "u32" }, "u32", wrap("u32", plus(argument("c"), ...products)));
    },
  };
}

const integer = /^([su])([842])$/;

/**
 * The manual has the sum of a step, and not how it is rounded: here once, to nearest, and denormals are numbers,
 * whatever %cr0 says.
 */
const stepOfFloats = ({ bits, read }: FloatElements): Product["step"] =>
  read &&
  (() => {
    const elements = (name: string, at: number) => read(bits === 32 ? argument(name) : slice(argument(name), at, bits));
    const products = Array.from({ length: 32 / bits }, (_, k) =>
      times(elements("b", k * bits), elements("a", k * bits)),
    );
    const sum = plus(argument("c"), ...products);
    return operation({ c: "visa.f", b: "u32", a: "u32" }, "visa.f", approximated("visa.f", {}, sum));
  });

/** Products of matrices. */
export const matrix: readonly Form[] = [
  {
    syntax: "DPAS.<W>.<A>.<SD>.<RC> (<exec_size>) <dst> <src0> <src1> <src2>",
    mnemonic: "dpas",
    opcode: 0x83,
    about: "src0 plus the matrix src2 times the matrix src1",
    predicable: false,
    saturates: false,
    relations: [],
    types: () => undefined,
    modifiers: "none",
    check: [],
    product: productOf,
    operands: [
      { name: "dst", written: true, kinds: ["raw"] },
      { name: "src0", written: false, kinds: ["raw"] },
      { name: "src1", written: false, kinds: ["raw"] },
      { name: "src2", written: false, kinds: ["matrix"] },
    ],
  },
];
