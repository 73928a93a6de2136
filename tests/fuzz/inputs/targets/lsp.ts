import { walk } from "../../../../packages/debugger/tests/dap/programs.ts";
import { bugIn, framed, serve } from "../feed.ts";
import type { Input, Target } from "../input.ts";
import { changedMessages } from "./messages.ts";
import { examples } from "./ptx.ts";

const uri = "file:///x.ptx";
const textDocument = { uri };
const position = { line: 19, character: 6 };
const range = { start: { line: 3, character: 0 }, end: { line: 22, character: 5 } };
const at = { textDocument, position };

const features: Readonly<Record<string, unknown>> = {
  "textDocument/completion": at,
  "textDocument/hover": at,
  "textDocument/signatureHelp": at,
  "textDocument/definition": at,
  "textDocument/references": { ...at, context: { includeDeclaration: true } },
  "textDocument/documentHighlight": at,
  "textDocument/prepareRename": at,
  "textDocument/rename": { ...at, newName: "%other" },
  "textDocument/documentSymbol": { textDocument },
  "textDocument/foldingRange": { textDocument },
  "textDocument/semanticTokens/full": { textDocument },
  "textDocument/semanticTokens/range": { textDocument, range },
  "textDocument/inlayHint": { textDocument, range },
  "textDocument/codeLens": { textDocument },
  "textDocument/codeAction": { textDocument, range, context: { diagnostics: [] } },
  "textDocument/formatting": { textDocument, options: { tabSize: 4, insertSpaces: true } },
  "textDocument/rangeFormatting": { textDocument, range, options: { tabSize: 4, insertSpaces: true } },
};
const edits = [
  { range, text: "add.f16 %r1, %r2, 0x3c00;\n" },
  { range: { start: position, end: position }, text: "{" },
  { text: ".version 8.0\n.target sm_80\n" },
];

/** A session from its beginning to its end. */
function session(text: string, methods: readonly string[]): Input {
  let id = 0;
  const request = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: ++id, method, params });
  const notice = (method: string, params?: unknown) => ({ jsonrpc: "2.0", method, params });
  const messages = [
    request("initialize", {
      processId: null,
      rootUri: null,
      capabilities: {},
      initializationOptions: { target: "sm_90" },
    }),
    notice("initialized", {}),
    notice("textDocument/didOpen", { textDocument: { uri, languageId: "ptx", version: 1, text } }),
    ...methods.map((method) => request(method, features[method])),
    ...edits.map((edit, at) => notice("textDocument/didChange", { textDocument: { uri, version: at + 2 }, contentChanges: [edit] })), // biome-ignore format: one line
    ...methods.slice(0, 4).map((method) => request(method, features[method])),
    notice("textDocument/didClose", { textDocument }),
    request("shutdown"),
    notice("exit"),
  ];
  return [messages.map((message) => JSON.stringify(message)).join("\n")];
}

/** Sessions with the language server. */
export const lsp: Target = {
  bases: () => {
    const methods = Object.keys(features);
    const short = examples().filter((text) => text.length < 4000);
    return [walk, ...short].flatMap((text) => [
      session(text, methods),
      ...methods.map((each) => session(text, [each])),
    ]);
  },
  change: changedMessages,
  attempt: async ([text = ""]) => bugIn(await serve(["lsp", "--stdio"], framed(text.split("\n")))),
};
