import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { foldersIn, Workspace } from "../../../src/cli/lsp/workspace.ts";
import { Document } from "../src/document.ts";
import { header } from "./texts.ts";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-workspace-"));
afterAll(() => rmSync(folder, { recursive: true }));

const uriOf = (name: string) => pathToFileURL(join(folder, name)).href;
const write = (name: string, kernel: string, time: number) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), `${header()}.global .b32 size_${kernel};\n.entry ${kernel}() { L: ret; }\n`);
  utimesSync(join(folder, name), time, time);
};
write("scale.ptx", "scale", 1);
write("sub/sum.ptx", "sum", 1);
write("node_modules/other.ptx", "other", 1);
write(".git/hidden.ptx", "hidden", 1);
writeFileSync(join(folder, "no.txt"), ".entry text() { ret; }");

const workspace = new Workspace();
workspace.folders = foldersIn({ workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "it" }] });
const names = (query: string, open: Parameters<Workspace["symbols"]>[1] = new Map()) =>
  workspace.symbols(query, open).map(({ name }) => name);

test("finds kernels, functions and variables of all files by letters in their order, and no labels", () => {
  expect(names("").sort()).toEqual(["scale", "size_scale", "size_sum", "sum"]);
  expect(names("SM")).toEqual(["size_sum", "sum"]);
  expect(names("ms")).toEqual([]);
  expect(workspace.symbols("scale", new Map()).at(-1)?.location).toEqual({
    uri: uriOf("scale.ptx"),
    range: { start: { line: 4, character: 7 }, end: { line: 4, character: 12 } },
  });
});

test("reads a file again when it has changed, and not one that is open", () => {
  write("scale.ptx", "scaled", 2);
  expect(names("scaled")).toEqual(["size_scaled", "scaled"]);
  const uri = uriOf("scale.ptx");
  const document = new Document(uri, `${header()}.entry edited() { ret; }`);
  expect(names("e", new Map([[uri, { uri, document, find: () => undefined }]])).sort()).toEqual(["edited", "size_sum"]);
  rmSync(join(folder, "sub/sum.ptx"));
  expect(names("sum")).toEqual([]);
});

test("has the folders that a client names, if they are files", () => {
  expect(foldersIn({ rootUri: pathToFileURL(folder).href })).toEqual([folder]);
  expect(foldersIn({ rootUri: null, workspaceFolders: [{ uri: "untitled:x", name: "x" }] })).toEqual([]);
  expect(foldersIn({ rootUri: "file://elsewhere/x%2fy" })).toEqual([]);
  expect(foldersIn(undefined)).toEqual([]);
});
