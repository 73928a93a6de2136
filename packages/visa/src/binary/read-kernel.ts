import type * as ast from "../ast.ts";
import { bytesOfType } from "../type.ts";
import { aligns, firstSurface, firstVariable } from "./codes.ts";
import { Broken, type Cursor } from "./cursor.ts";
import { fenceOf } from "./fence.ts";
import { readGuard } from "./guard.ts";
import { type CodeLayout, type Field, layoutOf, marks, SVM } from "./layout.ts";
import { spellings, UniqueNames } from "./names.ts";
import { readOperand } from "./read-operand.ts";
import { attributesOf, StringPool } from "./strings.ts";
import { Tables, typeOf } from "./tables.ts";
import { bytesOfInputCount, type ObjectVersion } from "./version.ts";

/** Reads instructions up to the cursor's end. Every label that is used must be defined exactly once. */
function readCode(cursor: Cursor, pool: StringPool, tables: Tables): ast.Statement[] {
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
        throw new Broken("PTX8504", `label ${name.text} is declared twice, at byte ${start}`, cursor.since(start));
      placed.add(name.text);
      statements.push({ kind: opcode === marks.label ? "label" : "subroutine", name, span: cursor.since(start) });
      continue;
    }
    const remark = readRemark(opcode, start, cursor, pool, tables);
    if (remark !== undefined) {
      statements.push(remark);
      continue;
    }
    const operation = opcode === SVM ? cursor.u8("the kind of a message") : undefined;
    const layout = layoutOf(opcode, operation);
    if (layout === undefined)
      throw new Broken(
        "PTX8507",
        `opcode 0x${opcode.toString(16)}${operation === undefined ? "" : ` of kind ${operation}`}, at byte ${start}`,
        cursor.since(start),
      );
    const instruction = readInstruction(layout, start, cursor, tables);
    for (const operand of instruction.operands) if (operand.kind === "label") used.push(operand.name);
    statements.push(instruction);
  }
  const missing = used.find(({ text }) => !placed.has(text));
  if (missing !== undefined)
    throw new Broken("PTX8504", `label ${missing.text} is not declared, at byte ${missing.span.start}`, missing.span);
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
    operands: inLine(parts.operands, layout),
    span: cursor.since(start),
  };
}

