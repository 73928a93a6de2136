import type { Operand } from "../../interp/contract/operand.ts";
import type { HandleClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import { isOpaque } from "../declaration/fundamental-types.ts";
import type { Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { registerOperand, undeclared } from "./register.ts";
import { requireSince } from "./since.ts";
import { fixedOffset } from "./value.ts";

const types = ["u64", "b64", "s64"] as const;

/**
 * The name of an opaque variable, whose address is its handle; of a kernel's opaque parameter, which holds one; or a
 * register that holds one. Undefined after a diagnostic.
 */
export function handleOperand(written: ast.Operand, wanted: HandleClass, scope: Scope): Operand | undefined {
  const operand = wanted.bracketed ? unbracketed(written) : written;
  if (operand === undefined)
    return reject(scope, "PTX1315", written, "brackets are needed here", { expected: "[handle]" });
  const of = wanted.sampling ? wanted.of.filter((type) => (type === "samplerref") === scope.independent) : wanted.of;
  const expected = `a ${of.map((type) => `.${type}`).join(" or ")}, or a .u64 register with a handle`;
  if (operand.kind !== "name")
    return reject(scope, "PTX1326", operand, "this is no texture, sampler or surface", { expected });
  const { name } = operand;
  const symbol = scope.lookup(name.text);
  if (symbol === undefined) return undeclared(name, scope, "variable");
  if (
    symbol.kind === "register" &&
    !requireSince({ ptx: 31, sm: 20 }, operand, "a texture or surface by its handle", scope)
  )
    return undefined;
  if (symbol.kind === "register")
    return registerOperand(operand, symbol, { kind: "register", access: "read", type: "u64", types, bits: 64 }, scope);
  if (
    symbol.kind !== "variable" ||
    operand.component ||
    !isOpaque(symbol.type) ||
    !of.some((type) => type === symbol.type)
  )
    return reject(
      scope,
      "PTX1326",
      operand,
      `${name.text} is ${symbol.kind === "variable" ? `a .${symbol.type}` : `a ${symbol.kind}`}`,
      {
        expected,
        related: [{ span: symbol.span, message: "declared here" }],
      },
    );
  if (symbol.bytes !== 8)
    return reject(scope, "PTX1326", operand, `${name.text} is an array`, {
      expected,
      help: [{ message: `mov.u64 takes its address; an element's is that + 8 times its index` }],
    });
  if (symbol.space === "global") return scope.addressOf(symbol.name, 0n, 64);
  return { kind: "address", offset: BigInt(fixedOffset(symbol)) };
}

const unbracketed = (operand: ast.Operand): ast.Operand | undefined =>
  operand.kind === "address" && operand.more.length === 0 ? operand.base : undefined;
