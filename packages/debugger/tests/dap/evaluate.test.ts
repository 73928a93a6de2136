import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { walk, walking } from "./programs.ts";

async function at(line: number): Promise<Client> {
  const client = await Client.launch(walk, walking);
  await client.break(line);
  await client.move("continue");
  return client;
}

const labels = async (client: Client, text: string, column: number = text.length + 1): Promise<string[]> =>
  (await client.ask("completions", { text, column })).targets.map((each: { label: string }) => each.label);

describe("an expression", () => {
  it.each([
    ["%r1", /^0 \(u32 0x00000000\)$/],
    ["1 + 2 * 3", /^7 /],
    ["%r4 == 0", /^(true|1)/],
    ["[x+12]:u32", /^3 /],
    ["[tile]:u32", /./],
    ["%tid.x", /^0 /],
    ["%ntid.x * 2", /^64 /],
    ["total", /./],
    ["%p1", /^false/],
    ["n", /^32 /],
  ])("%s has a value", async (expression, expected) => {
    const client = await at(28);
    expect(await client.value(expression)).toMatch(expected);
  });

  it.each(["watch", "hover", "repl", "clipboard", "variables"])("has its value in %s", async (context) => {
    const client = await at(28);
    expect(await client.value("%r4", context)).toMatch(/^0 /);
  });

  it("has its type, and below it its value in each lane", async () => {
    const client = await at(28);
    const { id } = await client.frame();
    const answer = await client.ask("evaluate", { expression: "%r1 * 10", frameId: id });
    expect(answer).toMatchObject({ type: "s64", indexedVariables: 32 });
    expect((await client.variables(answer.variablesReference))[3]?.value).toMatch(/^30 /);
  });

  it.each(["", "%r99", "%r1 +", "(((", "hello", "1 2", "ld", "\u0000", "%r1 = 5", "😀"])(
    "%j is refused in a hover",
    async (expression) => {
      const client = await at(28);
      const { id } = await client.frame();
      const before = await client.value("%r1");
      expect(await client.refused("evaluate", { expression, context: "hover", frameId: id })).toMatch(/PTX\d{4}/);
      expect(await client.value("%r1")).toBe(before);
    },
  );

  it("is one of the frame that the client looks at", async () => {
    const client = await at(11);
    const [inner, outer] = await client.frames();
    const value = async (expression: string, frameId: number | undefined) =>
      (await client.send("evaluate", { expression, frameId }))["success"];
    expect(await value("%t1", inner?.id)).toBe(true);
    expect(await value("%r4", outer?.id)).toBe(true);
    expect(await value("%t1", outer?.id)).toBe(false);
  });

  it("needs no frame", async () => {
    const client = await at(28);
    expect((await client.ask("evaluate", { expression: "1+1" })).result).toMatch(/^2 /);
  });

  it("without a text is refused", async () => {
    const client = await at(28);
    expect(await client.refused("evaluate", {})).toMatch(/expression is missing/);
  });
});

describe("the console", () => {
  it.each([
    ["where", /walk/],
    ["help", /step/],
    ["list", /add\.u32 %r3/],
    ["info reg", /%r4/],
    ["x/4 x", /0/],
    ["lanes %r1", /31/],
    ["explain 0.1", /./],
  ])("carries out %s", async (command, expected) => {
    const client = await at(28);
    expect(await client.value(command, "repl")).toMatch(expected);
  });

  it("says what is no command and no expression", async () => {
    const client = await at(28);
    const said = await client.send("evaluate", { expression: "jump", context: "repl" });
    expect(JSON.stringify(said)).toMatch(/PTX\d{4}/);
  });

  it("tells the client where it has moved the program", async () => {
    const client = await at(28);
    await client.value("step", "repl");
    expect(await client.stop()).toMatchObject({ reason: "step", description: "step" });
    expect(await client.line()).toBe(29);
  });

  it("sets what it is told to", async () => {
    const client = await at(28);
    await client.value("set %r3 = 9", "repl");
    expect(client.order()).toContain("invalidated!");
    expect(await client.value("%r3")).toMatch(/^9 /);
  });

  it("takes a name of the function that is looked at for that, too", async () => {
    const client = await at(11);
    const { id } = await client.frame();
    const { result } = await client.ask("evaluate", { expression: "%t1", context: "repl", frameId: id });
    expect(result).toMatch(/^0 \(u32/);
  });

  it("takes a name of the program for that", async () => {
    const client = await at(28);
    expect(await client.value("n", "repl")).toMatch(/^32 /);
  });
});

describe("completions", () => {
  it.each([
    ["%r", ["%r1", "%r6"]],
    ["%tid", ["%tid.x"]],
    ["1 + %p", ["%p1"]],
    ["ti", ["tile"]],
    ["to", ["total"]],
  ])("of %j hold %j", async (text, expected) => {
    const client = await at(28);
    const found = await labels(client, text);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  it("have the names of the frame that the client looks at", async () => {
    const client = await at(11);
    const [inner, outer] = await client.frames();
    const found = async (frameId: number | undefined) =>
      (await client.ask("completions", { text: "%", column: 2, frameId })).targets.map(
        (each: { label: string }) => each.label,
      );
    expect(await found(inner?.id)).toContain("%t1");
    expect(await found(outer?.id)).toContain("%r1");
  });

  it("replace the word that was begun", async () => {
    const client = await at(28);
    const { targets } = await client.ask("completions", { text: "1 + %rd", column: 8 });
    expect(targets[0]).toMatchObject({ start: 4, length: 3 });
  });

  it("look only at what stands before the cursor", async () => {
    const client = await at(28);
    expect(await labels(client, "%r1 + ti", 3)).toContain("%r1");
  });

  it.each([
    ["st", "step"],
    ["con", "continue"],
    ["wh", "where"],
  ])("of %j hold the command %s", async (text, command) => {
    const client = await at(28);
    expect(await labels(client, text)).toContain(command);
  });

  it("of nothing that there is are none", async () => {
    const client = await at(28);
    expect(await labels(client, "qqqq")).toEqual([]);
    expect(await client.refused("completions", { column: 1 })).toMatch(/text is missing/);
  });
});
