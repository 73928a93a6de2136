import { checkArch } from "../host/launch/arch.ts";
import { problem } from "../host/problem.ts";
import type { Assignment, SpannedText } from "../launch/value/assignment.ts";
import { type Reading, readFloat, readNumber } from "../launch/value/number.ts";
import { elementBits, elementFormat, isFloatElement } from "../numeric/tensor/element.ts";
import type { Row } from "../numeric/tensor/reference.ts";
import type { TileSpec } from "../numeric/tensor/spec.ts";
import type { Palette } from "../present/text/palette.ts";
import { linesOf, rowsToJson } from "../present/working/row.ts";
import { workElement } from "../present/working/tensor/element.ts";
import { type Diagnostic, hasErrors, type Staged } from "../source/diagnostic.ts";
import { type Answer, hexJson } from "./answer.ts";
import type { Multiplied } from "./multiplied.ts";

/** The operands of one element of D: their count and how one of them is read. */
interface Taken {
  readonly count: number;
  readonly type: string;
  readonly what: string;
  read(text: string): Reading;
}

function takenBy({ a, b, c, k, scale }: TileSpec): ReadonlyMap<string, Taken> {
  const of = (type: TileSpec["a"] | "ue8m0" | "ue4m3" | "ue5m3", count: number, what: string): Taken => ({
    count,
    type,
    what: `${what}, .${type}`,
    read: (text) =>
      type === "ue8m0" || type === "ue4m3" || type === "ue5m3"
        ? readFloat(text, elementFormat(type), 8)
        : isFloatElement(type)
          ? readFloat(text, elementFormat(type), elementBits(type))
          : readNumber(text, type),
  });
  const blocks = scale ? k / scale.block : 0;
  return new Map([
    ["a", of(a, k, "a row of A")],
    ["b", of(b, k, "a column of B")],
    ["c", of(c, 1, "an element of C")],
    ...(scale
      ? ([
          ["sa", of(scale.type, blocks, "the row's scales")],
          ["sb", of(scale.type, blocks, "the column's scales")],
        ] as const)
      : []),
  ]);
}

/** The names of what one element of D is made of. */
export const elementOperands = ({ spec }: Multiplied): string[] => [...takenBy(spec).keys()];

/**
 * The derivation of one element of D: `a` is a row of A and `b` a column of B, each a list of up to K elements, of
 * which the rest is 0; `c` is one element, and `sa` and `sb` are the scales of row and column, 1 by default. Types that
 * the spelling leaves to a descriptor are named as `a:bf16=`.
 */
export function explainElement(
  spelling: string,
  { spec, choices }: Multiplied,
  given: readonly Assignment[],
  arch: string | undefined,
  colours: Palette,
): Answer {
  const diagnostics: Diagnostic[] = [...checkArch(arch)];
  const taken = takenBy(spec);
  const values = new Map<string, readonly bigint[]>();
  for (const { source, name, type, value } of given) {
    const known = name.text.replace(/^%/, "");
    const place = { source, span: name.span };
    const operand = taken.get(known);
    if (operand === undefined)
      diagnostics.push(
        problem("PTX2201", `${spelling} has no ${known} for one element`, { ...place, expected: expectedOf(taken) }),
      );
    else if (values.has(known)) diagnostics.push(problem("PTX2004", `${known} is given twice`, place));
    else if (type !== undefined && !(choices.get(known) ?? []).some((each) => each === type.text))
      diagnostics.push(
        problem("PTX2102", `${known} is ${operand.what}`, {
          source,
          span: type.span,
          expected: choices.get(known)?.join(", ") ?? `${known}=...`,
        }),
      );
    else {
      const { value: list, diagnostics: wrong } = listOf(operand, value, source, spec);
      diagnostics.push(...wrong);
      if (list !== undefined) values.set(known, list);
    }
  }
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  diagnostics.push(...missing(taken, values));
  const target = arch ?? usualTarget(spec);
  const rows = workElement(target, spec, operandsOf(spec, values));
  const heading = `${spelling}, one element of D`;
  const operands = [...values].map(([name, bits]) => ({ name, type: taken.get(name)?.type, bits: bits.map(hexJson) }));
  const result = rows.findLast(({ label }) => label === "d")?.value;
  const json = {
    kind: "working",
    form: heading,
    target,
    operands,
    ...(result && { result: { name: "d", type: result.type, bits: hexJson(result.bits) } }),
    rows: rowsToJson(rows),
  } as const;
  return { value: { text: `${[colours.strong(heading), ...linesOf(rows)].join("\n")}\n`, json }, diagnostics };
}

