import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wrongIn, wrongInNotice } from "../../../src/cli/lsp/params.ts";
import { serving } from "./serving.ts";
import { header, kernel } from "./texts.ts";

const at = (line: number, character: number) => ({ line, character });
const span = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });
const uri = "file:///t.ptx";
/** Lines 0 to 2 are the header, 3 declares, 4 calls; a kernel's body begins in line 5. */
const text = kernel(".reg .b32 %r<3>;\nL:\n  add.u32  %r1, %r2, 5;\n  bra L;\nadd.u32 total, %r1, %r2;");

describe("a whole answer", () => {
  const { ask, open, requests, server } = serving();
  beforeAll(() => open(text));
  afterAll(() => server.close());

  it("to initialize is what the server can do", () => {
    expect(requests.get("initialize")?.({})).toEqual({
      serverInfo: { name: "ptxrun", version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      capabilities: {
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
        semanticTokensProvider: {
          legend: {
            tokenTypes: [
              ...["comment", "string", "number", "keyword", "decorator", "type", "macro", "variable", "parameter"],
              ...["function", "label", "property"],
            ],
            tokenModifiers: [],
          },
          full: true,
          range: true,
        },
        inlayHintProvider: true,
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: ["quickfix"] },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
      },
    });
  });

  it.each<[method: string, params: object, expected: unknown]>([
    ["definition", { position: at(8, 6) }, { uri, range: span(6, 0, 1) }],
    ["definition", { position: at(0, 0) }, null],
    [
      "references",
      { position: at(6, 0), context: { includeDeclaration: true } },
      [
        { uri, range: span(6, 0, 1) },
        { uri, range: span(8, 6, 7) },
      ],
    ],
    ["references", { position: at(6, 0), context: { includeDeclaration: false } }, [{ uri, range: span(8, 6, 7) }]],
    ["documentHighlight", { position: at(8, 6) }, [{ range: span(6, 0, 1) }, { range: span(8, 6, 7) }]],
    ["prepareRename", { position: at(7, 12) }, { range: span(7, 11, 14), placeholder: "%r1" }],
    ["prepareRename", { position: at(0, 0) }, null],
    [
      "rename",
      { position: at(8, 6), newName: "M" },
      {
        changes: {
          [uri]: [
            { range: span(6, 0, 1), newText: "M" },
            { range: span(8, 6, 7), newText: "M" },
          ],
        },
      },
    ],
    [
      "hover",
      { position: at(2, 17) },
      {
        contents: { kind: "markdown", value: expect.stringMatching(/^`64` = 64 \(`0x40`\)$/) },
        range: span(2, 14, 16),
      },
    ],
    ["hover", { position: at(4, 1) }, null],
    [
      "signatureHelp",
      { position: at(7, 17) },
      {
        signatures: [
          {
            label: "add{.sat}.type d, a, b",
            parameters: [
              [15, 16],
              [18, 19],
              [21, 22],
            ].map((label) => ({ label, documentation: expect.any(String) })),
          },
        ],
        activeSignature: 0,
        activeParameter: 1,
      },
    ],
    ["signatureHelp", { position: at(0, 0) }, null],
    ["foldingRange", {}, [{ startLine: 4, endLine: 9 }]],
    ["inlayHint", { range: { start: at(0, 0), end: at(8, 0) } }, []],
    [
      "codeLens",
      {},
      ["run", "debug"].map((title) => ({
        range: span(3, 16, 17),
        command: { title, command: `ptxrun.${title}`, arguments: [{ uri, kernel: "k" }] },
      })),
    ],
    ["rangeFormatting", { range: { start: at(0, 0), end: at(2, 0) }, options: {} }, []],
    [
      "formatting",
      { options: {} },
      expect.arrayContaining([{ range: span(7, 2, 23), newText: "add.u32 %r1, %r2, 5;" }]),
    ],
    ["codeAction", { range: span(9, 8, 13), context: { only: ["refactor"] } }, []],
    ["semanticTokens/range", { range: { start: at(8, 0), end: at(8, 7) } }, { data: [8, 2, 3, 3, 0, 0, 4, 1, 7, 0] }],
    [
      "documentSymbol",
      {},
      [
        {
          name: "k",
          detail: ".entry",
          kind: 12,
          selectionRange: span(3, 16, 17),
          range: { start: at(3, 0), end: at(10, 1) },
          children: expect.arrayContaining([
            { name: "L", detail: "", kind: 20, range: span(6, 0, 2), selectionRange: span(6, 0, 1), children: [] },
          ]),
        },
      ],
    ],
  ])("to %s %j", async (method, params, expected) => {
    expect(await ask(`textDocument/${method}`, { ...params })).toEqual(expected);
  });

  it("to codeAction is a fix with its diagnostic, the preferred one if it is the only one", async () => {
    const found = (await ask("textDocument/codeAction", { range: span(9, 8, 13), context: {} })) as object[];
    const listed = (await ask("textDocument/codeAction", {
      range: span(9, 8, 13),
      context: { only: ["quick"] },
    })) as object[];
    expect(listed).toEqual(found);
    for (const each of found)
      expect(each).toEqual({
        title: expect.any(String),
        kind: "quickfix",
        isPreferred: expect.any(Boolean),
        diagnostics: [expect.objectContaining({ source: "ptxrun" })],
        edit: { changes: { [uri]: [{ range: expect.anything(), newText: expect.any(String) }] } },
      });
  });

  it("to completion is complete, in the order that it came in", async () => {
    const { isIncomplete, items } = (await ask("textDocument/completion", { position: at(5, 0) })) as {
      isIncomplete: boolean;
      items: { sortText: string }[];
    };
    expect(isIncomplete).toBe(false);
    expect(items.length).toBeGreaterThan(5);
    expect(items.map(({ sortText }) => Number(sortText))).toEqual(items.map((_, index) => index));
  });
});

