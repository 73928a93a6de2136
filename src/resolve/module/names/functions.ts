import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import { type Report, reject } from "../../report.ts";
import { requireFeature } from "../header/feature.ts";
import type { Header } from "../header/header.ts";
import { readSignature, sameSignature } from "./signature.ts";
import { type FunctionEntry, linkageOf, type ModuleSymbol } from "./symbols.ts";

/** Enters a kernel or device function; problems are PTX1401, 1409, 1411 and those of its parameters. */
export function declareFunction(
  func: ast.Func,
  names: Map<string, ModuleSymbol>,
  header: Header,
  report: Report,
): void {
  const { name } = func;
  if (linkageOf(func.linkage) === "extern" && func.body)
    reject(report, "PTX1409", func.linkage ?? name, `${name.text} is .extern and has a body`, {
      expected: ".visible, or no body",
    });
  const signature = func.entry ? { results: [], parameters: [] } : readSignature(func, header, report);
  const known = names.get(name.text);
  if (known === undefined) {
    const { start, end } = name;
    const entry: FunctionEntry = {
      kind: "function",
      name: name.text,
      entry: func.entry,
      first: func,
      index: names.size,
      signature,
      span: { start, end },
    };
    if (func.body) entry.definition = func;
    names.set(name.text, entry);
    return;
  }
  if (known.kind === "variable") {
    duplicate(name, known.span, report);
    return;
  }
  if (known.entry !== func.entry) differs(name, known, "a kernel here and a device function there", report);
  else if (known.definition) duplicate(name, known.definition.name, report);
  else if (!sameSignature(signature, known.signature)) differs(name, known, "other parameters", report);
  else agreeOnLinkage(func, known, report);
  if (func.body) known.definition ??= func;
}

/** Reports PTX1401 with the place of the first declaration. */
export function duplicate(name: ast.Name, first: Span, report: Report): void {
  reject(report, "PTX1401", name, `${name.text} is declared already`, {
    expected: "another name",
    related: [{ span: first, message: "declared here" }],
  });
}

function differs(name: ast.Name, { span }: FunctionEntry, what: string, report: Report): void {
  reject(report, "PTX1411", name, `${name.text} was declared with ${what} before`, {
    related: [{ span, message: "declared here" }],
  });
}

function agreeOnLinkage(func: ast.Func, known: FunctionEntry, report: Report): void {
  const before = linkageOf(known.first.linkage);
  const now = linkageOf(func.linkage);
  const wrong = (func.body && before === "extern") || (now !== undefined && now !== before);
  if (wrong)
    reject(report, "PTX1409", func.linkage ?? func.name, `${func.name.text} has a different linkage than before`, {
      expected: before ? `.${before}` : "none",
      related: [{ span: known.span, message: "declared here" }],
    });
}

/** `.alias a, f;` (PTX ISA 11.5.14): `a` becomes another name of the device function `f`. */
export function declareAlias(
  node: ast.Alias,
  names: ReadonlyMap<string, ModuleSymbol>,
  header: Header,
  report: Report,
): void {
  requireFeature(".alias", node, header, report);
  const [alias, aliasee] = [node.alias, node.aliasee].map((name) => {
    const found = names.get(name.text);
    if (found?.kind !== "function") {
      reject(report, "PTX1413", name, `no function ${name.text} is declared before this`, { expected: "a .func" });
      return undefined;
    }
    if (found.entry) reject(report, "PTX1413", name, `${name.text} is a kernel`, { expected: "a .func" });
    return found.entry ? undefined : found;
  });
  if (!alias || !aliasee) return;
  if (alias.definition) {
    reject(report, "PTX1413", node.alias, `${alias.name} has a body`, {
      expected: "a declaration without a body",
    });
    return;
  }
  if (alias.aliasee !== undefined) {
    reject(report, "PTX1413", node.alias, `${alias.name} is an alias of ${alias.aliasee} already`);
    return;
  }
  if (!aliasee.definition) {
    reject(report, "PTX1413", node.aliasee, `${aliasee.name} is not defined before this`, {
      expected: "a function with a body",
    });
    return;
  }
  if (!sameSignature(alias.signature, aliasee.signature))
    reject(report, "PTX1413", node.alias, `${alias.name} and ${aliasee.name} have different parameters`);
  alias.aliasee = aliasee.name;
}

/** Declared functions that are never defined: PTX1410. */
export function checkDefined(names: ReadonlyMap<string, ModuleSymbol>, report: Report): void {
  for (const symbol of names.values()) {
    if (symbol.kind !== "function" || symbol.definition || symbol.aliasee !== undefined) continue;
    if (linkageOf(symbol.first.linkage) === "extern") continue;
    reject(report, "PTX1410", symbol.span, `${symbol.name} is declared and never defined`, {
      expected: "a body, or .extern",
    });
  }
}
