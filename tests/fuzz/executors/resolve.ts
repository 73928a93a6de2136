import type { Program } from "../../../src/interp/index.ts";
import { parse } from "../../../src/parser/index.ts";
import { loadModule } from "../../../src/resolve/index.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";

export interface Resolved {
  readonly lines: readonly string[];
  readonly program: Program;
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/** The kernel that the lines are, or the errors that they have. */
export function resolve(lines: readonly string[]): Program | readonly Diagnostic[] {
  const source = new Source("program", lines.join("\n"));
  const { value, diagnostics } = parse(source);
  const early = diagnostics.filter(isError);
  if (early.length > 0) return early;
  const module = loadModule(source, value);
  const { value: program, diagnostics: late } = module.value.kernel("k");
  const found = [...module.diagnostics, ...late].filter(isError);
  return program === undefined || found.length > 0 ? found : program;
}

/** Told of each line that is left out, with the reason. */
export type Refused = (line: string, why: string) => void;

/** The same without the lines that have errors; undefined where that does not help. */
export function resolveMended(lines: readonly string[], refused?: Refused): Resolved | undefined {
  let left = lines;
  for (let attempt = 0; attempt < 6; attempt++) {
    const found = resolve(left);
    if (!("length" in found)) return { lines: left, program: found };
    if (found.length === 0) return undefined;
    const wrong = new Map<number, string>();
    for (const { span, message, code } of found) wrong.set(lineOf(left, span.start), `${code} ${message}`);
    for (const [at, why] of wrong) refused?.(left[at] ?? "", why);
    left = left.filter((_, at) => !wrong.has(at));
  }
  return undefined;
}

function lineOf(lines: readonly string[], offset: number): number {
  let end = 0;
  for (const [at, line] of lines.entries()) {
    end += line.length + 1;
    if (offset < end) return at;
  }
  return lines.length - 1;
}
