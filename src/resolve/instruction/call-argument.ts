import type { Operand } from "../../interp/contract/operand.ts";
import type * as ast from "../../parser/ast.ts";
import { evaluate } from "../constant/constant.ts";
import { floatAs } from "../constant/literal.ts";
import { bitsOf } from "../declaration/fundamental-types.ts";
import type { RegisterSymbol, Scope, VariableSymbol } from "../declaration/scope.ts";
import type { FunctionParameter } from "../module/names/signature.ts";
import { reject } from "../report.ts";
import { slotOf } from "./operand/register.ts";
import { aRegister, undeclared } from "./operand/undeclared.ts";
import { fixedOffset } from "./operand/value.ts";

/**
 * One argument or result of a call: a register, a `.param` variable of the body, for an argument also a constant, for a
 * result `_`. A vector register gives an operand an element. Undefined after PTX1305, 1320 or 1422.
 */
export function passOne(
  operand: ast.Operand,
  formal: FunctionParameter,
  result: boolean,
  scope: Scope,
): readonly Operand[] | undefined {
  if (operand.kind === "name" && !operand.component) {
    const { name } = operand;
    const symbol = scope.lookup(name.text);
    if (symbol?.kind === "register") return register(operand, symbol, formal, scope);
    if (symbol?.kind === "variable" && symbol.space === "param") return variable(operand, symbol, formal, scope);
    if (name.text === "_" && symbol === undefined) {
      if (result) return Array.from({ length: formal.elements }, () => ({ kind: "sink" as const }));
      return reject(scope, "PTX1305", operand, "nothing can be read from _", { expected: "a register or a constant" });
    }
    if (symbol === undefined) return undeclared(name, scope, aRegister);
    return reject(scope, "PTX1422", operand, `${name.text} cannot be passed`, {
      expected: result ? "a register or a .param variable" : "a register, a constant or a .param variable",
    });
  }
  if (operand.kind === "expr" && !result) return constant(operand, formal, scope);
  return reject(scope, "PTX1422", operand, "this cannot be passed", {
    expected: result ? "a register or a .param variable" : "a register, a constant or a .param variable",
  });
}

/** Bits match everything of their width, integers match integers, floats the same type. */
export function fits(type: string, formal: FunctionParameter): boolean {
  if (type === formal.type) return true;
  if (bitsOf(type) !== bitsOf(formal.type)) return false;
  const [one, two] = [type.charAt(0), formal.type.charAt(0)];
  return one === "b" || two === "b" || (one !== "f" && two !== "f") || type === "f16x2" || formal.type === "f16x2";
}

function mismatch(at: ast.Operand, what: string, formal: FunctionParameter, scope: Scope): undefined {
  const { space, type, elements, count } = formal;
  const vector = elements === 1 ? "" : `.v${elements} `;
  const array = count === 1 ? "" : `[${count ?? ""}]`;
  return reject(scope, "PTX1422", at, `${what} does not fit the parameter`, {
    expected: `.${space} ${vector}.${type}${array}`,
    ...(formal.name && { related: [{ span: formal.name, message: "declared here" }] }),
    manual: "control-flow-instructions-call",
  });
}

function register(
  at: ast.OperandName,
  symbol: RegisterSymbol,
  formal: FunctionParameter,
  scope: Scope,
): readonly Operand[] | undefined {
  const { name, type, elements } = symbol;
  if (!fits(type, formal) || elements !== formal.elements || formal.count !== 1)
    return mismatch(at, `${name}, .${elements === 1 ? "" : `v${elements}.`}${type},`, formal, scope);
  const made = scope.use(symbol);
  return Array.from({ length: elements }, (_, element) => slotOf(made, element));
}

function variable(
  at: ast.OperandName,
  symbol: VariableSymbol,
  formal: FunctionParameter,
  scope: Scope,
): readonly Operand[] | undefined {
  const { name, type, bytes, align, passes } = symbol;
  const related = [{ span: symbol.span, message: "declared here" }];
  if (passes !== "argument")
    return reject(scope, "PTX1325", at, `${name} is a parameter of this function and is not passed on as it is`, {
      expected: "a .param variable of the body",
      related,
    });
  if (!fits(type, formal) || formal.elements > 1 || (formal.bytes !== undefined && formal.bytes !== bytes))
    return mismatch(at, `${name}, ${bytes} bytes of .${type},`, formal, scope);
  if (formal.space === "param" && formal.align !== align)
    return reject(scope, "PTX1422", at, `${name} is aligned to ${align} bytes`, {
      expected: `.align ${formal.align}`,
      related,
    });
  const offset = fixedOffset(symbol);
  if (!symbol.framed) return [{ kind: "address", offset: BigInt(offset) }];
  return [{ kind: "address", base: scope.inFrame(0, 64), offset: BigInt(offset) }];
}

function constant(
  at: Extract<ast.Operand, { kind: "expr" }>,
  formal: FunctionParameter,
  scope: Scope,
): readonly Operand[] | undefined {
  const value = evaluate(at.value, scope);
  if (value === undefined) return undefined;
  const bits = bitsOf(formal.type) ?? 64;
  const float = formal.type.startsWith("f");
  if (bits === 1 || formal.elements > 1 || formal.count !== 1 || value.kind === "address")
    return mismatch(at, "a constant", formal, scope);
  if (value.kind === "integer" && !float) return [scope.constant(BigInt.asUintN(bits, value.value), bits)];
  if (value.kind === "float" && (float || formal.type.startsWith("b")) && (bits === 32 || bits === 64))
    return [scope.constant(BigInt.asUintN(bits, floatAs(value, bits)), bits)];
  return mismatch(at, value.kind === "integer" ? "an integer" : "a float", formal, scope);
}
