import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { inOneLine, refusalOf, refusedBy } from "../../dap/protocol/problem.ts";
import { Client } from "./client.ts";
import { failing, parting, walk, walking } from "./programs.ts";

const source = { name: "test.ptx", sourceReference: 1 };

/** A client that stands in `twice`, which `walk` has called. */
async function inTwice(): Promise<Client> {
  const client = await Client.launch(walk, walking);
  await client.break(10);
  await client.move("continue");
  return client;
}

/** What the first of these messages holds; responses are looked for by their command, events by their name. */
const bodyOf = (client: Client, name: string): unknown =>
  client.messages.find((each) => each[each.type === "event" ? "event" : "command"] === name)?.["body"];

/** A request, and what it is answered with. */
type Row = readonly [command: string, given: Readonly<Record<string, unknown>>, expected: object];

describe("a whole answer", () => {
  it("has what the protocol says, and nothing else", async () => {
    const below = expect.any(Number);
    const rows: readonly Row[] = [
      [
        "stackTrace",
        { threadId: 1 },
        {
          stackFrames: [
            {
              id: 1,
              name: "twice",
              source,
              line: 10,
              column: 3,
              instructionPointerReference: "0x15",
              moduleId: 1,
            },
            { id: 2, name: "walk", source, line: 36, column: 5, instructionPointerReference: "0xc", moduleId: 1 },
          ],
          totalFrames: 2,
        },
      ],
      ["modules", {}, { modules: [{ id: 1, name: "test.ptx", version: "sm_80" }], totalModules: 1 }],
      ["loadedSources", {}, { sources: [source] }],
      ["source", { source }, { content: walk, mimeType: "text/plain" }],
      ["source", { sourceReference: 1 }, { content: walk, mimeType: "text/plain" }],
      ["threads", {}, { threads: [{ id: 1, name: "b0 t0 (focus)" }] }],
      [
        "evaluate",
        { expression: "1 + 1" },
        { result: "2 (0x2)", type: "s64", variablesReference: below, indexedVariables: 32 },
      ],
      [
        "evaluate",
        { expression: "help where", context: "repl" },
        { result: expect.stringMatching(/^.*\S$/s), variablesReference: 0 },
      ],
      ["setExpression", { expression: "%t1", value: "7" }, { value: "7 (u32 0x00000007)", type: "u32" }],
      [
        "gotoTargets",
        { source, line: 31 },
        { targets: [{ id: 10, label: "run to again+3", line: 31, instructionPointerReference: "0xa" }] },
      ],
      [
        "breakpointLocations",
        { source, line: 9, endLine: 12 },
        { breakpoints: [9, 10, 11, 12].map((line) => ({ line })) },
      ],
      ["breakpointLocations", { source, line: 10 }, { breakpoints: [{ line: 10 }] }],
      [
        "setBreakpoints",
        { source, breakpoints: [{ line: 11 }, { line: 27 }] },
        {
          breakpoints: [
            { id: 2, verified: true, source, line: 11 },
            { id: 3, verified: true, source, line: 28 },
          ],
        },
      ],
      [
        "setFunctionBreakpoints",
        { breakpoints: [{ name: "again" }] },
        { breakpoints: [{ id: 4, verified: true, source, line: 28, instructionReference: "0x7" }] },
      ],
      [
        "setInstructionBreakpoints",
        {
          breakpoints: [
            { instructionReference: "0x1", offset: 2 },
            { instructionReference: "0x3", offset: -1 },
          ],
        },
        {
          breakpoints: [
            { id: 5, verified: true, source, line: 23, instructionReference: "0x3" },
            { id: 6, verified: true, source, line: 22, instructionReference: "0x2" },
          ],
        },
      ],
      ["setDataBreakpoints", { breakpoints: [{ dataId: "%t1" }] }, { breakpoints: [{ id: 7, verified: true }] }],
      ["setExceptionBreakpoints", { filters: ["nan"] }, { breakpoints: [{ id: 8, verified: true }] }],
      ["setExceptionBreakpoints", {}, { breakpoints: [] }],
      [
        "dataBreakpointInfo",
        { name: "%t1" },
        { dataId: "%t1", description: "%t1", accessTypes: ["write"], canPersist: false },
      ],
      [
        "dataBreakpointInfo",
        { name: "[total]:u32", variablesReference: 0 },
        {
          dataId: "[total]:u32",
          description: "[total]:u32",
          accessTypes: ["read", "write", "readWrite"],
          canPersist: false,
        },
      ],
      [
        "completions",
        { text: "1 + %tid.", column: 10 },
        { targets: ["x", "y", "z"].map((each) => ({ label: `%tid.${each}`, start: 4, length: 5 })) },
      ],
      [
        "completions",
        { text: "%tid.z", column: 6 },
        { targets: expect.arrayContaining([{ label: "%tid.x", start: 0, length: 5 }]) },
      ],
      [
        "completions",
        { text: "%tid.", column: 0 },
        { targets: expect.arrayContaining([{ label: "%r1", start: 0, length: 0 }]) },
      ],
      [
        "disassemble",
        { memoryReference: "0x7", instructionOffset: -1, instructionCount: 2 },
        {
          instructions: [
            { address: "0x6", instruction: "mov.u32 %r4, 0;", location: source, line: 26, column: 3 },
            {
              address: "0x7",
              instruction: "add.u32 %r3, %r3, %r2;",
              location: source,
              line: 28,
              column: 3,
              symbol: "again",
            },
          ],
        },
      ],
      [
        "disassemble",
        { memoryReference: "0x0", offset: -1, instructionCount: 1 },
        {
          instructions: [{ address: "0xffffffffffffffff", instruction: "no instruction", presentationHint: "invalid" }],
        },
      ],
      ["readMemory", { memoryReference: "param:0x8", count: 4 }, { address: "param:0x8", data: "IAAAAA==" }],
      ["readMemory", { memoryReference: " 8 ", offset: -4, count: 0 }, { address: "generic:0x4", data: "" }],
      [
        "readMemory",
        { memoryReference: "shared:0x7c", count: 16 },
        { address: "shared:0x7c", data: "AAAAAA==", unreadableBytes: 12 },
      ],
      [
        "readMemory",
        { memoryReference: "global:0x0", offset: -4, count: 4 },
        { address: "global:0xfffffffffffffffc", data: "", unreadableBytes: 4 },
      ],
      ["disassemble", { memoryReference: "0x0", instructionCount: 0 }, { instructions: [] }],
      ["writeMemory", { memoryReference: "shared:0x0", offset: 4, data: "AQID" }, { bytesWritten: 3 }],
      ["continue", { threadId: 1 }, { allThreadsContinued: true }],
    ];
    const client = await inTwice();
    for (const [command, given, expected] of rows)
      expect.soft(await client.ask(command, given), `${command} ${JSON.stringify(given)}`).toEqual(expected);
  });

  it("to scopes, and to variables of each", async () => {
    const client = await inTwice();
    const [, outer] = await client.frames();
    const { scopes } = await client.ask("scopes", { frameId: outer?.id });
    expect(scopes).toEqual(
      [
        ["Registers", { namedVariables: 9, presentationHint: "registers" }],
        ["Special registers", {}],
        ["Parameters", {}],
        ["Buffers and global memory", {}],
        ["Constants", {}],
        ["Shared memory", {}],
      ].map(([name, more], index) => ({ name, variablesReference: index + 1, expensive: false, ...(more as object) })),
    );
    const below = expect.any(Number);
    const first = async (index: number) => (await client.variables(index))[0];
    expect(await first(1)).toEqual({
      name: "%r4",
      value: "3 (u32 0x00000003)  (changed)",
      type: "u32",
      evaluateName: "%r4",
      variablesReference: below,
      indexedVariables: 32,
    });
    expect(await first(3)).toEqual({
      name: "x",
      value: expect.stringMatching(/^\d+ \(u64 0x\w+\)$/),
      type: "u64",
      evaluateName: "[param:0x0]:u64",
      memoryReference: "param:0x0",
      variablesReference: 0,
    });
    expect(await first(6)).toEqual({
      name: "tile",
      value: "u32[32]",
      type: "u32[32]",
      memoryReference: "shared:0x0",
      variablesReference: below,
      indexedVariables: 32,
    });
  });
});

