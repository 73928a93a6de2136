import { isElementType } from "../../host/memory/element.ts";
import { problem } from "../../host/problem.ts";
import type { Register } from "../../interp/contract/program.ts";
import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { SpannedText } from "./assignment.ts";
import { readNumber, widthOf } from "./number.ts";

/** True for the name of a type that a value can be read in: an element's, or one that only registers have. */
export const isScalarType = (type: string): boolean => isElementType(type) || /^(?:pred|[bsu]128|[us]16x2)$/.test(type);

/**
 * The values of a list, each as bits of `type`. A packed type accepts either its bits or its lanes, low bits
 * first: `1,2,3,4` are two values of `.f16x2`. `count`, where given, is the required number of values.
 */
export function scalars(
  { text, span }: SpannedText,
  type: string,
  source: Source,
  count?: number,
  typePart?: SpannedText,
): Staged<readonly bigint[] | undefined> {
  const wrong = (code: "PTX2101" | "PTX2102", message: string, expected: string, at = span): Staged<undefined> => ({
    value: undefined,
    diagnostics: [problem(code, message, { source, span: at, expected })],
  });
  if (!isScalarType(type)) return wrong("PTX2101", `.${type} is no type`, "f16, b32, u64 or the like", typePart?.span);
  const items = text.split(",");
  const lane = /^(.*)x2$/.exec(type)?.[1];
  const raw = lane !== undefined && items.every(isRaw) && items.length === (count ?? items.length);
  const each = lane === undefined || raw ? type : lane;
  const values: bigint[] = [];
  let at = span.start;
  for (const item of items) {
    const where = { start: at, end: at + item.length };
    at = where.end + 1;
    if (item === "" && items.length > 1)
      return wrong("PTX2101", "a value is missing beside this comma", "values with one comma between two", span);
    const reading = readNumber(item, each);
    if ("bits" in reading) values.push(reading.bits);
    else return wrong(reading.fits ? "PTX2101" : "PTX2102", reading.message, reading.expected, where);
  }
  const width = BigInt(widthOf(each));
  const packed = each === type ? values : pairs(values, width);
  const lanes = each === type ? "" : ` (${values.length} lane${values.length === 1 ? "" : "s"})`;
  if (packed === undefined || (count !== undefined && packed.length !== count)) {
    const wanted =
      lane === undefined
        ? `${count} value${count === 1 ? "" : "s"}`
        : `${(count ?? 1) * 2} lanes, or 0x.. for the bits`;
    if (items.length === 2 && count === 1 && lane === undefined && widthOf(type) === 32) {
      const help = `name the type of the lanes: ${"NAME"}:f16x2=${text}`;
      return wrong("PTX2102", `.${type} says nothing of lanes`, help);
    }
    return wrong("PTX2102", `${text} is not one value of .${type}${lanes}`, wanted);
  }
  return { value: packed, diagnostics: [] };
}

/** Bits, not the number `0x1.8p3`. */
const isRaw = (item: string): boolean => /^0(?:x[\da-f_]+|b[01_]+)$/i.test(item);

function pairs(values: readonly bigint[], width: bigint): bigint[] | undefined {
  if (values.length % 2 !== 0) return undefined;
  return values.flatMap((low, index) => (index % 2 === 0 ? [low | ((values[index + 1] ?? 0n) << width)] : []));
}

/** The bits of each element of a register; `type` reads the value as another type of the same width. */
export function registerBits(
  value: SpannedText,
  register: Register,
  type: SpannedText | undefined,
  source: Source,
): Staged<readonly bigint[] | undefined> {
  const { name, bits, elements } = register;
  if (type !== undefined && isScalarType(type.text) && widthOf(type.text) !== bits) {
    const message = `.${type.text} has ${widthOf(type.text)} bits, and ${name} has ${bits}`;
    const diagnostic = problem("PTX2102", message, { source, span: type.span, expected: `a type of ${bits} bits` });
    return { value: undefined, diagnostics: [diagnostic] };
  }
  return scalars(value, type?.text ?? register.type, source, elements, type);
}
