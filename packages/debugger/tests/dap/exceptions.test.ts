import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { failing, parting, racing, walk, walking } from "./programs.ts";

const catching = (...filters: readonly string[]) => [["setExceptionBreakpoints", { filters }]] as const;

describe("what is caught", () => {
  it("a fault stops always, and tells its code, place and way out", async () => {
    const client = await Client.launch(failing, { stopOnEntry: false });
    const stop = await client.stop();
    expect(stop).toMatchObject({ reason: "exception", threadId: 1 });
    expect(stop.description).toMatch(/fault PTX\d{4}/);
    expect(await client.line()).toBe(11);
    const info = await client.ask("exceptionInfo", { threadId: 1 });
    expect(info.exceptionId).toMatch(/^PTX\d{4}$/);
    expect(info.breakMode).toBe("always");
    expect(info.details.stackTrace).toMatch(/test\.ptx:11/);
  });

  it("a fault is told as output with its line", async () => {
    const client = await Client.launch(failing, { stopOnEntry: false });
    await client.stop();
    const output = client.messages.find((each) => each["event"] === "output")?.["body"];
    expect(output).toMatchObject({ category: "stderr", line: 11, source: { name: "test.ptx" } });
  });

  it("behind a fault one can go back", async () => {
    const client = await Client.launch(failing, { stopOnEntry: false });
    await client.stop();
    await client.move("stepBack");
    expect(await client.line()).toBe(10);
    expect(await client.value("%f2")).toMatch(/^nan /);
  });

  it("who continues behind a fault is done", async () => {
    const client = await Client.launch(failing, { stopOnEntry: false });
    await client.stop();
    await client.ask("continue", { threadId: 1 });
    expect(await client.event("exited")).toEqual({ exitCode: 4 });
    await client.event("terminated");
  });

  it.each<[filter: string, program: string, given: object, line: number]>([
    ["nan", failing, {}, 10],
    ["divergence", parting, { block: 32 }, 12],
    ["barrier", parting, { block: 32 }, 17],
    ["race", racing, { block: 64, arg: { x: "u32x4" }, sanitize: "mem,race" }, 11],
  ])("%s stops where it happens", async (filter, program, given, line) => {
    const client = await Client.launch(program, { ...given, stopOnEntry: false }, catching(filter));
    const stop = await client.stop();
    expect(stop).toMatchObject({ reason: "exception", description: filter });
    expect(stop.text).toMatch(new RegExp(`^${filter} at `));
    expect(await client.line()).toBe(line);
    const info = await client.ask("exceptionInfo", { threadId: stop.threadId });
    expect(info).toMatchObject({ exceptionId: filter, breakMode: "always" });
  });

  it.each(["nan", "divergence", "barrier", "race"])("%s passes where it is not caught", async () => {
    const client = await Client.launch(parting, { block: 32, stopOnEntry: false });
    await client.event("terminated");
    expect(client.order()).not.toContain("stopped!");
  });

  it("what is caught is said anew each time", async () => {
    const client = await Client.launch(parting, { block: 32 }, catching("divergence", "barrier"));
    await client.ask("setExceptionBreakpoints", { filters: ["barrier"] });
    expect(await client.move("continue")).toMatchObject({ description: "barrier" });
  });

  it("races are not caught where nobody looks for them, which is said", async () => {
    const client = await Client.launch(parting, { block: 32 });
    const { breakpoints } = await client.ask("setExceptionBreakpoints", { filters: ["race", "nan"] });
    expect(breakpoints).toMatchObject([{ verified: false }, { verified: true }]);
    expect(breakpoints[0].message).toMatch(/launch with "sanitize"/);
  });

  it("a filter that there is not is refused, with those that there are", async () => {
    const client = await Client.launch(parting, { block: 32 });
    const { breakpoints } = await client.ask("setExceptionBreakpoints", { filters: ["overflow"] });
    expect(breakpoints[0].message).toMatch(/expected fault, race, nan, divergence, barrier/);
  });

  it("there is nothing to tell where nothing was caught", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("exceptionInfo", { threadId: 1 })).toMatch(/nothing was caught/);
  });

  it("findings are told as they come", async () => {
    const client = await Client.launch(racing, {
      block: 64,
      arg: { x: "u32x4" },
      sanitize: "mem,race",
      stopOnEntry: false,
    });
    expect(await client.event("exited")).toEqual({ exitCode: 7 });
    expect(client.output("stderr")).toMatch(/PTX4002/);
  });
});
