import type * as protocol from "vscode-languageserver-protocol";
import {
  completions,
  type Document,
  definition,
  folds,
  format,
  hover,
  inlayHints,
  lenses,
  type MeaningfulToken,
  quickFixes,
  references,
  renamable,
  rename,
  semanticTokens,
  signatures,
  symbols,
  tokenTypes,
  visaHover,
  visaSymbols,
} from "../../../packages/lsp/src/index.ts";
import type { Span } from "../../source/source.ts";
import { completionOf, diagnosticOf, rangeOf, spanOf, symbolOf } from "./convert.ts";

/** Tokens as the protocol packs them: five numbers each, lines and characters relative to the previous one. */
export function encoded({ lines }: Document, tokens: readonly MeaningfulToken[]): readonly number[] {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  const put = (start: number, end: number, type: number): void => {
    const at = lines.position(start);
    data.push(at.line - line, at.line === line ? at.character - character : at.character, end - start, type, 0);
    ({ line, character } = at);
  };
  for (const { start, end, type } of tokens) {
    const number = tokenTypes.indexOf(type);
    const [first, last] = [lines.position(start).line, lines.position(end).line];
    // A token of the protocol lies within a line.
    for (let each = first; each <= last; each++) {
      const span = lines.span(each);
      const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
      if (from < to) put(from, to, number);
    }
  }
  return data;
}

/** A document and its URI at the client. */
export interface Opened {
  readonly uri: string;
  readonly document: Document;
  /** The URI of a file that the text names, if it exists. */
  find(path: string): string | undefined;
}

type At = protocol.TextDocumentPositionParams;

/** The handler of a request; the user sees a thrown `Refusal`. */
export type Feature<P> = (opened: Opened, params: P) => unknown;

/** Shown to the user, as an error of the request. */
export class Refusal extends Error {}

const offsetOf = ({ document }: Opened, { position }: At): number => document.lines.offset(position);
const whole = ({ text }: Document): Span => ({ start: 0, end: text.length });

const hovered: Feature<protocol.HoverParams> = (opened, params) => {
  const { document } = opened;
  const found = (document.kind === "vISA" ? visaHover : hover)(document, offsetOf(opened, params));
  return found === undefined
    ? null
    : { contents: { kind: "markdown", value: found.text }, range: rangeOf(document, found.span) };
};

const helped: Feature<protocol.SignatureHelpParams> = (opened, params) => {
  const found = signatures(opened.document, offsetOf(opened, params));
  const [first] = found;
  if (first === undefined) return null;
  const all = found.map(({ label, operands }) => ({
    label,
    parameters: operands.map(({ start, end, takes }) => ({ label: [start, end], documentation: takes })),
  }));
  return { signatures: all, activeSignature: 0, activeParameter: first.active };
};

const defined: Feature<protocol.DefinitionParams> = (opened, params) => {
  const { document, uri } = opened;
  const found = definition(document, offsetOf(opened, params));
  if (found === undefined) return null;
  if (!("file" in found)) return { uri, range: rangeOf(document, found) };
  const file = opened.find(found.file);
  const place = { line: found.line - 1, character: found.column - 1 };
  return file === undefined ? null : { uri: file, range: { start: place, end: place } };
};

const renamed: Feature<protocol.RenameParams> = (opened, params) => {
  const { document, uri } = opened;
  const found = rename(document, offsetOf(opened, params), params.newName);
  if ("refused" in found) throw new Refusal(found.refused);
  const edits = found.edits.map((edit) => ({ range: rangeOf(document, edit), newText: edit.text }));
  return { changes: { [uri]: edits } };
};

const fixes: Feature<protocol.CodeActionParams> = ({ document, uri }, { range, context }) => {
  if (context.only && !context.only.some((kind) => "quickfix".startsWith(kind))) return [];
  return quickFixes(document, spanOf(document, range)).map(({ title, diagnostic, edit, preferred }) => ({
    title,
    kind: "quickfix",
    isPreferred: preferred,
    diagnostics: [diagnosticOf(document, uri, diagnostic)],
    edit: { changes: { [uri]: [{ range: rangeOf(document, edit), newText: edit.text }] } },
  }));
};

