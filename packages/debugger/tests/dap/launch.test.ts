import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { racing, walk, walking } from "./programs.ts";

/** Why a launch is refused. */
async function refusal(given: object): Promise<string> {
  const client = new Client();
  return client.refused("launch", { ...given });
}

describe("a launch", () => {
  it.each<[string, object, string, RegExp]>([
    ["arg as an object", { arg: { x: "u32x32:iota", n: 5 } }, "n", /^5 /],
    ["arg as texts", { arg: ["x=u32x32:iota", "n=6"] }, "n", /^6 /],
    ["block as a number", { arg: { x: "u32x32:iota", n: 1 }, block: 8 }, "%ntid.x", /^8 /],
    ["block as an array", { arg: { x: "u32x32:iota", n: 1 }, block: [4, 2] }, "%ntid.y", /^2 /],
    ["block as a text", { arg: { x: "u32x32:iota", n: 1 }, block: "4,2,2" }, "%ntid.z", /^2 /],
    ["grid", { ...walking, grid: 3 }, "%nctaid.x", /^3 /],
    ["grid of two", { ...walking, grid: [3, 2] }, "%nctaid.y", /^2 /],
    ["reg", { ...walking, reg: { "%r5": 9 } }, "%r5", /^9 /],
    ["global", { ...walking, global: { total: 11 } }, "[total]:u32", /^11 /],
    ["entry", { ...walking, entry: "walk" }, "n", /^32 /],
    ["target", { ...walking, target: "sm_90" }, "n", /^32 /],
    ["schedule", { ...walking, schedule: "random:3" }, "n", /^32 /],
    ["async", { ...walking, async: "early" }, "n", /^32 /],
    ["sanitize", { ...walking, sanitize: "mem,race" }, "n", /^32 /],
    ["no sanitize", { ...walking, sanitize: "none" }, "n", /^32 /],
    ["maxSteps", { ...walking, maxSteps: "1M" }, "n", /^32 /],
    ["maxSteps as a number", { ...walking, maxSteps: 1000 }, "n", /^32 /],
    ["maxMem", { ...walking, maxMem: "1M" }, "n", /^32 /],
    ["smem", { ...walking, smem: "1K" }, "n", /^32 /],
    ["stack", { ...walking, stack: "64K" }, "n", /^32 /],
    ["cluster", { ...walking, target: "sm_90", grid: 4, cluster: 2 }, "n", /^32 /],
    ["sourceDir", { ...walking, sourceDir: ["/src"] }, "n", /^32 /],
    ["what editors add", { ...walking, type: "ptx", name: "x", request: "launch", __sessionId: "7" }, "n", /^32 /],
    ["null for nothing", { ...walking, grid: null }, "n", /^32 /],
  ])("takes %s", async (_, given, expression, expected) => {
    const client = await Client.launch(walk, { ...given });
    expect(await client.value(expression)).toMatch(expected);
  });

  it.each<[string, object, RegExp]>([
    ["nothing", {}, /nothing to launch: give "program"/],
    ["a program that is a number", { program: 7 }, /program takes a text/],
    ["a text that is none", { text: [] }, /text takes a text/],
    ["a word that is no option", { text: walk, grids: 7 }, /grids is not an option of a launch; did you mean grid\?/],
    ["a grid that is none", { text: walk, grid: "many" }, /grid takes blocks, as 4 or \[4,1,1\], not "many"/],
    ["an arg that is none", { text: walk, arg: 7 }, /arg takes parameters/],
    ["a flag that is none", { text: walk, cooperative: "yes" }, /cooperative takes true or false/],
    ["a schedule that is none", { text: walk, schedule: "soon" }, /schedule takes/],
    ["checks that are none", { text: walk, sanitize: "everything" }, /sanitize takes/],
    ["a level that is none", { text: walk, level: "sass" }, /level takes "ptx" or "original"/],
    ["args where nobody reads them", { text: walk, args: ["--block", "2"] }, /args is not read here/],
    ["args that are no words", { text: walk, args: 7 }, /args takes words/],
    ["a file where there are none", { program: "walk.ptx" }, /^PTX\d{4}: .*walk\.ptx/],
    ["a parameter that there is not", { text: walk, arg: { y: 1 } }, /PTX\d{4}.*y/],
    ["a value of another type", { text: walk, arg: { x: "u32x32:iota", n: "much" } }, /PTX\d{4}/],
    ["a kernel that there is not", { text: walk, entry: "wlk" }, /PTX\d{4}.*wlk.*walk/],
    ["a text that is not PTX", { text: "add.f33 %f1, %f2;", program: "a.ptx" }, /^a\.ptx:1: PTX\d{4}/],
  ])("refuses %s", async (_, given, expected) => {
    expect(await refusal(given)).toMatch(expected);
  });

  it("tells what is wrong with a text as output at its line, with the way out", async () => {
    const client = new Client();
    const wrong = walk.replace("add.u32 %t2", "ad.u32 %t2");
    const response = await client.send("launch", { text: wrong, program: "a.ptx" });
    expect(response["message"]).toMatch(/^a\.ptx:10: PTX\d{4}: /);
    const { error } = response["body"] as { error: { id: number; showUser: boolean } };
    expect(error.showUser).toBe(true);
    expect(error.id).toBeGreaterThan(999);
    const output = await client.event("output");
    expect(output.output).toMatch(/did you mean.*add/);
    expect(output).toMatchObject({ category: "stderr", line: 10, column: 3, source: { name: "a.ptx" } });
  });

  it("can be tried again after it was refused", async () => {
    const client = new Client();
    await client.refused("launch", { text: "what" });
    await client.begin({ text: walk, ...walking, stopOnEntry: true });
    expect(await client.stop()).toMatchObject({ reason: "entry" });
  });

  it("reads words of the command line with who can", async () => {
    const client = new Client({
      readArgs: (words) => ({ block: [words.length, 1, 1], arg: ["x=u32x32:iota", "n=1"] }),
    });
    await client.begin({ text: walk, args: "a b c", stopOnEntry: true });
    await client.stop();
    expect(await client.value("%ntid.x")).toMatch(/^3 /);
  });

  it("looks for races where it was asked to", async () => {
    const given = { arg: { x: "u32x4" }, block: 64, stopOnEntry: false };
    const client = await Client.launch(racing, { ...given, sanitize: "mem,race" });
    await client.event("terminated");
    expect(client.output()).toMatch(/no barrier orders them/);
    const other = await Client.launch(racing, given);
    await other.event("terminated");
    expect(other.output()).not.toMatch(/orders them/);
  });
});
