import { typeAt } from "../../../packages/debugger/console/expression/pointee.ts";
import { Refusal } from "../../../packages/debugger/console/expression/refusal.ts";
import { type Footing, Launcher } from "../../../packages/debugger/console/program/launcher.ts";
import { NOTHING_WRONG, whyAsked } from "../../../packages/debugger/console/why.ts";
import type { Why } from "../../../packages/debugger/why/cause.ts";
import type { Io } from "../../environment/io.ts";
import { Debugger } from "../../host/debugger/debugger.ts";
import { threadId } from "../../launch/extents.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { optionSource } from "../../launch/value/assignment.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";

/** The answers to `--why`: the launch runs once more, and its past is looked at. */
export function answers(
  source: Source,
  asked: readonly string[],
  options: RunCommandOptions,
  io: Io,
): Staged<readonly Why[]> {
  const launcher = new Launcher(source, options, io, () => {});
  const { value: debugger_, diagnostics } = Debugger.begin({ start: () => launcher.start() });
  if (debugger_ === undefined || hasErrors(diagnostics)) return { value: [], diagnostics };
  const footing = launcher.footing as Footing;
  const { thread = [0, 0] } = options;
  debugger_.continue();
  const [block, index] = thread === "all" ? [0, 0] : thread;
  const focus = threadId({ block, thread: index }, debugger_.session.program);
  if (debugger_.machine.exists(focus)) debugger_.focus = focus;
  const viewed = {
    debugger: debugger_,
    names: footing.names,
    frame: 0,
    values: [],
    typeAt: (space: Parameters<typeof typeAt>[1], address: bigint) => typeAt(footing, space, address),
  };
  const problems: Diagnostic[] = [];
  const nothing: Why = { subject: NOTHING_WRONG, causes: [] };
  const value = asked.flatMap((given) => {
    const [, text = given, count] = /^(.*\S)\s*\/\s*(\d{1,6})$/.exec(given) ?? [];
    const part = { source: optionSource("--why", text), text, start: 0 };
    const extent = count === undefined ? {} : { most: Number(count) };
    try {
      return [whyAsked(part, viewed, footing, extent) ?? nothing];
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      problems.push(...refusal.diagnostics);
      return [];
    }
  });
  debugger_.session.close();
  return { value, diagnostics: problems };
}
