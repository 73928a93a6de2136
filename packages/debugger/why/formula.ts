import { scalars } from "../../../src/interp/contract/operand.ts";
import { writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { Expression } from "../../../src/numeric/operation/expression.ts";
import { expressionText } from "../../../src/numeric/operation/text.ts";
import type { Lead, Reader } from "./lead.ts";
import { madeBy } from "./leads.ts";
import { valueText } from "./value-text.ts";
import type { Writers } from "./writers.ts";

/** Instructions in a row that a formula is made of at most: fewer, where it has too many characters. */
const DEPTHS = [12, 6, 4, 3, 2, 1];
const LONGEST = 56;

/** An address as a formula of parameters, special registers, what was loaded, and other registers: `x + %tid.x * 4`. */
export function formulaOf(lead: Lead, reader: Reader, writers: Writers): string | undefined {
  for (const depth of DEPTHS) {
    const found = expressionOf(lead, reader, writers, depth);
    if (found === undefined) continue;
    // Without what is added at the end, so that neighbours are written in one way.
    if (expressionText(found, (name) => name).length <= LONGEST)
      return expressionText(moved(found, lead.plus), (name) => name);
  }
  return undefined;
}

/** An expression plus a number: minus one where that is below 0. */
function moved(a: Expression, plus = 0n): Expression {
  if (plus === 0n) return a;
  return { node: plus < 0n ? "sub" : "add", a, b: { node: "integer", value: plus < 0n ? -plus : plus } };
}

const leaf = (name: string): Expression => ({ node: "argument", name });

function expressionOf(lead: Lead, reader: Reader, writers: Writers, left: number): Expression | undefined {
  const { value, origin, sought, before } = lead;
  if (value.points !== undefined && origin?.kind === "constant") return leaf(value.points.replace(/\[0\]$/, ""));
  if (origin?.kind === "constant" && value.bits !== undefined) return { node: "integer", value: value.bits };
  if (left === 0) return leaf(value.name);
  const writer = sought === undefined || before === undefined ? undefined : writers.find(sought, before);
  if (writer === undefined || sought?.kind !== "slot") return leaf(value.name);
  const further = (each: Lead): Expression | undefined => expressionOf(each, reader, writers, left - 1);
  const { plan, operands } = reader.past.program.code[writer.pc] ?? {};
  if (plan === undefined || operands === undefined) return leaf(value.name);
  const asked = { low: sought.low, bits: sought.bits, type: value.type, value: value.bits };
  if (writer.kind !== "result" || plan.shape === "move" || plan.shape === "address" || plan.shape === "select") {
    const [only] = madeBy(writer, asked, reader).leads;
    return only === undefined ? leaf(value.name) : further(only);
  }
  if (plan.shape === "load") {
    const [memory] = madeBy(writer, asked, reader).leads;
    if (memory === undefined) return leaf(value.name);
    const isParameter = memory.sought?.kind === "memory" && memory.sought.space === "param";
    return leaf(isParameter ? memory.value.name : `${memory.value.name} (${valueText(memory.value)})`);
  }
  if (plan.shape !== "compute" || sought.low > 0) return leaf(value.name);
  const { takes, result } = plan.op;
  if (result.into === "choose" || result.into === "lanes") return leaf(value.name);
  const given = operands.slice(writtenBy(plan)).flatMap(scalars);
  const parts = new Map<string, Expression>();
  for (const [at, { name, type }] of takes.entries()) {
    const operand = given[at];
    const part = operand && further(reader.lead(writer.step, writer.thread, operand, type));
    if (part === undefined) return undefined;
    parts.set(name, part);
  }
  return replaced(result.of, parts);
}

/** An expression with others in the place of its operands; undefined where it has no plain form. */
function replaced(x: Expression, parts: ReadonlyMap<string, Expression>): Expression | undefined {
  switch (x.node) {
    case "argument":
    case "bits":
      return parts.get(x.name);
    case "integer":
      return x;
    case "label":
      return replaced(x.a, parts);
    case "neg":
    case "not": {
      const a = replaced(x.a, parts);
      return a && { ...x, a };
    }
    case "shl":
    case "shr": {
      const [a, by] = [replaced(x.a, parts), replaced(x.by, parts)];
      return a && by && { ...x, a, by };
    }
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "rem":
    case "and":
    case "or":
    case "xor":
    case "min":
    case "max": {
      const [a, b] = [replaced(x.a, parts), replaced(x.b, parts)];
      if (x.node === "min" && a?.node === "integer" && b?.node === "integer") return a.value < b.value ? a : b;
      return a && b && { ...x, a, b };
    }
    default:
      return undefined;
  }
}