describe("a whole event", () => {
  it("tells which process there is, and where it stopped", async () => {
    const client = await inTwice();
    expect(bodyOf(client, "process")).toEqual({ name: "test.ptx", startMethod: "launch", isLocalProcess: true });
    const stops = client.messages.filter((each) => each["event"] === "stopped").map(({ body }) => body);
    expect(stops).toEqual([
      {
        reason: "entry",
        description: "the beginning: nothing has run before this",
        threadId: 1,
        allThreadsStopped: true,
      },
      { reason: "breakpoint", hitBreakpointIds: [1], threadId: 1, allThreadsStopped: true },
    ]);
  });

  it.each<[command: string, expected: object]>([
    ["next", { reason: "step" }],
    ["stepBack", { reason: "step" }],
    ["reverseContinue", { reason: "step", description: "the beginning: nothing has run before this" }],
  ])("of %s", async (command, expected) => {
    const client = await inTwice();
    await client.break();
    expect(await client.move(command)).toEqual({ ...expected, threadId: 1, allThreadsStopped: true });
  });

  it("at the end has the thread that ended last", async () => {
    const client = await Client.launch(walk, { ...walking, stopAtEnd: true });
    expect(await client.move("continue")).toEqual({
      reason: "pause",
      description: "the program has ended; go back, or restart",
      threadId: expect.any(Number),
      allThreadsStopped: true,
    });
  });

  it("of a catch names the point, what was caught, and by what", async () => {
    const client = await Client.launch(parting, { block: 32 });
    const { breakpoints } = await client.ask("setExceptionBreakpoints", { filters: ["barrier"] });
    const text = "barrier at end: bar.sync 0;";
    expect(await client.move("continue")).toEqual({
      reason: "exception",
      hitBreakpointIds: [breakpoints[0].id],
      description: "barrier",
      text,
      threadId: 1,
      allThreadsStopped: true,
    });
    expect(await client.ask("exceptionInfo", { threadId: 1 })).toEqual({
      exceptionId: "barrier",
      description: text,
      breakMode: "always",
      details: { message: text, typeName: "barrier" },
    });
  });

  it("of a fault has its code and message, as its information has", async () => {
    const client = await Client.launch(failing, { stopOnEntry: false });
    const { text, ...stop } = await client.stop();
    expect(text).toMatch(/reads 4 bytes at 0x40/);
    expect(stop).toEqual({
      reason: "exception",
      description: "fault PTX3002",
      threadId: 1,
      allThreadsStopped: true,
    });
    expect(await client.ask("exceptionInfo", { threadId: 1 })).toEqual({
      exceptionId: "PTX3002",
      description: text,
      breakMode: "always",
      details: { message: text, typeName: "PTX3002", stackTrace: expect.stringContaining("--> test.ptx:11:3") },
    });
  });

  it("of a change that the console watches is told as one of the client's", async () => {
    const client = await Client.launch(walk, walking);
    // The console's own point, of which the client knows nothing.
    await client.value("watch %r4", "repl");
    expect((await client.move("continue")).text).toMatch(/^%r4 was 0 .* and is 1 .*by again\+1: add\.u32 %r4/);
  });
});

