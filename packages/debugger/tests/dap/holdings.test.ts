import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { parting, walk, walking } from "./programs.ts";

/** Has a carry, a vector, memory of its own, a parameter of bytes, and a call. */
const holding = `.version 8.0
.target sm_80
.address_size 64
.global .align 8 .u64 far = 9;
.global .align 4 .f32 three[3] = {1.5, 2.5, 3.5};
.const .align 2 .u16 small = 5;
.visible .entry holding(.param .align 4 .b8 bytes[8], .param .u32 n)
{
  .reg .u32 %r<5>;
  .reg .v2 .u32 %v;
  .local .align 4 .u32 own[2];
  .local .align 4 .u32 one;
  mov.u32 %r1, %tid.x; // 13
  mov.u32 %v.x, 3; // 14
  mov.u32 %v.y, 4; // 15
  add.cc.u32 %r2, %r1, 0xffffffff; // 16
  addc.u32 %r3, %r1, 0; // 17
  st.local.u32 [own+4], 6; // 18
  st.local.u32 [one], 8; // 19
  ret; // 20
}
`;

/** A client that stands before a line, all lanes of it. */
async function at(line: number, text: string = holding, given: object = { arg: { n: 2 }, block: 4 }): Promise<Client> {
  const client = await Client.launch(text, { ...given, sanitize: "none" });
  await client.break(line);
  await client.move("continue");
  return client;
}

const shown = async (client: Client, scope: string, more: object = {}): Promise<string[]> =>
  (await client.variables((await client.scope(scope)).variablesReference, { ...more })).map(
    ({ name, value }) => `${name}: ${value}`,
  );

