import type { Span } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { types } from "../ast.ts";
import { modifiers, operandClass, regionValues, saturate } from "./codes.ts";
import { Broken, type Cursor } from "./cursor.ts";
import { readGuard } from "./guard.ts";
import type { CodeLayout, Field } from "./layout.ts";
import { type Tables, typeOf } from "./tables.ts";

/** Bytes of a register for the row numbers of an object, whatever the platform. */
export const bytesOfRow = 32;

/** Bytes that one element of a surface or sampler takes. */
export const bytesOfState = 4;

/** Reads a vector operand: a tag, then what its class has (manual 5). */
export function readOperand(
  field: Field & { readonly kind: "operand" },
  layout: CodeLayout,
  cursor: Cursor,
  tables: Tables,
): { readonly operand: ast.Operand; readonly saturates: boolean } {
  const start = cursor.at;
  const tag = cursor.u8("the tag of an operand");
  const bits = tag >> 3;
  const operand = readClass(tag & 7, field, cursor, tables);
  const span = cursor.since(start);
  const wrong = (message: string): Broken => new Broken("PTX8506", `${message}, at byte ${start}`, span);
  if (operand === undefined || !field.takes.has(operand.kind))
    throw wrong(`${layout.names.join("/")} takes no ${operand?.kind ?? "such"} operand here`);
  if (bits === 0) return { operand, saturates: false };
  if (operand.kind !== "general" && operand.kind !== "indirect")
    throw wrong(`a modifier on an operand of kind ${operand.kind}`);
  if (field.role === "destination") {
    if (bits !== saturate || !layout.saturates) throw wrong(`modifier ${bits} on a destination`);
    return { operand, saturates: true };
  }
  const modifier = modifiers[bits];
  if (modifier === undefined) throw wrong(`modifier ${bits} on a source`);
  return { operand: { ...operand, modifier }, saturates: false };
}

function readClass(
  number: number,
  field: Field & { readonly kind: "operand" },
  cursor: Cursor,
  tables: Tables,
): ast.Operand | undefined {
  const start = cursor.at;
  switch (number) {
    case operandClass.general:
      return readGeneral(field, cursor, tables);
    case operandClass.addressOf:
      return field.takes.has("address of") ? readGeneral(field, cursor, tables) : undefined;
    case operandClass.address: {
      const name = tables.address(cursor.u16("the number of an address"), cursor.since(start));
      const element = cursor.u8("the element of an address");
      const width = cursor.u8("the width of an address");
      if (width > 5)
        throw new Broken("PTX8506", `an address of width ${width}, at byte ${start}`, cursor.since(start), "0 to 5");
      return { kind: "address", name, element, count: 1 << width, span: cursor.since(start) };
    }
    case operandClass.predicate: {
      const guard = readGuard(cursor, tables);
      if (guard === undefined || guard.combine !== undefined)
        throw new Broken("PTX8506", `this predicate is not an operand, at byte ${start}`, cursor.since(start));
      return { kind: "predicate", name: guard.name, inverted: guard.inverted, span: cursor.since(start) };
    }
    case operandClass.indirect: {
      const address = tables.address(cursor.u16("the number of an address"), cursor.since(start));
      const element = cursor.u8("the element of an address");
      const offset = cursor.s16("the offset of an indirect operand");
      const typeAt = cursor.at;
      const type = typeOf(cursor.u8("the type of an indirect operand"), cursor.since(typeAt));
      const region = readRegion(cursor, field.role === "destination" ? "destination" : "indirect");
      return { kind: "indirect", address, element, offset, region, type, span: cursor.since(start) };
    }
    case operandClass.immediate:
      return readImmediate(cursor);
    case operandClass.state: {
      const table = cursor.u8("the class of a state operand");
      const number = cursor.u16("the number of a state operand");
      const span = cursor.since(start);
      if (table > 1) throw new Broken("PTX8506", `a state operand of class ${table}, at byte ${start}`, span, "0 or 1");
      const variable = table === 0 ? tables.surface(number, span) : tables.sampler(number, span);
      const element = cursor.u8("the element of a state operand");
      if (field.takes.has("state")) return { kind: "state", name: variable, element, span: cursor.since(start) };
      return { kind: "address of", variable, offset: element * bytesOfState, span: cursor.since(start) };
    }
    default:
      return undefined;
  }
}

/** A general operand; where only addresses are allowed, it means its own address. */
function readGeneral(field: Field & { readonly kind: "operand" }, cursor: Cursor, tables: Tables): ast.Operand {
  const start = cursor.at;
  const number = cursor.u32("the number of a variable");
  const variable = tables.variable(number, cursor.since(start));
  const row = cursor.u8("the row of an operand");
  const column = cursor.u8("the column of an operand");
  if (field.takes.has("address of") && !field.takes.has("general")) {
    readRegion(cursor, "source");
    const offset = row * bytesOfRow + column * tables.elementBytes(number);
    return { kind: "address of", variable, offset, span: cursor.since(start) };
  }
  const region = readRegion(cursor, field.role);
  return { kind: "general", variable, row, column, region, span: cursor.since(start) };
}

/** Three nibbles; a destination uses only the last one; the others are ignored. */
function readRegion(cursor: Cursor, kind: "destination" | "source" | "indirect"): ast.Region {
  const start = cursor.at;
  const bits = cursor.u16("a region");
  const [vertical, width, horizontal] = [bits & 15, (bits >> 4) & 15, bits >> 8].map((code) => regionValues[code]);
  const span = cursor.since(start);
  const wrong = (): Broken =>
    new Broken(
      "PTX8506",
      `0x${bits.toString(16).padStart(4, "0")} is not a region of a ${kind} operand, at byte ${start}`,
      span,
    );
  if (horizontal === undefined || [bits & 15, (bits >> 4) & 15].some((code) => code >= regionValues.length))
    throw wrong();
  if (kind === "destination") return { horizontal };
  if (width === undefined && vertical === undefined && kind === "indirect") return { horizontal };
  if (width === undefined) throw wrong();
  if (vertical !== undefined) return { vertical, width, horizontal };
  if (kind !== "indirect") throw wrong();
  return { width, horizontal };
}

const long: ReadonlySet<ast.Type> = new Set<ast.Type>(["df", "q", "uq"]);

function readImmediate(cursor: Cursor): ast.Immediate {
  const start = cursor.at;
  const type = types[cursor.u8("the type of an immediate")];
  const bits = type !== undefined && long.has(type) ? cursor.u64("an immediate") : BigInt(cursor.u32("an immediate"));
  const span: Span = cursor.since(start);
  const wrong = (message: string) => new Broken("PTX8506", `${message}, at byte ${start}`, span);
  if (type === undefined || type === "bool" || type === "bf")
    throw wrong(`there are no immediates of type ${type ?? "16 and more"}`);
  if (type === "hf" && bits > 0xffffn) throw wrong("an immediate of type hf has more than 16 bits");
  return { kind: "immediate", type, bits, span };
}