const lensed: Feature<protocol.CodeLensParams> = ({ document, uri }) =>
  lenses(document).map(({ title, span, kernel, case: name }) => ({
    range: rangeOf(document, span),
    command: {
      title,
      command: `ptxrun.${title}`,
      arguments: [{ uri, ...(kernel !== undefined && { kernel }), ...(name !== undefined && { case: name }) }],
    },
  }));

const formatted =
  <P>(range: (document: Document, params: P) => Span | undefined): Feature<P> =>
  ({ document }, params) =>
    format(document, range(document, params)).map((edit) => ({ range: rangeOf(document, edit), newText: edit.text }));

const tokens =
  <P>(range: (document: Document, params: P) => Span): Feature<P> =>
  ({ document }, params) => ({ data: encoded(document, semanticTokens(document, range(document, params))) });

/** Requests about a document, by their methods. */
export const features: Readonly<Record<string, Feature<never>>> = {
  "textDocument/completion": ((opened, params) => {
    const { document } = opened;
    const items = completions(document, offsetOf(opened, params));
    return { isIncomplete: false, items: items.map((item, at) => completionOf(document, item, at)) };
  }) satisfies Feature<protocol.CompletionParams>,
  "textDocument/hover": hovered,
  "textDocument/signatureHelp": helped,
  "textDocument/definition": defined,
  "textDocument/references": ((opened, params) => {
    const { document, uri } = opened;
    const found = references(document, offsetOf(opened, params), { declaration: params.context.includeDeclaration });
    return found.map((span) => ({ uri, range: rangeOf(document, span) }));
  }) satisfies Feature<protocol.ReferenceParams>,
  "textDocument/documentHighlight": ((opened, params) =>
    references(opened.document, offsetOf(opened, params)).map((span) => ({
      range: rangeOf(opened.document, span),
    }))) satisfies Feature<At>,
  "textDocument/prepareRename": ((opened, params) => {
    const found = renamable(opened.document, offsetOf(opened, params));
    return found === undefined ? null : { range: rangeOf(opened.document, found), placeholder: found.text };
  }) satisfies Feature<At>,
  "textDocument/rename": renamed,
  "textDocument/documentSymbol": (({ document }) =>
    (document.kind === "vISA" ? visaSymbols : symbols)(document).map((each) =>
      symbolOf(document, each),
    )) satisfies Feature<never>,
  "textDocument/foldingRange": (({ document }) =>
    folds(document).map(({ start, end, comment }) => ({
      startLine: start,
      endLine: end,
      ...(comment && { kind: "comment" }),
    }))) satisfies Feature<never>,
  "textDocument/semanticTokens/full": tokens((document) => whole(document)),
  "textDocument/semanticTokens/range": tokens<protocol.SemanticTokensRangeParams>((document, { range }) =>
    spanOf(document, range),
  ),
  "textDocument/inlayHint": (({ document }, { range }) =>
    inlayHints(document, spanOf(document, range)).map(({ offset, text }) => ({
      position: document.lines.position(offset),
      label: text,
      kind: 1,
    }))) satisfies Feature<protocol.InlayHintParams>,
  "textDocument/codeLens": lensed,
  "textDocument/codeAction": fixes,
  "textDocument/formatting": formatted(() => undefined),
  "textDocument/rangeFormatting": formatted<protocol.DocumentRangeFormattingParams>((document, { range }) =>
    spanOf(document, range),
  ),
};

/** The capabilities that the server announces to a client. */
export const capabilities: protocol.ServerCapabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: 2 },
  completionProvider: { triggerCharacters: [".", "%", "@", "[", "/"] },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: [" ", ","], retriggerCharacters: [","] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  foldingRangeProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: [...tokenTypes], tokenModifiers: [] }, full: true, range: true },
  inlayHintProvider: true,
  codeLensProvider: {},
  codeActionProvider: { codeActionKinds: ["quickfix"] },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
};
