import type * as ast from "../ast.ts";
import { types } from "../ast.ts";
import { modifiers, operandClass, regionValues, saturate } from "./codes.ts";
import { fenceBits } from "./fence.ts";
import { guardBits } from "./guard.ts";
import { type CodeLayout, type Field, layoutNamed } from "./layout.ts";
import { bytesOfRow, bytesOfState } from "./read-operand.ts";
import type { Sink } from "./sink.ts";
import { type NumberedNames, Unwritable } from "./symbols.ts";

/** Writes one instruction; throws `Unwritable` when objects cannot hold it. */
export function writeInstruction(instruction: ast.Instruction, code: Sink, symbols: NumberedNames): void {
  const { opcode, operands, span } = instruction;
  const layout = layoutNamed.get(opcode.text);
  if (layout === undefined)
    throw new Unwritable(
      "PTX8521",
      `${opcode.text} has no binary form here`,
      opcode.span,
      "the text as it is, which runs: of a dump's text and object the text is right",
    );
  const { choice, saturates } = modifiersOf(instruction, layout);
  if (instruction.predicate !== undefined && !layout.fields.some(({ kind }) => kind === "guard"))
    throw new Unwritable("PTX8521", `${opcode.text} takes no predicate`, instruction.predicate.name.span);
  code.u8(layout.opcode);
  if (layout.operation !== undefined) code.u8(layout.operation);
  const rest = layout.order === undefined ? [...operands] : layout.order.flatMap((at) => operands[at] ?? []);
  const words = [...instruction.modifiers];
  let unsaturated = saturates;
  for (const field of layout.fields)
    switch (field.kind) {
      case "execution":
        code.u8(executionBits(instruction));
        break;
      case "guard":
        code.u16(instruction.predicate === undefined ? 0 : guardOf(instruction.predicate, symbols));
        break;
      case "choice":
        code.u8(choice);
        break;
      case "label": {
        const operand = rest.shift();
        if (operand?.kind !== "label" && operand?.kind !== "predicate")
          throw new Unwritable("PTX8521", `${opcode.text} goes to a label`, operand?.span ?? span);
        code.u16(symbols.label(operand.name));
        break;
      }
      case "words":
        code.u8(wordBits(instruction, field, words));
        break;
      case "fence": {
        const [word] = instruction.modifiers;
        const bits = fenceBits(opcode.text, word?.text ?? "");
        if (bits === undefined) throw new Unwritable("PTX8521", `${opcode.text} takes no .${word?.text}`, opcode.span);
        code.u8(bits);
        break;
      }
      case "owords":
        code.u8((executionBits(instruction) & 7) | unalignedBit(field, words));
        break;
      case "unused":
        code.unsigned(field.bytes, 0);
        break;
      case "surface": {
        const operand = rest.shift();
        if (operand?.kind !== "state" && operand?.kind !== "predicate")
          throw new Unwritable("PTX8521", `${opcode.text} takes a surface`, operand?.span ?? span);
        code.u8(symbols.find(operand.name, "surface").number);
        break;
      }
      case "raw": {
        const operand = rest.shift();
        if (operand?.kind !== "raw" && operand?.kind !== "predicate")
          throw new Unwritable("PTX8521", `${opcode.text} takes a variable from a byte on`, operand?.span ?? span);
        const variable = operand.kind === "raw" ? operand.variable : operand.name;
        code.u32(symbols.find(variable, "variable").number);
        code.u16(within(operand.kind === "raw" ? operand.offset : 0, 65_535, "offset", operand));
        break;
      }
      case "operand": {
        const operand = rest.shift();
        if (operand === undefined) throw new Unwritable("PTX8521", `${opcode.text} has more operands`, span);
        if (!field.takes.has(operand.kind))
          throw new Unwritable("PTX8521", `${opcode.text} takes no ${operand.kind} operand here`, operand.span);
        writeOperand(operand, {
          code,
          symbols,
          saturates: unsaturated && field.role === "destination",
          role: field.role,
        });
        if (field.role === "destination") unsaturated = false;
      }
    }
  const [word] = layout.fields.some(({ kind }) => kind === "words" || kind === "owords") ? words : [];
  if (word !== undefined) throw new Unwritable("PTX8521", `${opcode.text} takes no .${word.text}`, word.span);
  const [surplus] = rest;
  if (surplus !== undefined) throw new Unwritable("PTX8521", `${opcode.text} has no such operand`, surplus.span);
}

