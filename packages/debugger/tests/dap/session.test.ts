import { describe, expect, it } from "vitest";
import { Client } from "./client.ts";
import { endless, walk, walking } from "./programs.ts";

describe("a session", () => {
  it("begins, stops and ends in the order of the protocol", async () => {
    const client = await Client.launch(walk, walking, [["setExceptionBreakpoints", { filters: ["fault"] }]]);
    await client.ask("continue", { threadId: 1 });
    await client.event("terminated");
    expect(client.order()).toEqual([
      "initialize",
      "initialized!",
      "setExceptionBreakpoints",
      "configurationDone",
      "launch",
      "process!",
      "stopped!",
      "continue",
      "exited!",
      "terminated!",
    ]);
  });

  it("numbers its messages from 1 on", async () => {
    const client = await Client.launch(walk, walking);
    expect(client.messages.map(({ seq }) => seq)).toEqual(client.messages.map((_, index) => index + 1));
  });

  it("stops at the beginning where it was told to", async () => {
    const client = await Client.launch(walk, walking);
    const { body } = client.messages.at(-1) as unknown as { body: object };
    expect(body).toMatchObject({ reason: "entry", threadId: 1, allThreadsStopped: true });
    expect(await client.line()).toBe(20);
  });

  it("runs to its end where nothing stops it", async () => {
    const client = await Client.launch(walk, { ...walking, stopOnEntry: false });
    expect(await client.event("exited")).toEqual({ exitCode: 0 });
    await client.event("terminated");
    expect(client.order()).not.toContain("stopped!");
  });

  it("stays at the end where it was told to, so that one can go back", async () => {
    const client = await Client.launch(walk, { ...walking, stopAtEnd: true });
    const end = await client.move("continue");
    expect(end.description).toMatch(/ended; go back, or restart/);
    await client.break(43);
    expect(await client.move("reverseContinue")).toMatchObject({ reason: "breakpoint" });
    expect(await client.line()).toBe(43);
  });

  it("pays no attention to points with noDebug", async () => {
    const client = await Client.launch(walk, { ...walking, noDebug: true, stopOnEntry: true }, [
      ["setBreakpoints", { source: { name: "test.ptx" }, breakpoints: [{ line: 24 }] }],
    ]);
    await client.event("terminated");
    expect(client.order()).not.toContain("stopped!");
  });

  it("restarts, with its points", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(43);
    await client.move("continue");
    expect(await client.value("%r5")).toMatch(/^0 /);
    await client.ask("restart");
    expect(await client.stop()).toMatchObject({ reason: "entry" });
    expect(await client.line()).toBe(20);
    await client.move("continue");
    expect(await client.line()).toBe(43);
  });

  it("restarts a program that runs", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.ask("restart");
    await client.ask("pause", { threadId: 1 });
    expect(await client.stop()).toMatchObject({ reason: "pause" });
  });

  it("terminates a program that runs, and says nothing of it afterwards", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.ask("terminate");
    await client.event("terminated");
    await client.ask("disconnect");
    expect(client.order().slice(-3)).toEqual(["terminate", "terminated!", "disconnect"]);
  });

  it("lets go of a program that runs", async () => {
    const client = await Client.launch(endless, { stopOnEntry: false, maxSteps: "1000G" });
    await client.ask("disconnect");
    expect(client.adapter.ended).toBe(true);
    const { length } = client.messages;
    await new Promise((done) => setTimeout(done, 50));
    expect(client.messages).toHaveLength(length);
  });

  it("refuses what comes behind the end", async () => {
    const client = await Client.launch(walk, walking);
    await client.ask("disconnect");
    for (const command of ["continue", "next", "stackTrace", "restart"])
      expect(await client.refused(command, { threadId: 1 })).toBe("the session is over");
  });

  it("is over without a launch, too", async () => {
    const client = new Client();
    await client.ask("initialize");
    await client.ask("disconnect");
    expect(client.adapter.ended).toBe(true);
  });

  it("debugs one program", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("launch", { text: walk })).toMatch(/debugged already/);
  });

  it.each(["threads", "stackTrace", "continue", "setBreakpoints", "evaluate", "restart", "source"])(
    "answers %s before a launch",
    async (command) => {
      const client = new Client();
      await client.ask("initialize");
      expect(await client.refused(command, { source: {}, threadId: 1 })).toMatch(/nothing is launched yet/);
    },
  );

  it("says which request it does not know", async () => {
    const client = await Client.launch(walk, walking);
    expect(await client.refused("dance")).toMatch(/unknown request dance/);
    expect(await client.refused("restartFrame", { frameId: 1 })).toMatch(/unknown request restartFrame/);
    expect(await client.refused("constructor")).toMatch(/unknown request constructor/);
  });

  it.each([null, 7, "text", [], {}, { type: "event" }, { type: "request" }, { type: "request", command: 7, seq: 1 }])(
    "passes over %j, which is no request",
    async (message) => {
      const client = new Client();
      await client.adapter.receive(message);
      expect(client.messages).toEqual([]);
    },
  );

  it("is done with each message that it takes", async () => {
    const client = await Client.launch(walk, walking);
    for (const message of [
      null,
      { seq: 9, type: "request", command: "cancel" },
      { seq: 9, type: "request", command: "threads" },
    ])
      await expect(client.adapter.receive(message)).resolves.toBeUndefined();
  });

  it("without commands of the REPL has expressions in its console, and names of the program to complete", async () => {
    const client = new Client({ dispatch: undefined, complete: undefined } as object);
    await client.begin({ text: walk, program: "test.ptx", ...walking, stopOnEntry: true });
    await client.stop();
    expect((await client.ask("evaluate", { expression: "n", context: "repl" })).result).toMatch(/^32 /);
    expect(await client.refused("evaluate", { expression: "where", context: "repl" })).toMatch(/PTX2404/);
    expect(await client.ask("completions", { text: "1+ti", column: 5 })).toEqual({
      targets: [{ label: "tile", start: 2, length: 2 }],
    });
  });

  it("answers requests of one piece in their order", async () => {
    const client = await Client.launch(walk, walking);
    const sent = ["threads", "modules", "loadedSources", "threads"];
    await Promise.all(sent.map((each) => client.ask(each)));
    expect(client.order().slice(-4)).toEqual(sent);
  });

  it("does not answer what was cancelled before its turn", async () => {
    const client = await Client.launch(walk, walking);
    client.adapter.receive({ seq: 900, type: "request", command: "threads" });
    client.adapter.receive({ seq: 901, type: "request", command: "modules" });
    await client.adapter.receive({ seq: 902, type: "request", command: "cancel", arguments: { requestId: 901 } });
    await client.ask("threads");
    const answers = client.messages.filter(({ type }) => type === "response").slice(-4);
    expect(answers.map((each) => [each["request_seq"], each["success"]])).toContainEqual([901, false]);
    expect(answers.find((each) => each["request_seq"] === 901)?.["message"]).toBe("cancelled");
  });
});
