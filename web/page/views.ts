import { formats, packedType } from "../../src/numeric/format/named.ts";
import { isValueType } from "../../src/numeric/format/value-type.ts";
import { hex, number } from "../../src/present/value.ts";

/** How bits are read, besides the way in which the program declares them. */
export const views = [
  ["typed", "as declared"],
  ["hex", "hex"],
  ["unsigned", "unsigned"],
  ["signed", "signed"],
  ["float", "float"],
  ["bf16", "bf16"],
  ["f16x2", "f16x2"],
  ["bf16x2", "bf16x2"],
  ["binary", "binary"],
] as const;

export type View = (typeof views)[number][0];

const floats: Readonly<Record<number, string>> = { 16: "f16", 32: "f32", 64: "f64" };

/** Bits as a text; a view that does not fit the width shows hexadecimal digits. */
export function show(bits: bigint, width: number, type: string, view: View): string {
  switch (view) {
    case "typed":
      // An address says nothing as a decimal number.
      if (/^b\d/.test(type) && bits > 0xffff_ffffn) return hex(bits, width);
      return type === "pred"
        ? bits === 0n
          ? "false"
          : "true"
        : knows(type, width)
          ? number(bits, type)
          : hex(bits, width);
    case "hex":
      return hex(bits, width);
    case "unsigned":
      return bits.toString();
    case "signed":
      return BigInt.asIntN(width, bits).toString();
    case "binary":
      return bits.toString(2).padStart(width, "0");
    case "float":
      return floats[width] === undefined ? hex(bits, width) : number(bits, floats[width]);
    case "bf16":
      return width === 16 ? number(bits, "bf16") : width === 32 ? number(bits >> 16n, "bf16") : hex(bits, width);
    default:
      return width === 32 ? number(bits, view) : hex(bits, width);
  }
}

const knows = (type: string, width: number): boolean => (/^[usb]\d+$/.test(type) || isValueType(type)) && width <= 64;

/** A run of bits of a value that mean one thing, highest first. */
export interface BitField {
  readonly name: "sign" | "exponent" | "fraction" | "bits";
  readonly bits: string;
}

/** The fields of each number in a value, the one in the highest bits first; `lane` counts from the lowest. */
export function fieldsOf(
  type: string,
  bits: bigint,
  width: number,
): readonly { readonly lane: number | undefined; readonly fields: readonly BitField[]; readonly value: string }[] {
  const packed = packedType(type);
  const format = packed?.lane ?? formats.find(({ name }) => name === type);
  const lanes = packed?.count ?? 1;
  const each = width / lanes;
  return Array.from({ length: lanes }, (_, at) => lanes - 1 - at).map((lane) => {
    const own = BigInt.asUintN(each, bits >> BigInt(lane * each));
    const digits = own.toString(2).padStart(each, "0");
    const fields: BitField[] = [];
    if (format === undefined) fields.push({ name: "bits", bits: digits });
    else {
      const { sign, exp, frac } = format;
      const from = digits.length - sign - exp - frac;
      if (sign > 0) fields.push({ name: "sign", bits: digits.slice(from, from + sign) });
      fields.push({ name: "exponent", bits: digits.slice(from + sign, from + sign + exp) });
      if (frac > 0) fields.push({ name: "fraction", bits: digits.slice(digits.length - frac) });
    }
    return { lane: lanes > 1 ? lane : undefined, fields, value: show(own, each, format?.name ?? type, "typed") };
  });
}