/** Operands in the order of the line. */
function inLine(operands: readonly ast.Operand[], { order }: CodeLayout): readonly ast.Operand[] {
  return order === undefined ? operands : operands.map((_, at) => operands[order.indexOf(at)] as ast.Operand);
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
    case "words": {
      const bits = cursor.u8("the words of an instruction");
      const flags = (field.besides ?? []).filter(({ bit }) => (bits >> bit) & 1);
      const word = field.words[flags.reduce((rest, { bit }) => rest & ~(1 << bit), bits)];
      if (!word)
        throw new Broken("PTX8506", `${layout.names[0]} of kind ${bits}, at byte ${start}`, cursor.since(start));
      parts.modifiers.push(word, ...flags.map((each) => each.word));
      return;
    }
    case "fence": {
      const { name, word } = fenceOf(cursor.u8("the caches of a fence"));
      parts.opcode = name;
      if (word !== "") parts.modifiers.push(word);
      return;
    }
    case "owords": {
      const byte = cursor.u8("the count of owords");
      const isUnaligned = field.unaligned === true && (byte & 8) !== 0;
      if (isUnaligned) parts.modifiers.push("unaligned");
      const bits = isUnaligned ? byte & 7 : byte;
      if (bits > 3)
        throw new Broken(
          "PTX8506",
          `owords of size ${bits}, at byte ${start}`,
          cursor.since(start),
          "0 to 3, for 1 to 8",
        );
      parts.execution = { group: 1, noMask: false, size: 1 << bits, span: cursor.since(start) };
      return;
    }
    case "unused":
      cursor.unsigned(field.bytes, "a field of an instruction");
      return;
    case "surface": {
      const number = cursor.u8("the number of a surface");
      const name = tables.surface(number, cursor.since(start));
      // As text has it: a name alone.
      parts.operands.push({ kind: "predicate", name, inverted: false, span: name.span });
      return;
    }
    case "raw": {
      const number = cursor.u32("the number of a variable");
      const variable = tables.variable(number, cursor.since(start));
      const offset = cursor.u16("the offset of an operand");
      parts.operands.push({ kind: "raw", variable, offset, span: cursor.since(start) });
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
    throw new Broken("PTX8506", `invalid execution size ${bits & 15}, at byte ${start}`, span, "0 to 5, for 1 to 32");
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

export interface KernelRead {
  readonly statements: readonly ast.Statement[];
  /** How many names text could not express unchanged. */
  readonly renamed: number;
}

/**
 * Reads the object of one kernel (or function) between the cursor and its end: string pool, tables, code (manual 4,
 * kernel_data and function_data). Throws `Broken`.
 */
export function readKernel(cursor: Cursor, kind: ast.Kernel["kind"], version: ObjectVersion): KernelRead {
  const object = cursor.at;
  const pool = new StringPool(cursor);
  pool.next(cursor, "the kernel's name");
  const names = new UniqueNames();
  const tables = new Tables();
  const variables = readVariables(cursor, pool, names, tables);
  const flags = (kind: ast.FlagDeclaration["kind"], count: number, otherwise: (at: number) => string) => {
    const declared = readFlags(cursor, { kind, count, pool, names, otherwise });
    for (const { name } of declared) tables.of(kind).push(name);
    return declared;
  };
  const addresses = flags("address", cursor.u16("the count of addresses"), (at) => `A${at}`);
  const predicates = flags("predicate", cursor.u16("the count of predicates"), (at) => `P${at + 1}`);
  readLabels(cursor, pool, names, tables);
  const samplers = flags("sampler", cursor.u8("the count of samplers"), (at) => `S${at}`);
  const surfaces = flags("surface", cursor.u8("the count of surfaces"), (at) => `T${at + firstSurface}`);
  const vme = cursor.u8("the count of VME variables");
  if (vme > 0)
    throw new Broken("PTX8508", `the kernel has VME variables, at byte ${cursor.at - 1}`, cursor.since(cursor.at - 1));
  const inputs = kind === "kernel" ? readInputs(cursor, tables, version) : [];
  const { attributes, code } = readTail(cursor, kind, object, pool);
  const declarations = [variables, predicates, addresses, samplers, surfaces, inputs, attributes];
  return { statements: [...declarations, codeOf(code, attributes, pool, tables)].flat(), renamed: names.renamed };
}

/**
 * The code. Where it cannot be read and the object comes from a dump, the message says so: some of Intel's compilers write
 * the objects beside their dumps without operands of instructions.
 */
function codeOf(
  code: Cursor,
  attributes: readonly ast.Attribute[],
  pool: StringPool,
  tables: Tables,
): readonly ast.Statement[] {
  try {
    return readCode(code, pool, tables);
  } catch (thrown) {
    if (!(thrown instanceof Broken) || !attributes.some(({ name }) => name.text === "OutputAsmPath")) throw thrown;
    const { code: found, message, span, expected } = thrown;
    const help =
      "an object that Intel's compiler of late 2022 dumps lacks operands of its code: take the .visaasm beside it";
    throw new Broken(found, message, span, expected, help);
  }
}

/** The sizes of a function's inputs and results, in registers; its object has them next to its attributes. */
const registers = ["ArgSize", "RetValSize"] as const;

/** Size and place of the code, which is the rest of the object, and the kernel's attributes. */
function readTail(
  cursor: Cursor,
  kind: ast.Kernel["kind"],
  object: number,
  pool: StringPool,
): { readonly attributes: readonly ast.Attribute[]; readonly code: Cursor } {
  const at = cursor.at;
  const size = cursor.u32("the size of the code");
  const start = object + cursor.u32("the offset of the code");
  const place = cursor.since(at);
  const sizes: ast.Attribute[] = [];
  if (kind === "function")
    for (const text of registers) {
      const value = cursor.u8("the size of inputs and results");
      const span = cursor.since(cursor.at - 1);
      sizes.push({ kind: "attribute", name: { text, span }, value, span });
    }
  const attributes = attributesOf(cursor, cursor.u16("the count of attributes"), pool);
  if (start < cursor.at || start + size > cursor.end)
    throw new Broken("PTX8505", `the code is not within its kernel, at byte ${at}`, place);
  const named = new Set(attributes.map(({ name }) => name.text));
  return {
    attributes: [...attributes, ...sizes.filter(({ name }) => !named.has(name.text))],
    code: cursor.part(start, start + size),
  };
}

/** General variables, in the order of their numbers from 32 on. */
function readVariables(cursor: Cursor, pool: StringPool, names: UniqueNames, tables: Tables): ast.Statement[] {
  const declarations: ast.VariableDeclaration[] = [];
  const count = cursor.u32("the count of variables");
  for (let at = 0; at < count; at++) {
    cursor.record();
    const start = cursor.at;
    const { text, span } = pool.next(cursor, "the name of a variable");
    const name = { text: names.give(text, spellings.variable, `V${at + firstVariable}`), span };
    const { type, align } = typeAndAlign(cursor);
    const elements = cursor.u16("the size of a variable");
    const alias = readAlias(cursor, tables);
    const attributes = attributesOf(cursor, cursor.u8("the count of attributes"), pool);
    tables.variables.push({ name, bytes: bytesOfType(type) });
    const common = { kind: "variable" as const, name, type, elements, align, attributes, span: cursor.since(start) };
    declarations.push(alias === undefined ? common : { ...common, alias });
  }
  return declarations;
}

function typeAndAlign(cursor: Cursor): { readonly type: ast.Type; readonly align: ast.Align } {
  const start = cursor.at;
  const properties = cursor.u8("the type of a variable");
  const type = typeOf(properties & 15, cursor.since(start));
  const align = aligns[properties >> 4];
  if (align === undefined)
    throw new Broken(
      "PTX8506",
      `invalid alignment ${properties >> 4}, at byte ${start}`,
      cursor.since(start),
      "0 to 9",
    );
  return { type, align };
}

/** An alias names a variable in front of it, or a predefined one; variable 0 is "no alias". */
function readAlias(cursor: Cursor, tables: Tables): ast.VariableDeclaration["alias"] {
  const start = cursor.at;
  const root = cursor.u32("the root of an alias");
  const span = cursor.since(start);
  const offset = cursor.u16("the offset of an alias");
  const scope = cursor.u8("the scope of an alias");
  if (scope !== 0) throw new Broken("PTX8508", `an alias of a file's variable, at byte ${start}`, span);
  if (root === 0) {
    if (offset === 0) return undefined;
    throw new Broken("PTX8506", `an alias of nothing has an offset, at byte ${start}`, span);
  }
  return { of: tables.variable(root, span), offset };
}

interface FlagTable {
  readonly kind: ast.FlagDeclaration["kind"];
  readonly count: number;
  readonly pool: StringPool;
  readonly names: UniqueNames;
  readonly otherwise: (at: number) => string;
}

/** Addresses, predicates, samplers and surfaces have the same record: name, elements, attributes. */
function readFlags(cursor: Cursor, { kind, count, pool, names, otherwise }: FlagTable): ast.FlagDeclaration[] {
  const declarations: ast.FlagDeclaration[] = [];
  for (let at = 0; at < count; at++) {
    cursor.record();
    const start = cursor.at;
    const { text, span } = pool.next(cursor, `the name of a ${kind}`);
    const name = { text: names.give(text, spellings.variable, otherwise(at)), span };
    const elements = cursor.u16(`the size of a ${kind}`);
    const attributes = attributesOf(cursor, cursor.u8("the count of attributes"), pool);
    declarations.push({ kind, name, elements, attributes, span: cursor.since(start) });
  }
  return declarations;
}

function readLabels(cursor: Cursor, pool: StringPool, names: UniqueNames, tables: Tables): void {
  const count = cursor.u16("the count of labels");
  for (let at = 0; at < count; at++) {
    cursor.record();
    const { text, span } = pool.next(cursor, "the name of a label");
    // Its use in the code shows which kind it is.
    cursor.u8("the kind of a label");
    attributesOf(cursor, cursor.u8("the count of attributes"), pool);
    tables.labels.push({ text: names.give(text, spellings.label, `L${at}`), span });
  }
}

function readInputs(cursor: Cursor, tables: Tables, version: ObjectVersion): ast.Input[] {
  const inputs: ast.Input[] = [];
  const count = cursor.unsigned(bytesOfInputCount(version), "the count of inputs");
  for (let at = 0; at < count; at++) {
    cursor.record();
    const start = cursor.at;
    const kind = cursor.u8("the kind of an input");
    const number = cursor.u32("the variable of an input");
    const span = cursor.since(start);
    const offset = cursor.u16("the offset of an input");
    const size = cursor.u16("the size of an input");
    if (kind > 2)
      throw new Broken(
        "PTX8506",
        `an input of kind ${kind}, at byte ${start}`,
        span,
        "0 (general), 1 (sampler) or 2 (surface)",
      );
    const variable =
      kind === 0
        ? tables.declaredVariable(number, span)
        : kind === 1
          ? tables.sampler(number, span)
          : tables.declaredSurface(number, span);
    inputs.push({ kind: "input", variable, offset, size, span: cursor.since(start) });
  }
  return inputs;
}
