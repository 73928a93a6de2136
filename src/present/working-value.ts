import { unpack } from "../numeric/exact.ts";
import { formats } from "../numeric/index.ts";
import { hex, lanes, number } from "./value.ts";
import { decimalOf, valueRows } from "./working-number.ts";
import { type Row, row } from "./working-row.ts";

const widths = /(\d+)(?:x(\d))?$/;

/** Bits and what they mean in a type, on one line. */
export function valueRow(label: string, type: string, bits: bigint): Row {
  if (type === "pred") return row(label, `${bits} (${bits === 0n ? "false" : "true"})`);
  const format = formats.find(({ name }) => name === type);
  if (format !== undefined)
    return row(label, `${type} ${hex(bits, format.width)} = ${decimalOf(unpack(format, bits))}`);
  const [, width = "32", count = "1"] = widths.exec(type) ?? [];
  const digits = hex(bits, Number(width) * Number(count));
  const told = !type.startsWith("b") && lanes(bits, type).length === Number(count);
  return row(label, told ? `${type} ${digits} = ${number(bits, type)}` : digits);
}

/** A result: of a float all its fields, else one line. */
export function resultRows(label: string, type: string, bits: bigint): Row[] {
  const format = formats.find(({ name }) => name === type);
  return format === undefined ? [valueRow(label, type, bits)] : valueRows(label, format, bits);
}
