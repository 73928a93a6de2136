import type { Block, Instruction, Section, Statement } from "../ast.ts";
import { printCallPrototype, printDeclaration, printLocation, printPragma, printTarget } from "./declaration.ts";
import { printExpr, printOperand } from "./expression.ts";

/** An instruction on one line, guard and semicolon included: `@!%p1 add.rn.f16x2 %r1, %r2, %r3;`. */
export function printInstruction({ guard, mnemonic, modifiers, operands }: Instruction): string {
  const before = guard === undefined ? "" : `@${guard.negated ? "!" : ""}${guard.predicate.text} `;
  const opcode = [mnemonic, ...modifiers].map(({ text }) => text).join(".");
  const after = operands.length === 0 ? "" : ` ${operands.map(printOperand).join(", ")}`;
  return `${before}${opcode}${after};`;
}

/** A block on separate lines, `indent` being that of its braces. */
export function printBlock(block: Block, indent = ""): string {
  const lines = block.statements.map((statement) => printStatement(statement, `${indent}\t`));
  return [`${indent}{`, ...lines, `${indent}}`].join("\n");
}

/** Statements without braces around them, a line each: a snippet. */
export const printStatements = (statements: readonly Statement[]): string =>
  statements.map((statement) => printStatement(statement, "")).join("\n");

export function printStatement(statement: Statement, indent = ""): string {
  switch (statement.kind) {
    case "instruction":
      return indent + printInstruction(statement);
    case "label":
      return `${statement.name.text}:`;
    case "block":
      return printBlock(statement, indent);
    case "declaration":
      return indent + printDeclaration(statement);
    case "pragma":
      return indent + printPragma(statement);
    case "loc":
      return indent + printLocation(statement);
    case "target":
      return indent + printTarget(statement);
    case "branchtargets":
    case "calltargets":
      return `${indent}.${statement.kind} ${statement.names.map(({ text }) => text).join(", ")};`;
    case "callprototype":
      return indent + printCallPrototype(statement);
    case "section":
      return printSection(statement);
  }
}

/** A debug section: its values are many and not for people to read, so each line of data stays one line. */
export function printSection({ name, lines }: Section): string {
  const body = lines.map((line) =>
    line.kind === "label"
      ? `${line.name.text}:`
      : `.${line.type.text} ${line.values.map((value) => printExpr(value).replaceAll(" ", "")).join(",")}`,
  );
  return [`\t.section\t.${name.text}`, "\t{", ...body, "\t}"].join("\n");
}
