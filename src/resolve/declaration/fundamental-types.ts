import type { RegisterType } from "../../isa/form/operands.ts";
import { floatTypes } from "../../numeric/format/named.ts";
import { integersOf, integerWidths, type Width } from "../../numeric/operation/type.ts";

/** Bits of each fundamental type (PTX ISA 5.2.1) and packed type that a variable or register may have. */
const bits: ReadonlyMap<string, Width> = new Map<RegisterType | "pred", Width>([
  ...integerWidths.flatMap((width) => integersOf(width).map((type) => [type, width] as const)),
  ["b128", 128],
  ["f16", 16],
  ["f16x2", 32],
  ["f32", 32],
  ["f64", 64],
  ["pred", 1],
]);

/** A register's or element's bits; undefined for other types, such as `texref`. */
export const bitsOf = (type: string): Width | undefined => bits.get(type);

/** True for the types that a register may have. */
export const isRegisterType = (type: string): type is RegisterType | "pred" => bits.has(type);

/** Opaque types (PTX ISA 5.3): 64-bit handles. */
export const isOpaque = (type: string): boolean => type === "texref" || type === "samplerref" || type === "surfref";

/** Types that only instructions have (PTX ISA 5.2.3 to 5.2.5). */
const instructionTypes = new Set([...floatTypes, "u16x2", "s16x2", "u8x4", "s8x4", "s2f6x2"]);
export const isInstructionType = (type: string): boolean => instructionTypes.has(type) && !bits.has(type);

/** Names for did-you-mean. */
export const typeNames: readonly string[] = [...bits.keys()];
