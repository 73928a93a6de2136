import type { SpecialRegister } from "../../../../src/isa/special-registers.ts";
import type * as ast from "../../../../src/parser/ast.ts";
import { number } from "../../../../src/present/value.ts";
import { asSigned, evaluate } from "../../../../src/resolve/constant/constant.ts";
import { specialOf } from "../../../../src/resolve/instruction/operand/special-register.ts";
import { showVersion } from "../../../../src/resolve/module/header/target.ts";
import type { Report } from "../../../../src/resolve/report.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { writtenBy } from "../names/access.ts";
import type { Mention } from "../names/body-names.ts";
import { type Definition, isOf } from "../names/definition.ts";
import { inferredIn } from "../names/inferred.ts";
import { definitionOf, namesIn } from "../names/text-names.ts";
import { funcAround } from "../navigate/name-at.ts";
import { firstLine, oneLine } from "../text/excerpt.ts";
import { type Place, placeAt } from "../text/place.ts";
import { sketchOf } from "../text/sketch.ts";
import { statementAt } from "../text/statement-at.ts";
import type { Token } from "../text/tokens.ts";
import { diagnosticTexts } from "./diagnostic.ts";
import { opcodeText } from "./opcode.ts";
import { pointeeText } from "./pointee.ts";
import type { Hover } from "./said.ts";

/** Writers that are listed. */
const MAX_LISTED_WRITERS = 8;

/** A name's declaration, and for a register the instructions that write it. */
function definitionText(
  document: Document,
  { text }: ast.Name,
  definition: Definition,
  func: ast.Func | undefined,
): string {
  const { kind, type, space, whole, count, name } = definition;
  const { line } = document.lines.position(definition.span.start);
  switch (kind) {
    case "register": {
      const range = count === undefined ? "" : `, one of \`${name}<${count}>\``;
      return `${code(`.reg .${type} ${text}`)}\n\ndeclared on line ${line + 1}${range}\n\n${writersText(document, text, definition, func)}`;
    }
    case "label":
    case "list":
    case "prototype": {
      const uses = namesIn(document, func).mentions.filter((each) => each.definition === definition);
      return `${code(`${name}:`)}\n\n${kind === "label" ? "label" : kind} on line ${line + 1}, named on ${linesOf(document, uses)}`;
    }
    case "function":
    case "kernel":
      return code(headOf(document, definition));
    default: {
      const where = `${kind}${space === undefined ? "" : ` in .${space}`}, line ${line + 1}`;
      return `${code(oneLine(document.text.slice(whole.start, whole.end)))}\n\n${where}${pointeeText(document, definition, func)}`;
    }
  }
}

/** A register without a declaration. */
function inferredText(document: Document, { text }: ast.Name, func: ast.Func | undefined): string | undefined {
  const found = inferredIn(document, func).find(({ name }) => name === text);
  if (found === undefined) return undefined;
  const { type, declared } = found;
  const as = type === declared ? "" : `, as .${type}`;
  return `${code(`.reg .${declared} ${text}`)}\n\ninferred from its uses${as}\n\n${writersText(document, text, undefined, func)}`;
}

function specialText({ name, type, vector, fixed, since }: SpecialRegister): string {
  const parts = vector ? ", with components .x .y .z" : "";
  const stays = fixed ? "the same for all of a thread's life" : "changes while the program runs";
  return `${code(`%${name}`)}\n\nspecial register, .${type}${parts}; ${stays}\n\nSince PTX ${showVersion(since.ptx)}, sm_${since.sm}. [PTX ISA 10](https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#special-registers)`;
}

/** The instructions that write a register. */
function writersText(
  document: Document,
  name: string,
  definition: Definition | undefined,
  func: ast.Func | undefined,
): string {
  const { mentions, definitions } = namesIn(document, func);
  const lookup = (name: string) => definitions.find((each) => isOf(each, name));
  const writers = mentions.filter(
    ({ text, statement, start, definition: own }) =>
      text === name &&
      own === definition &&
      statement.kind === "instruction" &&
      writtenBy(statement, lookup).some((each) => each.start === start),
  );
  if (writers.length === 0) return "written nowhere";
  const lines = writers.slice(0, MAX_LISTED_WRITERS).map(({ statement }) => {
    const { line } = document.lines.position(statement.start);
    return `- line ${line + 1}: \`${oneLine(document.text.slice(statement.start, statement.end))}\``;
  });
  const more = writers.length > MAX_LISTED_WRITERS ? `\n- and ${writers.length - MAX_LISTED_WRITERS} more` : "";
  return `written by\n${lines.join("\n")}${more}`;
}

