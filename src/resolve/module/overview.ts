import type { ModuleSymbol, VariableEntry } from "./names/symbols.ts";

/** Facts about the names of a module. */
export interface Overview {
  /** Variables in shared memory, in their order; in texts up to PTX 2.3 those in local memory, too. */
  readonly shared: readonly VariableEntry[];
  /** A function has the name of a register. */
  readonly percent: boolean;
}

/** Cached when all of the module is declared: each body needs it, and a module may have ten thousand. */
const known = new WeakMap<ReadonlyMap<string, ModuleSymbol>, Overview>();

export function overviewOf(names: ReadonlyMap<string, ModuleSymbol>): Overview {
  let made = known.get(names);
  if (made === undefined) {
    const shared: VariableEntry[] = [];
    let percent = false;
    for (const symbol of names.values()) {
      if (symbol.kind === "function") percent ||= symbol.name.startsWith("%");
      else if (symbol.space === "shared" || symbol.space === "local") shared.push(symbol);
    }
    made = { shared: shared.sort((a, b) => a.span.start - b.span.start), percent };
    known.set(names, made);
  }
  return made;
}
