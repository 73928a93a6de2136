import type { RegisterClass, RegisterType } from "../../../isa/form/operands.ts";
import type { RegisterSymbol } from "../../declaration/scope.ts";

/** `.v2.b32`, `.pred`. */
export const showType = ({ type, elements }: RegisterSymbol): string =>
  elements === 1 ? `.${type}` : `.v${elements}.${type}`;

export const widthOf = (type: RegisterType): number => (type === "f16x2" ? 32 : Number(type.slice(1)));

export function fits(type: RegisterType | "pred", { type: wanted, types, bits, wider }: RegisterClass): boolean {
  if (type === "pred") return false;
  if (types.includes(type)) return true;
  if (!wider || widthOf(type) <= bits) return false;
  // 9.4.1: bits go into anything wider, integers into wider integers and bits, floats into wider bits. To ptxas .f16x2
  // is an integer here.
  const own = wanted[0];
  return type.startsWith("b") || own === "b" || ((own === "u" || own === "s") && /^([us]|f16x2$)/.test(type));
}
