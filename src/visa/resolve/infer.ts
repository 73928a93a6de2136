import type * as ast from "../ast.ts";
import { formOf } from "../isa/table.ts";
import { bytesOfType, factsOf } from "../type.ts";
import { predefinedNamed } from "./predefined.ts";
import type { Report } from "./report.ts";

/**
 * Declarations for a snippet that has none: a variable has the type of the immediates in the same instruction, and is
 * as large as its largest use.
 */
export function inferred(kernel: ast.Kernel, grf: number, report: Report): ast.Kernel {
  const declared = new Set(
    kernel.statements.flatMap((each) => ("name" in each && each.kind !== "attribute" ? [each.name.text] : [])),
  );
  const found = new Map<string, InferredVariable>();
  for (const statement of kernel.statements) if (statement.kind === "instruction") gather(statement, grf, found);
  const made: ast.Declaration[] = [];
  for (const [name, { kind, type, bytes, span }] of found) {
    if (declared.has(name) || predefinedNamed(name) !== undefined) continue;
    const own = { name: { text: name, span }, attributes: [], span };
    if (kind !== "variable") made.push({ ...own, kind, elements: kind === "predicate" ? 32 : 16 });
    else {
      if (type === undefined) report.note("PTX8307", `${name} is taken as elements of type d`, span);
      const size = bytesOfType(type ?? "d");
      made.push({ ...own, kind, type: type ?? "d", elements: Math.max(1, Math.ceil(bytes / size)) });
    }
  }
  return { ...kernel, statements: [...made, ...kernel.statements] };
}

interface InferredVariable {
  readonly kind: "variable" | "predicate" | "address";
  readonly type?: ast.Type;
  readonly bytes: number;
  readonly span: ast.Name["span"];
}

function gather(instruction: ast.Instruction, grf: number, found: Map<string, InferredVariable>): void {
  const { operands, execution, predicate } = instruction;
  const beside = operands.find(({ kind }) => kind === "immediate");
  const type = beside?.kind === "immediate" && factsOf(beside.type).kind !== "packed" ? beside.type : undefined;
  const note = ({ text, span }: ast.Name, kind: InferredVariable["kind"], bytes = 0): void => {
    const known = found.get(text);
    const chosen = known?.type ?? (kind === "variable" ? type : undefined);
    found.set(text, {
      kind: known?.kind ?? kind,
      bytes: Math.max(bytes, known?.bytes ?? 0),
      span: known?.span ?? span,
      ...(chosen === undefined ? {} : { type: chosen }),
    });
  };
  if (predicate !== undefined) note(predicate.name, "predicate");
  const labels = formOf(instruction)?.operands.some(({ kinds }) => kinds.includes("label"));
  for (const operand of operands) {
    if (operand.kind === "general") {
      const size = bytesOfType(found.get(operand.variable.text)?.type ?? type ?? "d");
      note(
        operand.variable,
        "variable",
        operand.row * grf + (operand.column + reach(operand.region, execution?.size ?? 1)) * size,
      );
    } else if (operand.kind === "indirect") note(operand.address, "address");
    else if (operand.kind === "address") note(operand.name, "address");
    else if (operand.kind === "predicate" && !labels) note(operand.name, "predicate");
    else if (operand.kind === "address of") note(operand.variable, "variable", grf);
  }
}

/** How many elements a region spans. */
function reach({ vertical = 0, width, horizontal }: ast.Region, size: number): number {
  const columns = Math.max(1, Math.min(width ?? size, size));
  const rows = Math.ceil(size / columns);
  return (rows - 1) * vertical + (columns - 1) * horizontal + 1;
}