/** The elements of a list, filled up with zeros; a list of 1-bit elements is one number. */
function listOf(operand: Taken, { text, span }: SpannedText, source: Assignment["source"], spec: TileSpec) {
  const bad = (message: string, expected: string): Staged<undefined> => ({
    value: undefined,
    diagnostics: [problem("PTX2102", message, { source, span, expected })],
  });
  if (spec.a === "b1" && operand.count > 1) {
    const bits = /^0x[\da-f_]+$/i.test(text) ? BigInt(text.replaceAll("_", "")) : undefined;
    if (bits === undefined || bits >> BigInt(operand.count) !== 0n)
      return bad(`${text} is not ${operand.count} bits`, `0x.., ${operand.count / 4} digits at most`);
    return { value: Array.from({ length: operand.count }, (_, k) => (bits >> BigInt(k)) & 1n), diagnostics: [] };
  }
  const items = text.split(",");
  if (items.length > operand.count)
    return bad(`${items.length} values for ${operand.what}`, `${operand.count} at most, with commas`);
  const bits: bigint[] = [];
  let at = span.start;
  for (const item of items) {
    const where = { start: at, end: at + item.length };
    at = where.end + 1;
    const reading = operand.read(item);
    if ("bits" in reading) bits.push(reading.bits);
    else {
      const { message, expected, fits } = reading;
      const wrong = problem(fits ? "PTX2101" : "PTX2102", message, { source, span: where, expected });
      return { value: undefined, diagnostics: [wrong] };
    }
  }
  return { value: bits, diagnostics: [] };
}

function operandsOf(spec: TileSpec, values: ReadonlyMap<string, readonly bigint[]>): Row {
  const full = (name: string, count: number, rest = 0n): bigint[] =>
    Array.from({ length: count }, (_, at) => values.get(name)?.[at] ?? rest);
  const { k, scale } = spec;
  const row = { a: full("a", k), b: full("b", k), c: full("c", 1)[0] ?? 0n };
  if (!scale) return row;
  const { bias, frac } = elementFormat(scale.type);
  const one = BigInt(bias) << BigInt(frac);
  const blocks = k / scale.block;
  return { ...row, scaleA: full("sa", blocks, one), scaleB: full("sb", blocks, one) };
}

function missing(taken: ReadonlyMap<string, Taken>, values: ReadonlyMap<string, readonly bigint[]>): Diagnostic[] {
  const rest = [...taken].filter(([name, { count }]) => (values.get(name)?.length ?? 0) < count);
  if (rest.length === 0) return [];
  const list = rest.map(([name, { count }]) => {
    const given = values.get(name)?.length ?? 0;
    const value = name.startsWith("s") ? "1" : "0";
    return given === 0 ? `${name} is ${value}` : `the last ${count - given} of ${name} are ${value}`;
  });
  return [
    problem("PTX2205", `${list.join(", ")}, because no value was given`, {
      severity: "note",
      help: [{ message: `give them as ${rest.map(([name]) => `${name}=VALUE,...`).join(" ")}` }],
    }),
  ];
}

const expectedOf = (taken: ReadonlyMap<string, Taken>): string =>
  [...taken].map(([name, { what, count }]) => `${name} (${count}: ${what})`).join(", ");

/** The default GPU of a snippet without a target; for an operation that only some GPUs have, one of them. */
function usualTarget({ unit, a, b, scale }: TileSpec): string {
  if (unit === "wgmma") return "sm_90a";
  const others = scale !== undefined || [a, b].some((type) => type === "e3m2" || type === "e2m3" || type === "e2m1");
  return unit === "mma" && others ? "sm_120a" : "sm_100a";
}
