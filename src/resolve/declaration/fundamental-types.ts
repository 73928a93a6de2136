import type { RegisterType } from "../../isa/form/operands.ts";
import { floatTypes } from "../../numeric/format/named.ts";

/** Bits of each fundamental type (PTX ISA 5.2.1) and packed type that a variable or register may have. */
const bits: ReadonlyMap<string, RegisterSize> = new Map<RegisterType | "pred", RegisterSize>([
  ["b8", 8],
  ["b16", 16],
  ["b32", 32],
  ["b64", 64],
  ["b128", 128],
  ["u8", 8],
  ["u16", 16],
  ["u32", 32],
  ["u64", 64],
  ["s8", 8],
  ["s16", 16],
  ["s32", 32],
  ["s64", 64],
  ["f16", 16],
  ["f16x2", 32],
  ["f32", 32],
  ["f64", 64],
  ["pred", 1],
]);

export type RegisterSize = 1 | 8 | 16 | 32 | 64 | 128;

/** A register's or element's bits; undefined for other types, such as `texref`. */
export const bitsOf = (type: string): RegisterSize | undefined => bits.get(type);

/** True for the types that a register may have. */
export const isRegisterType = (type: string): type is RegisterType | "pred" => bits.has(type);

/** Opaque types (PTX ISA 5.3): 64-bit handles. */
export const isOpaque = (type: string): boolean => type === "texref" || type === "samplerref" || type === "surfref";

/** Types that only instructions have (PTX ISA 5.2.3). */
const instructionTypes = new Set([...floatTypes, "u16x2", "s16x2"]);
export const isInstructionType = (type: string): boolean => instructionTypes.has(type) && !bits.has(type);

/** Names for did-you-mean. */
export const typeNames: readonly string[] = [...bits.keys()];
