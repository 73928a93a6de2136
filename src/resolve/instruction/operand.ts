import type { Operand } from "../../interp/contract/operand.ts";
import type { OperandClass, TargetClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import { evaluateInteger } from "../constant/constant.ts";
import type { Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { addressOperand } from "./address.ts";
import { handleOperand } from "./handle.ts";
import { literalOperand, literalProblem } from "./literal.ts";
import { predicateOperand } from "./predicate.ts";
import { undeclared } from "./register.ts";
import { sumOperand } from "./sum.ts";
import { tensorAddress } from "./tensor-address.ts";
import { tupleOperand } from "./tuple.ts";
import { valueOperand } from "./value.ts";
import { vectorOperand } from "./vector.ts";

/** Checks one operand against its class and gives it as the interpreter takes it; undefined after a diagnostic. */
export function resolveOperand(operand: ast.Operand, wanted: OperandClass, scope: Scope): Operand | undefined {
  switch (wanted.kind) {
    case "register": {
      const added = sumOperand(operand, wanted, scope);
      return added === undefined ? valueOperand(operand, wanted, scope) : added.sum;
    }
    case "predicate":
      return predicateOperand(operand, wanted, scope);
    case "address":
      return addressOperand(operand, wanted, scope);
    case "tensor address":
      return tensorAddress(operand, wanted, scope);
    case "vector":
      return vectorOperand(operand, wanted, scope);
    case "tuple":
      return tupleOperand(operand, wanted, scope);
    case "handle":
      return handleOperand(operand, wanted, scope);
    case "target":
      return targetOperand(operand, wanted, scope);
    case "literal": {
      if (operand.kind !== "expr")
        return reject(scope, "PTX1303", operand, "only a constant can stand here", { expected: "an integer constant" });
      const value = evaluateInteger(operand.value, scope);
      if (value === undefined) return undefined;
      const problem = literalProblem(value, wanted);
      if (problem !== undefined)
        return reject(scope, "PTX1303", operand, problem.message, { expected: problem.expected });
      return literalOperand(value, wanted, scope);
    }
    case "results":
    case "callee":
    case "arguments":
    case "callees":
      throw new Error("the operands of a call are read together");
    case "absent":
      if (wanted.sink && operand.kind === "name" && operand.name.text === "_") return { kind: "sink" };
      return reject(scope, "PTX1318", operand, `this operand belongs to ${wanted.unless}`, {
        expected: `${wanted.unless}, or one operand less`,
      });
  }
}

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
