import type * as ast from "../ast.ts";
import type { Form } from "../isa/define.ts";

/**
 * The line with operands of the kinds its form has: in text, a label looks like a predicate, and so do a surface and
 * a raw variable.
 */
export function withLabels(instruction: ast.Instruction, form: Form): ast.Instruction {
  const operands = instruction.operands.map((operand, at): ast.Operand => {
    const { kinds = [] } = form.operands[at] ?? {};
    if (operand.kind !== "predicate" || kinds.includes("predicate")) return operand;
    const { name, span } = operand;
    if (kinds.includes("label")) return { kind: "label", name, span };
    if (kinds.includes("raw")) return { kind: "raw", variable: name, offset: 0, span };
    return kinds.includes("state") ? { kind: "state", name, element: 0, span } : operand;
  });
  return { ...instruction, operands };
}
