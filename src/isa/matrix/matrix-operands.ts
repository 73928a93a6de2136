import { type Fragment, registersOf } from "../../interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../interp/contract/matrix/matrix-fragments.ts";
import type { MatrixOperation } from "../../numeric/operation/matrix.ts";
import { of, registerOf, to } from "../form/classes.ts";
import type { InstructionType } from "../form/instruction-type.ts";
import type { RegisterClass, VectorClass } from "../form/operands.ts";

/** Numbers of elements of a shape: `m16n8k16`. */
export function sizesOf(shape: string): { readonly m: number; readonly n: number; readonly k: number } {
  const [m = 0, n = 0, k = 0] = shape.slice(1).split(/[nk]/).map(Number);
  return { m, n, k };
}

/** How registers are declared that hold elements of a type: packed, one each, or bits of whatever (measured). */
const packed: Readonly<Partial<Record<MatrixOperation["a"], InstructionType>>> = {
  f16: "f16x2",
  bf16: "bf16x2",
  tf32: "tf32",
  f32: "f32",
  f64: "f64",
  s32: "s32",
};

/** What such bits are, four to a register. */
const fours: Readonly<Partial<Record<MatrixOperation["a"], InstructionType>>> = {
  s8: "s8x4",
  u8: "u8x4",
  e4m3: "e4m3x4",
  e5m2: "e5m2x4",
  e3m2: "e3m2x4",
  e2m3: "e2m3x4",
};

/** Integers of wmma and accumulators of .s32 are no packed halves. */
const whole: Partial<RegisterClass> = { types: ["b32", "u32", "s32"] };

/** Operands d, a, b and c of a matrix operation: how many registers of which types says its layout. */
export function matrixOperands(operation: MatrixOperation): Readonly<Record<"d" | "a" | "b" | "c", VectorClass>> {
  const { a, b, c, d } = fragmentsOf(operation);
  const isWhole = (type: MatrixOperation["a"]): boolean =>
    type === "s32" || ((type === "s8" || type === "u8") && (operation.by === "wmma" || operation.m === 8));
  const more = (type: MatrixOperation["a"]): Partial<RegisterClass> => (isWhole(type) ? whole : {});
  // With a sparse A, ptxas looks at bits alone.
  const typeOf = (type: MatrixOperation["a"]): InstructionType =>
    operation.sparse && (type === "bf16" || type === "tf32") ? "b32" : (packed[type] ?? "b32");
  const read = (type: MatrixOperation["a"]): RegisterClass => {
    const register = constants.has(type) ? of(typeOf(type), more(type)) : registerOf(typeOf(type), more(type));
    return { ...register, type: fours[type] ?? register.type };
  };
  const vector = (fragment: Fragment, of: RegisterClass): VectorClass => ({
    kind: "vector",
    count: registersOf(fragment),
    of,
    ...(operation.a !== "f64" && { mixed: true }),
  });
  return {
    d: vector(d, to(typeOf(operation.d), { ...more(operation.d), sink: true })),
    a: vector(a, read(operation.a)),
    b: vector(b, read(operation.b)),
    c: vector(c, read(operation.c)),
  };
}

/** Types of which constants may stand among the registers. */
const constants: ReadonlySet<string> = new Set(["f32", "f64", "s32"]);

/** A register of 32 bits that holds metadata or scales. */
export const word: RegisterClass = registerOf("b32", { braced: true });

/** The same bits in each register of a fragment, for examples in which all threads hold the same. */
export const all = <T extends number | bigint>(count: number, bits: T): readonly T[] =>
  Array.from({ length: count }, () => bits);
