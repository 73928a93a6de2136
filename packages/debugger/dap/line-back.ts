import type { Debugger, DebugStop, Motion } from "../../../src/host/debugger/debugger.ts";

/**
 * Steps back to where the focused thread began the line before its current one, of the program that this was compiled
 * from; calls that have returned are part of their line, and instructions without a line belong to the line before
 * them.
 */
export function* lineBack(debugger_: Debugger): Motion {
  const here = lineOf(debugger_);
  let stop: DebugStop;
  do stop = yield* debugger_.motions.nextBack();
  while (stop.reason === "step" && sameLine(lineOf(debugger_), here));
  const before = lineOf(debugger_);
  while (stop.reason === "step") {
    const { position } = debugger_;
    stop = yield* debugger_.motions.nextBack();
    if (stop.reason === "step" && !sameLine(lineOf(debugger_), before)) return yield* debugger_.motions.goTo(position);
  }
  return stop;
}

function lineOf(debugger_: Debugger): string | undefined {
  const location = debugger_.session.program.code[debugger_.pcOf() ?? -1]?.location;
  return location && `${location.file}:${location.line}`;
}

const sameLine = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;
