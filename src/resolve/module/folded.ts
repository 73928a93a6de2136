import { driverFunction } from "../../interp/driver/builtin.ts";
import type * as ast from "../../parser/ast.ts";
import { nearest } from "../nearest.ts";
import { calleeOf } from "./call-graph.ts";
import type { Header } from "./header/header.ts";
import type { FunctionParameter, Signature } from "./names/signature.ts";
import type { FunctionEntry, ModuleSymbol } from "./names/symbols.ts";

/** The names that the calls of a body call directly. */
export function calledIn(body: ast.Block): readonly string[] {
  const called = new Set<string>();
  const open = [body];
  for (let block = open.pop(); block !== undefined; block = open.pop())
    for (const statement of block.statements) {
      if (statement.kind === "block") open.push(statement);
      if (statement.kind !== "instruction" || statement.mnemonic.text !== "call") continue;
      const name = calleeOf(statement.operands);
      if (name !== undefined && !name.startsWith("%")) called.add(name);
    }
  return [...called];
}

/**
 * The names of a module together with the functions that its bodies call (`calledIn`) and nothing declares: those of the driver,
 * and those whose code a site has folded away, which any text without a header may lack, else only a C++ name that
 * resembles no other.
 */
export function withFolded(
  names: ReadonlyMap<string, ModuleSymbol>,
  called: readonly string[],
  { assumed }: Pick<Header, "assumed">,
): ReadonlyMap<string, ModuleSymbol> {
  const all = new Map(names);
  const functions = [...names.values()].flatMap(({ kind, name }) => (kind === "function" ? [name] : []));
  for (const name of called) {
    if (all.has(name)) continue;
    const driver = driverSignature(name);
    const mayLack = assumed === true || (/^_Z|[(<:]/.test(name) && nearest(name, functions) === undefined);
    if (driver) all.set(name, missing(name, "declaration", driver, all.size));
    else if (mayLack) all.set(name, missing(name, "code", { results: [], parameters: [] }, all.size));
  }
  return all;
}

function driverSignature(name: string): Signature | undefined {
  const known = driverFunction(name);
  return known && { results: known.gives.map(parameter), parameters: known.takes.map(parameter) };
}

/** A number of 4 or 8 bytes, or a structure of words. */
const parameter = (bytes: number): FunctionParameter => {
  const isNumber = bytes <= 8;
  const type = isNumber ? `b${8 * bytes}` : "b8";
  return {
    name: undefined,
    space: "param",
    type,
    elements: 1,
    align: isNumber ? bytes : 4,
    count: isNumber ? 1 : bytes,
    bytes,
  };
};

/** An entry as if the declaration stood in front of the text. */
function missing(
  name: string,
  what: NonNullable<FunctionEntry["missing"]>,
  signature: Signature,
  index: number,
): FunctionEntry {
  const nowhere = { start: -1, end: -1 };
  const first: ast.Func = {
    kind: "function",
    entry: false,
    attributes: [],
    name: { text: name, ...nowhere },
    returns: [],
    parameters: [],
    directives: [],
    ...nowhere,
  };
  return { kind: "function", name, entry: false, first, index, signature, missing: what, span: nowhere };
}
