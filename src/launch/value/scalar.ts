import { problem } from "../../host/problem.ts";
import type { Program, Register } from "../../interp/contract/program.ts";
import { formatNamed, isValueType, type Lanes, lanesOf, widthOf } from "../../numeric/format/value-type.ts";
import { meaningOf } from "../../present/register-types.ts";
import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { SpannedText } from "./assignment.ts";
import { readNumber } from "./number.ts";

/**
 * The values of a list, each as bits of `type`. A packed type accepts either its bits or its lanes, low bits
 * first: `1,2,3,4` are two values of `.f16x2`, or one of `.e4m3x4`. `count`, where given, is the required number of values.
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
  if (!isValueType(type))
    return wrong("PTX2101", `.${type} is not a type`, "f16, b32, u64 or the like", typePart?.span);
  const items = text.split(",");
  const lane = lanesOf(type);
  const raw = lane !== undefined && items.every(isRaw) && items.length === (count ?? items.length);
  const [each, width] = lane === undefined || raw ? [type, widthOf(type)] : [lane.type, lane.width];
  const values: bigint[] = [];
  let at = span.start;
  for (const item of items) {
    const where = { start: at, end: at + item.length };
    at = where.end + 1;
    if (item === "" && items.length > 1)
      return wrong("PTX2101", "a value is missing beside this comma", "values with one comma between two", span);
    const reading = readNumber(item, each, width);
    if ("bits" in reading) values.push(reading.bits);
    else return wrong(reading.fits ? "PTX2101" : "PTX2102", reading.message, reading.expected, where);
  }
  const packed = lane === undefined || raw ? values : together(values, lane);
  const lanes = each === type ? "" : ` (${values.length} lane${values.length === 1 ? "" : "s"})`;
  if (packed === undefined || (count !== undefined && packed.length !== count)) {
    const wanted =
      lane === undefined
        ? `${count} value${count === 1 ? "" : "s"}`
        : `${(count ?? 1) * lane.count} lanes, or 0x.. for the bits`;
    if (items.length === 2 && count === 1 && lane === undefined && widthOf(type) === 32) {
      const decimal = /^[-+]?\d+,\d+$/.test(text) && formatNamed(type) !== undefined;
      if (decimal)
        return wrong("PTX2102", `${text} is not one value of .${type}`, `${text.replace(",", ".")}, with a point`);
      const help = `name the type of the lanes: ${"NAME"}:f16x2=${text}`;
      return wrong("PTX2102", `.${type} has no lane type`, help);
    }
    return wrong("PTX2102", `${text} is not one value of .${type}${lanes}`, wanted);
  }
  return { value: packed, diagnostics: [] };
}

/** Bits, not the number `0x1.8p3`. */
const isRaw = (item: string): boolean => /^0(?:x[\da-f_]+|b[01_]+)$/i.test(item);

/** Lanes as packed values; undefined where some are left over. */
function together(values: readonly bigint[], { count, width }: Lanes): readonly bigint[] | undefined {
  if (values.length % count !== 0) return undefined;
  return Array.from({ length: values.length / count }, (_, at) =>
    values.slice(at * count, (at + 1) * count).reduceRight((bits, lane) => (bits << BigInt(width)) | lane, 0n),
  );
}

/**
 * The bits of each element of a register; `type` reads the value as another type of the same width. Where the
 * register's own type does not have the value, `program` says which type was meant.
 */
export function registerBits(
  value: SpannedText,
  register: Register,
  type: SpannedText | undefined,
  source: Source,
  program: Program,
): Staged<readonly bigint[] | undefined> {
  const { name, bits, elements } = register;
  if (type !== undefined && isValueType(type.text) && widthOf(type.text) !== bits) {
    const message = `.${type.text} has ${widthOf(type.text)} bits, and ${name} has ${bits}`;
    const diagnostic = problem("PTX2102", message, { source, span: type.span, expected: `a type of ${bits} bits` });
    return { value: undefined, diagnostics: [diagnostic] };
  }
  const read = scalars(value, type?.text ?? register.type, source, elements, type);
  const meant = read.value === undefined && type === undefined ? meaningOf(register, program) : undefined;
  if (meant === undefined || scalars(value, meant, source, elements).value === undefined) return read;
  const expected = `:${meant}=${value.text}, as the instructions read ${name}, or 0x.. for bits`;
  return { ...read, diagnostics: read.diagnostics.map((each) => ({ ...each, expected })) };
}
