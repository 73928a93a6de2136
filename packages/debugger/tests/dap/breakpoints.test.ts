import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { endless, walk, walking } from "./programs.ts";

describe("breakpoints", () => {
  it.each([20, 24, 28, 36, 41, 44])("stop before line %i", async (line) => {
    const client = await Client.launch(walk, walking);
    const [point] = await client.break(line);
    expect(point).toMatchObject({ verified: true, line });
    const stop = await client.move("continue");
    if (line === 20) return;
    expect(stop).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [point?.id] });
    expect(await client.line()).toBe(line);
  });

  it("stop in functions", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(10);
    await client.move("continue");
    expect((await client.frames()).map(({ name, line }) => [name, line])).toEqual([
      ["twice", 10],
      ["walk", 36],
    ]);
  });

  it.each<[number, number]>([
    [14, 20],
    [27, 28],
    [38, 39],
  ])("at line %i, which has no instruction, go to line %i", async (line, expected) => {
    const client = await Client.launch(walk, walking);
    expect(await client.break(line)).toMatchObject([{ verified: true, line: expected }]);
  });

  it("that cannot be set say why, and others are set", async () => {
    const client = await Client.launch(walk, walking);
    const [first, second] = await client.break(1000, 24);
    expect(first).toMatchObject({ verified: false });
    expect(first?.message).not.toBe("");
    expect(second).toMatchObject({ verified: true });
  });

  it("are replaced all together", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(24, 25, 26);
    await client.break(43);
    await client.move("continue");
    expect(await client.line()).toBe(43);
  });

  it("are taken away by an empty list", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(24);
    await client.break();
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
    expect(client.order().filter((each) => each === "stopped!")).toHaveLength(1);
  });

  it.each([
    ["%r4 == 2", 2],
    ["%r4 >= 1", 1],
    ["%r1 == 0 && %r4 == 2", 2],
  ])("stop where %s holds", async (condition, expected) => {
    const client = await Client.launch(walk, walking);
    await client.break({ line: 28, condition });
    await client.move("continue");
    expect(await client.value("%r4")).toMatch(new RegExp(`^${expected} `));
  });

  it("stop for the lane that the condition holds for", async () => {
    const client = await Client.launch(walk, walking);
    await client.break({ line: 28, condition: "%r1 == 5" });
    expect(await client.move("continue")).toMatchObject({ threadId: 6 });
  });

  it("say what is wrong with a condition", async () => {
    const client = await Client.launch(walk, walking);
    const [point] = await client.break({ line: 28, condition: "%r4 ==" });
    expect(point).toMatchObject({ verified: false });
    expect(point?.message).toMatch(/PTX\d{4}/);
  });

  it.each([
    ["2", 1],
    ["== 3", 2],
    ["> 1", 1],
    [">= 2", 1],
    ["% 2", 1],
    ["< 2", 0],
    ["<= 1", 0],
    ["= 2", 1],
    [" >3 ", undefined],
    ["3", 2],
    ["4", undefined],
    ["> 3", undefined],
    ["< 1", undefined],
    ["% 0", undefined],
    ["% 3", 2],
  ])("stop at hit %s", async (hitCondition, expected) => {
    const client = await Client.launch(walk, walking);
    // Line 28 is come to three times, by all lanes together.
    await client.break({ line: 28, hitCondition });
    if (expected === undefined) {
      await client.ask("continue", { threadId: 1 });
      await client.event("terminated");
      return;
    }
    await client.move("continue");
    expect(await client.value("%r4")).toMatch(new RegExp(`^${expected} `));
  });

  it.each(["often", "", " ", "== x", "5 5"])(
    "refuse %j as a count of hits, or take it for none",
    async (hitCondition) => {
      const client = await Client.launch(walk, walking);
      const [point] = await client.break({ line: 28, hitCondition });
      if (hitCondition === "") expect(point?.verified).toBe(true);
      else expect(point?.message).toMatch(/counts no hits/);
    },
  );

  it("log, and go on", async () => {
    const client = await Client.launch(walk, walking);
    await client.break({ line: 29, logMessage: "sum {%r3} at {%r4}" });
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
    const said = client.messages
      .filter((each) => each["event"] === "output")
      .map(({ body }) => body as { output: string; line: number });
    expect(said.map(({ output }) => output.replace(/ \(u32 \w+\)/g, ""))).toEqual([
      "sum 0 at 0\n",
      "sum 0 at 1\n",
      "sum 0 at 2\n",
    ]);
    expect(said[0]?.line).toBe(29);
  });

  it("log only where their condition holds, as often as they shall", async () => {
    const client = await Client.launch(walk, walking);
    await client.break({ line: 29, logMessage: "here", condition: "%r4 > 0", hitCondition: "2" });
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
    expect(client.output("console")).toBe("here\n");
  });

  it("log a text without a value where there is none", async () => {
    const client = await Client.launch(walk, walking);
    const points = await client.break(
      { line: 29, logMessage: "{%r99}" },
      { line: 30, logMessage: "at {[64]:u32}{n}!" },
    );
    expect(points.map(({ verified }) => verified)).toEqual([true, true]);
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
    const [first, second] = client.output("console").split("\n");
    expect(first).toMatch(/^<%r99 means nothing here>$/);
    expect(second).toMatch(/^at <[^>]+>32 \(u32 0x00000020\)!$/);
  });

  it("whose condition is one lane's count that lane's hits", async () => {
    const client = await Client.launch(walk, walking);
    await client.break({ line: 28, condition: "%r1 == 5", hitCondition: "2", logMessage: "" });
    expect(await client.move("continue")).toMatchObject({ threadId: 6 });
    expect(await client.value("%r4")).toMatch(/^1 /);
    await client.break({ line: 28, condition: "%r1 == 7" });
    expect(await client.move("reverseContinue")).toMatchObject({ threadId: 8 });
    expect(await client.value("%r4")).toMatch(/^0 /);
  });

  it("stop at functions and labels by name", async () => {
    const client = await Client.launch(walk, walking);
    const { breakpoints } = await client.ask("setFunctionBreakpoints", {
      breakpoints: [{ name: "twice" }, { name: "again" }, { name: "thrice" }],
    });
    expect(breakpoints).toMatchObject([{ verified: true, line: 9 }, { verified: true, line: 28 }, { verified: false }]);
    await client.move("continue");
    expect(await client.line()).toBe(28);
  });

  it("stop at functions where a condition holds", async () => {
    const client = await Client.launch(walk, walking);
    await client.ask("setFunctionBreakpoints", { breakpoints: [{ name: "again", condition: "%r4 == 1" }] });
    await client.move("continue");
    expect(await client.value("%r4")).toMatch(/^1 /);
  });

  it("stop at instructions", async () => {
    const client = await Client.launch(walk, walking);
    const { instructionPointerReference } = await client.frame();
    const { breakpoints } = await client.ask("setInstructionBreakpoints", {
      breakpoints: [
        { instructionReference: instructionPointerReference, offset: 4 },
        { instructionReference: "0xffff" },
      ],
    });
    expect(breakpoints).toMatchObject([{ verified: true, line: 24 }, { verified: false }]);
    await client.move("continue");
    expect(await client.line()).toBe(24);
  });

  it("of one kind leave those of another alone", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(24);
    await client.ask("setFunctionBreakpoints", { breakpoints: [] });
    await client.ask("setInstructionBreakpoints", { breakpoints: [] });
    await client.move("continue");
    expect(await client.line()).toBe(24);
  });

  it("of another file are refused", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("setBreakpoints", { source: { path: "/else.c" }, breakpoints: [{ line: 1 }] })).toMatch(
      /else\.c is neither the program nor what it was compiled from/,
    );
  });

  it("can be set while the program runs", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.break(9);
    expect(await client.stop()).toMatchObject({ reason: "breakpoint" });
    expect(await client.line()).toBe(9);
  });

  it("have their places listed", async () => {
    const client = await Client.launch(walk, walking);
    const { breakpoints } = await client.ask("breakpointLocations", {
      source: { name: "test.ptx" },
      line: 26,
      endLine: 31,
    });
    expect(breakpoints).toEqual([26, 28, 29, 30, 31].map((line) => ({ line })));
    expect(await client.ask("breakpointLocations", { source: { name: "test.ptx" }, line: 1 })).toEqual({
      breakpoints: [],
    });
  });
});
