import type * as ast from "../ast.ts";
import { Broken, type Cursor } from "./cursor.ts";
import { readGuard } from "./guard.ts";
import { type CodeLayout, type Field, layoutOf, marks } from "./layout.ts";
import { spellings } from "./names.ts";
import { readOperand } from "./read-operand.ts";
import type { StringPool } from "./strings.ts";
import type { Tables } from "./tables.ts";

/** Reads instructions up to the cursor's end. Every label that is used must be defined exactly once. */
export function readCode(cursor: Cursor, pool: StringPool, tables: Tables): ast.Statement[] {
  const statements: ast.Statement[] = [];
  const placed = new Set<string>();
  const used: ast.Name[] = [];
  while (cursor.at < cursor.end) {
    cursor.record();
    const start = cursor.at;
    const opcode = cursor.u8("an opcode");
    if (opcode === marks.label || opcode === marks.subroutine) {
      const name = tables.label(cursor.u16("the number of a label"), cursor.since(start));
      if (placed.has(name.text))
        throw new Broken("PTX8504", `label ${name.text} stands twice, at byte ${start}`, cursor.since(start));
      placed.add(name.text);
      statements.push({ kind: opcode === marks.label ? "label" : "subroutine", name, span: cursor.since(start) });
      continue;
    }
    const remark = readRemark(opcode, start, cursor, pool, tables);
    if (remark !== undefined) {
      statements.push(remark);
      continue;
    }
    const layout = layoutOf.get(opcode);
    if (layout === undefined)
      throw new Broken("PTX8507", `opcode 0x${opcode.toString(16)}, at byte ${start}`, cursor.since(start));
    const instruction = readInstruction(layout, start, cursor, tables);
    for (const operand of instruction.operands) if (operand.kind === "label") used.push(operand.name);
    statements.push(instruction);
  }
  const missing = used.find(({ text }) => !placed.has(text));
  if (missing !== undefined)
    throw new Broken("PTX8504", `label ${missing.text} stands nowhere, at byte ${missing.span.start}`, missing.span);
  return statements;
}

function readInstruction(layout: CodeLayout, start: number, cursor: Cursor, tables: Tables): ast.Instruction {
  const parts: DecodedInstruction = { opcode: layout.names[0] ?? "", modifiers: [], operands: [] };
  for (const field of layout.fields) readField(field, layout, parts, cursor, tables);
  const head = { start, end: start + 1 };
  return {
    kind: "instruction",
    opcode: { text: parts.opcode, span: head },
    modifiers: parts.modifiers.map((text) => ({ text, span: head })),
    ...(parts.predicate === undefined ? {} : { predicate: parts.predicate }),
    ...(parts.execution === undefined ? {} : { execution: parts.execution }),
    operands: parts.operands,
    span: cursor.since(start),
  };
}

interface DecodedInstruction {
  opcode: string;
  readonly modifiers: string[];
  predicate?: ast.Predicate;
  execution?: ast.Execution;
  readonly operands: ast.Operand[];
}

function readField(field: Field, layout: CodeLayout, parts: DecodedInstruction, cursor: Cursor, tables: Tables): void {
  const start = cursor.at;
  switch (field.kind) {
    case "execution":
      parts.execution = readExecution(cursor);
      return;
    case "guard": {
      const guard = readGuard(cursor, tables);
      if (guard !== undefined) parts.predicate = guard;
      return;
    }
    case "choice": {
      const number = cursor.u8("the kind of comparison");
      const name = (layout.relations ?? layout.names)[number];
      if (name === undefined)
        throw new Broken(
          "PTX8506",
          `${layout.names.join(" or ")} of kind ${number}, at byte ${start}`,
          cursor.since(start),
        );
      if (layout.relations === undefined) parts.opcode = name;
      else parts.modifiers.push(name);
      return;
    }
    case "label": {
      const number = cursor.u16("the number of a label");
      const name = tables.label(number, cursor.since(start));
      parts.operands.push({ kind: "label", name, span: name.span });
      return;
    }
    case "operand": {
      const { operand, saturates } = readOperand(field, layout, cursor, tables);
      if (saturates) parts.modifiers.push("sat");
      parts.operands.push(operand);
    }
  }
}

/** Bits 0 to 2 are the logarithm of the size, bits 4 to 6 the group, bit 7 is NoMask. */
function readExecution(cursor: Cursor): ast.Execution {
  const start = cursor.at;
  const bits = cursor.u8("an execution size");
  const span = cursor.since(start);
  if ((bits & 15) > 5)
    throw new Broken(
      "PTX8506",
      `there is no execution size ${bits & 15}, at byte ${start}`,
      span,
      "0 to 5, for 1 to 32",
    );
  return { group: groups[(bits >> 4) & 7] ?? 1, noMask: bits >= 128, size: 1 << (bits & 15), span };
}

const groups: readonly ast.Execution["group"][] = [1, 2, 3, 4, 5, 6, 7, 8];

function readRemark(
  opcode: number,
  start: number,
  cursor: Cursor,
  pool: StringPool,
  tables: Tables,
): ast.Remark | undefined {
  switch (opcode) {
    case marks.line: {
      const value = cursor.u32("a line number");
      return { kind: "remark", about: "line", value, span: cursor.since(start) };
    }
    case marks.file: {
      const { text, span } = pool.next(cursor, "the name of a file");
      if (!spellings.quoted.test(text) || text.length > 255)
        throw new Broken("PTX8506", `a file has a name that text cannot say, at byte ${start}`, span);
      return { kind: "remark", about: "file", value: text, span: cursor.since(start) };
    }
    case marks.lifetime: {
      const bits = cursor.u8("the bits of a lifetime");
      const number = cursor.u32("the variable of a lifetime");
      const span = cursor.since(start);
      const tableOf = bits >> 4;
      if ((bits & 0xce) !== 0 || tableOf > 2)
        throw new Broken("PTX8506", `reserved bits of a lifetime are set, at byte ${start}`, span);
      const { text } =
        tableOf === 0
          ? tables.variable(number, span)
          : tableOf === 1
            ? tables.address(number, span)
            : tables.predicate(number, span);
      return { kind: "remark", about: bits & 1 ? "lifetime.end" : "lifetime.start", value: text, span };
    }
    default:
      return undefined;
  }
}
