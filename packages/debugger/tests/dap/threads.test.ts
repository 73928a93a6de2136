import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { parting, walk } from "./programs.ts";

describe("threads", () => {
  it("are the focused one, and one for each group of lanes that stand together", async () => {
    const client = await Client.launch(parting, { block: 32 });
    expect((await client.ask("threads")).threads).toEqual([{ id: 1, name: "b0 t0 (focus)" }]);
    await client.break(12);
    await client.move("continue");
    const { threads } = await client.ask("threads");
    expect(threads).toHaveLength(2);
    expect(threads[1]).toMatchObject({ id: 2, name: expect.stringMatching(/16 lanes, runs/) });
  });

  it("that wait at a barrier say so", async () => {
    const client = await Client.launch(parting, { block: 64 });
    await client.break({ line: 17, condition: "%warpid == 1" });
    await client.move("continue");
    expect((await client.ask("threads")).threads).toEqual([
      { id: 33, name: "b0 t32 (focus)" },
      { id: 1, name: "b0 t0, 32 lanes, at a barrier" },
    ]);
  });

  it("of a large grid are few", async () => {
    const given = { arg: { x: "u32x128:iota", n: 1 }, grid: 1000, block: 128 };
    const client = await Client.launch(walk, given);
    const { threads } = await client.ask("threads");
    expect(threads.length).toBeLessThanOrEqual(64);
    expect(threads[0].name).toMatch(/focus/);
  });

  it("that are not listed can be asked for", async () => {
    const client = await Client.launch(parting, { block: 64 });
    expect((await client.frames(38))[0]).toMatchObject({ name: "parting", line: 8 });
  });

  it("are looked at by their frames", async () => {
    const client = await Client.launch(parting, { block: 32 });
    await client.break(17);
    await client.move("continue");
    const [frame] = await client.frames(6);
    const { result } = await client.ask("evaluate", { expression: "%tid.x", frameId: frame?.id });
    expect(result).toMatch(/^5 /);
  });

  it("have their frames in parts", async () => {
    const client = await Client.launch(walk, { arg: { x: "u32x32:iota", n: 1 }, block: 32 });
    await client.break(10);
    await client.move("continue");
    const part = await client.ask("stackTrace", { threadId: 1, startFrame: 1, levels: 1 });
    expect(part.totalFrames).toBe(2);
    expect(part.stackFrames).toMatchObject([{ name: "walk", line: 36 }]);
  });
});
