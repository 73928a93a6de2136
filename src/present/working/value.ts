import { unpack } from "../../numeric/exact/exact.ts";
import { formats, packedType } from "../../numeric/format/named.ts";
import { hex, number } from "../value.ts";
import { decimalOf, valueRows } from "./number.ts";
import { type Row, row } from "./row.ts";

const widths = /(\d{1,9})(?:x(\d))?$/;

/** Bits and their value in a type, on one line. */
export function valueRow(label: string, type: string, bits: bigint): Row {
  const value = { type, bits };
  if (type === "pred") return row(label, `${bits} (${bits === 0n ? "false" : "true"})`, value);
  const format = formats.find(({ name }) => name === type);
  if (format !== undefined)
    return row(label, `${type} ${hex(bits, format.width)} = ${decimalOf(unpack(format, bits))}`, value);
  const packed = packedType(type);
  if (packed !== undefined) {
    const { lane, count, width } = packed;
    const values = Array.from({ length: count }, (_, at) =>
      decimalOf(unpack(lane, BigInt.asUintN(width, bits >> BigInt(at * width)))),
    );
    return row(label, `${type} ${hex(bits, count * width)} = ${values.join(", ")}`, value);
  }
  const [, width = "32", count = "1"] = widths.exec(type) ?? [];
  const digits = hex(bits, Number(width) * Number(count));
  return row(label, /^b\d/.test(type) ? digits : `${type} ${digits} = ${number(bits, type)}`, value);
}

/** Bits and their number, `0x3c00 (1)`, of lanes one after another. */
export function valueText(type: string, bits: bigint): string {
  const { text } = valueRow("", type, bits);
  const found = /^(?:\S+ )?(\S+) = (.*)$/.exec(text);
  return found === null ? text : `${found[1]} (${found[2]})`;
}

/** A result: of a float all its fields, else one line. */
export function resultRows(label: string, type: string, bits: bigint): Row[] {
  const format = formats.find(({ name }) => name === type);
  return format === undefined ? [valueRow(label, type, bits)] : valueRows(label, format, bits);
}
