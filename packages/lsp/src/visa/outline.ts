import type { Span } from "../../../../src/source/source.ts";
import type * as ast from "../../../visa/src/ast.ts";
import { parseVisa, platformOf } from "../../../visa/src/index.ts";
import type { Document } from "../document.ts";
import type { Outlined } from "../outline/symbols.ts";

const files = new WeakMap<object, ast.File>();

/** The tree of a vISA text, as far as it can be understood. */
export function fileOf({ source, settings }: Document): ast.File {
  const snippet = !/^[^\S\r\n]*\.(?:version|kernel|global_function)\b/m.test(source.text);
  const { grf } = settings.platform ?? platformOf(source.text);
  const file = files.get(source) ?? parseVisa(source, { snippet, grf }).value;
  files.set(source, file);
  return file;
}

/** Kernels with their variables, inputs and labels. */
export function visaSymbols(document: Document): readonly Outlined[] {
  return fileOf(document).kernels.map((kernel): Outlined => {
    const children = statements(kernel.statements);
    const last = children.at(-1)?.whole.end ?? kernel.name.span.end;
    const end = Math.max(kernel.name.span.end, last, ...kernel.statements.map(({ span }) => span.end));
    const kind = kernel.kind === "kernel" ? "kernel" : "function";
    const name = kernel.name.text === "" ? "(no name)" : kernel.name.text;
    const span = plain(kernel.name.span);
    return { kind, name, detail: "vISA", whole: { start: span.start, end }, span, children };
  });
}

const statements = (all: readonly ast.Statement[]): readonly Outlined[] =>
  all.flatMap((statement) => {
    switch (statement.kind) {
      case "scope":
        return statements(statement.statements);
      case "variable":
        return [one("variable", statement.name, statement.span, `${statement.elements} of ${statement.type}`)];
      case "predicate":
      case "address":
      case "sampler":
      case "surface":
        return [one("variable", statement.name, statement.span, statement.kind)];
      case "label":
        return [one("label", statement.name, statement.span, "")];
      case "subroutine":
        return [one("function", statement.name, statement.span, "subroutine")];
      default:
        return [];
    }
  });

const one = (kind: Outlined["kind"], { text, span }: ast.Name, whole: Span, detail: string): Outlined => ({
  kind,
  name: text,
  detail,
  children: [],
  whole: { start: Math.min(whole.start, span.start), end: Math.max(whole.end, span.end) },
  span: plain(span),
});

const plain = ({ start, end }: Span): Span => ({ start, end });
