import type * as ast from "../../../../src/parser/ast.ts";
import { noteClean, parseBody, parseSnippet, wasRepaired } from "../../../../src/parser/index.ts";
import { Source, type Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { type BodyNames, bodyNames, declared, typeOf } from "./body-names.ts";
import type { Definition } from "./definition.ts";

/** The names of one version of a text. */
interface Known {
  module?: readonly Definition[];
  readonly bodies: Map<ast.Func | undefined, BodyNames>;
}
const known = new WeakMap<object, Known>();

function knownOf({ source }: Document): Known {
  const all = known.get(source) ?? { bodies: new Map() };
  known.set(source, all);
  return all;
}

/** The declarations of a module outside of functions; a name may occur several times. */
export function moduleNames(document: Document): readonly Definition[] {
  const all = knownOf(document);
  if (document.kind !== "module") return [];
  all.module ??= document.module.value.items.flatMap((item): readonly Definition[] => {
    const scope = { start: 0, end: document.text.length + 1 };
    if (item.kind === "declaration") return declared(item, scope).map((each) => ({ ...each, from: 0 }));
    if (item.kind === "alias")
      return [{ kind: "function", name: item.alias.text, span: item.alias, whole: item, scope, from: 0 }];
    if (item.kind !== "function") return [];
    const kind = item.entry ? "kernel" : "function";
    return [{ kind, name: item.name.text, span: item.name, whole: item, scope, from: 0 }];
  });
  return all.module;
}

/** The names of a function's body with its parameters, or those of a snippet. */
export function namesIn(document: Document, func: ast.Func | undefined): BodyNames {
  const { bodies } = knownOf(document);
  const found = bodies.get(func) ?? bodyNames(document.block(func), func === undefined ? [] : parametersOf(func));
  bodies.set(func, found);
  return found;
}

/**
 * The same without an unfinished statement, which would hide what follows. `unfinished` is its offset, up to the end of
 * its line.
 */
export function namesAround(document: Document, func: ast.Func | undefined, unfinished: Span): BodyNames {
  const { text, name } = document;
  const line = text.indexOf("\n", unfinished.end);
  const end = line < 0 ? text.length : line;
  const blank = " ".repeat(Math.max(0, Math.min(end, func?.body ? func.body.end - 1 : end) - unfinished.start));
  const rest = text.slice(unfinished.start + blank.length);
  const source = new Source(name, text.slice(0, unfinished.start) + blank + rest);
  // Callers need only what can be parsed, and demangled names occur in the text unchanged.
  if (!wasRepaired(document.source)) noteClean(source);
  const block = (func === undefined ? parseSnippet(source) : parseBody(source, func)).value;
  return bodyNames(block, func === undefined ? [] : parametersOf(func));
}

/** The declarations of a function's head: parameters and return parameters. */
export function parametersOf(func: ast.Func): readonly Definition[] {
  const scope: Span = { start: func.start, end: func.end };
  return [...func.returns, ...func.parameters].flatMap((each): readonly Definition[] => {
    const { name, space } = each;
    if (name === undefined) return [];
    const kind = space.text === "reg" ? "register" : "parameter";
    const type = typeOf(each);
    return [{ kind, name: name.text, type, space: space.text, span: name, whole: each, scope, from: func.start }];
  });
}

/** The definition of a name at a position of a body, or of the module. */
export function definitionOf(document: Document, name: ast.Name, func: ast.Func | undefined): Definition | undefined {
  const own = func === undefined && document.kind === "module" ? undefined : namesIn(document, func);
  const mention = own?.mentions.find(({ start }) => start === name.start);
  if (mention?.definition) return mention.definition;
  const declared = own?.definitions.find(({ span }) => span.start === name.start);
  return declared ?? moduleDefinition(document, name.text);
}

/** The definition of a name outside of functions: with several, the one with a body. */
export function moduleDefinition(document: Document, name: string): Definition | undefined {
  const all = moduleNames(document).filter((each) => each.name === name);
  const body = all.find(({ whole }) => document.text.charAt(whole.end - 1) === "}");
  return body ?? all[0];
}
