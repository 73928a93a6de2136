import { describe, expect, it } from "vitest";
import { draws } from "../../../../tests/share.ts";
import { Client } from "./client.ts";
import { walk, walking } from "./programs.ts";

const commands = [
  "initialize", "configurationDone", "setBreakpoints", "setFunctionBreakpoints", "setInstructionBreakpoints",
  "setDataBreakpoints", "setExceptionBreakpoints", "threads", "stackTrace", "scopes", "variables", "setVariable",
  "setExpression", "evaluate", "completions", "dataBreakpointInfo", "readMemory", "writeMemory", "disassemble", "source",
  "loadedSources", "modules", "breakpointLocations", "gotoTargets", "goto", "exceptionInfo", "next", "stepIn", "stepOut",
  "stepBack", "cancel", "pause",
]; // biome-ignore format: a list of names

const fields = [
  "threadId", "frameId", "variablesReference", "name", "value", "expression", "context", "text", "column", "line", "endLine",
  "source", "breakpoints", "filters", "memoryReference", "instructionReference", "offset", "count", "start", "data",
  "targetId", "instructionOffset", "instructionCount", "startFrame", "levels", "granularity", "program", "args", "case",
  "requestId", "sourceReference",
]; // biome-ignore format: a list of names

const values: readonly unknown[] = [
  null, true, -1, 0, 1.5, 1e300, 2 ** 53, "", "x", "%r1", "0x0", "-0x1", [], [null], [{}], [7], {}, { path: 7 },
  { sourceReference: -1 }, { name: null }, "__proto__", [{ line: -1 }], [{ line: "x" }], [{ name: 7 }], [{ dataId: 7 }],
  [{ instructionReference: {} }], [{ line: 24, condition: 7, hitCondition: {}, logMessage: [] }],
]; // biome-ignore format: a list of values

describe("a clumsy client", () => {
  it.each(commands)("gets an answer to %s, whatever it gives it", async (command) => {
    const client = await Client.launch(walk, walking);
    const bugs = new Set<string>();
    const ask = async (given: unknown) => {
      const response = await client.send(command, given as Record<string, unknown>);
      if (/has a bug/.test(String(response["message"] ?? "")))
        bugs.add(`${JSON.stringify(given)}: ${String(response["message"])}`);
    };
    for (const value of values) {
      await ask(value);
      await ask(Object.fromEntries(fields.map((field) => [field, value])));
    }
    const good = {
      threadId: 1,
      frameId: 1,
      variablesReference: 1,
      name: "%r1",
      value: "1",
      expression: "%r1",
      line: 24,
      column: 1,
    };
    for (const field of fields)
      for (const value of values.slice(0, draws(4, 12))) await ask({ ...good, [field]: value });
    expect([...bugs]).toEqual([]);
    expect((await client.send("threads"))["success"]).toBe(true);
  });

  it.each(["launch", "attach"])("gets an answer to %s, whatever it gives it", async (command) => {
    const bugs: string[] = [];
    const options = [
      "text",
      "program",
      "args",
      "case",
      "arg",
      "reg",
      "global",
      "grid",
      "block",
      "entry",
      "level",
      "memory",
      "sanitize",
      "timeout",
      "sourceDir",
      "grf",
      "ptx",
      "smem",
      "__proto__",
    ];
    for (const option of options)
      for (const value of values) {
        const client = new Client();
        const given = Object.fromEntries([
          ["text", walk],
          [option, value],
        ]);
        const sent = client.send(command, given);
        const response = await Promise.race([sent, client.event("initialized")]);
        if (/has a bug/.test(String(response?.message ?? "")))
          bugs.push(`${option} ${JSON.stringify(value)}: ${response.message}`);
      }
    expect(bugs).toEqual([]);
  });
});
