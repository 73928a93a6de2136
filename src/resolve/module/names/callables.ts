import type { Source } from "../../../source/source.ts";
import type { Callables } from "../../declaration/scope.ts";
import type { Report } from "../../report.ts";
import type { Reached } from "../call-graph.ts";
import type { Header } from "../header/header.ts";
import { fitsPrototype, readSignature } from "./signature.ts";
import type { FunctionEntry, ModuleSymbol } from "./symbols.ts";

/** The functions of a module as the instructions of one program see them. */
export function callables({
  names,
  header,
  source,
  reached,
}: {
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  readonly header: Header;
  readonly source: Source;
  readonly reached?: Reached;
}): Callables {
  const silent: Report = { source, diagnose: () => undefined };
  const indices = new Map(reached?.functions.map(({ name }, index) => [name, index]));
  const entry = (name: string): FunctionEntry | undefined => {
    const found = names.get(name);
    return found?.kind === "function" ? found : undefined;
  };
  return {
    entry,
    // When a body is only checked, the index is not used.
    index: (name) => indices.get(name) ?? -1,
    prototype: (node) => readSignature(node, header, silent),
    pointed: (signature) =>
      [...(reached?.pointed ?? [])].flatMap((name) => {
        const index = indices.get(name);
        const found = entry(name);
        return index !== undefined && found && fitsPrototype(found.signature, signature) ? [index] : [];
      }),
  };
}
