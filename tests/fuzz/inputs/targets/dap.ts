import { walk, walking } from "../../../../packages/debugger/tests/dap/programs.ts";
import { bugIn, framed, serve } from "../feed.ts";
import type { Input, Target } from "../input.ts";
import { changedMessages } from "./messages.ts";

type Asked = readonly [command: string, given?: Readonly<Record<string, unknown>>];

const source = { name: "test.ptx", path: "test.ptx" };
const thread = { threadId: 1 };

/** What editors ask where a program stands. */
const looking: readonly Asked[] = [
  ["threads"],
  ["stackTrace", { ...thread, startFrame: 0, levels: 20 }],
  ["scopes", { frameId: 1 }],
  ["variables", { variablesReference: 1, start: 0, count: 9 }],
  ["variables", { variablesReference: 2, filter: "indexed" }],
  ["evaluate", { expression: "%r1", frameId: 1, context: "watch" }],
  ["evaluate", { expression: "info regs", frameId: 1, context: "repl" }],
  ["completions", { frameId: 1, text: "pri", column: 4 }],
  ["setVariable", { variablesReference: 1, name: "%r1", value: "0x10" }],
  ["setExpression", { frameId: 1, expression: "%r2", value: "7" }],
  ["dataBreakpointInfo", { name: "total", variablesReference: 1 }],
  ["readMemory", { memoryReference: "0x0", offset: 0, count: 64 }],
  ["writeMemory", { memoryReference: "0x0", offset: 0, data: "AAAA", allowPartial: true }],
  ["disassemble", { memoryReference: "0x0", instructionOffset: -4, instructionCount: 9 }],
  ["breakpointLocations", { source, line: 20, endLine: 24 }],
  ["gotoTargets", { source, line: 22 }],
  ["exceptionInfo", thread],
  ["loadedSources"],
  ["modules"],
];
const moving: readonly Asked[] = [
  ["next", { ...thread, granularity: "statement" }],
  ["stepIn", thread],
  ["stepOut", thread],
  ["stepBack", { ...thread, granularity: "instruction" }],
  ["goto", { ...thread, targetId: 1 }],
  ["continue", thread],
  ["reverseContinue", thread],
  ["pause", thread],
];
const points: readonly Asked[] = [
  [
    "setBreakpoints",
    {
      source,
      breakpoints: [
        { line: 24, condition: "%r1 == 2" },
        { line: 30, logMessage: "at {%r1}" },
      ],
    },
  ],
  ["setFunctionBreakpoints", { breakpoints: [{ name: "twice", hitCondition: "2" }] }],
  ["setInstructionBreakpoints", { breakpoints: [{ instructionReference: "0x3", offset: 1 }] }],
  ["setDataBreakpoints", { breakpoints: [{ dataId: "total", accessType: "write" }] }],
  ["setExceptionBreakpoints", { filters: ["fault"] }],
];

/** A session from its beginning to its end. */
function session(stopOnEntry: boolean, ...middle: readonly Asked[]): Input {
  const launch = { text: walk, program: "test.ptx", stopOnEntry, ...walking };
  const all: readonly Asked[] = [
    ["initialize", { adapterID: "ptxrun", linesStartAt1: true, supportsProgressReporting: true }],
    ["launch", launch],
    ...points,
    ["configurationDone"],
    ...middle,
    ["disconnect", { terminateDebuggee: true }],
  ];
  const messages = all.map(([command, given], at) => ({ seq: at + 1, type: "request", command, ...(given && { arguments: given }) })); // biome-ignore format: one line
  return [messages.map((message) => JSON.stringify(message)).join("\n")];
}

/** Sessions with the debug adapter. */
export const dap: Target = {
  bases: () => [
    ...[true, false].map((stop) => session(stop, ...looking, ...moving, ...looking)),
    ...moving.map((move) => session(true, ["next", thread], move, ...looking.slice(0, 5), ["restart"])),
    ...looking.map((look) => session(true, ["next", thread], look, ["next", thread], look)),
  ],
  change: changedMessages,
  attempt: async ([text = ""]) => bugIn(await serve(["dap"], framed(text.split("\n")))),
};
