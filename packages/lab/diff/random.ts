import type { Io } from "../../../src/environment/io.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import { isModuleText } from "../../../src/host/index.ts";
import { problem } from "../../../src/host/problem.ts";
import { setUp } from "../../../src/launch/input/inputs.ts";
import { type Loaded, load } from "../../../src/launch/program.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../src/source/diagnostic.ts";
import type { Source } from "../../../src/source/source.ts";
import { Interrupted } from "../../../src/system/limits.ts";
import { constantsOf } from "../launches/constants.ts";
import type { Drawing, RandomComparison } from "./drawing.ts";
import { comparePair, type Texts } from "./pair.ts";
import { entriesOf, type Pair } from "./pairs.ts";
import { compareLaunches } from "./random-launches.ts";
import { compareRegisters, openRegisters } from "./random-registers.ts";
import type { SideOptions } from "./side.ts";

interface How {
  readonly io: Io;
  readonly slicing: Slicing;
  readonly texts: Texts;
}

/** Compares both programs of a pair in `count` runs whose inputs are drawn for the first one. */
export async function compareRandom(
  pair: Pair,
  count: number,
  options: SideOptions,
  { io, slicing, texts }: How,
): Promise<Staged<RandomComparison | undefined>> {
  const [a, b] = entriesOf(options.entry);
  const { value: first, diagnostics } = loadedOf(pair.a, a, options, { io, texts });
  if (first === undefined) return { value: undefined, diagnostics };
  const { value: second } = loadedOf(pair.b, b, options, { io, texts });
  const programs = [first, ...(second === undefined ? [] : [second])].map(({ loaded }) => loaded.kernel.program);
  const constants = constantsOf(programs);
  const what = isModuleText(first.source) ? "launches" : "runs";
  let compared = 0;
  const drawing: Drawing = {
    ...first,
    ...{ second: second?.loaded, options, io, constants },
    compare: async (more) => {
      try {
        const result = await comparePair(pair, { ...options, ...more }, io, slicing, texts);
        const signal = await slicing.rest();
        if (signal === undefined) return result;
        throw new Interrupted(signal);
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        const message = `interrupted: ${compared} of ${count} ${what} were compared`;
        throw new Interrupted(error.signal, problem("PTX6103", message));
      }
    },
    begin: (now) => {
      compared = now;
      slicing.begin?.(`compared ${compared} of ${count} ${what}`);
    },
  };
  const draw = isModuleText(first.source) ? compareLaunches : compareRegisters;
  return draw(drawing, Math.max(1, count));
}

/** Whether a kernel has parameters without a value, or one of two snippets registers. */
export function lacksInputs({ a, b }: Pair, options: SideOptions, how: Pick<How, "io" | "texts">): boolean {
  const [first, second] = [a, b].map((file, at) => loadedOf(file, entriesOf(options.entry)[at], options, how).value);
  if (first === undefined) return false;
  const { dispatchSlot, parameters } = first.loaded.kernel.program;
  // A thread of vISA may have its inputs in registers, where it has no parameters.
  if (dispatchSlot !== undefined) return parameters.length > 0;
  if (!isModuleText(first.source)) return openRegisters(first.loaded, second?.loaded, options, how.io).length > 0;
  return setUp(first.loaded, options, how.io, []).missing.some(({ kind }) => kind === "parameter");
}

/** A program that can be run, or why it cannot. */
function loadedOf(
  file: Pair["a"],
  entry: string | undefined,
  options: SideOptions,
  { io, texts }: Pick<How, "io" | "texts">,
): Staged<{ readonly source: Source; readonly loaded: Loaded } | undefined> {
  const { value: source, diagnostics: unread } = texts.read(file, io, options.zeinfo);
  if (source === undefined) return { value: undefined, diagnostics: unread };
  const { value: loaded, diagnostics: rejected } = load(
    source,
    { ...options, ...(entry !== undefined && { entry }) },
    io.now,
  );
  const isRejected = loaded === undefined || hasErrors(rejected);
  return isRejected
    ? { value: undefined, diagnostics: rejected }
    : { value: { source, loaded }, diagnostics: [] satisfies Diagnostic[] };
}