describe("a refusal", () => {
  it("has what was expected, and the first of several ways out", () => {
    const said = { code: "PTX1201", severity: "error", message: "no" } as never as Diagnostic;
    const help = [{ message: "a" }, { message: "b" }];
    expect([
      inOneLine(said),
      inOneLine({ ...said, expected: "x" }),
      inOneLine({ ...said, help }),
      inOneLine({ ...said, expected: "x", help }),
    ]).toEqual(["PTX1201: no", "PTX1201: no; expected x", "PTX1201: no; a", "PTX1201: no; expected x; a"]);
    expect(refusedBy([said, { ...said, severity: "warning" }, { ...said, message: "nor" }])).toMatchObject({
      message: "PTX1201: no (and 1 more)",
      id: 1201,
    });
    expect(refusedBy([{ ...said, severity: "note" }]).message).toBe("it was refused");
    expect(refusalOf(new TypeError("odd"))).toMatchObject({ message: "ptxrun has a bug: odd", id: 70 });
  });

  it("is a message, and an error as the protocol has it", async () => {
    const rows: readonly (readonly [command: string, given: object, message: RegExp])[] = [
      ["setBreakpoints", { source, breakpoints: 7 }, /^breakpoints takes a list$/],
      ["setBreakpoints", { source, breakpoints: [7] }, /^a breakpoint takes an object$/],
      ["setBreakpoints", { source, breakpoints: [null] }, /^a breakpoint takes an object$/],
      ["setBreakpoints", { source, breakpoints: [[]] }, /^a breakpoint takes an object$/],
      ["setBreakpoints", { source, breakpoints: [{}] }, /^line of a breakpoint takes a number$/],
      ["setBreakpoints", { source, breakpoints: [{ line: null }] }, /^line of a breakpoint takes a number$/],
      ["setBreakpoints", { source, breakpoints: [{ line: "9" }] }, /^line of a breakpoint takes a number$/],
      [
        "setBreakpoints",
        { source, breakpoints: [{ line: 9, condition: 7 }] },
        /^condition of a breakpoint takes a text$/,
      ],
      ["setBreakpoints", { source: [], breakpoints: [] }, /^source takes an object$/],
      ["setBreakpoints", { source: { name: 7 }, breakpoints: [] }, /^name of source takes a text$/],
      [
        "setBreakpoints",
        { source: { sourceReference: "1" }, breakpoints: [] },
        /^sourceReference of source takes a number$/,
      ],
      ["setFunctionBreakpoints", { breakpoints: [{}] }, /^name of a breakpoint takes a text$/],
      ["setInstructionBreakpoints", { breakpoints: [{}] }, /^instructionReference of a breakpoint takes a text$/],
      [
        "setInstructionBreakpoints",
        { breakpoints: [{ instructionReference: "0x1", offset: "1" }] },
        /^offset of a breakpoint takes a number$/,
      ],
      ["setDataBreakpoints", { breakpoints: [{}] }, /^dataId of a breakpoint takes a text$/],
      ["setExceptionBreakpoints", { filters: "nan" }, /^filters takes names$/],
      ["setExceptionBreakpoints", { filters: [7] }, /^filters takes names$/],
      ["stackTrace", {}, /^threadId is missing: a number$/],
      ["scopes", {}, /^frameId is missing: a number$/],
      ["scopes", { frameId: 0 }, /^that frame is gone: the program has moved on$/],
      ["variables", {}, /^variablesReference is missing: a number$/],
      ["variables", { variablesReference: 0 }, /^that is gone: the program has moved on$/],
      ["goto", { targetId: "7" }, /^targetId is missing: a number that gotoTargets gave$/],
      ["source", { sourceReference: 2 }, /^there is no source 2$/],
      ["source", {}, /^sourceReference is missing: a number$/],
      [
        "disassemble",
        { memoryReference: "0x0.8", instructionCount: 1 },
        /^0x0\.8 is not an instruction; expected 0x10/,
      ],
      ["disassemble", { instructionCount: 1 }, /^memoryReference is missing: a text$/],
      ["disassemble", { memoryReference: "0x0" }, /^instructionCount is missing: a number$/],
      ["readMemory", { memoryReference: "x0x1", count: 1 }, /^x0x1 is not a place in memory; expected global:0x10/],
      ["evaluate", { expression: "%t7" }, /^expression:1: PTX2404: %t7 means nothing here; did you mean %\w+\?$/],
      ["evaluate", { expression: "{}" }, /^expression:1: PTX\d{4}: /],
    ];
    const client = await inTwice();
    for (const [command, given, message] of rows) {
      const response = await client.send(command, { ...given });
      expect.soft(response, `${command} ${JSON.stringify(given)}`).toEqual({
        seq: client.messages.length,
        type: "response",
        request_seq: expect.any(Number),
        success: false,
        command,
        message: expect.stringMatching(message),
        body: {
          error: {
            id: Number(/^expression:1: PTX(\d{4})/.exec(String(response["message"]))?.[1] ?? 1),
            // What stands in braces would be replaced by a variable of the message.
            format: String(response["message"]).replace(/[{]/g, "(").replace(/[}]/g, ")"),
            showUser: false,
          },
        },
      });
    }
  });
});
