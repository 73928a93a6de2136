import type { Diagnostic } from "../../source/diagnostic.ts";

/** A text as it is run, and what it used that its own target or version lacks. */
export interface Raised {
  readonly text: string;
  readonly warning: Diagnostic;
}

/**
 * Programs that speak to a machine that is not there name old targets (`sm_35`) and use what only newer ones have; a machine that
 * is emulated can give them that. A text of which nothing is wrong but that its `.target` or `.version` is too old (PTX1212,
 * PTX1213) is made to say the oldest that will do; undefined for any other. Lines stay where they are.
 */
export function raised(text: string, diagnostics: readonly Diagnostic[]): Raised | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined || !errors.every(({ code }) => code === "PTX1212" || code === "PTX1213")) return undefined;
  const targets = errors.flatMap(({ message }) => needed(/ needs sm_(\d+)([af]?)/.exec(message)));
  const versions = errors.flatMap(({ message, expected = "" }) => [
    ...needed(/ needs PTX (\d+)\.(\d+)/.exec(message)),
    ...needed(/\.version (\d+)\.(\d+)/.exec(expected)),
  ]);
  const target = targets.sort((a, b) => a.major - b.major || a.rest.localeCompare(b.rest)).at(-1);
  const version = versions.sort((a, b) => a.major - b.major || Number(a.rest) - Number(b.rest)).at(-1);
  let made = text;
  if (target !== undefined) made = made.replace(/(\.target\s+)sm_\d+[af]?/, `$1sm_${target.major}${target.rest}`);
  if (version !== undefined) made = made.replace(/(\.version\s+)\d+\.\d+/, `$1${version.major}.${version.rest}`);
  if (made === text) return undefined;
  const says = [
    ...(target === undefined ? [] : [`.target sm_${target.major}${target.rest}`]),
    ...(version === undefined ? [] : [`.version ${version.major}.${version.rest}`]),
  ];
  const help = [{ message: `it is run as if the text said ${says.join(" and ")}` }];
  return { text: made, warning: { ...first, severity: "warning", help } };
}

const needed = (found: RegExpExecArray | null): { readonly major: number; readonly rest: string }[] =>
  found === null ? [] : [{ major: Number(found[1]), rest: found[2] ?? "" }];
