import type { DebugProtocol } from "@vscode/debugprotocol";
import { filters } from "../points.ts";

/** The adapter's capabilities: it announces nothing that does not work. */
export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsStepBack: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsGotoTargetsRequest: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ["%", "$", "["],
  supportsModulesRequest: true,
  supportsRestartRequest: true,
  supportsExceptionInfoRequest: true,
  supportTerminateDebuggee: true,
  supportsLoadedSourcesRequest: true,
  supportsTerminateRequest: true,
  supportsDataBreakpoints: true,
  supportsReadMemoryRequest: true,
  supportsWriteMemoryRequest: true,
  supportsDisassembleRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsInstructionBreakpoints: true,
  supportsSteppingGranularity: true,
  supportsExceptionFilterOptions: false,
  supportsCancelRequest: true,
  exceptionBreakpointFilters: [...filters],
};
