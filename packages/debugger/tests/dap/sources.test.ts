import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesFrom } from "../../../../src/system/files.ts";
import { silent } from "../../../../tests/unit/cli/world.ts";
import { Client } from "./client.ts";
import { compiled, walk, walking } from "./programs.ts";

const folder = mkdtempSync(join(tmpdir(), "ptxrun-dap-"));
const cuda = "// first\nint a = 1 + 1;\nint b = a + 1;\nreturn;\n";
writeFileSync(join(folder, "line.ptx"), compiled);
writeFileSync(join(folder, "line.cu"), cuda);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function inFolder(given: object = {}): Promise<Client> {
  const client = new Client({ io: { ...silent, cwd: folder, files: filesFrom(folder) } });
  await client.begin({ program: "line.ptx", stopOnEntry: true, ...given });
  await client.stop();
  return client;
}

describe("a text that is no file", () => {
  it("has a number, by which it is read", async () => {
    const client = await Client.launch(walk, walking);
    const { source } = await client.frame();
    expect(source).toEqual({ name: "test.ptx", sourceReference: 1 });
    expect((await client.ask("source", { source, sourceReference: 1 })).content).toBe(walk);
    expect(await client.refused("source", { sourceReference: 7 })).toMatch(/there is no source 7/);
  });

  it("is among what is loaded", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.ask("loadedSources")).toEqual({ sources: [{ name: "test.ptx", sourceReference: 1 }] });
    const { modules, totalModules } = await client.ask("modules");
    expect(totalModules).toBe(1);
    expect(modules).toMatchObject([{ id: 1, name: "test.ptx" }]);
  });
});

describe("a file", () => {
  it("has a path", async () => {
    const client = await inFolder();
    expect((await client.frame()).source).toEqual({ name: "line.ptx", path: join(folder, "line.ptx") });
    const { sources } = await client.ask("loadedSources");
    expect(sources.map((each: { path: string }) => each.path)).toEqual([
      join(folder, "line.ptx"),
      join(folder, "line.cu"),
    ]);
  });

  it("that has changed is launched anew by a restart", async () => {
    const client = await inFolder();
    writeFileSync(join(folder, "line.ptx"), `${compiled}// more\n`);
    await client.ask("restart");
    expect(await client.event("terminated")).toEqual({ restart: true });
    writeFileSync(join(folder, "line.ptx"), compiled);
  });
});

describe("the program that it was compiled from", () => {
  const original = { path: join(folder, "line.cu") };

  it("has breakpoints at its lines", async () => {
    const client = await inFolder();
    const { breakpoints } = await client.ask("setBreakpoints", { source: original, breakpoints: [{ line: 3 }] });
    expect(breakpoints).toMatchObject([{ verified: true, line: 3 }]);
    await client.move("continue");
    expect(await client.frame()).toMatchObject({ line: 11, source: { name: "line.ptx" } });
  });

  it("refuses breakpoints behind its last line", async () => {
    const client = await inFolder();
    const { breakpoints } = await client.ask("setBreakpoints", { source: original, breakpoints: [{ line: 99 }] });
    expect(breakpoints[0]).toMatchObject({ verified: false });
  });

  it("is where frames stand, at the level of it", async () => {
    const client = await inFolder({ level: "original" });
    expect(await client.frame()).toMatchObject({ line: 2, source: original });
  });

  it.each<[string, Readonly<Record<string, unknown>>, number]>([
    ["line", {}, 3],
    ["statement", { granularity: "statement" }, 3],
    ["instruction", { granularity: "instruction" }, 2],
  ])("is stepped by %s", async (_, given, line) => {
    const client = await inFolder({ level: "original" });
    await client.move("next", given);
    expect(await client.line()).toBe(line);
  });

  it("is stepped back by line, to where that begins", async () => {
    const client = await inFolder({ level: "original" });
    await client.move("next");
    await client.move("next");
    expect(await client.line()).toBe(4);
    await client.move("stepBack");
    expect(await client.line()).toBe(3);
    await client.move("stepBack");
    expect(await client.line()).toBe(2);
    expect((await client.frame()).instructionPointerReference).toBe("0x0");
    await client.move("next");
    await client.move("stepBack", { granularity: "instruction" });
    expect(await client.frame()).toMatchObject({ line: 2, instructionPointerReference: "0x1" });
  });

  it("is stepped into by line", async () => {
    const client = await inFolder({ level: "original" });
    await client.move("stepIn");
    expect(await client.line()).toBe(3);
  });

  it("has its lines with instructions listed, and targets", async () => {
    const client = await inFolder();
    const { breakpoints } = await client.ask("breakpointLocations", { source: original, line: 1, endLine: 9 });
    expect(breakpoints.map((each: { line: number }) => each.line)).toEqual([2, 3, 4]);
    const { targets } = await client.ask("gotoTargets", { source: original, line: 3 });
    await client.move("goto", { targetId: targets[0].id });
    expect(await client.line()).toBe(11);
  });
});

describe("a client that counts from 0", () => {
  it("is told and tells lines so", async () => {
    const client = new Client();
    const launched = (async () => {
      await client.ask("initialize", { linesStartAt1: false, columnsStartAt1: false });
      const launch = client.send("launch", { text: walk, program: "test.ptx", ...walking });
      await client.event("initialized");
      expect(await client.break(23)).toMatchObject([{ verified: true, line: 23 }]);
      await client.ask("configurationDone");
      await launch;
    })();
    await launched;
    await client.stop();
    expect(await client.frame()).toMatchObject({ line: 23, column: 2 });
  });
});
