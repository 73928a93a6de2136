import type * as ast from "../../parser/ast.ts";
import { evaluate } from "../constant/constant.ts";
import { nearest } from "../nearest.ts";
import { type Report, reject } from "../report.ts";

const filters = ["nearest", "linear"];
const modes = ["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"];

/** What a field's value may be called; undefined for numbers only. */
const words: ReadonlyMap<string, readonly string[]> = new Map([
  ["filter_mode", filters],
  ["addr_mode_0", modes],
  ["addr_mode_1", modes],
  ["addr_mode_2", modes],
]);
const sizes = ["width", "height", "depth", "channel_data_type", "channel_order", "array_size"];
const sampling = ["filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"];

/** The members of each type (PTX ISA 5.3, Tables 10 and 11). */
const members: Readonly<Record<string, readonly string[]>> = {
  texref: [...sizes, "normalized_coords", ...sampling, "num_mipmap_levels", "num_samples"],
  samplerref: ["force_unnormalized_coords", ...sampling],
  surfref: [...sizes, "memory_layout"],
};

/**
 * The initial value of an opaque variable: a number for each member that it names; a mode is its place in the manual's
 * list. Problems are PTX1615.
 */
export function readFields(initial: ast.Initial, type: string, report: Report): ReadonlyMap<string, number> {
  const fields = new Map<string, number>();
  const known = members[type] ?? [];
  if (initial.kind !== "fields") {
    reject(report, "PTX1615", initial, `a .${type} takes its members' values`, { expected: `{ ${known[0]} = 1 }` });
    return fields;
  }
  for (const { name, value } of initial.fields) {
    if (!known.includes(name.text)) {
      const near = nearest(name.text, known);
      reject(report, "PTX1615", name, `a .${type} has no member ${name.text}`, {
        expected: known.join(", "),
        ...(near === undefined ? {} : { help: [{ message: `did you mean ${near}?` }] }),
      });
      continue;
    }
    const number = numberOf(value, words.get(name.text), report);
    if (number !== undefined) fields.set(name.text, number);
  }
  return fields;
}

function numberOf(value: ast.Expr, called: readonly string[] | undefined, report: Report): number | undefined {
  if (value.kind === "symbol" && value.name.text !== "WARP_SZ") {
    const place = called?.indexOf(value.name.text) ?? -1;
    if (place >= 0) return place;
    return reject(report, "PTX1615", value, `${value.name.text} is no value of this member`, {
      expected: called === undefined ? "a number" : called.join(", "),
    });
  }
  const number = evaluate(value, report);
  if (number === undefined) return undefined;
  if (number.kind === "integer") return Number(BigInt.asUintN(32, number.value));
  return reject(report, "PTX1615", value, "this is no value of a member", { expected: "an integer or a mode" });
}
