import type { Program } from "../../../../src/interp/contract/program.ts";
import { hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { parseVisa } from "../text/parse.ts";
import { StackFunctions } from "./functions.ts";
import { programOf } from "./load.ts";
import { platformOf } from "./platform.ts";
import { Report } from "./report.ts";
import { Storage } from "./storage.ts";

/** What a line needs of the kernel around it: no instruction, and no input. */
const isAround = ({ kind }: ast.Statement): boolean =>
  kind === "variable" || kind === "predicate" || kind === "address" || kind === "sampler" || kind === "surface";

/**
 * Lines with the variables of a kernel as a program of their own, which runs in a thread of the kernel. A variable that the
 * kernel does not have is an error.
 */
export function typedVisa(
  { source, name, simd }: Pick<Program, "source" | "name" | "simd">,
  line: Source,
): Staged<Program | undefined> {
  const chosen = platformOf(source.text);
  const platform = { ...chosen, grf: simd?.registerBytes === 64 ? (64 as const) : (32 as const) };
  const kernels = parseVisa(source, { grf: platform.grf }).value.kernels;
  const at = kernels.findIndex((each) => each.name.text === name);
  const kernel = kernels[at];
  const { value: typed, diagnostics } = parseVisa(line, { grf: platform.grf, snippet: true });
  const [lines] = typed.kernels;
  if (kernel === undefined || lines === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const report = new Report(line);
  const storage = new Storage(at === 0 ? "" : `${name}.`);
  const statements = [...kernel.statements.filter(isAround), ...lines.statements];
  const made = programOf(report, { ...kernel, statements }, platform, storage, {
    isNew: true,
    functions: new StackFunctions([]),
  });
  const known = new Set([...(simd?.variables ?? []), ...(simd?.views ?? [])].map((each) => each.name));
  const span = { start: 0, end: line.text.length };
  for (const each of storage.variables)
    if (!known.has(each.name)) report.error("PTX8102", `the kernel has no ${each.name}`, span);
  return { value: hasErrors(report.diagnostics) ? undefined : made.value, diagnostics: report.diagnostics };
}
