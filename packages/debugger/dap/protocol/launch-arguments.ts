import type { RunCommandOptions } from "../../../../src/launch/options.ts";
import { CHECKS, readChecks } from "../../../../src/launch/value/checks.ts";
import { readBytesCount, readCount, readExtent, readTime } from "../../../../src/launch/value/quantity.ts";
import { readMoving, readSchedule } from "../../../../src/launch/value/schedule.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { platformNamed } from "../../../visa/src/resolve/platform.ts";
import type { World } from "../world.ts";
import { DapError } from "./problem.ts";

/** What a launch shows and where it stops, besides the program. */
export interface Showing {
  /** A file, or the name of `text`. */
  readonly program: string | undefined;
  readonly text: string | undefined;
  readonly stopOnEntry: boolean;
  readonly stopAtEnd: boolean;
  readonly noDebug: boolean;
  readonly level: "ptx" | "original";
}

export interface LaunchWords {
  readonly options: RunCommandOptions;
  readonly showing: Showing;
}

type Reader = (value: unknown) => unknown;

/** Reads a text; numbers are taken as they are written. */
const word =
  (read: (text: string) => unknown): Reader =>
  (value) =>
    typeof value === "string" || typeof value === "number" ? read(String(value)) : undefined;
const text: Reader = (value) => (typeof value === "string" ? value : undefined);
const flag: Reader = (value) => (typeof value === "boolean" ? value : undefined);
const texts: Reader = (value) =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value) && value.every((each) => typeof each === "string")
      ? value
      : undefined;
/** `{"x": "f32x8:iota"}` or `["x=f32x8:iota"]`. */
const assignments: Reader = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return texts(value);
  const all = Object.entries(value);
  if (!all.every(([, each]) => typeof each === "string" || typeof each === "number")) return undefined;
  return all.map(([name, each]) => `${name}=${each}`);
};
const extent: Reader = (value) => (Array.isArray(value) ? readExtent(value.join(",")) : word(readExtent)(value));

/** The options of `run` by their names in a launch configuration, what each accepts, and how it is read. */
const readers: Readonly<Record<string, readonly [reads: Reader, takes: string]>> = {
  arg: [assignments, 'parameters, as {"x": "f32x8:iota"} or ["x=f32x8:iota"]'],
  reg: [assignments, 'registers, as {"%r1": 7} or ["%r1=7"]'],
  global: [assignments, 'variables, as {"table": "@table.npy"}'],
  entry: [text, "a kernel's name"],
  grid: [extent, "blocks, as 4 or [4,1,1]"],
  block: [extent, "threads of a block, as 32 or [32,1,1]"],
  cluster: [extent, "blocks of a cluster, as 2 or [2,1,1]"],
  smem: [word(readBytesCount), 'bytes, such as "48K"'],
  stack: [word(readBytesCount), 'bytes, such as "64K"'],
  cooperative: [flag, "true or false"],
  schedule: [word(readSchedule), '"fixed", or "random:SEED"'],
  async: [word(readMoving), '"late", "early" or "random:SEED"'],
  target: [text, '"sm_90" and the like'],
  arch: [text, '"sm_90" and the like'],
  ptx: [word((each) => each), '"8.8" and the like'],
  platform: [word(platformNamed), 'a platform of vISA, such as "DG2"'],
  grf: [word((each) => (each === "32" ? 32 : each === "64" ? 64 : undefined)), "32 or 64"],
  sanitize: [word(readChecks), CHECKS],
  maxSteps: [word(readCount), 'a count, such as "100M"'],
  maxMem: [word(readBytesCount), 'bytes, such as "1G"'],
  memory: [text, "a file of memory that exec --record has kept"],
  timeout: [word(readTime), 'a time, such as "10s", for loading'],
  sourceDir: [texts, "folders of the program that the PTX was compiled from"],
};

/** Options of the adapter itself, and those that editors add. */
const own = ["program", "text", "args", "case", "stopOnEntry", "stopAtEnd", "noDebug", "level", "cwd"];
const ofEditors =
  /^(?:__\w+|type|name|request|preLaunchTask|postDebugTask|internalConsoleOptions|presentation|serverReadyAction|debugServer|console|env|windows|linux|osx|suppressMultipleSessionWarning)$/;

/** What a launch configuration may have, besides what editors add. */
export const launchOptions: readonly string[] = [...Object.keys(readers), ...own];

/** Reads the arguments of `launch`; throws a `DapError` for an unknown option or an invalid value. */
export function readLaunch(given: Readonly<Record<string, unknown>>, world: World): LaunchWords {
  const {
    args,
    case: name,
    program,
    text: inline,
    stopOnEntry = false,
    stopAtEnd = false,
    noDebug = false,
    level = "ptx",
  } = given;
  const options: Record<string, unknown> = {
    sanitize: { mem: true, init: true, sync: true, race: false },
    format: "text",
    color: "never",
    ...argumentWords(name === undefined ? [] : caseOf(program, name, world), world),
    ...argumentWords(args, world),
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || own.includes(name) || ofEditors.test(name)) continue;
    const reader = readers[name];
    if (reader === undefined) throw new DapError(noOption(name));
    const read = reader[0](value);
    if (read === undefined) throw new DapError(`${name} takes ${reader[1]}, not ${JSON.stringify(value)}`);
    options[name] =
      Array.isArray(options[name]) && Array.isArray(read) && reader[0] !== extent
        ? [...(options[name] as unknown[]), ...read]
        : read;
  }
  for (const [name, value] of [
    ["program", program],
    ["text", inline],
  ] as const)
    if (value !== undefined && typeof value !== "string") throw new DapError(`${name} takes a text`);
  if (program === undefined && inline === undefined)
    throw new DapError('there is nothing to launch: give "program", a .ptx file, or "text"');
  if (level !== "ptx" && level !== "original") throw new DapError('level takes "ptx" or "original"');
  return {
    options: options as unknown as RunCommandOptions,
    showing: {
      program: program as string | undefined,
      text: inline as string | undefined,
      stopOnEntry: stopOnEntry === true,
      stopAtEnd: stopAtEnd === true,
      noDebug: noDebug === true,
      level,
    },
  };
}

function caseOf(program: unknown, name: unknown, { wordsOfCase }: World): readonly string[] {
  if (typeof program !== "string") throw new DapError("case needs program, the file that it is in");
  if (typeof name !== "string" && name !== true)
    throw new DapError("case takes the name of a case, or true for the first");
  if (wordsOfCase === undefined) throw new DapError("case is not read here; give the options by their names");
  return wordsOfCase(program, name === true ? undefined : name);
}

function argumentWords(args: unknown, { readArgs }: World): object {
  if (args === undefined || (Array.isArray(args) && args.length === 0)) return {};
  const words = typeof args === "string" ? args.split(/\s+/).filter((each) => each !== "") : args;
  const isList = Array.isArray(words) && words.every((each) => typeof each === "string");
  // `{"n": 7}` and `["n=7"]` are values of parameters, as arg takes them.
  if (isList ? /^[^-=@]\w*=/.test(words[0] ?? "") : typeof words === "object" && !Array.isArray(words))
    throw new DapError(
      'args takes words of the command line, as ["--block", "32"]; did you mean arg, which takes parameters?',
    );
  if (!isList) throw new DapError('args takes words of the command line, as ["--block", "32"]');
  if (readArgs === undefined) throw new DapError("args is not read here; give the options by their names");
  return readArgs(words);
}

function noOption(name: string): string {
  const meant = nearest(name, launchOptions);
  return `${name} is not an option of a launch${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
