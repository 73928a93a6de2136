import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { parting, walk, walking } from "./programs.ts";

async function at(line: number): Promise<Client> {
  const client = await Client.launch(walk, walking);
  await client.break(line);
  await client.move("continue");
  return client;
}

describe("what a frame holds", () => {
  it("is in groups", async () => {
    const client = await at(24);
    const { id } = await client.frame();
    const { scopes } = await client.ask("scopes", { frameId: id });
    expect(scopes.map((each: { name: string }) => each.name)).toEqual([
      "Registers",
      "Special registers",
      "Parameters",
      "Buffers and global memory",
      "Constants",
      "Shared memory",
    ]);
  });

  it("has registers, changed ones first and marked", async () => {
    const client = await at(24);
    await client.move("next");
    const all = await client.variables((await client.scope("Registers")).variablesReference);
    expect(all.map(({ name }) => name)).toEqual(["%p1", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%rd1", "%rd2"]);
    await client.move("next", { threadId: 4 });
    const others = await client.variables((await client.scope("Registers")).variablesReference);
    expect(others).toHaveLength(9);
    await client.break(31);
    await client.move("continue");
    const [first] = await client.variables((await client.scope("Registers")).variablesReference);
    expect(first?.value).toMatch(/\(changed\)$/);
  });

  it("has the registers of the function that the frame is of", async () => {
    const client = await at(11);
    const [inner, outer] = await client.frames();
    const names = async (frameId: number | undefined) => {
      const { scopes } = await client.ask("scopes", { frameId });
      return (await client.variables(scopes[0].variablesReference)).map(({ name }) => name).sort();
    };
    expect(await names(inner?.id)).toEqual(["%t1", "%t2"]);
    expect(await names(outer?.id)).toContain("%r5");
  });

  it("has 32 lanes below a register", async () => {
    const client = await at(24);
    const register = await client.variable("Registers", "%r1");
    expect(register.indexedVariables).toBe(32);
    const lanes = await client.variables(register.variablesReference);
    expect(lanes).toHaveLength(32);
    expect(lanes[7]).toMatchObject({ name: "[7]", value: "7 (u32 0x00000007)", type: "u32" });
  });

  it.each([
    [0, 4, ["[0]", "[1]", "[2]", "[3]"]],
    [30, 4, ["[30]", "[31]"]],
    [32, 4, []],
  ])("gives lanes from %i on, %i of them", async (start, count, expected) => {
    const client = await at(24);
    const { variablesReference } = await client.variable("Registers", "%r1");
    const lanes = await client.variables(variablesReference, { filter: "indexed", start, count });
    expect(lanes.map(({ name }) => name)).toEqual(expected);
  });

  it("says where a lane has no thread", async () => {
    const client = await Client.launch(parting, { block: 4 });
    const { variablesReference } = await client.variable("Registers", "%r1");
    expect((await client.variables(variablesReference))[4]).toMatchObject({ value: "no thread" });
  });

  it.each([
    ["%tid.x", 0, /^0 /],
    ["%ntid.x", 0, /^32 /],
    ["%laneid", 5, /^5 /],
    ["%tid.x", 9, /^9 /],
  ])("has %s, in lane %i too", async (name, lane, expected) => {
    const client = await at(24);
    const { variablesReference } = await client.variable("Special registers", name);
    expect((await client.variables(variablesReference))[lane]?.value).toMatch(expected);
  });

  it("has parameters with their names", async () => {
    const client = await at(24);
    expect((await client.variable("Parameters", "n")).value).toMatch(/^32 /);
    expect((await client.variable("Parameters", "x")).type).toBe("u64");
  });

  it.each([
    ["Buffers and global memory", "x", "u32[32]", 31, /^31 /],
    ["Constants", "table", "u32[4]", 2, /^3 /],
    ["Shared memory", "tile", "u32[32]", 0, /./],
  ])("has memory in %s as %s, an array %s", async (scope, name, type, index, expected) => {
    const client = await at(24);
    const variable = await client.variable(scope, name);
    expect(variable).toMatchObject({ type, value: type });
    expect(variable.memoryReference).toMatch(/^\w+:0x/);
    const elements = await client.variables(variable.variablesReference);
    expect(elements[index]?.value).toMatch(expected);
    const [one] = await client.variables(variable.variablesReference, { start: index, count: 1 });
    expect(one?.name).toBe(`[${index}]`);
  });

  it("has a variable of one element as a value", async () => {
    const client = await at(24);
    expect(await client.variable("Buffers and global memory", "total")).toMatchObject({
      value: "7 (u32 0x00000007)",
      variablesReference: 0,
    });
  });

  it("is named so that it can be evaluated", async () => {
    const client = await at(24);
    for (const scope of ["Registers", "Special registers", "Parameters"]) {
      const all = await client.variables((await client.scope(scope)).variablesReference);
      for (const { evaluateName = "", value } of all)
        expect(await client.value(evaluateName)).toBe(value.replace("  (changed)", ""));
    }
  });

  it("is gone when the program has moved on", async () => {
    const client = await at(24);
    const { id } = await client.frame();
    const { variablesReference } = await client.scope("Registers");
    await client.move("next");
    expect(await client.refused("variables", { variablesReference })).toMatch(/gone: the program has moved on/);
    expect(await client.refused("scopes", { frameId: id })).toMatch(/gone: the program has moved on/);
  });
});

describe("a value that is set", () => {
  it.each([
    ["%r5", "77", /^77 /],
    ["%r5", "0x10", /^16 /],
    ["%r5", "%r2 + 3", /^3 /],
    ["%r5", "9 (u32 0x00000009)", /^9 /],
    ["%r5", "8 (u32 0x00000008)  (changed)", /^8 /],
    ["%rd2", "1 << 40", /^1099511627776 /],
    ["%p1", "1", /^true/],
  ])("%s = %s", async (name, value, expected) => {
    const client = await at(25);
    const { variablesReference } = await client.scope("Registers");
    expect((await client.ask("setVariable", { variablesReference, name, value })).value).toMatch(expected);
    expect(await client.value(name)).toMatch(expected);
  });

  it("counts: the program goes on with it", async () => {
    const client = await at(25);
    const { variablesReference } = await client.scope("Registers");
    await client.ask("setVariable", { variablesReference, name: "%r2", value: "100" });
    await client.break(36);
    await client.move("continue");
    expect(await client.value("%r3")).toMatch(/^300 /);
  });

  it("is told to other views", async () => {
    const client = await at(25);
    const { variablesReference } = await client.scope("Registers");
    await client.ask("setVariable", { variablesReference, name: "%r2", value: "1" });
    expect(client.order()).toContain("invalidated!");
  });

  it("can be one lane's", async () => {
    const client = await at(25);
    const { variablesReference } = await client.variable("Registers", "%r5");
    expect((await client.ask("setVariable", { variablesReference, name: "[6]", value: "66" })).value).toMatch(/^66 /);
    const lanes = await client.variables(variablesReference);
    expect([lanes[5]?.value, lanes[6]?.value].map((each) => each?.split(" ")[0])).toEqual(["0", "66"]);
    expect(await client.value("%tid.x")).toMatch(/^0 /);
  });

  it("can be an element of memory", async () => {
    const client = await at(24);
    const { variablesReference } = await client.variable("Buffers and global memory", "x");
    await client.ask("setVariable", { variablesReference, name: "[0]", value: "50" });
    await client.break(36);
    await client.move("continue");
    expect(await client.value("%r3")).toMatch(/^150 /);
  });

  it("can be an expression's", async () => {
    const client = await at(24);
    const { id } = await client.frame();
    const set = (expression: string, value: string) => client.ask("setExpression", { expression, value, frameId: id });
    expect((await set("[x+8]:u32", "5")).value).toMatch(/^5 /);
    expect((await set("%r6", "6")).value).toMatch(/^6 /);
  });

  it.each([
    ["%r5", "many", /PTX\d{4}/],
    ["%r99", "1", /PTX\d{4}/],
    ["%r5", "", /./],
  ])("%s = %j is refused", async (name, value, expected) => {
    const client = await at(25);
    const { variablesReference } = await client.scope("Registers");
    expect(await client.refused("setVariable", { variablesReference, name, value })).toMatch(expected);
  });

  it("is refused where nothing can be set", async () => {
    const client = await at(25);
    const { variablesReference } = await client.scope("Special registers");
    expect(await client.refused("setVariable", { variablesReference, name: "%tid.x", value: "1" })).toMatch(
      /cannot be set/,
    );
    expect(await client.refused("setVariable", { variablesReference: 999, name: "a", value: "1" })).toMatch(/gone/);
  });
});
