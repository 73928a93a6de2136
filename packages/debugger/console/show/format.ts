import { formats as floats } from "../../../../src/numeric/format/named.ts";
import { lanesOf } from "../../../../src/numeric/format/value-type.ts";
import type { Palette } from "../../../../src/present/text/palette.ts";
import { hex, number } from "../../../../src/present/value.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { type LinePart, refuse } from "../expression/refusal.ts";
import { type ExpressionValue, elementsIn, widthIn } from "../expression/value.ts";

/** How bits are written: `x` all digits, `d` and `u` integers, `t` binary, or a float type. */
export type DisplayFormat = string;

export const formats: readonly string[] = ["x", "d", "u", "t", "f16x2", "bf16x2", ...floats.map(({ name }) => name)];

const isFormat = (text: string): boolean => formats.includes(text);

/** One value in every format of its width, a line for each. */
const ALL = "all";
export const valueFormats: readonly string[] = [ALL, ...formats];

/** Reads the format of `print/FMT`; throws a `Refusal` (PTX2402). */
export function readFormat(part: LinePart, known = formats): DisplayFormat | undefined {
  if (part.text === "") return undefined;
  if (known.includes(part.text)) return part.text;
  throw refuse("PTX2402", `${part.text} is not a format`, part, {
    expected: known.join(", "),
    meant: nearest(part.text, known),
  });
}

/** A value in every format of its width, with those of the types that come first before the others. */
export function everyFormat(bits: bigint, width: number, first: readonly string[]): string {
  const preferred = first.map((type) =>
    type.startsWith("s") ? "d" : /^u\d/.test(type) ? "u" : (lanesOf(type)?.type ?? type),
  );
  const fitting = formats.filter(
    (each) => lanesOf(each) === undefined && (each.length === 1 || width % widthIn(each) === 0),
  );
  const ordered = new Set([...preferred.filter((each) => fitting.includes(each)), ...fitting]);
  return [...ordered].map((each) => `  ${each.padEnd(5)}  ${write(bits, width, each)}\n`).join("");
}

/** The value as `print` shows it: the number, and after it the type and the bits. `first` is what `all` begins with. */
export function show(value: ExpressionValue, format?: DisplayFormat, first: readonly string[] = []): string {
  const { bits, type, elements } = value;
  if (elements !== undefined) {
    const each = elementsIn(value).map((one) => (format ? show({ bits: one, type }, format) : number(one, type)));
    return format ? each.join(" ") : `${each.join(" ")} (${type}x${elements})`;
  }
  if (format === ALL) {
    const width = widthIn(type);
    return `${show(value)}\n${everyFormat(BigInt.asUintN(width, bits), width, [type, ...first])}`.trimEnd();
  }
  if (value.calculated) return showCalculated(bits, type, format);
  const width = widthIn(type);
  if (format !== undefined) return write(bits, width, format);
  if (width === 1) return bits === 0n ? "false" : "true";
  return `${number(bits, type)} (${type} ${hex(bits, width)})`;
}

/** An integer of 64 bits that no register holds: as few digits as it has, and one lane of a float format. */
function showCalculated(bits: bigint, type: string, format: DisplayFormat | undefined): string {
  if (format === undefined) return `${number(bits, type)} (0x${bits.toString(16)})`;
  if (format === "x") return `0x${bits.toString(16)}`;
  if (format === "t") return `0b${bits.toString(2)}`;
  const width = format === "d" || format === "u" ? 64 : widthIn(format);
  return write(BigInt.asUintN(width, bits), width, format);
}

/** Bits in a format; a float narrower than the bits is shown for each lane, low bits first. */
export function write(bits: bigint, width: number, format: DisplayFormat): string {
  switch (format) {
    case "x":
      return hex(bits, width);
    case "d":
      return BigInt.asIntN(width, bits).toString();
    case "u":
      return bits.toString();
    case "t":
      return `0b${bits.toString(2).padStart(width, "0")}`;
    default: {
      const each = widthIn(format);
      const count = Math.max(1, Math.floor(width / each));
      const lane = (at: number): string => number(BigInt.asUintN(each, bits >> BigInt(at * each)), format);
      return Array.from({ length: count }, (_, at) => lane(at)).join(", ");
    }
  }
}

/** `x/NFU`: how many units, in which format, of how many bytes. */
export interface Examination {
  readonly count: number;
  readonly format: DisplayFormat;
  readonly bytes: 1 | 2 | 4 | 8;
}

const sizes: ReadonlyMap<string, Examination["bytes"]> = new Map([
  ["b", 1],
  ["h", 2],
  ["w", 4],
  ["g", 8],
]);

const letters = /^(\d*)(b(?!f16)|[hwg])?(b?f16(?:x2)?|t?f32|f64|u?e\dm\d|[xdutf])?([bhwg]?)$/;

/** Most units that one command shows. */
const MAX_SHOWN_UNITS = 4096;

/** Reads `4fw`; `type` is the type of the memory there, if known. Throws a `Refusal` (PTX2402). */
export function readExamination(part: LinePart, type: string | undefined): Examination {
  const expected = "a count, a format and a unit of b, h, w or g, such as 4xw";
  const [all, digits = "", first = "", letter, last = ""] = letters.exec(part.text) ?? [];
  if (all === undefined || (first !== "" && last !== ""))
    throw refuse("PTX2402", `${part.text} does not say how to look at memory`, part, { expected });
  const count = digits === "" ? 1 : Number(digits);
  if (count < 1 || count > MAX_SHOWN_UNITS)
    throw refuse("PTX2402", `${digits} units cannot be shown`, part, { expected: `1 to ${MAX_SHOWN_UNITS}` });
  const unit = sizes.get(first + last);
  const natural = type !== undefined && [8, 16, 32, 64].includes(widthIn(type)) ? widthIn(type) / 8 : 4;
  const bytes = unit ?? (natural as Examination["bytes"]);
  if (letter === undefined || letter === "f") {
    const float = new Map([
      [2, "f16"],
      [4, "f32"],
      [8, "f64"],
    ] as const).get(bytes as 2 | 4 | 8);
    if (letter === "f") return { count, bytes: float === undefined ? 4 : bytes, format: float ?? "f32" };
    return { count, bytes, format: type !== undefined && isFormat(type) && unit === undefined ? type : "x" };
  }
  if (!isFormat(letter)) throw new Error(`${letter} is not a format`);
  const own = /\d/.test(letter) ? ((widthIn(letter) / 8) as Examination["bytes"]) : undefined;
  return { count, bytes: unit ?? own ?? bytes, format: letter };
}

/** What `info regs` and the lines after a step show of a register. */
export const assigned = (name: string, type: string, bits: readonly bigint[], palette: Palette): string =>
  `${name} = ${palette.strong(bits.map((each) => show({ bits: each, type })).join(", "))}`;