describe("a scope", () => {
  it("has each register, changed ones first, and the carry behind them", async () => {
    const client = await at(20);
    expect((await client.scope("Registers")).namedVariables).toBe(5);
    const expected = [
      "%r2: 4294967295 (u32 0xffffffff)  (changed)",
      "%v: {3 (u32 0x00000003), 4 (u32 0x00000004)}  (changed)",
      "%r1: 0 (u32 0x00000000)",
      "%r3: 0 (u32 0x00000000)",
      "cc.cf: false",
    ];
    expect(await shown(client, "Registers")).toEqual(expected);
    expect(await shown(client, "Registers", { start: 1, count: 2 })).toEqual(expected.slice(1, 3));
    expect(await shown(client, "Registers", { start: 0, count: 0 })).toEqual(expected);
    expect(await shown(client, "Registers", { start: 4, count: 9 })).toEqual(expected.slice(4));
    expect(await shown(client, "Special registers", { start: 3, count: 1 })).toEqual(["%ntid.x: 4 (u32 0x00000004)"]);
  });

  it("has the carry first where it has changed", async () => {
    const carrying = holding.replace("%r1, 0xffffffff", "0xffffffff, 2");
    const client = await at(20, carrying);
    expect((await shown(client, "Registers"))[0]).toBe("cc.cf: true  (changed)");
    expect(await shown(client, "Registers", { start: 1, count: 1 })).toEqual(["%r2: 1 (u32 0x00000001)  (changed)"]);
    await client.move("stepBack");
    expect((await shown(client, "Registers")).at(-1)).toBe("cc.cf: true");
  });

  it("has in each lane what that lane's thread has", async () => {
    const client = await at(20);
    const lanes = async (name: string) => {
      const { variablesReference } = await client.variable("Registers", name);
      return (await client.variables(variablesReference)).slice(0, 5).map(({ value }) => value.split(" (")[0]);
    };
    // Lane 0 adds 0xffffffff to 0; the others have a carry.
    expect(await lanes("%r2")).toEqual(["4294967295", "0", "1", "2", "no thread"]);
    expect(await lanes("%r3")).toEqual(["0", "2", "3", "4", "no thread"]);
    expect(await lanes("cc.cf")).toEqual(["false", "true", "true", "true", "no thread"]);
    expect((await lanes("%v"))[0]).toMatch(/^<.*2 elements>$/);
  });

  it.each<[scope: string, expected: readonly string[]]>([
    ["Parameters", ["bytes: b8[8]", "n: 2 (u32 0x00000002)"]],
    ["Buffers and global memory", ["far: 9 (u64 0x0000000000000009)", "three: f32[3]"]],
    ["Constants", ["small: 5 (u16 0x0005)"]],
    ["Local memory", ["own: u32[2]", "one: 8 (u32 0x00000008)"]],
  ])("%s are what was declared", async (scope, expected) => {
    expect(await shown(await at(20), scope)).toEqual(expected);
  });

  it.each<[scope: string, name: string, elements: readonly string[]]>([
    ["Parameters", "bytes", Array.from({ length: 8 }, (_, index) => `[${index}]: 0 (b8 0x00)`)],
    [
      ...(["Buffers and global memory", "three"] as const),
      ["[0]: 1.5 (f32 0x3fc00000)", "[1]: 2.5 (f32 0x40200000)", "[2]: 3.5 (f32 0x40600000)"],
    ],
    ["Local memory", "own", ["[0]: 0 (u32 0x00000000)", "[1]: 6 (u32 0x00000006)"]],
  ])("%s has %s with its elements, a part at a time", async (scope, name, elements) => {
    const client = await at(20);
    const { variablesReference, indexedVariables } = await client.variable(scope, name);
    expect(indexedVariables).toBe(elements.length);
    const part = async (more: object) =>
      (await client.variables(variablesReference, { ...more })).map(({ name, value }) => `${name}: ${value}`);
    expect(await part({})).toEqual(elements);
    expect(await part({ start: 1, count: 1 })).toEqual(elements.slice(1, 2));
    expect(await part({ start: 1 })).toEqual(elements.slice(1));
    expect(await part({ start: 1, count: 99 })).toEqual(elements.slice(1));
    expect(await part({ start: elements.length + 1, count: 1 })).toEqual([]);
  });

  it("takes values for what it shows, and gives them back as they are then", async () => {
    const client = await at(20);
    const rows: readonly (readonly [scope: string, below: string, name: string, value: string, shown: string])[] = [
      ["Registers", "", "%r1", " 7 ", "7 (u32 0x00000007)"],
      ["Registers", "", "cc.cf", "1", "true"],
      ["Registers", "%r1", "[3]", "11", "11 (u32 0x0000000b)"],
      ["Buffers and global memory", "three", "[2]", "0.5", "0.5 (f32 0x3f000000)"],
      ["Local memory", "own", "[1]", "0x10 (u32 0x00000010)", "16 (u32 0x00000010)"],
    ];
    for (const [scope, below, name, value, expected] of rows) {
      const { variablesReference } = below === "" ? await client.scope(scope) : await client.variable(scope, below);
      const answer = await client.ask("setVariable", { variablesReference, name, value });
      expect.soft(answer).toEqual({ name, value: expected, type: expect.any(String) });
      const now = (await client.variables(variablesReference)).find((each) => each.name === name);
      expect.soft(now?.value.replace("  (changed)", ""), name).toBe(expected);
    }
  });

  it("names what can be watched, and what cannot", async () => {
    const client = await at(20);
    const { variablesReference: lanes } = await client.ask("evaluate", { expression: "%r1" });
    expect(await client.ask("dataBreakpointInfo", { variablesReference: lanes, name: "[0]" })).toMatchObject({
      dataId: null,
      description: "[0] cannot be watched",
    });
    const info = async (scope: string, below: string, name: string) => {
      const { variablesReference } = below === "" ? await client.scope(scope) : await client.variable(scope, below);
      return client.ask("dataBreakpointInfo", { variablesReference, name });
    };
    expect(await info("Local memory", "own", "[1]")).toMatchObject({ dataId: "[local:0x4]:u32" });
    expect(await info("Registers", "", "%r1")).toMatchObject({ dataId: "%r1" });
    expect(await info("Special registers", "", "%tid.x")).toEqual({
      dataId: null,
      description: "%tid.x cannot be watched",
    });
  });
});

