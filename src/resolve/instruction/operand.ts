import type { Operand } from "../../interp/contract/operand.ts";
import type { OperandClass, TargetClass, VectorClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import { evaluateInteger } from "../constant/constant.ts";
import { outOfRange } from "../constant/range.ts";
import type { RegisterSymbol, Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { addressOperand } from "./address.ts";
import { openOperand } from "./open-operand.ts";
import { predicateOperand } from "./predicate.ts";
import { slotOf, undeclared, widthOf } from "./register.ts";
import { isSpecial, specialVector } from "./special-register.ts";
import { sink, valueOperand } from "./value.ts";

/** Checks one operand against its class and gives it as the interpreter takes it; undefined after a diagnostic. */
export function resolveOperand(operand: ast.Operand, wanted: OperandClass, scope: Scope): Operand | undefined {
  switch (wanted.kind) {
    case "register":
      return valueOperand(operand, wanted, scope);
    case "predicate":
      return predicateOperand(operand, wanted, scope);
    case "address":
      return addressOperand(operand, wanted, scope);
    case "vector":
      return vectorOperand(operand, wanted, scope);
    case "target":
      return targetOperand(operand, wanted, scope);
    case "literal": {
      if (operand.kind !== "expr")
        return reject(scope, "PTX1303", operand, "only a constant can stand here", { expected: "an integer constant" });
      const value = evaluateInteger(operand.value, scope);
      if (value === undefined) return undefined;
      const expected = outOfRange(wanted, value);
      if (expected !== undefined)
        return reject(scope, "PTX1303", operand, "this constant is out of range", { expected });
      if (wanted.power !== undefined && (value < 1n || value > BigInt(wanted.power) || (value & (value - 1n)) !== 0n))
        return reject(scope, "PTX1303", operand, `${value} is not an alignment`, {
          expected: `a power of two, at most ${wanted.power}`,
        });
      return scope.constant(BigInt.asUintN(wanted.bits, value), 32);
    }
    case "results":
    case "callee":
    case "arguments":
    case "callees":
      throw new Error("the operands of a call are read together");
    case "open":
      return openOperand(operand, scope);
    case "absent":
      if (wanted.sink && operand.kind === "name" && operand.name.text === "_") return { kind: "sink" };
      return reject(scope, "PTX1318", operand, `this operand belongs to ${wanted.unless}`, {
        expected: `${wanted.unless}, or one operand less`,
      });
  }
}

/** `{a, b}`, a vector register of as many elements, or a special register that is a vector. */
function vectorOperand(operand: ast.Operand, wanted: VectorClass, scope: Scope): Operand | undefined {
  if (operand.kind === "vector") {
    if (operand.items.length !== wanted.count) return wrongCount(operand, operand.items.length, wanted, scope);
    const items = operand.items.map((item) => valueOperand(item, wanted.of, scope));
    if (items.every((item) => item?.kind === "sink"))
      return reject(scope, "PTX1305", operand, "all elements are discarded", { expected: "a register among them" });
    const widths = new Set(items.flatMap((item) => (item?.kind === "slot" ? [item.bits] : [])));
    if (widths.size > 1)
      return reject(scope, "PTX1307", operand, "the elements of a vector have one width", {
        expected: `${wanted.of.bits} bits each`,
      });
    const sound = items.every((item) => item !== undefined) && ofOneKind(operand.items, scope);
    return sound ? { kind: "vector", items } : undefined;
  }
  if (operand.kind === "name" && !operand.component) {
    const symbol = scope.lookup(operand.name.text);
    if (symbol === undefined && isSpecial(operand.name.text)) return specialVector(operand, wanted, scope);
    if (symbol === undefined && operand.name.text === "_") return sink(operand, { access: wanted.of.access }, scope);
    if (symbol === undefined) return undeclared(operand.name, scope);
    if (symbol.kind === "register" && symbol.elements > 1) {
      if (symbol.elements !== wanted.count) return wrongCount(operand, symbol.elements, wanted, scope);
      const first = valueOperand({ ...operand, component: { ...operand.name, text: "x" } }, wanted.of, scope);
      if (first === undefined) return undefined;
      const register = scope.use(symbol);
      return { kind: "vector", items: Array.from({ length: wanted.count }, (_, at) => slotOf(register, at)) };
    }
  }
  return wrongCount(operand, 1, wanted, scope);
}

/** False after a diagnostic: in braces ptxas takes no float register directly beside an integer; `.b32` goes with both. */
function ofOneKind(items: readonly ast.Operand[], scope: Scope): boolean {
  let before: RegisterSymbol | undefined;
  for (const item of items) {
    const symbol = item.kind === "name" ? scope.lookup(item.name.text) : undefined;
    const now = symbol?.kind === "register" ? symbol : undefined;
    const [one, other] = [kindOf(before), kindOf(now)];
    if (before && now && one !== other && one !== "bits" && other !== "bits") {
      reject(scope, "PTX1307", item, `${now.name} is .${now.type}, and ${before.name} beside it is .${before.type}`, {
        expected: `registers of one kind; .b${before.type === "pred" ? 1 : widthOf(before.type)} goes with both`,
        related: [{ span: now.span, message: "declared here" }],
      });
      return false;
    }
    before = now;
  }
  return true;
}

const kindOf = (symbol: RegisterSymbol | undefined): "float" | "integer" | "bits" =>
  symbol === undefined || symbol.type.startsWith("b") || symbol.type === "pred"
    ? "bits"
    : symbol.type.startsWith("f")
      ? "float"
      : "integer";

const wrongCount = (at: ast.Operand, count: number, wanted: VectorClass, scope: Scope): undefined =>
  reject(
    scope,
    "PTX1307",
    at,
    `${count === 1 ? "one element" : `${count} elements`} where ${wanted.count} are needed`,
    {
      expected:
        wanted.count > 8 ? `${wanted.count} in braces` : `{${"abcdefgh".slice(0, wanted.count).split("").join(", ")}}`,
    },
  );

function targetOperand(operand: ast.Operand, { what }: TargetClass, scope: Scope): Operand | undefined {
  if (operand.kind !== "name" || operand.component)
    return reject(scope, "PTX1316", operand, `this is no ${what}`, { expected: `a ${what}` });
  const symbol = scope.lookup(operand.name.text);
  if (symbol === undefined) return undeclared(operand.name, scope, "label");
  if (what === "list" && symbol.kind === "list") return branchTargets(operand.name, scope);
  if (symbol.kind !== what)
    return reject(scope, "PTX1316", operand, `${operand.name.text} is a ${symbol.kind}`, { expected: `a ${what}` });
  return scope.label(operand.name);
}

/** The labels of a `.branchtargets` list, which stands before its use. */
function branchTargets(name: ast.Name, scope: Scope): Operand | undefined {
  const node = scope.listAt(name);
  if (node?.kind !== "branchtargets")
    return reject(scope, "PTX1316", name, `${name.text} is no list of labels before this place`, {
      expected: "a label that stands before .branchtargets",
    });
  const known = node.names.filter(({ text }) => scope.lookup(text)?.kind === "label");
  return { kind: "vector", items: known.map((each) => scope.label(each)) };
}
