import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { parseBody, parseSection } from "../../parser/index.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { assemble, type FunctionBody, type ProgramInput } from "../body/assemble.ts";
import { argumentsOf } from "../body/function-call.ts";
import { undefinedCarry } from "../body/undefined-carry.ts";
import { BlockNames } from "../declaration/block-names.ts";
import { functionNames, kernelNames } from "../declaration/formals.ts";
import { layOut } from "../declaration/layout.ts";
import { LocalArea, Windows } from "../declaration/windows.ts";
import { BodyReport, type Report, reject } from "../report.ts";
import { type References, reach, referencesOf } from "./call-graph.ts";
import { checkSection } from "./debug-information.ts";
import { withFolded } from "./folded.ts";
import { type KernelHead, type ModuleScope, readModuleScope } from "./module-scope.ts";
import { needsOf } from "./needs.ts";
import { readSignature } from "./signature.ts";
import type { FunctionEntry, VariableEntry } from "./symbols.ts";
import type { Arch } from "./target.ts";
import { unimplemented } from "./unimplemented.ts";

/** A module whose heads are read; bodies are parsed and resolved on demand. */
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

/** What stands in for directives that a module lacks. */
export interface ModuleDefaults {
  /** `8.7` */
  readonly version?: string;
  /** `sm_90` */
  readonly target?: string;
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
  const scope = readModuleScope(module, report, {
    ...defaults,
    needs: () => needsOf(functions.map((func) => parseOnce(source, func, parsed).value)),
  });
  const bodies = new Bodies(source, functions, scope, parsed);
  let pasted: Bodies | undefined;
  /**
   * A body with undeclared names is read a second time as one of a text that lacks declarations; if that leaves as many
   * errors, the first reading knows better what was meant.
   */
  const orPasted = (read: (bodies: Bodies) => Staged<Program>): Staged<Program> => {
    const first = read(bodies);
    if (!first.diagnostics.some(({ code }) => code === "PTX1320" || code === "PTX1421")) return first;
    const blocks = functions.map((func) => parseOnce(source, func, parsed).value);
    pasted ??= new Bodies(
      source,
      functions,
      { ...scope, names: withFolded(scope.names, blocks, scope.header) },
      parsed,
      true,
    );
    const second = read(pasted);
    return errors(second) < errors(first) ? second : first;
  };
  const kernels = new Map<string, Staged<Program>>();
  // With other addresses every load and store is wrong; one message says it all.
  const narrow = diagnostics.filter(({ code }) => code === "PTX1508");
  const sound: Program[] = [];
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
      return { value: hasErrors(diagnostics) ? undefined : value, diagnostics };
    },
    lint: () =>
      narrow.length > 0
        ? []
        : withOneNote([
            ...module.items.flatMap((item) => {
              if (item.kind === "section") return lintSection(source, item);
              if (item.kind !== "function" || !item.body) return [];
              const { value, diagnostics } = orPasted((bodies) => bodies.alone(item));
              if (hasErrors(diagnostics)) return diagnostics;
              sound.push(value);
              return [...diagnostics, ...undefinedCarry(value)];
            }),
            ...unimplemented(sound.splice(0)),
          ]),
  };
  return { value: image, diagnostics: narrow.length > 0 ? narrow : diagnostics };
}

const errors = ({ diagnostics }: Staged<Program>): number =>
  diagnostics.filter(({ severity }) => severity === "error").length;

/** Where the same is inferred in several bodies, one note is enough. */
function withOneNote(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ code, message }) => {
    const what = code === "PTX9011" ? code : code === "PTX9014" || code === "PTX9015" ? message : undefined;
    if (what === undefined || !said.has(what)) {
      if (what !== undefined) said.add(what);
      return true;
    }
    return false;
  });
}

/** Running needs no section's lines, so only this check reads them. */
function lintSection(source: Source, section: ast.Section): readonly Diagnostic[] {
  const { value, diagnostics } = parseSection(source, section);
  if (hasErrors(diagnostics)) return diagnostics;
  const found = [...diagnostics];
  checkSection(value, { source, diagnose: (diagnostic) => found.push(diagnostic) });
  return found;
}