describe("threads", () => {
  it("are the focused one, its warp's, its block's, then others", async () => {
    const client = await Client.launch(parting, { block: [40, 2], grid: 2, schedule: "random:1" });
    await client.break({ line: 12, condition: "%ctaid.x == 1 && %warpid == 1" });
    const { threadId = 0 } = await client.move("continue");
    const { threads } = (await client.ask("threads")) as { threads: { id: number; name: string }[] };
    const [first, ...others] = threads.map(({ id }) => ({
      block: Math.floor((id - 1) / 80),
      warp: Math.floor(((id - 1) % 80) / 32),
    }));
    expect(threads[0]).toEqual({ id: threadId, name: expect.stringMatching(/^b1 t\d+ \(focus\)$/) });
    expect(first).toEqual({ block: 1, warp: 1 });
    const far = others.map(({ block, warp }) => (block !== 1 ? 2 : warp === 1 ? 0 : 1));
    expect(far).toEqual([...far].sort());
    expect(far).toContain(0);
    expect(far).toContain(1);
  });

  it("of the focused one's warp that stand elsewhere are listed, wherever it has its lane", async () => {
    const client = await Client.launch(parting, { block: 32 });
    await client.break({ line: 15, condition: "%tid.x == 31" });
    await client.move("continue");
    expect((await client.ask("threads")).threads).toEqual([
      { id: 32, name: "b0 t31 (focus)" },
      { id: 1, name: expect.stringMatching(/^b0 t0, 16 lanes, /) },
    ]);
  });

  it("have numbers from 1 on, block for block", async () => {
    const client = await Client.launch(parting, { block: [3, 2], grid: 2 });
    const name = async (thread: number) => {
      const [frame] = await client.frames(thread);
      const value = async (expression: string) =>
        (await client.ask("evaluate", { expression, frameId: frame?.id })).result.split(" ")[0];
      return `${await value("%ctaid.x")} ${await value("%tid.x")},${await value("%tid.y")}`;
    };
    expect([await name(1), await name(4), await name(6)]).toEqual(["0 0,0", "0 0,1", "0 2,1"]);
    await client.break({ line: 15, condition: "%ctaid.x == 1" });
    await client.move("continue");
    expect([await name(7), await name(11)]).toEqual(["1 0,0", "1 1,1"]);
    for (const thread of [0, 13, 7.5]) expect(await client.refused("next", { threadId: thread })).toMatch(/no thread/);
  });

  it("are listed one for each warp where that stands together", async () => {
    const wide = await Client.launch(walk, { ...walking, block: 1024, arg: { x: "u32x1024", n: 1 } }, [
      ["setBreakpoints", { source: { name: "test.ptx" }, breakpoints: [{ line: 42, condition: "%warpid == 31" }] }],
    ]);
    const { threads } = await wide.ask("threads");
    expect(threads).toHaveLength(32);
    expect(threads[31]).toEqual({ id: 993, name: "b0 t992, 32 lanes, runs" });
  });
});

describe("memory", () => {
  it("is given a MiB at a time", async () => {
    const client = await Client.launch(walk, { ...walking, arg: { x: "u8x1048580", n: 1 } });
    const { memoryReference } = await client.variable("Buffers and global memory", "x");
    const read = await client.ask("readMemory", { memoryReference, count: 1_048_579 });
    expect([Buffer.from(read.data, "base64").length, read.unreadableBytes]).toEqual([2 ** 20, 3]);
    const end = await client.ask("readMemory", { memoryReference, offset: 1_048_573, count: 9 });
    expect([Buffer.from(end.data, "base64").length, end.unreadableBytes]).toEqual([7, 2]);
  });
});
