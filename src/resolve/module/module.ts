import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { Report } from "../report.ts";
import { Bodies } from "./bodies.ts";
import { allFindings, betterReading, findingsInFunction, findingsInSection, lacksNames } from "./findings.ts";
import { calledIn, withFolded } from "./folded.ts";
import { fittingNote } from "./header/fitting.ts";
import { needsOf } from "./header/needs.ts";
import type { Arch } from "./header/target.ts";
import { readModuleScope } from "./names/module-scope.ts";
import { asModuleVariable } from "./names/statics.ts";
import { parseOnce } from "./parse-once.ts";

/** A module whose heads are parsed; bodies are parsed and resolved on demand. */
export interface ModuleImage {
  readonly source: Source;
  /** `.version 9.0` is 90. */
  readonly version: number;
  readonly target: Arch;
  /** Variables in global and constant memory, including those declared inside kernels. */
  readonly variables: readonly ModuleVariable[];
  /** Names of the kernels that have a body, in their order. */
  readonly entries: readonly string[];
  /** Names of the device functions that have a body, or are an alias of one, in their order. */
  readonly functions: readonly string[];
  /**
   * A kernel, ready to run, or the call of a device function by itself; undefined, with diagnostics, when there is none
   * of that name or its body has errors.
   */
  kernel(name: string): Staged<Program | undefined>;
  /**
   * Errors and warnings of all bodies and sections, device functions included; what `loadModule` reported is not
   * repeated.
   */
  lint(): readonly Diagnostic[];
}

/** Defaults for directives that a module lacks. */
export interface ModuleDefaults {
  /** `8.7` */
  readonly version?: string;
  /** `sm_90` */
  readonly target?: string;
  /** The target counts in place of the one that the text states. */
  readonly override?: boolean;
}

/**
 * Reads a parsed module's declarations; its bodies are read later, one by one, unless its header has to be guessed from
 * them. Never throws for bad input.
 */
export function loadModule(source: Source, module: ast.Module, defaults: ModuleDefaults = {}): Staged<ModuleImage> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = { source, diagnose: (diagnostic) => diagnostics.push(diagnostic) };
  const functions = module.items.flatMap((item) => (item.kind === "function" && item.body ? [item] : []));
  const parsed = new Map<ast.Func, Staged<ast.Block>>();
  const needs = () => needsOf(functions.map((func) => parseOnce(source, func, parsed).value));
  const scope = readModuleScope(module, report, {
    ...defaults,
    needs,
  });
  /** What was found, and behind it a note where several errors ask for a newer header. */
  const withFitting = (found: readonly Diagnostic[]): readonly Diagnostic[] => {
    const all = [...found];
    fittingNote(module, [...diagnostics, ...found], needs, scope.header, {
      source,
      diagnose: (diagnostic) => all.push(diagnostic),
    });
    return all;
  };
  const bodies = new Bodies(source, functions, scope, parsed);
  let pasted: Bodies | undefined;
  const folded = () => {
    const called = functions.flatMap((func) => calledIn(parseOnce(source, func, parsed).value));
    return withFolded(scope.names, called, scope.header);
  };
  /**
   * A body with undeclared names is read a second time as one of a text that lacks declarations; if that leaves as many
   * errors, the first reading knows better what was meant.
   */
  const orPasted = (read: (bodies: Bodies) => Staged<Program>): Staged<Program> => {
    const first = read(bodies);
    if (!lacksNames(first.diagnostics)) return first;
    pasted ??= new Bodies(source, functions, { ...scope, names: folded() }, parsed, true);
    return betterReading(first, read(pasted));
  };
  const kernels = new Map<string, Staged<Program>>();
  // With other addresses every load and store is wrong; one message is enough.
  const narrow = diagnostics.filter(({ code }) => code === "PTX1508");
  const image: ModuleImage = {
    source,
    version: scope.header.version,
    target: scope.header.target,
    variables: [...scope.names.values(), ...bodies.statics()].flatMap(asModuleVariable),
    entries: [...scope.kernels.keys()],
    functions: [...scope.names.keys()].filter((name) => bodies.launchable(name) !== undefined),
    kernel(name) {
      const head = scope.kernels.get(name);
      const known = head ?? bodies.launchable(name);
      if (!known) return { value: undefined, diagnostics: bodies.bodiless(name) };
      const made =
        kernels.get(name) ??
        orPasted((bodies) => ("func" in known ? bodies.whole(known.func, known) : bodies.launched(known)));
      kernels.set(name, made);
      const { value, diagnostics } = made;
      return { value: hasErrors(diagnostics) ? undefined : value, diagnostics: withFitting(diagnostics) };
    },
    lint: () =>
      narrow.length > 0
        ? []
        : withFitting(
            allFindings(
              source,
              module.items.flatMap((item) => {
                if (item.kind === "section") return [findingsInSection(source, item)];
                if (item.kind !== "function" || !item.body) return [];
                return [findingsInFunction(orPasted((bodies) => bodies.alone(item)))];
              }),
            ),
          ),
  };
  return { value: image, diagnostics: narrow.length > 0 ? narrow : diagnostics };
}
