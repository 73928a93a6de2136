import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { capabilities as ofAdapter } from "../../packages/debugger/dap/protocol/capabilities.ts";
import { readLaunch } from "../../packages/debugger/dap/protocol/launch-arguments.ts";
import { features } from "../../src/cli/lsp/features.ts";
import { keywords } from "../../src/lexer/keywords.ts";
import { Linkage, Space } from "../../src/lexer/tokens.ts";

/** docs/editors.md is true of the servers and of the extension. */
const page = readFileSync("docs/editors.md", "utf8");
const manifest = JSON.parse(readFileSync("editors/vscode/package.json", "utf8"));
const words = new Set(Array.from(page.matchAll(/`([\w./]+)`/g), ([, word]) => word));

test("each request that the language server answers has a line", () => {
  expect(Object.keys(features).filter((method) => !words.has(method))).toEqual([]);
});

test("each capability of the debug adapter has a line", () => {
  const can = Object.entries(ofAdapter).filter(([, value]) => value !== false);
  expect(can.map(([name]) => name).filter((name) => !words.has(name))).toEqual([]);
});

test("each setting of the extension is named", () => {
  const settings = Object.keys(manifest.contributes.configuration.properties);
  expect(settings.filter((name) => !words.has(name))).toEqual([]);
});

test("the configuration for launch.json is one that the adapter takes", () => {
  const [, json = ""] = /```json\n([^`]*)```/.exec(page) ?? [];
  expect(readLaunch(JSON.parse(json), {} as never).options).toMatchObject({ entry: "scale" });
});

test("the tree-sitter grammar has the state spaces and linkages of the lexer", () => {
  const grammar = readFileSync("editors/tree-sitter-ptx/grammar.js", "utf8");
  const own = [...keywords].filter(([, token]) => token === Space || token === Linkage).map(([word]) => word);
  expect(own.filter((word) => !grammar.includes(`"${word}"`))).toEqual([]);
});
