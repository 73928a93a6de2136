import { formatOf } from "../host/element.ts";
import { type Exact, unpack } from "../numeric/exact.ts";
import type { Format } from "../numeric/format.ts";
import type { Page } from "../source/index.ts";
import { type Palette, plain } from "./palette.ts";
import { hex, number } from "./value.ts";

/** The page of a diagnostic's code. */
export function explainCode(code: string, { title, why, wrong, right }: Page, palette: Palette = plain): string {
  const example = (label: string, text: string | undefined, paint: (text: string) => string) =>
    text === undefined
      ? ""
      : `\n${palette.faint(label)}\n${text.replace(/^/gm, "    ")}\n`.replace(/ {4}(.*)/g, (line) => paint(line));
  return `${palette.strong(`${code}: ${title}`)}\n\n${why}\n${example("wrong:", wrong, palette.error)}${example("right:", right, palette.good)}`;
}

/** What bits are in a floating-point format: fields, the exact value, and the numbers beside it. */
export function explainFloat(bits: bigint, format: Format, palette: Palette = plain): string {
  const { name, width, sign, exp, frac, bias, pad } = format;
  const field = (at: number, size: number) => (bits >> BigInt(at)) & ((1n << BigInt(size)) - 1n);
  const binary = (value: bigint, size: number) => (size === 0 ? "" : value.toString(2).padStart(size, "0"));
  const fraction = field(pad, frac);
  const exponent = field(pad + frac, exp);
  const value = unpack(format, bits);
  const scale = exponent === 0n && frac > 0 ? `2^${1 - bias}, subnormal` : `2^${Number(exponent) - bias}`;
  const line = (label: string, text: string) => `  ${palette.faint(label.padEnd(12))}${text}\n`;
  return [
    `${palette.strong(`${hex(bits, width)} as ${name}`)}: ${shown(bits, format)}\n`,
    line("sign", sign === 0 ? "none" : binary(field(pad + frac + exp, 1), 1)),
    line("exponent", `${binary(exponent, exp)}${value.kind === "finite" ? ` (${scale})` : ""}`),
    line("fraction", binary(fraction, frac) || "none"),
    value.kind === "finite" ? line("exactly", exactDecimal(value)) : "",
    ...neighbours(bits, format).map(([label, other]) => line(label, `${hex(other, width)}  ${shown(other, format)}`)),
  ].join("");
}

/** The number as a short decimal; formats that have no registers of their own show the exact one. */
function shown(bits: bigint, format: Format): string {
  if (formatOf(format.name) !== undefined) return number(bits, format.name);
  const value = unpack(format, bits);
  return value.kind === "nan" ? "nan" : value.kind === "inf" ? `${value.neg ? "-" : ""}inf` : exactDecimal(value);
}

/** The exact decimal expansion of a finite number: every binary fraction has one that ends. */
export function exactDecimal(value: Exact & { kind: "finite" }): string {
  const { neg, sig, exp } = value;
  const sign = neg ? "-" : "";
  if (exp >= 0) return `${sign}${sig << BigInt(exp)}`;
  // sig / 2^n is sig * 5^n / 10^n.
  const digits = (sig * 5n ** BigInt(-exp)).toString().padStart(1 - exp, "0");
  const fraction = digits.slice(digits.length + exp).replace(/0+$/, "");
  return `${sign}${digits.slice(0, digits.length + exp)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The codes of the next numbers below and above, infinities included; none for NaN. */
export function neighbours(bits: bigint, format: Format): (readonly [label: string, bits: bigint])[] {
  if (unpack(format, bits).kind === "nan") return [];
  const step = 1n << BigInt(format.pad);
  const top = format.sign === 0 ? 0n : 1n << BigInt(format.width - 1);
  const clean = bits - (bits & (step - 1n));
  const magnitude = clean & (top === 0n ? (1n << BigInt(format.width)) - 1n : top - 1n);
  const negative = top !== 0n && (clean & top) !== 0n;
  const towards = (up: boolean): bigint | undefined => {
    if (up !== negative) return magnitude + step + (negative ? top : 0n);
    if (magnitude === 0n) return top === 0n ? undefined : (negative ? 0n : top) + step;
    return magnitude - step + (negative ? top : 0n);
  };
  const found: (readonly [string, bigint])[] = [];
  for (const [label, up] of [
    ["next below", false],
    ["next above", true],
  ] as const) {
    const other = towards(up);
    if (other === undefined || other >> BigInt(format.width) !== 0n) continue;
    const value = unpack(format, other);
    const beyond = unpack(format, clean).kind === "inf" && value.kind === "nan";
    if (value.kind !== "nan" && !beyond) found.push([label, other]);
  }
  return found;
}
