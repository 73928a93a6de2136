import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands, main } from "../../../../src/cli/app.ts";
import type { McpOptions } from "../../../../src/cli/mcp/options.ts";
import { serverOf } from "../../../../src/cli/mcp/server.ts";
import { filesFrom } from "../../../../src/system/files.ts";
import { looking, silent, twice, World } from "../world.ts";

const world = new World()
  .write("in/twice.ptx", twice)
  .write("in/data.bin", new Uint8Array([0, 0, 128, 63, 0, 0, 0, 64]))
  .write("out.ptx", twice)
  .write("secret.bin", new Uint8Array(8));
symlinkSync("../out.ptx", join(world.folder, "in/link.ptx"));

const io = { ...silent, cwd: world.folder, files: filesFrom(world.folder) };
const limits: McpOptions = { allowRead: ["in"], timeout: "3600s", maxSteps: "1M", maxMem: "64M" };

async function serving(options: McpOptions, more: object = {}) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const around = { ...io, ...more };
  const { server, idle } = serverOf(
    options,
    around,
    commands(around, [], () => {}),
    main,
  );
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return { client, idle };
}
const connected = async (options: McpOptions = limits, more: object = {}): Promise<Client> =>
  (await serving(options, more)).client;

let client: Client;
beforeAll(async () => {
  client = await connected();
});
afterAll(async () => {
  await client.close();
  world.remove();
});

async function call(name: string, input: Readonly<Record<string, unknown>>, with_ = client) {
  const result = (await with_.callTool({ name, arguments: input })) as CallToolResult;
  const [first] = result.content;
  if (first?.type !== "text") throw new Error("no text");
  return { text: first.text, failed: result.isError === true, data: result.structuredContent };
}

const add = { text: "add.f32 d, a, b;", reg: ["a=1.5", "b=2"] };

describe("the tools", () => {
  it("are listed with schemas that have the options of their commands", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["run", "explain", "lint", "step", "diff", "litmus", "isa"]);
    const run = tools.find(({ name }) => name === "run");
    const properties = run?.inputSchema.properties as Record<string, { type: string; enum?: string[] }>;
    expect(properties).toMatchObject({
      text: { type: "string" },
      file: { type: "string" },
      arg: { type: "array", items: { type: "string" } },
      block: { type: "string", description: expect.stringContaining("threads of a block") },
      cooperative: { type: "boolean" },
      detail: { type: "boolean" },
    });
    expect(tools.find(({ name }) => name === "litmus")?.inputSchema.properties).toMatchObject({
      model: { enum: ["manual", "split-atomics"] },
    });
    expect(tools.find(({ name }) => name === "explain")?.inputSchema.required).toEqual(["what"]);
    // Nothing that writes a file, and no limit, is an agent's to choose.
    for (const { inputSchema } of tools)
      for (const name of ["output", "report", "reporter", "cache", "svg", "timeout", "maxSteps", "maxMem"])
        expect(Object.keys(inputSchema.properties ?? {})).not.toContain(name);
    const ajv = new Ajv({ strict: true });
    for (const { inputSchema } of tools) expect(() => ajv.compile(inputSchema)).not.toThrow();
  });

  it("run a snippet and a kernel, in short and with everything", async () => {
    expect(await call("run", add)).toMatchObject({
      text: expect.stringMatching(/^d +f32 +0x40600000 +3\.5\n/),
      failed: false,
    });
    const kernel = { file: "in/twice.ptx", block: "2", arg: ["x:f32=@in/data.bin", "y=f32x2", "n=2"], dump: ["y"] };
    expect((await call("run", kernel)).text).toContain("2.0 4.0");
    const { data } = await call("run", { ...kernel, detail: true });
    expect(data).toMatchObject({ schema: "ptxrun.run/1", exit: 0, kernel: "twice" });
  });

  it("answer with a fault: its code, its line and a way out", async () => {
    const { text, failed } = await call("run", { text: twice, block: "2", arg: ["x=f32x1:1", "y=f32x2", "n=2"] });
    expect(failed).toBe(false);
    expect(text).toMatch(/^error PTX3002: .*\n\s+--> program\.ptx:17:3\n/);
    expect(text).toContain("just past the end of x");
  });

  it("explain, lint, diff, litmus and isa", async () => {
    expect((await call("explain", { what: "PTX1203" })).text).toContain("PTX1203");
    const linted = await call("lint", { text: "add.rz.f16 d, a, b;" });
    expect([linted.failed, linted.text]).toEqual([false, expect.stringMatching(/^error PTX1203: /)]);
    const differs = await call("diff", { ...add, other_text: "sub.f32 d, a, b;" });
    expect(differs.text).toMatch(/^different +program\.ptx +other\.ptx/);
    const mp = `//@ litmus mp
.global .u32 x;
//@ thread P0 cta 0
st.relaxed.gpu.u32 [x], 1;
//@ thread P1 cta 1
ld.relaxed.gpu.u32 r0, [x];
//@ exists P1:r0 == 1
`;
    expect((await call("litmus", { text: mp })).text).toContain("P1:r0");
    expect((await call("isa", { glob: "sad" })).text).toMatch(/^sad\.type d, a, b, c/);
    const all = await call("isa", {});
    expect([all.text.length < 4100, all.text]).toEqual([
      true,
      expect.stringMatching(/more characters: detail gives all\n$/),
    ]);
    expect((await call("isa", { detail: true })).text.length).toBeGreaterThan(100_000);
  });

  it("step through a program in sessions of their own", async () => {
    const begun = await call("step", { ...add, commands: ["step"] });
    expect(begun.text).toMatch(/^session 1\n> step\n/);
    expect((await call("step", { text: "sub.f32 d, a, b;", reg: ["a=1.5", "b=2"] })).text).toMatch(/^session 2\n/);
    expect((await call("step", { session: "1", commands: ["print d"] })).text).toContain("3.5");
    const gone = await call("step", { session: "2", commands: ["continue", "print d", "quit"] });
    expect(gone.text).toMatch(/^session 2 has ended\n[\s\S]*-0\.5/);
    const again = await call("step", { session: "2" });
    expect([again.failed, again.text]).toEqual([
      true,
      expect.stringMatching(/PTX2003: there is no session 2\n.*one of 1/),
    ]);
    const refused = await call("step", { session: "1", commands: ["prnt 1", "step"] });
    expect([refused.failed, refused.text]).toEqual([true, expect.stringContaining("did you mean print")]);
    expect(refused.text).not.toContain("> step");
  });
});