/** The encoding of the dotted words after an opcode. */
function modifiersOf(
  { opcode, modifiers }: ast.Instruction,
  layout: CodeLayout,
): { choice: number; saturates: boolean } {
  let saturates = false;
  if (layout.fields.some(({ kind }) => kind === "words" || kind === "owords" || kind === "fence"))
    return { choice: 0, saturates };
  let choice = layout.relations === undefined ? layout.names.indexOf(opcode.text) : -1;
  for (const { text, span } of modifiers) {
    const relation = layout.relations?.indexOf(text) ?? -1;
    if (text === "sat" && layout.saturates) saturates = true;
    else if (relation >= 0 && choice < 0) choice = relation;
    else throw new Unwritable("PTX8521", `${opcode.text} takes no .${text}`, span);
  }
  if (choice < 0)
    throw new Unwritable("PTX8521", `${opcode.text} compares how?`, opcode.span, layout.relations?.join(", "));
  return { choice, saturates };
}

/** Words of the manual, and what dumps have for them. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["imin", "minsint"],
  ["imax", "maxsint"],
]);

/** The byte of words behind a mnemonic, which are taken from those that are left. */
function wordBits(
  { opcode }: ast.Instruction,
  { words, besides = [] }: Field & { readonly kind: "words" },
  left: ast.Name[],
): number {
  const first = left.shift();
  const bits = words.indexOf(synonyms.get(first?.text ?? "") ?? (first?.text || "-"));
  if (bits < 0) throw new Unwritable("PTX8521", `${opcode.text} takes no .${first?.text}`, first?.span ?? opcode.span);
  const flag = besides.find(({ word }) => word === left[0]?.text);
  if (flag === undefined) return bits;
  left.shift();
  return bits | (1 << flag.bit);
}

/** Takes `.unaligned` from the words that are left. */
function unalignedBit({ unaligned }: Field & { readonly kind: "owords" }, left: ast.Name[]): 0 | 8 {
  if (unaligned === undefined || left[0]?.text !== "unaligned") return 0;
  left.shift();
  return 8;
}

function executionBits({ execution }: ast.Instruction): number {
  if (execution === undefined) return 0;
  const { group, noMask, size, span } = execution;
  const code = Math.log2(size);
  if (!Number.isInteger(code) || code > 5)
    throw new Unwritable("PTX8521", `invalid execution size ${size}`, span, "1, 2, 4, 8, 16 or 32");
  return code | ((group - 1) << 4) | (noMask ? 0x80 : 0);
}

function guardOf(guard: ast.Predicate, symbols: NumberedNames): number {
  return guardBits(symbols.find(guard.name, "predicate").number, guard);
}

interface Writing {
  readonly code: Sink;
  readonly symbols: NumberedNames;
  readonly saturates: boolean;
  readonly role: (Field & { readonly kind: "operand" })["role"];
}

