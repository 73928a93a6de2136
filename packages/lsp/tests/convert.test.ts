import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { completionOf, diagnosticOf, rangeOf, spanOf, symbolOf } from "../../../src/cli/lsp/convert.ts";
import { encoded } from "../../../src/cli/lsp/features.ts";
import { settingsFrom } from "../../../src/cli/lsp/server.ts";
import { type Completion, Document, type Outlined, type TokenType } from "../src/index.ts";
import { serving } from "./serving.ts";

const document = new Document("file:///t.ptx", "ab\ncd\n", { version: 1, settings: {} });
const ab = { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } };
const d = { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } };

describe("what the protocol calls", () => {
  it("a place is lines and characters, both ways", () => {
    expect([rangeOf(document, { start: 0, end: 2 }), rangeOf(document, { start: 4, end: 5 })]).toEqual([ab, d]);
    expect([spanOf(document, ab), spanOf(document, d)]).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 5 },
    ]);
  });

  it("a diagnostic has a number for how bad it is, all that is said of it, and other places where there are some", () => {
    const of = (severity: "error" | "warning" | "note", more: object = {}) =>
      diagnosticOf(document, "file:///t.ptx", {
        code: "PTX1201",
        severity,
        message: "no",
        ...more,
        span: { start: 4, end: 5 },
      } as never);
    expect(of("error")).toEqual({ range: d, severity: 1, code: "PTX1201", source: "ptxrun", message: "no" });
    expect([of("warning").severity, of("note").severity]).toEqual([2, 3]);
    const related = [{ message: "here", span: { start: 0, end: 2 } }];
    expect(of("error", { expected: "x", help: [{ message: "a" }, { message: "b" }], related })).toMatchObject({
      message: "no\nexpected: x\nhelp: a\nhelp: b",
      relatedInformation: [{ location: { uri: "file:///t.ptx", range: ab }, message: "here" }],
    });
    expect(of("error", { related: [] })).not.toHaveProperty("relatedInformation");
  });

  it("a completion and a symbol have the protocol's kinds (3.17)", () => {
    const completion = (kind: Completion["kind"], detail?: string) =>
      completionOf(
        document,
        { kind, rank: 0, label: "l", insert: "i", replace: { start: 0, end: 2 }, ...(detail && { detail }) },
        7,
      );
    expect(completion("register", "r")).toEqual({
      label: "l",
      kind: 6,
      detail: "r",
      sortText: "00007",
      filterText: "l",
      textEdit: { range: ab, newText: "i" },
    });
    expect(completion("register")).not.toHaveProperty("detail");
    // Keyword 14, Operator 24, EnumMember 20, Constant 21, Field 5, Reference 18, Function 3, Variable 6, TypeParameter 25, Value 12.
    const kinds = [
      "mnemonic",
      "suffix",
      "special register",
      "component",
      "label",
      "function",
      "type",
      "value",
    ] as const;
    expect(kinds.map((kind) => completion(kind).kind)).toEqual([14, 20, 21, 5, 18, 3, 25, 12]);
    expect((["variable", "parameter", "directive"] as const).map((kind) => completion(kind).kind)).toEqual([6, 6, 14]);
    const symbol = (kind: Outlined["kind"], children: readonly Outlined[] = []): Outlined =>
      ({ kind, name: kind, detail: "", whole: { start: 0, end: 5 }, span: { start: 0, end: 2 }, children }) as Outlined;
    // Namespace 3, Function 12, Variable 13, Key 20, Event 24.
    expect(
      (["kernel", "function", "variable", "parameter", "register", "label", "case", "section"] as const).map(
        (kind) => symbolOf(document, symbol(kind)).kind,
      ),
    ).toEqual([12, 12, 13, 13, 13, 20, 24, 3]);
    expect(symbolOf(document, symbol("kernel", [symbol("label")]))).toMatchObject({
      selectionRange: ab,
      range: { end: { line: 1, character: 2 } },
      children: [{ name: "label" }],
    });
  });

  it("settings are taken where they make sense, one by one", () => {
    const otherwise = { target: "sm_90", version: "8.0" } as const;
    expect(settingsFrom({ target: "sm_80", ptx: "7.4", platform: "XeHPG" }, otherwise)).toMatchObject({
      target: "sm_80",
      version: "7.4",
    });
    for (const said of [
      null,
      undefined,
      5,
      {},
      { target: "sm_x", ptx: "7" },
      { target: 80, ptx: 7.4, platform: "none" },
      { ptx: "x7.4" },
      { ptx: "7.45" },
    ])
      expect(settingsFrom(said, otherwise)).toEqual(otherwise);
  });
});

