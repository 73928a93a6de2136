import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { walk, walking } from "./programs.ts";

/** Watches what a name stands for. */
async function watch(client: Client, name: string, more: object = {}, variablesReference?: number) {
  const info = await client.ask("dataBreakpointInfo", { name, variablesReference });
  const { breakpoints } = await client.ask("setDataBreakpoints", { breakpoints: [{ dataId: info.dataId, ...more }] });
  return { info, point: breakpoints[0] };
}

describe("data breakpoints", () => {
  it("stop behind a change of a register, and say what did it", async () => {
    const client = await Client.launch(walk, walking);
    const { point } = await watch(client, "%r4");
    expect(point).toMatchObject({ verified: true });
    const stop = await client.move("continue");
    expect(stop).toMatchObject({ reason: "data breakpoint", hitBreakpointIds: [point.id] });
    expect(stop.text).toMatch(/%r4 was 0 .* and is 1 .*add\.u32 %r4/);
    expect(await client.line()).toBe(30);
  });

  it.each<[accessType: string, line: number]>([
    ["read", 25],
    ["write", 44],
    ["readWrite", 25],
  ])("of memory stop at %s", async (accessType, line) => {
    const client = await Client.launch(walk, walking);
    const { info } = await watch(client, "[x+4]:u32", { accessType });
    expect(info.accessTypes).toEqual(["read", "write", "readWrite"]);
    expect(await client.move("continue")).toMatchObject({ reason: "data breakpoint" });
    expect(await client.line()).toBe(line);
  });

  it.each([
    ["[x+4]:u32", "read", /^\[x\+4\]:u32 was read, 1 \(u32 0x00000001\), by walk\+4: ld\.global\.u32 %r2, \[%rd1\];$/],
    [
      "[x+4]:u32",
      "write",
      /^\[x\+4\]:u32 was 1 \(u32 0x00000001\) and is 6 \(u32 0x00000006\), by \S+: st\.global\.u32/,
    ],
    ["%r2 + %r4", "write", /^%r2 \+ %r4 was 0 .* and is 1 .*, by again\+1: add\.u32 %r4, %r4, 1;$/],
  ])("of %s say of a %s what it was", async (name, accessType, expected) => {
    const client = await Client.launch(walk, walking);
    await watch(client, name, { accessType });
    const stop = await client.move("continue");
    expect(stop.text).toMatch(expected);
    expect(stop.description).toBe(stop.text);
  });

  it("of a shared variable stop when it is stored", async () => {
    const client = await Client.launch(walk, walking);
    const scope = await client.scope("Shared memory");
    const tile = (await client.variables(scope.variablesReference))[0];
    await watch(client, "[3]", {}, tile?.variablesReference);
    const stop = await client.move("continue");
    expect(stop.text).toMatch(/was 0 .* and is 18 .*st\.shared/);
    expect(await client.line()).toBe(42);
  });

  it("of a register in its list are named by it", async () => {
    const client = await Client.launch(walk, walking);
    const { variablesReference } = await client.scope("Registers");
    const { info } = await watch(client, "%r3", {}, variablesReference);
    expect(info).toMatchObject({ dataId: "%r3", accessTypes: ["write"] });
  });

  it("stop where their condition holds", async () => {
    const client = await Client.launch(walk, walking);
    await watch(client, "%r4", { condition: "%r4 == 2" });
    await client.move("continue");
    expect(await client.value("%r4")).toMatch(/^2 /);
  });

  it("stop at the hit that was asked for", async () => {
    const client = await Client.launch(walk, walking);
    await watch(client, "%r4", { hitCondition: "3" });
    await client.move("continue");
    expect(await client.value("%r4")).toMatch(/^3 /);
  });

  it("stop going back, before the change", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(36);
    await client.move("continue");
    await watch(client, "%r4");
    expect(await client.move("reverseContinue")).toMatchObject({ reason: "data breakpoint" });
    expect(await client.line()).toBe(29);
  });

  it("are replaced all together", async () => {
    const client = await Client.launch(walk, walking);
    await watch(client, "%r4");
    await client.ask("setDataBreakpoints", { breakpoints: [] });
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
  });

  it("of an expression that changes stop, too", async () => {
    const client = await Client.launch(walk, walking);
    await watch(client, "%r3 + %r4");
    await client.move("continue");
    expect(await client.line()).toBe(30);
  });

  it("are not offered for what there is not", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("dataBreakpointInfo", { name: "%r99" })).toMatch(/PTX\d{4}/);
    expect(await client.refused("dataBreakpointInfo", {})).toMatch(/name is missing/);
  });

  it("that cannot be set say why", async () => {
    const client = await Client.launch(walk, walking);
    const { breakpoints } = await client.ask("setDataBreakpoints", { breakpoints: [{ dataId: "%r99" }] });
    expect(breakpoints[0]).toMatchObject({ verified: false });
    expect(breakpoints[0].message).toMatch(/PTX\d{4}/);
  });
});
