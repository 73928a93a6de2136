import type { OperandClass } from "../../../../src/isa/form/operands.ts";
import { match } from "../../../../src/isa/index.ts";
import type { Candidate } from "../../../../src/isa/match/match.ts";
import type * as ast from "../../../../src/parser/ast.ts";
import type { Symbol as Named, RegisterSymbol } from "../../../../src/resolve/declaration/scope.ts";
import { placedOperands } from "../../../../src/resolve/instruction/operand/placed-operands.ts";
import { bestShape } from "../../../../src/resolve/instruction/spelling/best-form.ts";
import type { Definition } from "./definition.ts";
import { inOperand } from "./mentioned.ts";

/** Looks up the declaration of a name, to choose among forms by their operands. */
export type Lookup = (name: string) => Definition | undefined;

/** The form of an instruction, by its modifiers and its operands; undefined where none matches. */
export function formOf(node: ast.Instruction, lookup: Lookup): Candidate | undefined {
  const found = match(
    node.mnemonic.text,
    node.modifiers.map(({ text }) => text),
  );
  if (found.kind !== "forms") return undefined;
  return bestShape(found.candidates, node.operands, { lookup: (name) => symbolOf(lookup(name)) });
}

function symbolOf(definition: Definition | undefined): Named | undefined {
  if (definition?.kind !== "register") return undefined;
  const [, size = "1", type = ""] = /^(?:v(\d)\.)?(\w+)$/.exec(definition.type ?? "") ?? [];
  const { name, span } = definition;
  const elements = Number(size) as RegisterSymbol["elements"];
  return { kind: "register", name, type: type as RegisterSymbol["type"], elements, span };
}

/** The names that an instruction writes, with their positions. */
export function writtenBy(node: ast.Instruction, lookup: Lookup): readonly ast.Name[] {
  const candidate = formOf(node, lookup);
  if (candidate === undefined) return [];
  const { form, classes } = candidate;
  const written: ast.Name[] = [];
  const take = (operand: ast.Operand, wanted: OperandClass | undefined): void => {
    if (wanted !== undefined && isWritten(wanted)) inOperand(operand, (name) => written.push(name));
  };
  for (const [index, operand] of placedOperands(candidate, node.operands).entries()) {
    const slot = form.slots[index];
    if (operand === undefined || slot === undefined) continue;
    take(operand.kind === "pair" ? operand.first : operand, classes[slot.name]);
    if (operand.kind === "pair") take(operand.second, classes[slot.second?.name ?? ""]);
  }
  return written;
}

function isWritten(wanted: OperandClass): boolean {
  switch (wanted.kind) {
    case "register":
    case "predicate":
      return wanted.access === "write";
    case "vector":
      return wanted.of.access === "write";
    case "tuple":
      return wanted.of[0].access === "write";
    default:
      return wanted.kind === "results";
  }
}
