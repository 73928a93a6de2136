import type { Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { assemble, type FunctionBody, type ProgramInput } from "../body/assemble.ts";
import { argumentsOf } from "../body/function-call.ts";
import { unwrittenResults } from "../body/unwritten-results.ts";
import { BlockNames } from "../declaration/block-names.ts";
import { functionNames, kernelNames } from "../declaration/formals.ts";
import { LocalArea } from "../declaration/windows.ts";
import { BodyReport, type Report, reject } from "../report.ts";
import { type References, reach, referencesOf } from "./call-graph.ts";
import type { KernelHead, ModuleScope } from "./names/module-scope.ts";
import { readSignature } from "./names/signature.ts";
import { staticsOf } from "./names/statics.ts";
import type { FunctionEntry, VariableEntry } from "./names/symbols.ts";
import { withOneNote } from "./one-note.ts";
import { parseOnce } from "./parse-once.ts";

/** The bodies of a module, each parsed once, on demand. */
export class Bodies {
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

  /** Errors of one body, apart from those of functions that it calls. */
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
    const made = this.#withCallees({ source, ...scope, ...own }, report, this.#referencesOf(func));
    // The tree is rarely needed again; then it is parsed again.
    if (!func.block && !hasErrors(made.diagnostics)) this.#parsed.delete(func);
    return made;
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
    const input = { source: this.#source, header, names, files, ...own };
    const { value, diagnostics } = this.#withCallees(input, report, references);
    const notes = hasErrors(diagnostics) ? [] : unwrittenResults(launched, value);
    return { value, diagnostics: [...diagnostics, ...notes] };
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
    for (const symbol of [...names.values(), ...this.statics()])
      if (symbol.kind === "variable") for (const name of symbol.contents.functions) found.add(name);
    for (const func of this.#functions) for (const name of this.#referencesOf(func).taken) found.add(name);
    this.#pointed = found;
    return found;
  }

  /** Variables that bodies declare in global and constant memory. */
  statics(): readonly VariableEntry[] {
    return staticsOf((func) => this.parse(func), this.#source, this.#functions, this.#scope);
  }
}
