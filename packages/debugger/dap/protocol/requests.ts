import type { DebugProtocol } from "@vscode/debugprotocol";
import { instructionText, isWritten, lineOf, placeName } from "../../console/expression/place.ts";
import { whole } from "../../console/expression/refusal.ts";
import { withOriginal } from "../../console/original/excerpt.ts";
import type { Debuggee } from "../debuggee.ts";
import { fromBase64, readMemory, toBase64, writeMemory } from "../memory.ts";
import { reference } from "../points.ts";
import type { DebugRun } from "../run.ts";
import { assign, lanesOf, scopesOf, worth } from "../scopes.ts";
import type { Sources } from "../sources.ts";
import { exceptionOf } from "../stop.ts";
import { threadsOf } from "../threads.ts";
import { type Arguments, sourceIn } from "./message.ts";
import { asText, DapError } from "./problem.ts";

/** Most instructions of one response. */
const MAX_DISASSEMBLED = 10_000;

/** `count` instructions around one; positions outside the program, such as before its first, are marked invalid. */
function disassemble(
  debuggee: Debuggee,
  sources: Sources,
  { memoryReference, instructionOffset = 0, offset = 0, instructionCount }: DebugProtocol.DisassembleArguments,
): DebugProtocol.DisassembledInstruction[] {
  const { program } = debuggee.debugger.session;
  const start = Number(memoryReference) + offset + instructionOffset;
  if (!Number.isInteger(start))
    throw new DapError(`${memoryReference} is not an instruction; expected 0x10 and the like`);
  return Array.from({ length: Math.min(Math.max(instructionCount, 0), MAX_DISASSEMBLED) }, (_, index) => {
    const pc = start + index;
    const instruction = program.code[pc];
    // Addresses have no sign: those before the program wrap to the end of the address range.
    const address = `0x${BigInt.asUintN(64, BigInt(pc)).toString(16)}`;
    if (instruction === undefined) return { address, instruction: "no instruction", presentationHint: "invalid" };
    const { source, line, column } = sources.place(pc, instruction);
    const label = placeName(program, pc);
    return {
      address,
      instruction: instructionText(program, pc),
      location: source,
      line,
      column,
      ...(!/[+*]/.test(label) && { symbol: label }),
    };
  });
}

/** Requests that only look at the stopped program, or change its values. */
export type Question = (run: DebugRun, given: Arguments) => object | undefined;

const numberOf = (given: Arguments, name: string): number => {
  const value = given[name];
  if (typeof value !== "number") throw new DapError(`${name} is missing: a number`);
  return value;
};

const textOf = (given: Arguments, name: string): string => {
  const value = given[name];
  if (typeof value !== "string") throw new DapError(`${name} is missing: a text`);
  return value;
};

/** Moves the focus to a frame, where the request names one. */
function look(run: DebugRun, given: Arguments): void {
  if (typeof given["frameId"] !== "number") return;
  const { thread, frame } = run.references.frame(given["frameId"]);
  run.debuggee.debugger.focus = thread;
  run.debuggee.shell.frame = frame;
}

