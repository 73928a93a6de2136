import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { endless, parting, walk, walking } from "./programs.ts";

/** A client that stands before a line of `walk`. */
async function at(line: number): Promise<Client> {
  const client = await Client.launch(walk, walking);
  await client.break(line);
  await client.move("continue");
  await client.break();
  return client;
}

describe("a move", () => {
  it.each<[command: string, from: number, to: number]>([
    ["next", 24, 25],
    ["stepIn", 24, 25],
    ["next", 36, 37],
    ["stepIn", 36, 9],
    ["stepOut", 10, 37],
    ["stepBack", 25, 24],
    ["stepBack", 37, 36],
    ["stepBack", 10, 9],
    ["next", 12, 37],
  ])("%s from line %i leads to line %i", async (command, from, to) => {
    const client = await at(from);
    expect(await client.move(command)).toMatchObject({ reason: "step", threadId: 1 });
    expect(await client.line()).toBe(to);
  });

  it("answers before it stops", async () => {
    const client = await at(24);
    await client.move("next");
    expect(client.order().slice(-2)).toEqual(["next", "stopped!"]);
  });

  it("back undoes what was stored", async () => {
    const client = await at(44);
    expect(await client.value("[x+4]:u32")).toMatch(/^6 /);
    await client.move("stepBack");
    expect(await client.value("[x+4]:u32")).toMatch(/^1 /);
    await client.move("next");
    expect(await client.value("[x+4]:u32")).toMatch(/^6 /);
  });

  it("back from the beginning stays there and says so", async () => {
    const client = await Client.launch(walk, walking);
    const stop = await client.move("stepBack");
    expect(stop.description).toMatch(/the beginning/);
    expect(await client.line()).toBe(20);
  });

  it("back to a breakpoint, or to the beginning", async () => {
    const client = await at(43);
    await client.break(28);
    expect(await client.move("reverseContinue")).toMatchObject({ reason: "breakpoint" });
    expect(await client.value("%r4")).toMatch(/^2 /);
    await client.break();
    await client.move("reverseContinue");
    expect(await client.line()).toBe(20);
  });

  it("back counts no hits and logs nothing", async () => {
    const client = await at(43);
    await client.break({ line: 28, logMessage: "here" });
    await client.move("reverseContinue");
    expect(client.output()).toBe("");
  });

  it("forward again leads to the same state", async () => {
    const client = await at(43);
    const before = await client.value("%r5");
    await client.move("reverseContinue");
    await client.break(43);
    await client.move("continue");
    expect(await client.value("%r5")).toBe(before);
  });

  it("of a thread steps that thread", async () => {
    const client = await Client.launch(parting, { block: 32 });
    await client.break(12);
    await client.move("continue");
    await client.break();
    const stop = await client.move("next", { threadId: 2 });
    expect(stop).toMatchObject({ threadId: 2 });
    expect((await client.frames(2))[0]?.line).toBe(17);
  });

  it("of a thread that there is not is refused", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("next", { threadId: 99 })).toMatch(/there is no thread 99 now/);
    expect(await client.refused("stackTrace", { threadId: -1 })).toMatch(/there is no thread -1 now/);
    expect(await client.refused("next", { threadId: 1.5 })).toMatch(/there is no thread 1\.5 now/);
  });

  it("to a line runs until the thread is there", async () => {
    const client = await at(24);
    const { targets } = await client.ask("gotoTargets", { source: { name: "test.ptx" }, line: 29 });
    expect(targets).toMatchObject([{ line: 29 }]);
    expect(await client.move("goto", { targetId: targets[0].id })).toMatchObject({ reason: "goto" });
    expect(await client.line()).toBe(29);
  });

  it("to a line without instructions has no target", async () => {
    const client = await at(24);
    expect(await client.ask("gotoTargets", { source: { name: "test.ptx" }, line: 2 })).toEqual({ targets: [] });
    expect(await client.refused("goto", { threadId: 1 })).toMatch(/targetId is missing/);
  });

  it("that is long hears pause", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.ask("pause", { threadId: 1 });
    expect(await client.stop()).toMatchObject({ reason: "pause", allThreadsStopped: true });
    expect([9, 10]).toContain(await client.line());
  });

  it("hears pause that comes together with it", async () => {
    const client = await Client.launch(endless, { maxSteps: "1000G" });
    const moved = client.send("continue", { threadId: 1 });
    const paused = client.send("pause", { threadId: 1 });
    await Promise.all([moved, paused]);
    expect(await client.stop()).toMatchObject({ reason: "pause" });
  });

  it("goes on after a pause", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.ask("pause", { threadId: 1 });
    await client.stop();
    await client.ask("continue", { threadId: 1 });
    await client.ask("pause", { threadId: 1 });
    expect(await client.stop()).toMatchObject({ reason: "pause" });
  });

  it.each(["stackTrace", "evaluate", "next", "continue", "variables", "readMemory", "stepBack"])(
    "that goes on lets %s wait for a pause",
    async (command) => {
      const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
      expect(await client.refused(command, { threadId: 1, expression: "1" })).toMatch(/^notStopped/);
    },
  );

  it.each(["threads", "loadedSources", "modules"])("that goes on does not keep %s waiting", async (command) => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.ask(command);
  });

  it("that takes long shows its progress, and is stopped by whoever cancels it", async () => {
    let time = 0;
    const now = () => (time += 300);
    const { silent } = await import("../../../../tests/unit/cli/world.ts");
    const client = new Client({ io: { ...silent, cwd: "/", now } });
    await client.begin({ text: endless, maxSteps: "1000G" });
    const { progressId, cancellable } = await client.event("progressStart");
    expect(cancellable).toBe(true);
    expect((await client.event("progressUpdate")).message).toMatch(/\d warp instructions/);
    await client.ask("cancel", { progressId });
    expect(await client.event("progressEnd")).toEqual({ progressId });
    expect(await client.stop()).toMatchObject({ reason: "pause" });
  });

  it("ends at a limit with the limit's code", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: 1000 });
    const stop = await client.stop();
    expect(stop).toMatchObject({ reason: "exception" });
    expect(stop.description).toMatch(/PTX\d{4}/);
  });
});