function linesOf(document: Document, mentions: readonly Mention[]): string {
  const lines = [...new Set(mentions.map(({ start }) => document.lines.position(start).line + 1))];
  if (lines.length === 0) return "no line";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, MAX_LISTED_WRITERS).join(", ")}${lines.length > MAX_LISTED_WRITERS ? " ..." : ""}`;
}

/** A function without its body. */
function headOf(document: Document, { whole }: Definition): string {
  const text = document.text.slice(whole.start, whole.end);
  const brace = text.indexOf("{");
  return oneLine(brace < 0 ? text : text.slice(0, brace)) || firstLine(text);
}

const code = (text: string): string => `\`\`\`ptx\n${text}\n\`\`\``;

/** Explanations of directives and state spaces, from the manual's chapters 5 and 11. */
const texts: ReadonlyMap<string, string> = new Map([
  [".version", "the PTX ISA version that the text needs at least (PTX ISA 11.1.1)"],
  [".target", "the architecture that the text is for (PTX ISA 11.1.2)"],
  [".address_size", "bits of an address: 32 or 64 (PTX ISA 11.1.3)"],
  [".entry", "a kernel: the host launches it (PTX ISA 11.2.1)"],
  [".func", "a device function: kernels and functions call it (PTX ISA 11.2.2)"],
  [".alias", "another name of a function (PTX ISA 11.2.3)"],
  [".branchtargets", "the labels that a `brx.idx` may go to (PTX ISA 11.3.1)"],
  [".calltargets", "the functions that an indirect call may reach (PTX ISA 11.3.2)"],
  [".callprototype", "parameters and results of functions that an indirect call reaches (PTX ISA 11.3.3)"],
  [".maxnreg", "the most registers of a thread (PTX ISA 11.4.1)"],
  [".maxntid", "the most threads of a block (PTX ISA 11.4.2)"],
  [".reqntid", "the exact number of threads of a block (PTX ISA 11.4.3)"],
  [".minnctapersm", "the least number of blocks that must fit on a multiprocessor (PTX ISA 11.4.4)"],
  [".noreturn", "the function never returns (PTX ISA 11.4.6)"],
  [".pragma", "a hint to the compiler (PTX ISA 11.4.7)"],
  [".reqnctapercluster", "the exact number of blocks of a cluster (PTX ISA 11.7.1)"],
  [".explicitcluster", "the kernel is launched with a cluster's size (PTX ISA 11.7.2)"],
  [".maxclusterrank", "the most blocks of a cluster (PTX ISA 11.7.3)"],
  [".minperctamemory", "the least bytes of global memory that each block has for itself (PTX ISA 11.4.10)"],
  [".language", "the languages that the function was written in (PTX ISA 11.8.2)"],
  [".file", "the file that `.loc` calls by its number (PTX ISA 11.5.3)"],
  [".loc", "file, line and column that what follows was compiled from (PTX ISA 11.5.4)"],
  [".loc_intermediate", "the same in an intermediate language, after a `.loc` (PTX ISA 11.5.5)"],
  [".nv_intermediate_source_section", "texts of an intermediate language, for debuggers (PTX ISA 11.5.6)"],
  [".section", "debug information, DWARF (PTX ISA 11.5.2)"],
  [".extern", "defined in another module (PTX ISA 11.6.1)"],
  [".visible", "may be named by other modules (PTX ISA 11.6.2)"],
  [".weak", "may be named by others, and defined by several (PTX ISA 11.6.3)"],
  [".common", "may be declared by several with different sizes (PTX ISA 11.6.4)"],
  [".reg", "registers, private to each thread (PTX ISA 5.1.1)"],
  [".const", "constant memory, 64 KiB that kernels only read (PTX ISA 5.1.3)"],
  [".global", "memory of all threads, which stays from launch to launch (PTX ISA 5.1.4)"],
  [".local", "memory of each thread (PTX ISA 5.1.5)"],
  [".param", "parameters of kernels and functions, and arguments of calls (PTX ISA 5.1.6)"],
  [".shared", "memory of a block, which its cluster may read (PTX ISA 5.1.7)"],
  [".align", "the address is a multiple of this number of bytes (PTX ISA 5.4.5)"],
  [".ptr", "the parameter is a pointer, with the space and alignment of what it points to (PTX ISA 4.4.1)"],
]);

/** One line about a directive; undefined for an unknown word. */
const directiveText = (word: string): string | undefined => {
  const text = texts.get(word);
  return text === undefined ? undefined : `\`${word}\`: ${text}`;
};

/** The value of a constant, and of the whole expression that it stands in. */
function constantText(document: Document, func: ast.Func | undefined, { start, end }: Span): string | undefined {
  const around = expressionsAt(document, func, start, end);
  const report: Report = { source: document.source, diagnose: () => undefined };
  const lines = around.flatMap((expr) => {
    const value = evaluate(expr, report);
    if (value === undefined) return [];
    const text = document.text.slice(expr.start, expr.end);
    if (value.kind === "integer") return [`\`${text}\` = ${integer(value.value)}`];
    if (value.kind !== "float") return [];
    const type = value.width === 32 ? "f32" : "f64";
    const bits = `0x${value.bits.toString(16).padStart(value.width / 4, "0")}`;
    return [`\`${text}\` = ${number(value.bits, type)} (.${type}, bits \`${bits}\`)`];
  });
  return lines.length === 0 ? undefined : lines.join("  \n");
}

