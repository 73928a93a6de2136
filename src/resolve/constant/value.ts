import type * as ast from "../../parser/ast.ts";
import type { FloatBits } from "./literal.ts";

/** The value of a constant expression (PTX ISA 4.5). */
export type ConstantValue = IntegerConstant | FloatConstant | AddressConstant;

/** 64 bits, two's complement, as an unsigned number; `signed` decides how it divides, shifts and compares. */
export interface IntegerConstant {
  readonly kind: "integer";
  readonly value: bigint;
  readonly signed: boolean;
}

/** A double, or the 32 bits of a bare `0f` literal; `floatAs` fits it to a type. */
export interface FloatConstant extends FloatBits {
  readonly kind: "float";
}

/** The address of `name` plus `offset` (signed), perhaps made generic, perhaps one byte of it. Nothing is looked up. */
export interface AddressConstant {
  readonly kind: "address";
  readonly name: ast.Name;
  readonly offset: bigint;
  readonly generic: boolean;
  /** `0xFF00(x)`: these bits, shifted down. */
  readonly mask?: bigint;
}
