import { formatOf } from "../host/memory/element.ts";
import { exactDecimal, floatFields, neighbours } from "../numeric/format/float-fields.ts";
import type { Format } from "../numeric/format/format.ts";
import type { Page } from "../source/index.ts";
import { type Palette, plain } from "./text/palette.ts";
import { hex, number } from "./value.ts";

/** The page of a diagnostic's code. */
export function explainCode(code: string, { title, why, wrong, right }: Page, palette: Palette = plain): string {
  const example = (label: string, text: string | undefined, paint: (text: string) => string) =>
    text === undefined ? [] : ["", palette.faint(label), ...text.split("\n").map((line) => `    ${paint(line)}`)];
  return [
    palette.strong(`${code}: ${title}`),
    "",
    why,
    ...example("wrong:", wrong, palette.error),
    ...example("right:", right, palette.good),
    "",
  ].join("\n");
}

/** The same as data; exponent and fraction as binary digits, decimals as texts, neighbours as bits. */
export function floatToJson(bits: bigint, format: Format): Record<string, unknown> {
  const { kind, negative, exponentField, fractionField } = floatFields(format, bits);
  const finite = kind !== "infinity" && kind !== "nan";
  const { below, above } = neighbours(format, bits);
  const neighbour = (other: bigint | undefined) => (other === undefined ? null : `0x${other.toString(16)}`);
  return {
    value: shown(bits, format),
    class: kind,
    ...(format.sign === 1 && { sign: negative ? 1 : 0 }),
    exponent: binary(exponentField, format.exp),
    fraction: format.frac === 0 ? "" : binary(fractionField, format.frac),
    exactly: finite ? exactDecimal(format, bits) : null,
    below: neighbour(below),
    above: neighbour(above),
  };
}

/** What bits mean in a floating-point format: fields, the exact value, and the neighbouring numbers. */
export function explainFloat(bits: bigint, format: Format, palette: Palette = plain): string {
  const { name, width, sign, exp, frac } = format;
  const { kind, negative, exponentField, fractionField, exponent } = floatFields(format, bits);
  const line = (label: string, text: string) => `  ${palette.faint(label.padEnd(12))}${text}\n`;
  const finite = kind !== "infinity" && kind !== "nan";
  const power = kind === "zero" ? "" : ` (2^${exponent}${kind === "subnormal" ? ", subnormal" : ""})`;
  const { below, above } = neighbours(format, bits);
  const neighbour = (label: string, other: bigint | undefined) =>
    other === undefined ? "" : line(label, `${hex(other, width)}  ${shown(other, format)}`);
  return [
    `${palette.strong(`${hex(bits, width)} as ${name}`)}: ${shown(bits, format)}\n`,
    line("sign", sign === 0 ? "none" : negative ? "1" : "0"),
    line("exponent", binary(exponentField, exp) + (finite ? power : "")),
    line("fraction", frac === 0 ? "none" : binary(fractionField, frac)),
    finite ? line("exactly", exactDecimal(format, bits)) : "",
    neighbour("next below", below),
    neighbour("next above", above),
  ].join("");
}

const binary = (value: bigint | number, size: number): string => value.toString(2).padStart(size, "0");

/** The number as a short decimal; formats that buffers cannot have show the exact value, which is short. */
const shown = (bits: bigint, format: Format): string =>
  formatOf(format.name) === undefined ? exactDecimal(format, bits) : number(bits, format.name);