function writeOperand(operand: ast.Operand, { code, symbols, saturates, role }: Writing): void {
  switch (operand.kind) {
    case "general": {
      const { number } = symbols.find(operand.variable, "variable");
      code.u8(operandClass.general | modifierBits(operand, saturates));
      code.u32(number);
      code.u8(within(operand.row, 255, "row", operand));
      code.u8(within(operand.column, 255, "column", operand));
      code.u16(regionBits(operand, role));
      return;
    }
    case "indirect": {
      const { number } = symbols.find(operand.address, "address");
      code.u8(operandClass.indirect | modifierBits(operand, saturates));
      code.u16(number);
      code.u8(within(operand.element, 255, "address element", operand));
      if (operand.offset < -0x8000 || operand.offset > 0x7fff)
        throw new Unwritable("PTX8521", `an offset of ${operand.offset}`, operand.span, "-32768 to 32767");
      code.u16(operand.offset);
      code.u8(types.indexOf(operand.type));
      code.u16(regionBits(operand, role));
      return;
    }
    case "immediate":
      code.u8(operandClass.immediate);
      code.u8(types.indexOf(operand.type));
      if (operand.type === "df" || operand.type === "q" || operand.type === "uq") code.u64(operand.bits);
      else code.u32(Number(BigInt.asUintN(32, operand.bits)));
      return;
    case "address": {
      const width = Math.log2(operand.count);
      if (!Number.isInteger(width))
        throw new Unwritable("PTX8521", `${operand.count} elements of an address`, operand.span);
      const { number } = symbols.find(operand.name, "address");
      code.u8(operandClass.address);
      code.u16(number);
      code.u8(within(operand.element, 255, "address element", operand));
      code.u8(within(width, 5, "logarithm of an address's width", operand));
      return;
    }
    case "predicate":
      code.u8(operandClass.predicate);
      code.u16(guardOf(operand, symbols));
      return;
    case "address of":
      writeAddressOf(operand, code, symbols);
      return;
    case "state": {
      const { kind, number } = symbols.find(operand.name, "surface", "sampler");
      code.u8(operandClass.state);
      code.u8(kind === "surface" ? 0 : 1);
      code.u16(number);
      code.u8(within(operand.element, 255, "element", operand));
      return;
    }
    default:
      throw new Error(`no layout takes an operand of kind ${operand.kind}`);
  }
}

/** `&X` is a general operand in an object (manual, ADDR_ADD), `&T6` a state operand. */
function writeAddressOf(
  operand: ast.Operand & { readonly kind: "address of" },
  code: Sink,
  symbols: NumberedNames,
): void {
  const { kind, number, elementBytes } = symbols.find(operand.variable, "variable", "surface", "sampler");
  const misplaced = (): Unwritable =>
    new Unwritable("PTX8521", `no element begins ${operand.offset} bytes into ${operand.variable.text}`, operand.span);
  if (operand.offset < 0) throw misplaced();
  if (kind !== "variable") {
    if (operand.offset % bytesOfState !== 0) throw misplaced();
    code.u8(operandClass.state);
    code.u8(kind === "surface" ? 0 : 1);
    code.u16(number);
    code.u8(within(operand.offset / bytesOfState, 255, "element", operand));
    return;
  }
  const left = operand.offset % bytesOfRow;
  if (left % elementBytes !== 0) throw misplaced();
  code.u8(operandClass.general);
  code.u32(number);
  code.u8(within((operand.offset - left) / bytesOfRow, 255, "row", operand));
  code.u8(left / elementBytes);
  code.u16(regionBits({ region: { vertical: 0, width: 1, horizontal: 0 }, span: operand.span }, "source"));
}

function modifierBits({ modifier }: { readonly modifier?: ast.Modifier }, saturates: boolean): number {
  return (saturates ? saturate : modifiers.indexOf(modifier)) << 3;
}

function regionBits(
  { region, span }: Pick<ast.Operand & { kind: "general" }, "region" | "span">,
  role: Writing["role"],
): number {
  const { vertical, width, horizontal } = region;
  const nibbles = [role === "source" ? vertical : undefined, role === "source" ? width : undefined, horizontal].map(
    (value) => regionValues.indexOf(value),
  );
  if (nibbles.includes(-1)) throw new Unwritable("PTX8521", "not a valid region", span, "0, 1, 2, 4, 8, 16 and 32");
  return nibbles.reduceRight((sum, nibble) => (sum << 4) | nibble, 0);
}

function within(value: number, largest: number, what: string, { span }: ast.Operand): number {
  if (value >= 0 && value <= largest) return value;
  throw new Unwritable("PTX8521", `a ${what} of ${value}`, span, `0 to ${largest}`);
}

/** The bits and the number that mark a variable's lifetime. */
export function lifetimeOf(
  { about, value, span }: ast.Remark,
  symbols: NumberedNames,
): { readonly bits: number; readonly number: number } {
  const { kind, number } = symbols.find({ text: String(value), span }, "variable", "address", "predicate");
  const table = kind === "predicate" ? 2 : kind === "address" ? 1 : 0;
  return { bits: (table << 4) | (about === "lifetime.end" ? 1 : 0), number };
}
