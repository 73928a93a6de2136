import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  CompletionList,
  DocumentSymbol,
  Hover,
  Location,
  SemanticTokens,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { Client } from "./client.ts";
import { header, kernel } from "./texts.ts";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-lsp-"));
let client: Client;
beforeAll(async () => {
  client = await (await Client.start()).begin();
});
afterAll(async () => {
  expect(await client.end()).toBe(0);
  rmSync(folder, { recursive: true });
});

let made = 0;
/** Opens a text with a `|` and gives its address and the place of the mark. */
async function opened(text: string, name = `text${made++}.ptx`) {
  const offset = text.indexOf("|");
  const whole = text.replace("|", "");
  const before = text.slice(0, Math.max(0, offset)).split("\n");
  const uri = pathToFileURL(join(folder, name)).href;
  await client.open(uri, whole);
  return { uri, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

test("says what it can do", () => {
  expect(Object.keys(client.initialized.capabilities).sort()).toMatchSnapshot();
  expect(client.initialized.serverInfo?.name).toBe("ptxrun");
});

test("finds names in all texts that are open", async () => {
  const { uri } = await opened(kernel("ret;").replaceAll("entry k(", "entry found_by_letters("));
  const found = await client.connection.sendRequest("workspace/symbol", { query: "FByL" });
  expect(found).toMatchObject([{ name: "found_by_letters", location: { uri } }]);
  await expect(client.connection.sendRequest("workspace/symbol", {})).rejects.toThrow("query is not a text");
});

describe("diagnostics", () => {
  const wrong = kernel(".reg .b32 %r<2>;\nadd.u32 %r0, %r1, %r3;\nmov.b32 %r1, 1;");

  test("come when a text is opened, with what is expected, help and places that explain them", async () => {
    const { uri } = await opened(wrong);
    const [first] = await client.diagnostics(uri);
    expect(first).toMatchObject({
      code: "PTX1320",
      severity: 1,
      source: "ptxrun",
      range: { start: { line: 6, character: 18 } },
    });
    const other = await opened(kernel(".reg .b16 h;\nadd.u32 h, h, 1;"));
    const [second] = await client.diagnostics(other.uri);
    expect(second?.message).toContain("expected: .u32");
    expect(second?.relatedInformation?.[0]).toMatchObject({ message: "declared here", location: { uri: other.uri } });
  });

  test("follow changes, of a range and of the whole text, by their versions", async () => {
    const { uri } = await opened(wrong);
    expect(await client.diagnostics(uri)).toHaveLength(1);
    const range = { start: { line: 6, character: 20 }, end: { line: 6, character: 21 } };
    await client.change(uri, 2, [{ range, text: "1" }]);
    expect(await client.diagnostics(uri, 2)).toEqual([]);
    await client.change(uri, 3, [{ text: wrong.replace("%r3", "%r9") }]);
    expect((await client.diagnostics(uri, 3))[0]?.message).toContain("%r9");
  });

  test("count UTF-16 units, whatever ends lines", async () => {
    const { uri } = await opened(kernel("/* 😀 */ .reg .b32 %r<2>; add.u32 %r0, %r1, %r3;").replaceAll("\n", "\r\n"));
    const first = (await client.diagnostics(uri)).at(-1);
    expect(first?.range.start).toEqual({ line: 5, character: 3 });
    await client.change(uri, 2, [
      { range: { start: { line: 5, character: 3 }, end: { line: 5, character: 5 } }, text: "a" },
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "// first\r\n" },
    ]);
    expect((await client.diagnostics(uri, 2)).at(-1)?.range.start).toEqual({ line: 6, character: 43 });
  });

  test("go when a text is closed", async () => {
    const { uri } = await opened(wrong);
    await client.diagnostics(uri);
    await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    expect(await client.ask("textDocument/hover", uri, { position: { line: 0, character: 0 } })).toBeNull();
  });

  test("of vISA come, too", async () => {
    const { uri } = await opened(
      '.version 3.8\n.kernel "k"\n.decl V v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) W(0,0)<1> 1:d\nret (M1, 1)\n',
      "k.visaasm",
    );
    expect((await client.diagnostics(uri)).map(({ code }) => code)).toContain("PTX8102");
  });
});

describe("what is asked", () => {
  test("completion", async () => {
    const { uri, position } = await opened(kernel("add.rn.|"));
    const { items } = await client.ask<CompletionList>("textDocument/completion", uri, { position });
    expect(items.map(({ label }) => label)).toEqual([".f16", ".f16x2", ".f32", ".f64", ".ftz", ".sat"]);
    expect(items[0]?.textEdit).toMatchObject({ newText: ".f16", range: { start: { line: 5, character: 6 } } });
  });

  test("hover and signature help", async () => {
    const { uri, position } = await opened(kernel(".reg .f32 %f<3>;\nfma.rn.f32 %f0, |%f1, %f2, %f1;"));
    const hover = await client.ask<Hover>("textDocument/hover", uri, { position });
    expect(JSON.stringify(hover.contents)).toContain(".reg .f32 %f1");
    const help = await client.ask("textDocument/signatureHelp", uri, { position });
    expect(help).toMatchObject({ activeParameter: 1, signatures: [{ label: "fma.rnd{.ftz}{.sat}.f32 d, a, b, c" }] });
  });

  test("definition, references, highlights", async () => {
    const { uri, position } = await opened(kernel("L: bra M;\nM: bra |L;"));
    const place = await client.ask<Location>("textDocument/definition", uri, { position });
    expect(place.range).toEqual({ start: { line: 5, character: 0 }, end: { line: 5, character: 1 } });
    const all = await client.ask<Location[]>("textDocument/references", uri, {
      position,
      context: { includeDeclaration: true },
    });
    expect(all.map(({ range }) => range.start.line)).toEqual([5, 6]);
    expect(await client.ask("textDocument/documentHighlight", uri, { position })).toHaveLength(2);
  });

  test("the line of a .cu that a .loc names", async () => {
    writeFileSync(join(folder, "axpy.cu"), "// a program\n");
    const { uri, position } = await opened(`${header()}.file 1 "axpy.cu"\n.entry k() {\n.lo|c 1 12 5\nret; }`);
    const place = await client.ask<Location>("textDocument/definition", uri, { position });
    expect(place).toEqual({
      uri: pathToFileURL(join(folder, "axpy.cu")).href,
      range: { start: { line: 11, character: 4 }, end: { line: 11, character: 4 } },
    });
  });

  test("renaming, and its refusal", async () => {
    const { uri, position } = await opened(kernel(".reg .b32 a, b;\nadd.u32 a|, a, b;"));
    expect(await client.ask("textDocument/prepareRename", uri, { position })).toMatchObject({ placeholder: "a" });
    const edit = await client.ask<WorkspaceEdit>("textDocument/rename", uri, { position, newName: "sum" });
    expect(edit.changes?.[uri]).toHaveLength(3);
    await expect(client.ask("textDocument/rename", uri, { position, newName: "b" })).rejects.toThrow(
      "b is taken: a register on line 6",
    );
  });

  test("symbols, folds, tokens, hints and lenses", async () => {
    const { uri } = await opened(`//@ case one: n=1\n${kernel("L: ret;\n")}`);
    const found = await client.ask<DocumentSymbol[]>("textDocument/documentSymbol", uri);
    expect(found.map(({ name }) => name)).toEqual(["one", "k"]);
    expect(found[1]?.children?.map(({ name }) => name)).toEqual(["p", "n", "L"]);
    expect(await client.ask("textDocument/foldingRange", uri)).toEqual([{ startLine: 5, endLine: 7 }]);
    const { data } = await client.ask<SemanticTokens>("textDocument/semanticTokens/full", uri);
    expect(data.slice(0, 5)).toEqual([0, 0, 17, 0, 0]);
    const range = { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } };
    expect(
      (await client.ask<SemanticTokens>("textDocument/semanticTokens/range", uri, { range })).data.length,
    ).toBeLessThan(data.length);
    const lenses = await client.ask<{ command: { command: string } }[]>("textDocument/codeLens", uri);
    expect(lenses.map(({ command }) => command.command)).toEqual([
      "ptxrun.check",
      "ptxrun.run",
      "ptxrun.debug",
      "ptxrun.check",
    ]);
    const snippet = await opened("add.f16 d, a, b;");
    const all = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
    expect(await client.ask("textDocument/inlayHint", snippet.uri, { range: all })).toHaveLength(3);
  });

  test("quick fixes and formatting", async () => {
    const { uri } = await opened(kernel(".reg .b32 total;\n  add.u32  total, totl,1;"));
    const [diagnostic] = await client.diagnostics(uri);
    const range = diagnostic?.range;
    const [fix] = await client.ask<{ title: string; edit: WorkspaceEdit }[]>("textDocument/codeAction", uri, {
      range,
      context: { diagnostics: [] },
    });
    expect(fix?.title).toBe("write total");
    expect(fix?.edit.changes?.[uri]?.[0]?.newText).toBe("total");
    const edits = await client.ask<{ newText: string }[]>("textDocument/formatting", uri, {
      options: { tabSize: 8, insertSpaces: false },
    });
    expect(edits.map(({ newText }) => newText)).toContain("add.u32 total, totl, 1;");
  });

  test("what is taken back is not answered", async () => {
    const { uri, position } = await opened(kernel("add.rn.|"));
    const params = { textDocument: { uri }, position };
    const { CancellationTokenSource } = await import("vscode-languageserver-protocol/node");
    const source = new CancellationTokenSource();
    // Something that takes a while comes first.
    const long = await opened(kernel("add.u32 a, b, c; |\n".replace("|", "").repeat(3000)));
    const before = client.ask("textDocument/formatting", long.uri);
    const asked = client.connection.sendRequest("textDocument/completion", params, source.token);
    source.cancel();
    await expect(asked).rejects.toThrow("cancelled");
    await before;
  });

  test("about a text that is not open is answered with nothing", async () => {
    expect(
      await client.ask("textDocument/hover", "file:///none.ptx", { position: { line: 0, character: 0 } }),
    ).toBeNull();
  });

  test.each([
    ["textDocument/hover", undefined, "parameters are missing"],
    ["textDocument/documentSymbol", {}, "textDocument.uri is not a text"],
    ["textDocument/hover", { textDocument: { uri: "file:///none.ptx" } }, "position is not"],
    ["textDocument/inlayHint", { textDocument: { uri: "file:///none.ptx" }, range: { start: 1 } }, "range is not"],
    [
      "textDocument/rename",
      { textDocument: { uri: "file:///none.ptx" }, position: { line: -1, character: 0 }, newName: "x" },
      "position is not",
    ],
  ])("that is malformed is refused in words: %s %j", async (method, params, why) => {
    const asked = client.connection.sendRequest(method, params);
    await expect(asked).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(why) });
  });
});
