import { factsOf, isStateSpace } from "../../interp/contract/space.ts";
import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import { evaluateInteger } from "../constant/constant.ts";
import { requireFeature } from "../module/header/feature.ts";
import type { Header } from "../module/header/header.ts";
import { linkageOf, type VariableEntry } from "../module/names/symbols.ts";
import { type Report, reject } from "../report.ts";
import { countOf, type DeclaredElement, type Dimensions, readDimensions, readElement } from "./declared-type.ts";
import { isOpaque } from "./fundamental-types.ts";
import { type FindInitialSymbol, readInitial } from "./initial-value.ts";

/** What a declaration needs to know about where it is. */
export interface DeclarationContext {
  readonly scope: "module" | "block";
  readonly header: Header;
  readonly report: Report;
  readonly find: FindInitialSymbol;
}

/**
 * Calls back for each variable of a declaration in memory, in order; one with an error is left out after a
 * diagnostic.
 */
export function readVariables(
  node: ast.Declaration,
  place: DeclarationContext,
  add: (variable: VariableEntry, at: ast.Name) => void,
): void {
  const space = readSpace(node, place);
  const element = node.space.text === "tex" ? readTexture(node, place) : readElement(node, place.header, place.report);
  readAttributes(node, place);
  if (!space || !element) return;
  if (isOpaque(element.type) && !opaqueFits(node, space, element, place)) return;
  for (const variable of node.variables) {
    const dimensions = readDimensions(variable.dimensions, variable, place.report);
    if (!dimensions) continue;
    // `.global .u32 g<4>` declares g0 to g3, as it does for registers.
    const count = variable.count && evaluateInteger(variable.count, place.report);
    if (variable.count && (count === undefined || !fewEnough(count, variable, place))) continue;
    const base = variable.name.text;
    const made = readVariable(node, variable, base, space, element, dimensions, place);
    if (!made) continue;
    if (count === undefined) add(made, variable.name);
    else for (let index = 0; index < count; index++) add({ ...made, name: `${base}${index}` }, variable.name);
  }
}

/** Ranges of variables, unlike those of registers, are written out one by one. */
function fewEnough(count: bigint, at: Span, { report }: DeclarationContext): boolean {
  if (count <= 65536n) return true;
  reject(report, "PTX1407", at, `${count} variables are too many`, { expected: "an array" });
  return false;
}

function readVariable(
  node: ast.Declaration,
  variable: ast.Variable,
  name: string,
  space: VariableEntry["space"],
  element: DeclaredElement,
  given: Dimensions,
  { scope, report, find }: DeclarationContext,
): VariableEntry | undefined {
  const linkage = linkageOf(node.linkage);
  const { initial } = variable;
  if (initial && linkage === "extern")
    return reject(report, "PTX1613", initial, `${name} is .extern, its contents are given elsewhere`);
  if (initial && !factsOf(space).initialised)
    return reject(report, "PTX1613", initial, `a .${space} variable takes no initial value`, {
      expected: "values in .global or .const, or stores at run time",
      manual: "initializers",
    });
  const contents = initial && readInitial(initial, element, given, find, report);
  const dimensions =
    contents && given.length > 0 && given[0] === undefined ? [contents.length, ...given.slice(1)] : given;
  const count = countOf(dimensions);
  const open = linkage === "extern" && scope === "module" && space !== "const";
  if (count === undefined && !open)
    return reject(report, "PTX1406", variable, `${name} has no length`, {
      expected: space === "shared" ? "a length, or .extern for dynamic shared memory" : "a length",
      manual: "array-declarations",
    });
  const bytes = (count ?? 0) * element.bytes;
  if (bytes > 2 ** 53) return reject(report, "PTX1407", variable, `${name} is larger than any memory`);
  const { start, end } = variable;
  return {
    kind: "variable",
    name,
    space,
    element,
    dimensions,
    bytes,
    linkage,
    contents: contents ?? { initial: [], relocations: [], functions: [] },
    span: { start, end },
  };
}

/** `.tex .u32 t`, the `.global .texref t` of texts before PTX 1.5: one scalar of .u32 or .u64 (PTX ISA 5.1.8). */
function readTexture({ type, vector, variables }: ast.Declaration, { report }: DeclarationContext) {
  const array = variables.find(({ dimensions }) => dimensions.length > 0);
  if ((type.text === "u32" || type.text === "u64") && !vector && !array) return TEXTURE;
  return reject(report, "PTX1403", array ?? type, "a .tex variable is one .u32 or .u64", { expected: ".tex .u32" });
}

const TEXTURE: DeclaredElement = { type: "texref", vector: 1, bytes: 8, align: 8 };

function readSpace(
  node: ast.Declaration,
  { scope, header, report }: DeclarationContext,
): VariableEntry["space"] | undefined {
  const { text } = node.space;
  const refuse = (message: string, expected: string): undefined =>
    reject(report, "PTX1408", node.space, message, { expected, manual: "state-spaces" });
  if (node.bank) return refuse("numbered constant banks ended with PTX 2.2", ".const");
  if (text === "tex" && header.version >= 15) return refuse(".tex ended with PTX 1.5", ".global .texref");
  if (text === "tex")
    return scope === "module" ? "global" : refuse("a texture belongs at module scope", "it at module scope");
  if (!isStateSpace(text)) return refuse(`.${text} holds no declared variables`, ".global, .const or .shared");
  // Up to PTX 2.3, which had no stack: each thread has one copy of it, and all functions see it.
  if (scope === "module" && !factsOf(text).atModule && !(text === "local" && header.version < 30))
    return refuse(`.${text} variables belong in functions`, ".global, .const or .shared at module scope");
  const linkage = linkageOf(node.linkage);
  if (linkage === "common" && text !== "global") {
    reject(report, "PTX1409", node.linkage ?? node.space, `.common cannot be combined with .${text}`, {
      expected: ".global",
    });
    return undefined;
  }
  if (scope === "block" && node.linkage) {
    reject(report, "PTX1409", node.linkage, "a variable inside a function has no linkage", {
      expected: "it at module scope",
    });
    return undefined;
  }
  return text;
}

function opaqueFits(
  node: ast.Declaration,
  space: string,
  element: DeclaredElement,
  { scope, header, report }: DeclarationContext,
): boolean {
  if (element.type === "samplerref" && header.texmode === "unified") {
    reject(report, "PTX1418", node.type, ".samplerref needs .target texmode_independent");
    return false;
  }
  if (space === "global" && scope === "module") return true;
  reject(report, "PTX1403", node.type, `a .${element.type} belongs at module scope in .global`, {
    manual: "texture-sampler-and-surface-types",
  });
  return false;
}

function readAttributes(node: ast.Declaration, { header, report }: DeclarationContext): void {
  for (const { name } of node.attributes) {
    if (name.text === "managed" || name.text === "unified") requireFeature(`.${name.text}`, name, header, report);
    else reject(report, "PTX1415", name, `unknown attribute .${name.text}`, { expected: ".managed or .unified" });
    if (name.text === "managed" && node.space.text !== "global")
      reject(report, "PTX1408", name, ".managed is for .global only", { expected: ".global" });
  }
  if (node.linkage?.text === "common") requireFeature(".common", node.linkage, header, report);
}