describe("wrong input", () => {
  it.each([
    ["a property that there is none", "run", { ...add, blok: "3" }, "PTX2001: run has no property blok"],
    ["a name nearly right", "run", { ...add, blok: "3" }, "did you mean block?"],
    ["another type", "run", { ...add, block: 3 }, "PTX2003: block cannot be that"],
    ["an array of others", "run", { ...add, reg: [1] }, "expected: an array of strings"],
    ["a word that there is none", "litmus", { text: "x", model: "mine" }, "expected: manual, split-atomics"],
    ["a value that cannot be read", "run", { ...add, block: "many" }, "PTX2003: --block cannot be many"],
    ["a value of a session that cannot be read", "step", { ...add, block: "many" }, "PTX2003"],
    ["no program", "run", {}, "PTX2002: there is no program"],
    ["two programs for one", "run", { ...add, file: "in/twice.ptx" }, "PTX2002: both text and file were given"],
    ["one program for two", "diff", add, "expected: other_text, or other_file"],
    ["nothing to explain", "explain", {}, "PTX2001: explain needs what"],
    ["a session and a program", "step", { ...add, session: "1" }, "PTX2002: both a session and a program"],
    ["what cannot be explained", "explain", { what: "fmma.rn.f32" }, "did you mean"],
    ["a program that begins like an option", "explain", { what: "--version" }, "PTX23"],
  ])("%s is told", async (_, name, input, words) => {
    const { text, failed } = await call(name, input);
    expect([failed, text]).toEqual([true, expect.stringContaining(words)]);
  });

  it("a tool that there is none is an error of the protocol", async () => {
    await expect(client.callTool({ name: "lnit", arguments: {} })).rejects.toThrow(/no tool lnit: did you mean lint/);
  });
});

describe("what may be touched", () => {
  const outside: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
    ["a program elsewhere", "run", { file: "out.ptx" }],
    ["a way out", "lint", { file: "in/../out.ptx" }],
    ["a link out", "run", { file: "in/link.ptx" }],
    ["the second program", "diff", { file: "in/twice.ptx", other_file: "out.ptx" }],
    ["of a session", "step", { file: "out.ptx" }],
    ["an input", "run", { file: "in/twice.ptx", arg: ["x=@secret.bin", "y=f32x2", "n=2"] }],
    ["a memory", "run", { file: "in/twice.ptx", memory: "secret.bin" }],
    ["a .zeinfo", "run", { file: "in/twice.ptx", zeinfo: "secret.bin" }],
  ];
  it.each(outside)("is not %s", async (_, name, input) => {
    const { text, failed } = await call(name, input);
    expect([failed, text]).toEqual([true, expect.stringMatching(/outside of what may be read/)]);
  });

  it("is nothing without a folder, and nothing is written", async () => {
    const { allowRead: _, ...bare } = limits;
    const other = await connected(bare);
    expect((await call("run", { file: "in/twice.ptx" }, other)).text).toContain("a file below no folder, or text");
    await other.close();
    const dumped = await call("run", { ...add, dump: ["d=@in/d.bin"] });
    expect([dumped.failed, existsSync(join(world.folder, "in/d.bin"))]).toEqual([true, false]);
    const stepped = await call("step", { ...add, commands: ["save in/log"] });
    expect([stepped.failed, existsSync(join(world.folder, "in/log"))]).toEqual([true, false]);
  });

  it("leaves nothing behind", async () => {
    const ours = () => readdirSync(tmpdir()).filter((name) => name.startsWith("ptxrun-mcp-")).length;
    const other = await connected();
    const before = ours();
    await call("step", add, other);
    await call("lint", add.text === "" ? {} : { text: add.text }, other);
    expect(ours()).toBe(before + 1);
    await other.close();
    expect(ours()).toBe(before);
  });
});

