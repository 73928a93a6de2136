import type { ModuleVariable } from "../../../interp/contract/program.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Staged } from "../../../source/diagnostic.ts";
import type { Source } from "../../../source/source.ts";
import { BlockNames } from "../../declaration/block-names.ts";
import { layOut } from "../../declaration/layout.ts";
import { Windows } from "../../declaration/windows.ts";
import type { Report } from "../../report.ts";
import type { ModuleScope } from "./module-scope.ts";
import type { VariableEntry } from "./symbols.ts";

/** Finds functions that may declare `.global` or `.const` variables of their own, without reading the others. */
const mayDeclareStatics = /(^|[\s;{}:/])\.(global|const)\b/;

/** Variables that bodies declare in global and constant memory live as long as the module, so loading needs them. */
export function staticsOf(
  parse: (func: ast.Func) => Staged<ast.Block>,
  source: Source,
  functions: readonly ast.Func[],
  { header, names }: ModuleScope,
): readonly VariableEntry[] {
  const silent: Report = { source, diagnose: () => undefined };
  return functions.flatMap((func) => {
    if (!func.body || !mayDeclareStatics.test(source.text.slice(func.body.start, func.body.end))) return [];
    const body = parse(func).value;
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
  const { initial, relocations, fields } = contents;
  const variable = { name, space, type: element.type, bytes, align: element.align, initial, relocations, span };
  return [fields === undefined ? variable : { ...variable, fields }];
}
