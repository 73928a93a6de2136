import { problem } from "../host/problem.ts";
import { add, div, type Exact, isZero, negate, type Rounding, round, unpack } from "../numeric/exact/exact.ts";
import { exactOf } from "../numeric/exact/literal.ts";
import { type Format, f64 } from "../numeric/format/format.ts";
import { floatToJson } from "../present/explain.ts";
import { hex, number } from "../present/value.ts";
import { type Answer, hexJson, refused, said } from "./answer.ts";
import { askedRoundings } from "./roundings.ts";

/** The roundings to a format; the others are to an integer. */
const toFormat: readonly string[] = ["rn", "rna", "rz", "rm", "rp"] satisfies readonly Rounding[];

/** A line for each number, format and rounding: the bits, their value and how far it is from the number. */
export function explainRounded(words: readonly string[], formats: readonly Format[], rnd: string): Answer {
  const asked = askedRoundings(rnd);
  if ("code" in asked) return refused(asked);
  const roundings = rnd === "all" ? toFormat : asked;
  const other = roundings.find((each) => !toFormat.includes(each));
  if (other !== undefined)
    return refused(problem("PTX2003", `${other} rounds to an integer`, { expected: toFormat.join(", ") }));
  const rows: string[][] = [];
  const readings: Record<string, unknown>[] = [];
  for (const text of words) {
    const exact = exactOf(text) ?? { kind: "nan" };
    for (const format of formats)
      for (const word of roundings) {
        const bits = round(format, word as Rounding, exact);
        const error = errorOf(exact, bits, format);
        const row = [format.name, word, hex(bits, format.width), number(bits, format.name), error];
        rows.push(words.length > 1 ? [text, ...row] : row);
        readings.push({ text, type: format.name, rnd: word, bits: hexJson(bits), error, ...floatToJson(bits, format) });
      }
  }
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return said({ text: `${lines.join("\n")}\n`, json: { kind: "value", readings } });
}

/** `+0.25 ulp`: a unit is the distance between the two numbers of the format around the exact one. */
function errorOf(exact: Exact, bits: bigint, format: Format): string {
  const error = add(unpack(format, bits), negate(exact), "rn");
  const around = (rnd: Rounding): Exact => unpack(format, round(format, rnd, exact));
  const unit = add(around("rp"), negate(around("rm")), "rn");
  if (error.kind !== "finite" || unit.kind !== "finite") return "not a number of the format";
  if (isZero(error)) return "exact";
  if (isZero(unit)) return "out of range";
  const ulp = Number(number(round(f64, "rn", div(error, unit)), "f64"));
  return `${ulp > 0 ? "+" : ""}${ulp.toFixed(3)} ulp`;
}