export const questions: Readonly<Record<string, Question>> = {
  threads: ({ debuggee }) => ({ threads: threadsOf(debuggee) }),
  stackTrace,
  scopes: (run, given) => {
    look(run, given);
    return { scopes: scopesOf(run.debuggee, run.references.frame(numberOf(given, "frameId")), run.references) };
  },
  variables: ({ references }, given) => {
    const children = references.children(numberOf(given, "variablesReference"));
    const start = typeof given["start"] === "number" ? given["start"] : 0;
    const count = typeof given["count"] === "number" && given["count"] > 0 ? given["count"] : Number.MAX_SAFE_INTEGER;
    return { variables: children.list(start, count).map((each) => references.variable(each)) };
  },
  setVariable: (run, given) => {
    const { set } = run.references.children(numberOf(given, "variablesReference"));
    if (set === undefined) throw new DapError("that cannot be set");
    const { name, value, type } = set(textOf(given, "name"), textOf(given, "value"));
    run.invalidated();
    return { value, ...(type !== undefined && { type }), name };
  },
  setExpression: (run, given) => {
    look(run, given);
    const { value, type } = assign(run.debuggee, textOf(given, "expression"), textOf(given, "value"));
    run.invalidated();
    return { value, ...(type !== undefined && { type }) };
  },
  evaluate,
  completions: (run, given) => {
    look(run, given);
    const text = textOf(given, "text").slice(0, Math.max(0, numberOf(given, "column") - 1));
    const [found, word] = run.completions(text);
    const targets = found
      .slice(0, 200)
      .map((label) => ({ label, start: text.length - word.length, length: word.length }));
    return { targets };
  },
  dataBreakpointInfo: (run, given) => {
    look(run, given);
    const name = textOf(given, "name");
    const reference_ = given["variablesReference"];
    const text =
      typeof reference_ === "number" && reference_ > 0 ? run.references.children(reference_).watched?.(name) : name;
    if (text === undefined) return { dataId: null, description: `${name} cannot be watched` };
    const { expression } = run.debuggee.shell.expression(whole("expression", text));
    run.debuggee.value(text);
    const accessTypes = expression.kind === "memory" ? ["read", "write", "readWrite"] : ["write"];
    return { dataId: text, description: text, accessTypes, canPersist: false };
  },
  readMemory: ({ debuggee }, given) => {
    const count = numberOf(given, "count");
    const offset = typeof given["offset"] === "number" ? given["offset"] : 0;
    const { address, data } = readMemory(debuggee, textOf(given, "memoryReference"), offset, count);
    return { address, data: toBase64(data), ...(data.length < count && { unreadableBytes: count - data.length }) };
  },
  writeMemory: (run, given) => {
    const data = fromBase64(textOf(given, "data"));
    const offset = typeof given["offset"] === "number" ? given["offset"] : 0;
    writeMemory(run.debuggee, textOf(given, "memoryReference"), offset, data);
    run.invalidated();
    return { bytesWritten: data.length };
  },
  disassemble: ({ debuggee, sources }, given) => {
    textOf(given, "memoryReference");
    numberOf(given, "instructionCount");
    return { instructions: disassemble(debuggee, sources, given as unknown as DebugProtocol.DisassembleArguments) };
  },
  source: ({ sources }, given) => {
    const number = sourceIn(given["source"]).sourceReference ?? numberOf(given, "sourceReference");
    return { content: sources.text(number), mimeType: "text/plain" };
  },
  loadedSources: ({ sources }) => ({ sources: sources.all() }),
  modules: ({ debuggee, sources }) => {
    const { program } = debuggee.debugger.session;
    const { path, name } = sources.program;
    const module = { id: 1, name: name ?? "program", ...(path !== undefined && { path }), version: program.target };
    return { modules: [module], totalModules: 1 };
  },
  breakpointLocations: ({ debuggee, sources }, given) => {
    const { code, source } = debuggee.debugger.session.program;
    const file = sources.fileOf(sourceIn(given["source"]));
    const from = numberOf(given, "line");
    const to = typeof given["endLine"] === "number" ? given["endLine"] : from;
    const lines = code.flatMap(({ location, span }, pc) => {
      if (file !== undefined) return location?.file === file ? [location.line] : [];
      return isWritten({ code }, pc) ? [source.position(span.start).line] : [];
    });
    const found = [...new Set(lines)].filter((line) => line >= from && line <= to).sort((a, b) => a - b);
    return { breakpoints: found.map((line) => ({ line })) };
  },
  gotoTargets: ({ debuggee, sources }, given) => {
    const { program } = debuggee.debugger.session;
    const file = sources.fileOf(sourceIn(given["source"]));
    const line = numberOf(given, "line");
    const pcs = [...program.code.keys()].filter((pc) =>
      file === undefined
        ? lineOf(program, pc) === line
        : program.code[pc]?.location?.file === file && program.code[pc]?.location?.line === line,
    );
    const targets = pcs.slice(0, 16).map((pc) => ({
      id: pc,
      label: `run to ${placeName(program, pc)}`,
      line,
      instructionPointerReference: reference(pc),
    }));
    return { targets };
  },
  exceptionInfo: ({ debuggee }) => {
    const { originals } = debuggee.shell;
    const info = exceptionOf(debuggee, ({ diagnostic }) => asText(withOriginal(diagnostic, originals)));
    if (info === undefined) throw new DapError("nothing was caught here");
    return info;
  },
};

function stackTrace({ debuggee, references, sources }: DebugRun, given: Arguments): object {
  const thread = debuggee.threadOf(numberOf(given, "threadId"));
  const start = typeof given["startFrame"] === "number" ? given["startFrame"] : 0;
  const levels = typeof given["levels"] === "number" && given["levels"] > 0 ? given["levels"] : Number.MAX_SAFE_INTEGER;
  const all = debuggee.debugger.where(thread);
  const stackFrames = all.slice(start, start + levels).map(({ name, pc, instruction }, index) => ({
    id: references.addFrame({ thread, frame: start + index }),
    name,
    ...sources.place(pc, instruction),
    instructionPointerReference: reference(pc),
    moduleId: 1,
  }));
  return { stackFrames, totalFrames: all.length };
}

/** A value in the selected frame; in the console any command of the REPL. */
function evaluate(run: DebugRun, given: Arguments): object {
  look(run, given);
  const { debuggee, references } = run;
  const text = textOf(given, "expression");
  if (given["context"] === "repl" && run.carriesOut(text)) return { result: run.carryOut(text), variablesReference: 0 };
  debuggee.value(text);
  const shown = { ...worth(debuggee, text), children: lanesOf(debuggee, text) };
  const { value, type, variablesReference, indexedVariables } = references.variable(shown);
  return { result: value, variablesReference, indexedVariables, ...(type !== undefined && { type }) };
}
