import type { ModuleVariable, Program } from "../interp/program.ts";
import type * as ast from "../parser/ast.ts";
import { parseBody, parseSection } from "../parser/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { hasErrors } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";
import { undefinedCarry } from "./carry.ts";
import { checkSection } from "./debug.ts";
import { Frame, spanOf } from "./frame.ts";
import { duplicate } from "./functions.ts";
import { layOut } from "./layout.ts";
import { type ModuleScope, readModuleScope } from "./module-scope.ts";
import { assemble } from "./program.ts";
import { BodyReport, type Report } from "./report.ts";
import type { Arch } from "./scope.ts";
import type { VariableEntry } from "./symbols.ts";
import { bitsOf, isRegisterType } from "./types.ts";

/** A module whose heads are read; bodies are parsed and resolved when somebody asks for them. */
export interface ModuleImage {
  readonly source: Source;
  /** `.version 9.0` is 90. */
  readonly version: number;
  readonly target: Arch;
  /** Variables in global and constant memory, those that kernels declare for themselves included. */
  readonly variables: readonly ModuleVariable[];
  /** Names of the kernels that have a body, in their order. */
  readonly entries: readonly string[];
  /** A kernel, ready to run; undefined with the reasons when there is none of that name or its body has errors. */
  kernel(name: string): Staged<Program | undefined>;
  /** Everything wrong or odd in any body or section, device functions included; what `loadModule` reported is not repeated. */
  lint(): readonly Diagnostic[];
}

/** Reads a parsed module's declarations; its bodies come later, one by one. Never throws for bad input. */
export function loadModule(source: Source, module: ast.Module): Staged<ModuleImage> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = { source, diagnose: (diagnostic) => diagnostics.push(diagnostic) };
  const scope = readModuleScope(module, report);
  const bodies = new Map<ast.Func, Staged<Program>>();
  const bodyOf = (func: ast.Func): Staged<Program> => {
    let made = bodies.get(func);
    if (!made) {
      made = resolveBody(source, func, scope);
      bodies.set(func, made);
    }
    return made;
  };
  const image: ModuleImage = {
    source,
    version: scope.header.version,
    target: scope.header.target,
    variables: [...scope.names.values(), ...staticsOf(source, module, scope)].flatMap(asModuleVariable),
    entries: [...scope.kernels.keys()],
    kernel(name) {
      const head = scope.kernels.get(name);
      if (!head) return { value: undefined, diagnostics: [] };
      const { value, diagnostics } = bodyOf(head.func);
      return { value: hasErrors(diagnostics) ? undefined : value, diagnostics };
    },
    lint: () =>
      module.items.flatMap((item) => {
        if (item.kind === "section") return lintSection(source, item);
        if (item.kind !== "function" || !item.body) return [];
        const { value, diagnostics } = bodyOf(item);
        return hasErrors(diagnostics) ? diagnostics : [...diagnostics, ...undefinedCarry(value)];
      }),
  };
  return { value: image, diagnostics };
}

/** Nothing that runs needs a section's lines, so they are read here alone. */
function lintSection(source: Source, section: ast.Section): readonly Diagnostic[] {
  const { value, diagnostics } = parseSection(source, section);
  if (hasErrors(diagnostics)) return diagnostics;
  const found = [...diagnostics];
  checkSection(value, { source, diagnose: (diagnostic) => found.push(diagnostic) });
  return found;
}

function resolveBody(source: Source, func: ast.Func, scope: ModuleScope): Staged<Program> {
  const parsed = func.block ? { value: func.block, diagnostics: [] } : parseBody(source, func);
  const report = new BodyReport(source, parsed.diagnostics);
  const head = scope.kernels.get(func.name.text);
  const { program } = assemble({
    source,
    name: func.name.text,
    body: parsed.value,
    outermost: parameterFrame(func, scope, report),
    header: scope.header,
    names: scope.names,
    files: scope.files,
    parameters: head?.func === func ? head.block : { parameters: [], bytes: 0 },
    limits: head?.func === func ? head.limits : {},
    report,
  });
  return { value: program, diagnostics: report.diagnostics };
}

/** Parameters share their block with the body's outermost names (measured). */
function parameterFrame(func: ast.Func, scope: ModuleScope, report: Report): Frame {
  const frame = new Frame();
  const block = func.entry ? scope.kernels.get(func.name.text)?.block : undefined;
  const offsets = new Map(block?.parameters.map(({ name, offset, bytes }) => [name, { offset, bytes }]));
  for (const { name, space, type, vector } of [...func.returns, ...func.parameters]) {
    if (!name || name.text === "_") continue;
    const span = spanOf(name);
    const elements = vector?.text === "v4" ? 4 : vector?.text === "v2" ? 2 : 1;
    const first =
      space.text === "reg" && isRegisterType(type.text)
        ? frame.declare({ kind: "register", name: name.text, type: type.text, elements, span })
        : frame.declare({
            kind: "variable",
            name: name.text,
            space: "param",
            type: type.text,
            bytes: offsets.get(name.text)?.bytes ?? (bitsOf(type.text) ?? 64) / 8,
            offset: offsets.get(name.text)?.offset ?? 0,
            span,
          });
    if (first) duplicate(name, first, report);
  }
  return frame;
}

/** Finds functions that may declare `.global` or `.const` variables of their own, without reading the others. */
const mayDeclareStatics = /(^|[\s;{}:/])\.(global|const)\b/;

/** Variables that bodies declare in global and constant memory live as long as the module, so loading needs them. */
function staticsOf(source: Source, module: ast.Module, scope: ModuleScope): readonly VariableEntry[] {
  const silent: Report = { source, diagnose: () => undefined };
  return module.items.flatMap((item) => {
    if (item.kind !== "function" || !item.body) return [];
    if (!mayDeclareStatics.test(source.text.slice(item.body.start, item.body.end))) return [];
    const { header, names } = scope;
    const body = item.block ?? parseBody(source, item).value;
    const name = item.name.text;
    return layOut({ name, body, outermost: new Frame(), header, names, report: silent, parameterBytes: 0 }).statics;
  });
}

/** What the loader needs of a variable; functions and shared memory are none of its business. */
export function asModuleVariable(symbol: { readonly kind: string } | VariableEntry): readonly ModuleVariable[] {
  if (!("contents" in symbol) || (symbol.space !== "global" && symbol.space !== "const")) return [];
  const { name, space, element, bytes, contents, span } = symbol;
  return [{ name, space, type: element.type, bytes, align: element.align, ...contents, span }];
}