describe("parameters", () => {
  const textDocument = { uri };
  const position = at(0, 0);
  const range = span(0, 0, 1);
  const missing = (name: string) => `${name} is not what the protocol says`;

  it.each<[method: string, params: unknown, wrong: string | undefined]>([
    ["hover", undefined, "parameters are missing"],
    ["hover", null, "parameters are missing"],
    ["hover", 7, "parameters are missing"],
    ["hover", {}, "textDocument.uri is not a text"],
    ["hover", { textDocument: null }, "textDocument.uri is not a text"],
    ["hover", { textDocument: {} }, "textDocument.uri is not a text"],
    ["hover", { textDocument: { uri: 7 } }, "textDocument.uri is not a text"],
    ["documentSymbol", { textDocument }, undefined],
    ...["completion", "hover", "signatureHelp", "definition", "documentHighlight", "prepareRename"].flatMap(
      (method): [string, unknown, string | undefined][] => [
        [method, { textDocument, position }, undefined],
        [method, { textDocument }, missing("position")],
      ],
    ),
    ...[
      null,
      7,
      {},
      { line: 0 },
      { character: 0 },
      { line: -1, character: 0 },
      { line: 0, character: -1 },
      { line: 0.5, character: 0 },
      { line: "0", character: 0 },
    ].map((position): [string, unknown, string] => ["hover", { textDocument, position }, missing("position")]),
    ...["semanticTokens/range", "inlayHint", "rangeFormatting"].flatMap(
      (method): [string, unknown, string | undefined][] => [
        [method, { textDocument, range }, undefined],
        [method, { textDocument }, missing("range")],
        [method, { textDocument, range: { start: position } }, missing("range")],
        [method, { textDocument, range: { end: position } }, missing("range")],
      ],
    ),
    ["references", { textDocument, position, context: {} }, undefined],
    ["references", { textDocument, position }, missing("context")],
    ["references", { textDocument, context: {} }, missing("position")],
    ["rename", { textDocument, position, newName: "x" }, undefined],
    ["rename", { textDocument, position, newName: 7 }, missing("newName")],
    ["rename", { textDocument, newName: "x" }, missing("position")],
    ["codeAction", { textDocument, range, context: {} }, undefined],
    ["codeAction", { textDocument, range, context: { only: null } }, undefined],
    ["codeAction", { textDocument, range, context: { only: ["quickfix"] } }, undefined],
    ["codeAction", { textDocument, range, context: { only: "quickfix" } }, missing("context")],
    ["codeAction", { textDocument, range, context: { only: [7] } }, missing("context")],
    ["codeAction", { textDocument, range, context: null }, missing("context")],
    ["codeAction", { textDocument, context: {} }, missing("range")],
  ])("of %s are looked at: %j", (method, params, wrong) => {
    expect(wrongIn(`textDocument/${method}`, params)).toBe(wrong);
  });

  it.each<[name: "didOpen" | "didChange" | "didClose", params: unknown, wrong: string | undefined]>([
    ["didOpen", undefined, "parameters are missing"],
    ["didOpen", { textDocument: { uri, text: "" } }, undefined],
    ["didOpen", { textDocument: { uri } }, "textDocument.text is not a text"],
    ["didOpen", { textDocument: { uri, text: 7 } }, "textDocument.text is not a text"],
    ["didClose", { textDocument }, undefined],
    ["didClose", {}, "textDocument.uri is not a text"],
    ["didChange", { textDocument }, missing("contentChanges")],
    ["didChange", { textDocument, contentChanges: {} }, missing("contentChanges")],
    ["didChange", { textDocument, contentChanges: [] }, undefined],
    ["didChange", { textDocument, contentChanges: [{ text: "" }, { text: "", range }] }, undefined],
    ["didChange", { textDocument, contentChanges: [{ text: "" }, {}] }, missing("contentChanges")],
    ["didChange", { textDocument, contentChanges: [{ text: "", range: undefined }] }, missing("contentChanges")],
    [
      "didChange",
      { textDocument, contentChanges: [{ text: "", range: { start: position } }] },
      missing("contentChanges"),
    ],
    ["didChange", { textDocument, contentChanges: [null] }, missing("contentChanges")],
  ])("of %s are looked at: %j", (name, params, wrong) => expect(wrongInNotice(name, params)).toBe(wrong));
});

it("a change comes to the document in its order, each seen from the one before", async () => {
  const { open, notices, codes, ask, server } = serving();
  await open(`${header()}.entry k() { ret; }\n`);
  await codes(1);
  await notices.get("textDocument/didChange")?.({
    textDocument: { uri, version: 7 },
    contentChanges: [
      { range: span(3, 7, 8), text: "kernel" },
      { range: span(3, 13, 13), text: "2" },
      { range: { start: at(4, 0), end: at(9, 9) }, text: ".entry other() { ret; }" },
    ],
  });
  expect(await codes(7)).toEqual([]);
  const symbols = (await ask("textDocument/documentSymbol", {})) as { name: string }[];
  expect(symbols.map(({ name }) => name)).toEqual(["kernel2", "other"]);
  server.close();
});