function integer(value: bigint): string {
  const signed = asSigned(value);
  const hexadecimal = `\`0x${value.toString(16)}\``;
  return signed < 0n ? `${signed} (${hexadecimal}, unsigned ${value})` : `${value} (${hexadecimal})`;
}

/** The literal that stands there, and the largest expression around it that has a value of its own. */
function expressionsAt(
  document: Document,
  func: ast.Func | undefined,
  start: number,
  end: number,
): readonly ast.Expr[] {
  const text = document.text.slice(start, end);
  const literal: ast.Expr = { kind: /^0[fFdD]|[.]|^\d+[eE]/.test(text) ? "float" : "integer", text, start, end };
  const statement = func || document.kind === "snippet" ? statementAt(document.block(func), start) : undefined;
  const all = statement === undefined ? [] : expressionsIn(statement);
  const around = all.filter((expr) => expr.start <= start && expr.end >= end && expr.end - expr.start > end - start);
  return around[0] === undefined ? [literal] : [literal, around[0]];
}

/** The outermost expressions of a statement. */
function expressionsIn(statement: ast.Statement): readonly ast.Expr[] {
  if (statement.kind === "declaration")
    return statement.variables.flatMap(({ initial, count }) => [
      ...(initial === undefined ? [] : values(initial)),
      ...(count === undefined ? [] : [count]),
    ]);
  return statement.kind === "instruction" ? statement.operands.flatMap(inOperand) : [];
}

const values = (initial: ast.Initial): readonly ast.Expr[] =>
  initial.kind === "list" ? initial.items.flatMap(values) : initial.kind === "value" ? [initial.value] : [];

function inOperand(operand: ast.Operand): readonly ast.Expr[] {
  switch (operand.kind) {
    case "expr":
      return [operand.value];
    case "address":
      return [operand.base, ...operand.more].flatMap(inOperand);
    case "vector":
    case "list":
      return operand.items.flatMap(inOperand);
    case "element":
      return inOperand(operand.index);
    default:
      return [];
  }
}

/**
 * What stands at an offset: an instruction's form, a register with its writers, a constant's value ... and the pages of what is wrong
 * there, unless they are shown elsewhere.
 */
export function hover(document: Document, offset: number, pages = true): Hover | undefined {
  if (document.kind === "vISA") return undefined;
  const place = placeAt(document, offset);
  if (place.within !== undefined) return undefined;
  const about = place.whole.end > place.whole.start ? textAt(document, place) : undefined;
  const wrong = pages ? diagnosticTexts(document, offset) : [];
  const texts = [...(about ? [about.text] : []), ...wrong.map(({ text }) => text)];
  const span = about?.span ?? wrong[0]?.span;
  return span === undefined ? undefined : { text: texts.join("\n\n---\n\n"), span };
}

function textAt(document: Document, place: Place): Hover | undefined {
  const { whole, before, after, word, func, inBody } = place;
  const text = document.text.slice(whole.start, whole.end);
  const kind = word.text === "" ? kindOf(text) : word.kind;
  const token: Token = { kind, text, start: whole.start, end: whole.end };
  const said = (text: string | undefined, span: Span = token): Hover | undefined =>
    text === undefined ? undefined : { text, span: { start: span.start, end: span.end } };
  if (inBody) {
    const sketch = sketchOf([...before, token, ...after]);
    const { mnemonic, modifiers } = sketch;
    // A label may stand where a mnemonic could.
    const opcode =
      mnemonic && [mnemonic, ...modifiers].some(({ start }) => start === token.start)
        ? opcodeText(document, func, sketch)
        : undefined;
    if (mnemonic && opcode !== undefined)
      return said(opcode, { start: mnemonic.start, end: (modifiers.at(-1) ?? mnemonic).end });
  }
  if (kind === "number") return said(constantText(document, func, token));
  const owner = kind === "dotted" && before.at(-1)?.end === token.start ? before.at(-1) : undefined;
  const name = owner ?? token;
  if (name.kind === "dotted") return said(directiveText(name.text));
  // A head declares names, too.
  const around = func ?? funcAround(document, name.start);
  const found = definitionOf(document, name, around);
  if (found !== undefined) return said(definitionText(document, name, found, around));
  const special = specialOf(name.text);
  if (special !== undefined) return said(specialText(special), { start: name.start, end: token.end });
  return inBody ? said(inferredText(document, name, func)) : undefined;
}

const kindOf = (text: string): Token["kind"] =>
  text.startsWith(".") ? "dotted" : /^\d/.test(text) ? "number" : "word";
