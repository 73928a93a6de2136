import type * as protocol from "vscode-languageserver-protocol";
import type { Completion, Document, Outlined } from "../../../packages/lsp/src/index.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Span } from "../../source/source.ts";

/** A span of a document as lines and characters. */
export const rangeOf = ({ lines }: Document, { start, end }: Span): protocol.Range => ({
  start: lines.position(start),
  end: lines.position(end),
});

/** The inverse of `rangeOf`. */
export const spanOf = ({ lines }: Document, { start, end }: protocol.Range): Span => ({
  start: lines.offset(start),
  end: lines.offset(end),
});

/** Errors, warnings and notes as the protocol's numbers. */
const severities = { error: 1, warning: 2, note: 3 } as const;

export function diagnosticOf(document: Document, uri: string, diagnostic: Diagnostic): protocol.Diagnostic {
  const { code, severity, message, expected, help = [], related, span } = diagnostic;
  const lines = [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...help.map((each) => `help: ${each.message}`),
  ];
  return {
    range: rangeOf(document, span),
    severity: severities[severity],
    code,
    source: "ptxrun",
    message: lines.join("\n"),
    ...(related &&
      related.length > 0 && {
        relatedInformation: related.map((each) => ({
          location: { uri, range: rangeOf(document, each.span) },
          message: each.message,
        })),
      }),
  };
}

/** CompletionItemKind. */
const completionKinds: Readonly<Record<Completion["kind"], protocol.CompletionItemKind>> = {
  mnemonic: 14,
  suffix: 20,
  register: 6,
  "special register": 21,
  component: 5,
  label: 18,
  function: 3,
  variable: 6,
  parameter: 6,
  type: 25,
  directive: 14,
  value: 12,
};

export const completionOf = (document: Document, item: Completion, index: number): protocol.CompletionItem => ({
  label: item.label,
  kind: completionKinds[item.kind],
  ...(item.detail !== undefined && { detail: item.detail }),
  sortText: String(index).padStart(5, "0"),
  filterText: item.label,
  textEdit: { range: rangeOf(document, item.replace), newText: item.insert },
});

/** SymbolKind. */
const symbolKinds: Readonly<Record<Outlined["kind"], protocol.SymbolKind>> = {
  kernel: 12,
  function: 12,
  variable: 13,
  parameter: 13,
  register: 13,
  label: 20,
  case: 24,
  section: 3,
};

export const symbolOf = (document: Document, each: Outlined): protocol.DocumentSymbol => ({
  name: each.name,
  detail: each.detail,
  kind: symbolKinds[each.kind],
  range: rangeOf(document, each.whole),
  selectionRange: rangeOf(document, each.span),
  children: each.children.map((child) => symbolOf(document, child)),
});
