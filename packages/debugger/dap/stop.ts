import type { DebugProtocol } from "@vscode/debugprotocol";
import type { DebugStop } from "../../../src/host/debugger/debugger.ts";
import { instructionText, placeName } from "../console/expression/place.ts";
import { show } from "../console/show/format.ts";
import type { Debuggee } from "./debuggee.ts";

/** Why a run was begun: the name of a stop without another reason. */
export type Begun = "entry" | "step" | "goto" | "continue";

/** A stop in the protocol's terms; undefined for the end of the program. */
export function stopped(
  debuggee: Debuggee,
  stop: DebugStop,
  begun: Begun,
): DebugProtocol.StoppedEvent["body"] | undefined {
  const { thread } = stop;
  const where = { threadId: debuggee.numberOf(thread), allThreadsStopped: true };
  switch (stop.reason) {
    case "exit":
      return undefined;
    case "start":
      return {
        reason: begun === "entry" ? "entry" : "step",
        description: "the beginning: nothing has run before this",
        ...where,
      };
    case "step":
      return { reason: begun === "goto" ? "goto" : begun === "entry" ? "entry" : "step", ...where };
    case "interrupt":
      return { reason: "pause", ...where };
    case "breakpoint":
      return { reason: "breakpoint", hitBreakpointIds: [stop.id], ...where };
    case "watchpoint":
    case "access": {
      const text = changeText(debuggee, stop);
      return { reason: "data breakpoint", hitBreakpointIds: [stop.id], description: text, text, ...where };
    }
    case "catch":
      return {
        reason: "exception",
        hitBreakpointIds: [stop.id],
        description: stop.event,
        text: causeText(debuggee, stop),
        ...where,
      };
    case "trap":
      return {
        reason: "exception",
        description: `fault ${stop.diagnostic.code}`,
        text: stop.diagnostic.message,
        ...where,
      };
  }
}

/** The content of `exceptionInfo` for the last stop; undefined where nothing was caught. */
export function exceptionOf(
  debuggee: Debuggee,
  text: (stop: DebugStop & { reason: "trap" }) => string,
): DebugProtocol.ExceptionInfoResponse["body"] | undefined {
  const { stop } = debuggee.debugger;
  if (stop.reason === "trap") {
    const { code, message } = stop.diagnostic;
    return {
      exceptionId: code,
      description: message,
      breakMode: "always",
      details: { message, typeName: code, stackTrace: text(stop) },
    };
  }
  if (stop.reason !== "catch") return undefined;
  const message = causeText(debuggee, stop);
  return {
    exceptionId: stop.event,
    description: message,
    breakMode: "always",
    details: { message, typeName: stop.event },
  };
}

function causeText(debuggee: Debuggee, { event, cause }: DebugStop & { reason: "catch" }): string {
  const { program } = debuggee.debugger.session;
  return `${event} at ${placeName(program, cause)}: ${instructionText(program, cause)}`;
}

/** What a point watches: the shell knows it of all that there are. */
type Watched = { readonly text: string; readonly type: string };

function changeText(debuggee: Debuggee, stop: DebugStop & { reason: "watchpoint" | "access" }): string {
  const { program } = debuggee.debugger.session;
  const { text: name, type } = debuggee.shell.watched.get(stop.id) as Watched;
  const value = (bits: bigint | undefined): string => (bits === undefined ? "nothing" : show({ bits, type }));
  const by = `by ${placeName(program, stop.writer)}: ${instructionText(program, stop.writer)}`;
  if (stop.reason === "access" && stop.access === "read") return `${name} was read, ${value(stop.new)}, ${by}`;
  return `${name} was ${value(stop.old)} and is ${value(stop.new)}, ${by}`;
}