describe("tokens are packed as five numbers each (3.17)", () => {
  const packed = (text: string, tokens: readonly (readonly [number, number, TokenType])[]) =>
    encoded(
      new Document("t.ptx", text),
      tokens.map(([start, end, type]) => ({ start, end, type })),
    );
  it("a line and a character counted from the token before, a length, a type, no modifiers", () => {
    expect(packed("", [])).toEqual([]);
    expect(
      packed("ab cd\n ef", [
        [0, 2, "keyword"],
        [3, 5, "comment"],
        [7, 9, "property"],
      ]),
    ).toEqual([...[0, 0, 2, 3, 0], ...[0, 3, 2, 0, 0], ...[1, 1, 2, 11, 0]]);
  });

  it("one of several lines is one for each that has some of it, without what ends the line", () => {
    expect(packed("x/*a\r\n\r\nb*/c", [[1, 11, "comment"]])).toEqual([...[0, 1, 3, 0, 0], ...[2, 0, 3, 0, 0]]);
    expect(packed("/*\n", [[0, 3, "comment"]])).toEqual([0, 0, 2, 0, 0]);
  });
});

describe("the server", () => {
  const young = "add.rn.f32x2 d, a, b;";

  it("tells of a text as it is opened, changed, closed, and as settings change", async () => {
    const { server, notices, told, open, change, codes } = serving();
    await open(young);
    expect(await codes(1)).toContain("PTX1212");
    await change(2, "add.u32 d, a, b;");
    expect(await codes(2)).toEqual([]);
    await change(3, young);
    await codes(3);
    for (const [settings, found] of [
      [{ ptxrun: { target: "sm_100" } }, false],
      [{ target: "sm_80" }, true],
      [undefined, true],
    ] as const) {
      const at = told.length;
      await notices.get("workspace/didChangeConfiguration")?.({ settings });
      expect((await codes(3, at)).includes("PTX1212")).toBe(found);
    }
    await notices.get("textDocument/didClose")?.({ textDocument: { uri: "file:///t.ptx" } });
    expect(told.at(-1)).toEqual(["textDocument/publishDiagnostics", { uri: "file:///t.ptx", diagnostics: [] }]);
    server.close();
  });

  it("asks for settings where the client can be asked, and takes the first that it gets", async () => {
    const { requests, notices, asked, open, codes, told, server } = serving([{ target: "sm_100" }]);
    await open(young);
    expect(await codes(1)).toContain("PTX1212");
    await notices.get("initialized")?.();
    expect(asked).toEqual([]);
    requests.get("initialize")?.({ capabilities: { workspace: { configuration: true } } });
    const at = told.length;
    await notices.get("initialized")?.();
    expect(asked).toEqual([{ items: [{ section: "ptxrun" }] }]);
    expect(await codes(1, at)).toEqual([]);
    await notices.get("workspace/didChangeConfiguration")?.({ settings: { target: "sm_80" } });
    expect(asked.length).toBe(2);
    server.close();
  });

  it("answers with nothing where there is no text, and refuses what was taken back or makes no sense", async () => {
    const { ask, open, notices, told, requests, server } = serving();
    const position = { line: 0, character: 1 };
    expect(await ask("textDocument/hover", { position })).toBeNull();
    await open("add.u32 d, a, b;");
    expect(JSON.stringify(await ask("textDocument/hover", { position }))).toContain("add");
    await expect(ask("textDocument/hover", { position }, true)).rejects.toMatchObject({ code: -32800 });
    await expect(ask("textDocument/hover", { position: 5 })).rejects.toMatchObject({ code: -32602 });
    await expect(requests.get("textDocument/hover")?.({ isCancellationRequested: false })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(ask("textDocument/rename", { position, newName: "1" })).rejects.toMatchObject({ code: -32600 });
    await notices.get("textDocument/didOpen")?.({});
    expect(told.at(-1)).toEqual([
      "window/logMessage",
      { type: 1, message: expect.stringMatching(/^textDocument\/didOpen: /) },
    ]);
    await notices.get("textDocument/didChange")?.({
      textDocument: { uri: "file:///none.ptx", version: 2 },
      contentChanges: [],
    });
    server.close();
  });

  it("leaves when it is told, and says whether that was announced", () => {
    const { server, requests, notices } = serving();
    let exits = 0;
    server.onExit = () => void exits++;
    expect([server.shutDown, requests.get("shutdown")?.(), server.shutDown]).toEqual([false, null, true]);
    notices.get("exit")?.();
    expect(exits).toBe(1);
    expect(requests.get("initialize")?.(undefined)).toMatchObject({ serverInfo: { name: "ptxrun" } });
  });
});

describe("when a text is checked", () => {
  const module = `.version 8.0\n.target sm_80\n.entry k() { ret; }\n.entry l() { ret; }\n`;
  const published = (told: ReturnType<typeof serving>["told"]) =>
    told.filter(([name]) => name === "textDocument/publishDiagnostics").map(([, { version }]) => version);

  it("is at once when it is opened, and 40 ms after the last of its changes", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { server, notices, told, open, change } = serving();
      open("ret;");
      expect(published(told)).toEqual([]);
      vi.advanceTimersByTime(0);
      expect(published(told)).toEqual([1]);
      change(2, "ret; ret;");
      vi.advanceTimersByTime(39);
      change(3, "ret;");
      vi.advanceTimersByTime(39);
      expect(published(told)).toEqual([1]);
      vi.advanceTimersByTime(1);
      expect(published(told)).toEqual([1, 3]);
      change(4, "ret; ret;");
      notices.get("textDocument/didClose")?.({ textDocument: { uri: "file:///t.ptx" } });
      vi.advanceTimersByTime(99);
      expect(published(told)).toEqual([1, 3, undefined]);
      open("ret;");
      server.close();
      vi.advanceTimersByTime(99);
      expect(published(told)).toEqual([1, 3, undefined]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[after: number, versions: readonly number[]]>([
    [19, [1, 2]],
    [20, [2]],
  ])("others have their turn after 20 ms: %i", async (after, versions) => {
    let looks = 0;
    const { server, told, open, change, codes } = serving(undefined, () => {
      if (looks++ === 0) return 0;
      // Comes as soon as somebody has a turn.
      if (looks === 2) setImmediate(() => change(2, "ret;"));
      return after;
    });
    open(module);
    await codes(2);
    expect(published(told)).toEqual(versions);
    server.close();
  });
});

it("a file that a text names lies beside it, or where its path says, and nowhere for a text without a file", async () => {
  const here = import.meta.filename;
  const { notices, requests, server } = serving();
  const at = async (uri: string, path: string) => {
    const text = `.version 8.0\n.target sm_80\n.file 1 "${path}"\n`;
    notices.get("textDocument/didOpen")?.({ textDocument: { uri, text, version: 1 } });
    const params = { textDocument: { uri }, position: { line: 2, character: 3 } };
    const found = (await requests.get("textDocument/definition")?.(params, {})) as { uri: string } | null;
    return found && { ...found, uri: basename(found.uri) };
  };
  const start = { line: 0, character: 0 };
  const found = { uri: basename(here), range: { start, end: start } };
  const beside = pathToFileURL(join(dirname(here), "t.ptx")).href;
  expect(await at(beside, basename(here))).toEqual(found);
  expect(await at("file:///t.ptx", here)).toEqual(found);
  expect(await at(beside, "none.cu")).toBeNull();
  expect(await at("untitled:t.ptx", here)).toBeNull();
  server.close();
});

it("a lens says which kernel or golden check is meant, and nothing of the other", async () => {
  const { ask, open, server, uri } = serving();
  await open(`//@ case one: n=1\n.version 8.0\n.target sm_80\n.entry k() { ret; }\n`);
  const lenses = (await ask("textDocument/codeLens", {})) as { command: object }[];
  const command = (title: string, more: object) => ({
    title,
    command: `ptxrun.${title}`,
    arguments: [{ uri, ...more }],
  });
  expect(lenses.map((lens) => lens.command)).toStrictEqual([
    command("check", { case: "one" }),
    ...["run", "debug", "check"].map((title) => command(title, { kernel: "k" })),
  ]);
  server.close();
});

it("vISA is hovered over and outlined as what it is", async () => {
  const { ask, open, server } = serving();
  await open('.version 3.8\n.kernel "k"\n.decl V v_type=G type=d num_elts=16 align=GRF\nret (M1, 1)\n');
  const place = (line: number, from: number, to: number) => ({
    start: { line, character: from },
    end: { line, character: to },
  });
  expect(await ask("textDocument/documentSymbol", {})).toMatchObject([
    { name: "k", kind: 12, selectionRange: place(1, 8, 11), children: [{ name: "V", kind: 13 }] },
  ]);
  expect(await ask("textDocument/hover", { position: { line: 2, character: 6 } })).toMatchObject({
    contents: { kind: "markdown", value: expect.stringMatching(/declared on line 3$/) },
    range: place(2, 6, 7),
  });
  server.close();
});

it("quick fixes are given to who asks for such, among others, or for anything", async () => {
  const { ask, open, server, uri } = serving();
  await open(".version 8.0\n.target sm_80\n.entry k() {\n.reg .b32 total;\nnot.b32 total, totl; }\n");
  const range = { start: { line: 4, character: 15 }, end: { line: 4, character: 19 } };
  const fixes = (context: object) => ask("textDocument/codeAction", { range, context });
  const fix = {
    title: "write total",
    kind: "quickfix",
    isPreferred: true,
    diagnostics: [{ code: "PTX1320", range }],
    edit: { changes: { [uri]: [{ range, newText: "total" }] } },
  };
  for (const context of [{}, { only: ["quickfix"] }, { only: ["refactor", "quickfix"] }])
    expect(await fixes(context)).toMatchObject([fix]);
  expect(await fixes({ only: ["refactor"] })).toEqual([]);
  expect(await fixes({ only: [] })).toEqual([]);
  server.close();
});
