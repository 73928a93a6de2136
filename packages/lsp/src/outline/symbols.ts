import type * as ast from "../../../../src/parser/ast.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { typeOf } from "../names/body-names.ts";
import { parametersOf } from "../names/text-names.ts";
import { casesIn } from "./cases.ts";

/** A named element of a text, and its children. */
export interface Outlined {
  readonly name: string;
  readonly kind: "kernel" | "function" | "variable" | "parameter" | "register" | "label" | "case" | "section";
  readonly detail: string;
  /** The complete element, and its name. */
  readonly whole: Span;
  readonly span: Span;
  readonly children: readonly Outlined[];
}

/** Longer bodies are skipped: their labels would be thousands. */
const LONGEST = 200_000;

/**
 * The kernels, functions and variables of a text, and its golden checks; with what is inside of them, parameters, labels
 * and variables, unless those are not wanted.
 */
export function symbols(document: Document, { inside = true } = {}): readonly Outlined[] {
  if (document.kind === "vISA") return [];
  const cases = casesIn(document).map(
    ({ name, start, end }): Outlined => plain("case", name, { start, end }, { start, end }, "golden check"),
  );
  if (document.kind === "snippet") return [...cases, ...inBlock(document.block())].sort(byPlace);
  const items = document.module.value.items.flatMap((item): readonly Outlined[] => {
    if (item.kind === "declaration") return variables(item);
    if (item.kind === "section") return [plain("section", `.${item.name.text}`, item, item.name, "debug data")];
    if (item.kind !== "function") return [];
    const { body, name, entry } = item;
    const small = inside && body !== undefined && body.end - body.start < LONGEST;
    const parameters = parametersOf(item).map(({ name, type, space, whole, span }) =>
      plain("parameter", name, whole, span, `.${space} .${type}`),
    );
    const children = [...parameters, ...(small ? inBlock(document.block(item)) : [])];
    const kind = entry ? "kernel" : "function";
    return [{ ...plain(kind, name.text, item, name, body ? `.${entry ? "entry" : "func"}` : "declared"), children }];
  });
  return [...cases, ...items].sort(byPlace);
}

const byPlace = (a: Outlined, b: Outlined): number => a.whole.start - b.whole.start;

const plain = (kind: Outlined["kind"], name: string, whole: Span, span: Span, detail: string): Outlined => ({
  kind,
  name,
  detail,
  children: [],
  whole: { start: whole.start, end: whole.end },
  span: { start: span.start, end: span.end },
});

const variables = (node: ast.Declaration): readonly Outlined[] =>
  node.variables.map(({ name }) =>
    plain(
      node.space.text === "reg" ? "register" : "variable",
      name.text,
      node,
      name,
      `.${node.space.text} .${typeOf(node)}`,
    ),
  );

/** Labels, and variables in memory; registers are too many to be of use in a list. */
const inBlock = (block: ast.Block): readonly Outlined[] =>
  block.statements.flatMap((statement) => {
    if (statement.kind === "block") return inBlock(statement);
    if (statement.kind === "label") return [plain("label", statement.name.text, statement, statement.name, "")];
    return statement.kind === "declaration" && statement.space.text !== "reg" ? variables(statement) : [];
  });
