import { driverFunctions } from "../../interp/driver/builtin.ts";
import { link } from "../../link/link.ts";
import { parse } from "../../parser/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { modulesIn } from "./several.ts";

/** One module of all that are in these texts, see `link`; a single one is as it was. */
export function linked(sources: readonly Source[], name: string): Staged<Source | undefined> {
  const diagnostics: Diagnostic[] = [];
  const inputs = sources.flatMap((source) => {
    const { value, diagnostics: found } = parse(source, { bodies: "index" });
    diagnostics.push(...found);
    return modulesIn(value).map((module) => ({ source, module }));
  });
  const [only] = inputs;
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const { value, diagnostics: found } = link(inputs, name, driverFunctions);
  return { value: value && inputs.length === 1 ? only?.source : value, diagnostics: [...diagnostics, ...found] };
}