/** A function's body; those that were parsed are in `parsed`. */
function parseOnce(source: Source, func: ast.Func, parsed: Map<ast.Func, Staged<ast.Block>>): Staged<ast.Block> {
  let made = parsed.get(func);
  if (!made) {
    made = func.block ? { value: func.block, diagnostics: [] } : parseBody(source, func);
    parsed.set(func, made);
  }
  return made;
}

/** The bodies of a module, each parsed once, on demand. */
class Bodies {
  readonly #source: Source;
  readonly #scope: ModuleScope;
  readonly #functions: readonly ast.Func[];
  readonly #paste: boolean;
  readonly #parsed: Map<ast.Func, Staged<ast.Block>>;
  readonly #references = new Map<ast.Func, References>();
  #pointed: ReadonlySet<string> | undefined;

  constructor(
    source: Source,
    functions: readonly ast.Func[],
    scope: ModuleScope,
    parsed: Map<ast.Func, Staged<ast.Block>>,
    paste = false,
  ) {
    this.#paste = paste;
    this.#source = source;
    this.#scope = scope;
    this.#functions = functions;
    this.#parsed = parsed;
  }

  parse(func: ast.Func): Staged<ast.Block> {
    return parseOnce(this.#source, func, this.#parsed);
  }

  /** What is wrong in one body, apart from what it calls. */
  alone(func: ast.Func): Staged<Program> {
    const { source, scope, parsed, report } = this.#begin(func);
    const local = new LocalArea(false);
    const head = func.entry ? this.#scope.kernels.get(func.name.text) : undefined;
    const block = head?.func === func ? head.block : { parameters: [], bytes: 0 };
    const silent: Report = { source, diagnose: () => undefined };
    const outermost = func.entry
      ? kernelNames(block, func, report)
      : functionNames(readSignature(func, scope.header, silent), local, report).blockNames;
    const limits = head?.func === func ? head.limits : {};
    const around = { source, ...scope, parameters: block, limits, report, device: !func.entry, paste: this.#paste };
    return {
      value: assemble({ ...around, name: func.name.text, body: parsed, outermost }),
      diagnostics: report.diagnostics,
    };
  }

  /** A kernel with everything that it may call. */
  whole(func: ast.Func, { block, limits }: KernelHead): Staged<Program> {
    const { source, scope, parsed, report } = this.#begin(func);
    const outermost = kernelNames(block, func, report);
    const own = {
      name: func.name.text,
      body: parsed,
      outermost,
      parameters: block,
      limits,
      report,
      paste: this.#paste,
    };
    return this.#withCallees({ source, ...scope, ...own }, report, this.#referencesOf(func));
  }

  /** The device function of a name, if it or what it is an alias of has a body. */
  launchable(name: string): FunctionEntry | undefined {
    const found = this.#scope.names.get(name);
    return found?.kind === "function" && !found.entry && this.#definitionOf(found)?.body ? found : undefined;
  }

  /** Why a function that is only declared cannot run; nothing for a name that is no function. */
  bodiless(name: string): readonly Diagnostic[] {
    const found = this.#scope.names.get(name);
    if (found?.kind !== "function") return [];
    const report = new BodyReport(this.#source);
    const what = found.entry ? "kernel" : "function";
    reject(report, "PTX2203", found.span, `the ${what} ${name} is declared here and has no body`, {
      expected: "a kernel or a function with a body",
    });
    return report.diagnostics;
  }

  /** A kernel that does nothing but call a device function with its own parameters. */
  launched(entry: FunctionEntry): Staged<Program> {
    const func = this.#definitionOf(entry) ?? entry.first;
    const report = new BodyReport(this.#source);
    const { header, names, files } = this.#scope;
    const silent: Report = { source: this.#source, diagnose: () => undefined };
    const statements = this.parse(func).value;
    const launched = { entry, func, body: statements, signature: readSignature(func, header, silent) };
    const parameters = argumentsOf(launched, report);
    const end = func.body?.end ?? func.end;
    const body: ast.Block = { kind: "block", statements: [], start: end, end };
    const own = {
      name: entry.name,
      body,
      outermost: new BlockNames(),
      parameters,
      limits: {},
      report,
      paste: this.#paste,
      launched,
    };
    const references = { called: new Set([entry.name]), taken: new Set<string>(), indirect: false, allocates: false };
    return this.#withCallees({ source: this.#source, header, names, files, ...own }, report, references);
  }

  #definitionOf({ aliasee, definition }: FunctionEntry): ast.Func | undefined {
    const found = aliasee === undefined ? undefined : this.#scope.names.get(aliasee);
    return found?.kind === "function" ? found.definition : definition;
  }

  #withCallees(input: ProgramInput, report: BodyReport, references: References): Staged<Program> {
    const reports: BodyReport[] = [report];
    const bodyOf = (entry: FunctionEntry): FunctionBody | undefined => {
      const { definition } = entry;
      if (!definition) return undefined;
      const begun = this.#begin(definition);
      reports.push(begun.report);
      return { func: definition, block: begun.parsed, report: begun.report };
    };
    const reached = reach(references, {
      names: input.names,
      references: ({ definition }) => definition && this.#referencesOf(definition),
      pointed: () => this.#pointedAt(),
    });
    const program = assemble({ ...input, bodyOf, reached });
    return { value: program, diagnostics: withOneNote(reports.flatMap(({ diagnostics }) => diagnostics)) };
  }

  #begin(func: ast.Func) {
    const { header, names, files } = this.#scope;
    const { value: parsed, diagnostics } = this.parse(func);
    const report = new BodyReport(this.#source, diagnostics);
    return { source: this.#source, scope: { header, names, files }, parsed, report };
  }

  #referencesOf(func: ast.Func): References {
    let made = this.#references.get(func);
    if (!made) {
      made = referencesOf(this.parse(func).value, this.#scope.names);
      this.#references.set(func, made);
    }
    return made;
  }

  /** Every function whose address a variable holds at the start or a body takes. */
  #pointedAt(): ReadonlySet<string> {
    if (this.#pointed) return this.#pointed;
    const found = new Set<string>();
    const { names } = this.#scope;
    for (const symbol of [...names.values(), ...staticsOf(this, this.#source, this.#functions, this.#scope)])
      if (symbol.kind === "variable") for (const name of symbol.contents.functions) found.add(name);
    for (const func of this.#functions) for (const name of this.#referencesOf(func).taken) found.add(name);
    this.#pointed = found;
    return found;
  }

  statics(): readonly VariableEntry[] {
    return staticsOf(this, this.#source, this.#functions, this.#scope);
  }
}

/** Finds functions that may declare `.global` or `.const` variables of their own, without reading the others. */
const mayDeclareStatics = /(^|[\s;{}:/])\.(global|const)\b/;

/** Variables that bodies declare in global and constant memory live as long as the module, so loading needs them. */
function staticsOf(
  bodies: Bodies,
  source: Source,
  functions: readonly ast.Func[],
  { header, names }: ModuleScope,
): readonly VariableEntry[] {
  const silent: Report = { source, diagnose: () => undefined };
  return functions.flatMap((func) => {
    if (!func.body || !mayDeclareStatics.test(source.text.slice(func.body.start, func.body.end))) return [];
    const body = bodies.parse(func).value;
    const windows = new Windows();
    const name = func.name.text;
    const around = { name, body, outermost: new BlockNames(), header, names, report: silent };
    return layOut({ ...around, windows, local: windows.local }).statics;
  });
}

/** What the loader needs of a variable; it does not need functions and shared memory. */
export function asModuleVariable(symbol: { readonly kind: string } | VariableEntry): readonly ModuleVariable[] {
  if (!("contents" in symbol) || (symbol.space !== "global" && symbol.space !== "const")) return [];
  const { name, space, element, bytes, contents, span } = symbol;
  const { initial, relocations } = contents;
  return [{ name, space, type: element.type, bytes, align: element.align, initial, relocations, span }];
}
