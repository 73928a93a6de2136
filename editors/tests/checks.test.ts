import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDirective } from "../../src/cli/check/file/directive.ts";
import { Source } from "../../src/source/source.ts";
import { Bundle } from "../../tests/unit/cli/bundle.ts";
import { World } from "../../tests/unit/cli/world.ts";
import { findChecks } from "../vscode/src/checks/find.ts";
import { outcomesOf, readReport } from "../vscode/src/checks/results.ts";
import { loadExtension, StandIn, Uri } from "./stand-in.ts";

const world = new World();
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
});
afterAll(() => {
  world.remove();
  bundle.remove();
});
world.write(
  "two.ptx",
  "//@ case one: a=1 b=1 -> d=2\n//@ case oneself: a=1 b=1 -> d=3\n//@ snapshot\nadd.f16 d, a, b;\n",
);
world.write("wrong.ptx", "//@ case one: a=1 -> d=1\nadd.q16 d, a;\n");
world.write("beside.ptx", "//@ case here: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n");
world.write(
  "beside.ptxcheck.json",
  JSON.stringify({ schema: "ptxrun.check-sidecar/1", directives: ["case there: a=0 -> d=0xffffffff"] }),
);
world.write("none.ptx", "not.b32 d, a;\n");

const uriOf = (file: string): Uri => Uri.file(join(world.folder, file));

async function activated(...files: readonly string[]): Promise<StandIn> {
  const standIn = new StandIn();
  standIn.settings.set("ptxrun.path", bundle.entry);
  standIn.folder = world.folder;
  standIn.files = files.map(uriOf);
  await (await loadExtension(standIn)).activate(standIn.context);
  await standIn.controller?.resolveHandler?.();
  return standIn;
}

test("the explorer shows files with checks, and their checks", async () => {
  const { controller } = await activated("two.ptx", "none.ptx");
  expect(controller?.items.size).toBe(1);
  const found: [string, number | undefined][] = [];
  controller?.items.get(uriOf("two.ptx").toString())?.children.forEach(({ label, range }) => {
    found.push([label, range?.start.line]);
  });
  expect(found).toEqual([
    ["one", 0],
    ["oneself", 1],
    ["snapshot", 2],
  ]);
});

test("a run says of each check what came of it", async () => {
  const { controller } = await activated("two.ptx");
  await controller?.profile?.({});
  expect(controller?.said).toEqual(["passed one", "failed oneself", "failed snapshot", "end"]);
  const [failure] = controller?.failures ?? [];
  expect(failure).toMatchObject({ message: expect.stringContaining("d"), location: { at: { line: 1, character: 0 } } });
  expect(failure?.expectedOutput).toBe("3.0 (0x4200)");
  expect(failure?.actualOutput).toBe("2.0 (0x4000)");
  expect(failure?.location?.uri.fsPath).toBe(uriOf("two.ptx").fsPath);
});

test("the lens of a check runs this one, though others have its name in theirs", async () => {
  const standIn = await activated("two.ptx");
  await standIn.commands.get("ptxrun.check")?.({ uri: uriOf("two.ptx").toString(), case: "one" });
  expect(standIn.controller?.said).toEqual(["passed one", "end"]);
});

test("a file that is wrong as a whole says so at the place", async () => {
  const { controller } = await activated("wrong.ptx");
  await controller?.profile?.({});
  expect(controller?.said).toContain(`errored ${uriOf("wrong.ptx").fsPath}`);
  expect(controller?.failures[0]).toMatchObject({
    message: expect.stringMatching(/^PTX\d+: /),
    location: { at: { line: 1 } },
  });
});

test("a case of a sidecar is an item once it has run", async () => {
  const { controller } = await activated("beside.ptx");
  await controller?.profile?.({});
  expect(controller?.said).toEqual(["passed here", "passed there", "end"]);
});

test("what ptxrun says is shown where it prints no report", async () => {
  const standIn = await activated("beside.ptx");
  standIn.settings.set("ptxrun.check.arguments", ["--no-such-option"]);
  await standIn.controller?.profile?.({});
  expect(standIn.controller?.said).toEqual(["errored here", "end"]);
  expect(standIn.controller?.failures[0]?.message).toContain("--no-such-option");
  standIn.settings.set("ptxrun.path", "/there/is/no/ptxrun");
  await standIn.controller?.profile?.({});
  expect(standIn.controller?.failures[1]?.message).toContain("ENOENT");
});

test("a report maps to failures, whatever is missing from it", () => {
  expect(() => readReport("{}")).toThrow("no report");
  const value = { bits: "0x1", value: "1" };
  const mismatch = { what: "d", type: "u32", expected: value, got: { ...value, bits: "1" }, ulp: "1" };
  const of = (each: object) =>
    outcomesOf({
      file: "a.ptx",
      diagnostics: [],
      cases: [{ name: "x", source: "a.ptx", line: 3, passed: false, mismatches: [], diagnostics: [], ...each }],
    }).cases[0]?.failures;
  expect(of({ mismatches: [mismatch] })?.[0]).toEqual({
    message: "d (u32) is 1, expected 1 (0x1), 1 ulp apart",
    expected: "1 (0x1)",
    actual: "1",
    source: "a.ptx",
    line: 2,
    column: 0,
  });
  expect(of({ repeat: "ptxrun run" })?.[0]?.message).toBe("it failed: ptxrun run");
  expect(of({ passed: true })).toEqual([]);
});

test("the checks of all examples are found as ptxrun check reads them", () => {
  for (const file of readdirSync("examples", { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:ptx|visaasm)$/.test(file)) continue;
    const text = readFileSync(join("examples", file), "utf8");
    const source = new Source(file, text);
    const read = Array.from(text.matchAll(/\/\/@[ \t]*(.*)/g), ([whole, said = ""]) => {
      const directive = readDirective(source, { text: said.trim(), span: { start: 0, end: whole.length } });
      return "kind" in directive && directive.kind === "case" ? [directive.line.name] : [];
    }).flat();
    expect(
      findChecks(text).map(({ name }) => name),
      file,
    ).toEqual(read);
  }
});
