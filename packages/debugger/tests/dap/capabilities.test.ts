import { describe, expect, it } from "vitest";
import { capabilities } from "../../dap/protocol/capabilities.ts";
import { Client } from "./client.ts";
import { walk, walking } from "./programs.ts";

/** What a capability lets a client ask for. */
const requests: Readonly<Record<string, readonly [command: string, given: object]>> = {
  supportsConfigurationDoneRequest: ["configurationDone", {}],
  supportsFunctionBreakpoints: ["setFunctionBreakpoints", { breakpoints: [] }],
  supportsSetVariable: ["setVariable", {}],
  supportsSetExpression: ["setExpression", {}],
  supportsGotoTargetsRequest: ["gotoTargets", {}],
  supportsCompletionsRequest: ["completions", {}],
  supportsModulesRequest: ["modules", {}],
  supportsRestartRequest: ["restart", {}],
  supportsExceptionInfoRequest: ["exceptionInfo", {}],
  supportsLoadedSourcesRequest: ["loadedSources", {}],
  supportsTerminateRequest: ["terminate", {}],
  supportsDataBreakpoints: ["dataBreakpointInfo", {}],
  supportsReadMemoryRequest: ["readMemory", {}],
  supportsWriteMemoryRequest: ["writeMemory", {}],
  supportsDisassembleRequest: ["disassemble", {}],
  supportsBreakpointLocationsRequest: ["breakpointLocations", {}],
  supportsInstructionBreakpoints: ["setInstructionBreakpoints", { breakpoints: [] }],
  supportsCancelRequest: ["cancel", {}],
  supportsStepBack: ["stepBack", {}],
};

/** What a capability lets a client write in requests; other files test these. */
const within = [
  "supportsConditionalBreakpoints",
  "supportsHitConditionalBreakpoints",
  "supportsLogPoints",
  "supportsEvaluateForHovers",
  "supportsExceptionFilterOptions",
  "supportTerminateDebuggee",
  "supportsSteppingGranularity",
  "completionTriggerCharacters",
  "exceptionBreakpointFilters",
];

describe("what is announced", () => {
  const announced: Readonly<Record<string, unknown>> = { ...capabilities };
  const able = Object.keys(announced).filter((name) => announced[name] !== false);

  it("is what a client is told first", async () => {
    expect(await new Client().ask("initialize", { adapterID: "ptxrun" })).toEqual(announced);
  });

  it("is all tested", () => {
    // Filters have no options, as the documentation says.
    const all = [...Object.keys(requests), ...within].filter((name) => name !== "supportsExceptionFilterOptions");
    expect(able.sort()).toEqual(all.sort());
  });

  it.each(Object.keys(requests))("%s: its request is there", async (name) => {
    expect(able).toContain(name);
    const [command, given] = requests[name] ?? ["", {}];
    const client = await Client.launch(walk, walking);
    const response = await client.send(command, { ...given });
    expect(String(response["message"] ?? "")).not.toMatch(/no request|bug/);
  });

  it("has a filter for each event that can be caught", () => {
    const filters = announced["exceptionBreakpointFilters"] as { filter: string; label: string; default: boolean }[];
    expect(filters.map(({ filter }) => filter)).toEqual(["fault", "race", "nan", "divergence", "barrier"]);
    for (const { label } of filters) expect(label).not.toBe("");
    // A fault stops always; an editor begins with what is on by default.
    expect(filters.filter((each) => each.default).map(({ filter }) => filter)).toEqual(["fault"]);
  });

  it("holds no restart of frames, which a launch cannot do", () => {
    expect(announced["supportsRestartFrame"]).toBeUndefined();
  });
});
