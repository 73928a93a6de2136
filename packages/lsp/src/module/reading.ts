import type { Program } from "../../../../src/interp/contract/program.ts";
import type * as ast from "../../../../src/parser/ast.ts";
import { Bodies } from "../../../../src/resolve/module/bodies.ts";
import { withFolded } from "../../../../src/resolve/module/folded.ts";
import type { Needs } from "../../../../src/resolve/module/header/assumed-header.ts";
import { type ModuleScope, readModuleScope } from "../../../../src/resolve/module/names/module-scope.ts";
import { parseOnce } from "../../../../src/resolve/module/parse-once.ts";
import type { Report } from "../../../../src/resolve/report.ts";
import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import type { Settings } from "../settings.ts";

/** The heads of a module in one version of its text; bodies are read on demand. */
export class Reading {
  readonly source: Source;
  readonly scope: ModuleScope;
  /** Diagnostics outside of bodies. */
  readonly diagnostics: readonly Diagnostic[];
  /** The module's address size is wrong: every load and store would be an error, and only this is reported. */
  readonly narrow: boolean;
  readonly #functions: readonly ast.Func[];
  readonly #parsed = new Map<ast.Func, Staged<ast.Block>>();
  readonly #bodies: Bodies;
  #pasted: Bodies | undefined;

  /** `needs` is called for the functions' needs where the text has no header. */
  constructor(
    source: Source,
    module: ast.Module,
    { target, version }: Settings,
    needs: (func: ast.Func, block: () => ast.Block) => Needs,
  ) {
    this.source = source;
    this.#functions = module.items.flatMap((item) => (item.kind === "function" && item.body ? [item] : []));
    const found: Diagnostic[] = [];
    const report: Report = { source, diagnose: (diagnostic) => found.push(diagnostic) };
    this.scope = readModuleScope(module, report, {
      target,
      version,
      needs: () => together(this.#functions.map((func) => needs(func, () => this.block(func)))),
    });
    const narrow = found.filter(({ code }) => code === "PTX1508");
    this.narrow = narrow.length > 0;
    this.diagnostics = this.narrow ? narrow : found;
    this.#bodies = new Bodies(source, this.#functions, this.scope, this.#parsed);
  }

  /** Everything that findings in bodies depend on besides names, as one string. */
  get header(): string {
    return JSON.stringify(this.scope.header);
  }

  block(func: ast.Func): ast.Block {
    return parseOnce(this.source, func, this.#parsed).value;
  }

  /** Resolves one body. */
  alone(func: ast.Func): Staged<Program> {
    return this.#bodies.alone(func);
  }

  /** The names of the module, and the called functions whose declarations the text may lack. */
  folded(called: readonly string[]): ModuleScope["names"] {
    return withFolded(this.scope.names, called, this.scope.header);
  }

  /** The same, in a text that lacks declarations; all bodies with the same names. */
  pasted(func: ast.Func, names: ModuleScope["names"]): Staged<Program> {
    this.#pasted ??= new Bodies(this.source, this.#functions, { ...this.scope, names }, this.#parsed, true);
    return this.#pasted.alone(func);
  }
}

const together = (all: readonly Needs[]): Needs => ({
  sinces: [...new Set(all.flatMap(({ sinces }) => sinces))],
  until: [...new Set(all.flatMap(({ until }) => until))],
});
