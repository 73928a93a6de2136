import { problem } from "../../src/host/index.ts";
import type { RunCommandOptions } from "../../src/launch/options.ts";
import { readExtent } from "../../src/launch/value/quantity.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";
import type { Demand, Field, FieldProblem, Inputs } from "../page/client.ts";
import { problemOf } from "./problem.ts";

/** What nobody can type into the page. */
export const standard: RunCommandOptions = {
  sanitize: { mem: true, init: true, sync: true },
  format: "json",
  color: "never",
};

/** Fields as the options of `run`, as far as they can be read, and what is wrong with them. */
export function sizesOf({ entry, grid, block, smem = "", race }: Inputs): {
  readonly options: RunCommandOptions;
  readonly fields: readonly FieldProblem[];
} {
  const fields: FieldProblem[] = [];
  const extent = (field: "grid" | "block", text: string) => {
    if (text.trim() === "") return {};
    const value = readExtent(text.trim());
    if (value !== undefined) return { [field]: value };
    const source = new Source(field, text);
    const message = `${text.trim()} is not a size of a ${field}`;
    const options = { source, span: { start: 0, end: text.length }, expected: "X[,Y[,Z]]" };
    fields.push({ field, problem: problemOf(problem("PTX2003", message, options), source) });
    return {};
  };
  const bytes = (text: string) => {
    if (text.trim() === "") return {};
    if (/^\d{1,9}$/.test(text.trim())) return { smem: Number(text) };
    const source = new Source("smem", text);
    const options = { source, span: { start: 0, end: text.length }, expected: "a number of bytes" };
    fields.push({
      field: "smem",
      problem: problemOf(problem("PTX2003", `${text.trim()} is not a size`, options), source),
    });
    return {};
  };
  const sizes = { ...extent("grid", grid), ...extent("block", block), ...bytes(smem) };
  const options = {
    ...standard,
    ...sizes,
    ...(entry.trim() === "" ? {} : { entry: entry.trim() }),
    ...(race ? { sanitize: { ...standard.sanitize, race } } : {}),
  };
  return { options, fields };
}

/** The values of fields as options; those of names that the program does not have are left out. */
export function withValues(
  options: RunCommandOptions,
  { values }: Inputs,
  demands: readonly Demand[],
): RunCommandOptions {
  const given = (...kinds: readonly Demand["kind"][]): readonly string[] =>
    demands
      .filter(({ name, kind }) => kinds.includes(kind) && (values[name] ?? "").trim() !== "")
      .map((demand) => `${demand.name}=${counted(values[demand.name]?.trim() ?? "", demand)}`);
  return { ...options, arg: given("parameter"), reg: given("register", "carry"), global: given("variable") };
}

/** `1,2,3` and `f32:7` for a pointer: a buffer of as many elements, without a type of the one that the program reads there. */
function counted(text: string, { example, kind }: Demand): string {
  const pointed = kind === "variable" ? undefined : /^([a-z]+\d+)x\d+:/.exec(example)?.[1];
  const [all, type, list = ""] = /^(?:([a-z]+\d+):)?[[({]?((?:[-+.\d]|nan|inf)[^:=[\](){}]*)[\])}]?$/.exec(text) ?? [];
  const items = list.split(",").map((item) => item.trim());
  // One number alone is an address, as on the command line.
  const isAddress = type === undefined && items.length === 1;
  return pointed === undefined || all === undefined || isAddress ? text : `${type ?? pointed}x${items.length}:${items}`;
}

/** Problems by where they are: in the text, or in a field. */
export function sorted(all: readonly Diagnostic[], source: Source) {
  const text: Diagnostic[] = [];
  const fields: FieldProblem[] = [];
  for (const each of all) {
    const field = fieldOf(each, source);
    if (field === undefined) text.push(each);
    else fields.push({ field, problem: problemOf(each, each.source, offsetOf(each)) });
  }
  return { text, fields };
}

function fieldOf({ code, message, source }: Diagnostic, program: Source): Field | undefined {
  if (source.text === program.text) return undefined;
  if (/^--(?:arg|reg|global)$/.test(source.name)) return `value:${source.text.slice(0, source.text.indexOf("="))}`;
  if (code === "PTX2203" || code === "PTX2204") return "entry";
  return code === "PTX2207" && message.startsWith("a grid") ? "grid" : code === "PTX2207" ? "block" : undefined;
}

/** The name and `=` before a value in the option that it became. */
const offsetOf = ({ source }: Diagnostic): number => source.text.indexOf("=") + 1;