describe("limits", () => {
  it("end an endless loop by steps and by time", async () => {
    const endless = { text: "L: bra L;" };
    expect(await call("run", endless)).toMatchObject({ failed: true, text: expect.stringContaining("PTX6001") });
    const hasty = await connected({ ...limits, maxSteps: "100M", timeout: "500ms" }, { now: looking(50) });
    expect(await call("run", endless, hasty)).toMatchObject({ failed: true, text: expect.stringContaining("PTX6101") });
    await hasty.close();
    expect((await call("run", { text: twice, arg: ["x=f32x100000000"] })).text).toMatch(
      /^error PTX6003: .*\n[\s\S]*expected 67108864 bytes at most/,
    );
  });
});

describe("a call whose client does not wait any more", () => {
  const forever: McpOptions = { ...limits, maxSteps: "1000000G" };

  it.each([
    ["run", {}],
    ["step", { commands: ["continue", "print 1 + 1"] }],
    ["step", { commands: ["step 1000000000", "next 1000000000"] }],
  ])("ends soon, and the server goes on: %s %j", async (name, more) => {
    const { client, idle } = await serving(forever);
    const aborting = new AbortController();
    const input = { text: "mov.u32 %r1, 7; L: bra L;", ...more };
    const asked = client.callTool({ name, arguments: input }, undefined, { signal: aborting.signal });
    // Another one is answered meanwhile.
    expect((await call("run", add, client)).text).toContain("3.5");
    aborting.abort("enough");
    await expect(asked).rejects.toThrow("enough");
    // It would have no end otherwise.
    await idle();
    if (name === "step") {
      const { text } = await call("step", { session: "1", commands: ["print %r1"] }, client);
      expect(text).toMatch(/^session 1\n> print %r1\n.*\b7\b/);
    }
    await client.close();
  });
});

describe("ptxrun mcp", () => {
  it("answers on its streams, and ends with its input", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const heard: string[] = [];
    output.on("data", (piece: Buffer) => heard.push(piece.toString()));
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    for (const message of [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "run", arguments: add } },
    ])
      input.write(`${JSON.stringify(message)}\n`);
    input.end();
    const { exit, err } = await world.ptxrun(["mcp"], { streams: () => ({ input, output }) });
    const [first, second] = heard
      .join("")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([exit, err]).toEqual([0, ""]);
    expect(first.result.serverInfo).toEqual({ name: "ptxrun", version: expect.stringMatching(/^\d/) });
    expect(second.result.content[0].text).toContain("3.5");
  });

  it("is set up as its page says", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/mcp.md"), "utf8");
    const lines = [
      ...[...page.matchAll(/```json\n(.*)\n```/g)].map(([, text = ""]) => {
        const { mcpServers, servers = mcpServers } = JSON.parse(text);
        return [servers.ptxrun.command, ...servers.ptxrun.args];
      }),
      ...[...page.matchAll(/^command = (.*)\nargs = (.*)$/gm)].map(([, command = "", args = ""]) => [
        JSON.parse(command),
        ...JSON.parse(args),
      ]),
    ];
    expect(lines).toEqual(Array.from({ length: 3 }, () => ["ptxrun", "mcp", "--allow-read", "kernels"]));
    const streams = () => ({ input: new PassThrough().end(), output: new PassThrough() });
    expect(await world.ptxrun(lines[0]?.slice(1) ?? [], { streams })).toEqual({ exit: 0, out: "", err: "" });
  });

  it("has limits that can be read", async () => {
    for (const option of ["--timeout", "--max-steps", "--max-mem"])
      expect(await world.ptxrun(["mcp", option, "much"])).toMatchObject({
        exit: 2,
        err: expect.stringContaining("PTX2003"),
      });
  });
});
