import { shellWord } from "../../packages/demangle/src/index.ts";
import { Device, isModuleText, type Kernel, kindOfText, type Module, problem, type Store } from "../host/index.ts";
import { checkTarget } from "../host/launch/arch.ts";
import { type Diagnostic, type Help, hasErrors, type Staged } from "../source/diagnostic.ts";
import { type Deadline, limitLoading } from "../source/loading.ts";
import type { Source } from "../source/source.ts";
import type { RunCommandOptions } from "./options.ts";
import { MemoryImage } from "./value/memory-image.ts";
import { memoryFile } from "./value/weak.ts";

/** The options that depend on the kind of text. */
type TextWords = {
  readonly [word in "target" | "arch" | "async" | "ptx" | "platform" | "grf" | "zeinfo" | "entry"]?:
    | RunCommandOptions[word]
    | undefined;
};

/**
 * Options without a meaning for this text: of vISA for PTX, of PTX for vISA, a kernel's name for a snippet (PTX2003).
 */
function withoutUse(
  source: Source,
  { target, arch, async: moving, ptx, platform, grf, zeinfo, entry }: TextWords,
): readonly Diagnostic[] {
  const visa =
    [target, arch, moving, ptx, platform, grf, zeinfo].some((value) => value !== undefined) &&
    kindOfText(source) === "vISA";
  const given: readonly (readonly [option: string, value: unknown, ours: string])[] = visa
    ? [
        ["--target", target, "PTX"],
        ["--arch", arch, "PTX"],
        ["--async", moving, "PTX"],
        ["--ptx", ptx, "PTX"],
      ]
    : [
        ["--platform", platform, "vISA"],
        ["--grf", grf, "vISA"],
        ["--zeinfo", zeinfo, "vISA"],
      ];
  const found = given.flatMap(([option, value, ours]) =>
    value === undefined
      ? []
      : [
          problem("PTX2003", `${option} is for ${ours}, and ${source.name} is ${visa ? "vISA" : "PTX"}`, {
            expected: `no ${option}`,
          }),
        ],
  );
  found.push(...(visa ? [] : checkTarget(target)));
  if (entry === undefined || isModuleText(source)) return found;
  const message = `--entry names a kernel, and ${source.name} is a snippet, which has none`;
  return [...found, problem("PTX2003", message, { expected: "a module, or no --entry" })];
}

/** A program on its device, ready for values. */
export interface Loaded {
  readonly device: Device;
  readonly kernel: Kernel;
  /** Absent for a snippet. */
  readonly module?: Module;
  /** With `--memory`: the pages that launches find, once they are read. */
  readonly image?: MemoryImage;
  /** The deadline, also for its inputs. */
  readonly time?: Deadline;
}

/** The options for reading a text. */
export type LoadWords = Pick<RunCommandOptions, "target" | "arch" | "async" | "ptx" | "platform" | "grf" | "zeinfo">;

/** Loads a module or a snippet and chooses the kernel. */
export function load(
  source: Source,
  options: LoadWords & Pick<RunCommandOptions, "entry" | "maxMem" | "memory" | TimeWords> & { readonly store?: Store },
  now: () => number,
): Staged<Loaded | undefined> {
  const { maxMem, memory, store } = options;
  const time = limitTime(source, options, now);
  const more = {
    ...(memoryFile({ ...(memory === undefined ? {} : { memory }) }) !== undefined && { image: new MemoryImage() }),
    ...(time !== undefined && { time }),
  };
  const device = new Device({
    ...(maxMem === undefined ? {} : { maxMemory: maxMem }),
    ...(store === undefined ? {} : { store }),
    ...(more.image && { supplier: more.image }),
  });
  if (!isModuleText(source)) {
    const useless = withoutUse(source, options);
    if (useless.length > 0) return { value: undefined, diagnostics: useless };
    const { target, ptx } = options;
    const { value: kernel, diagnostics } = device.snippet(source, {
      ...(target === undefined ? {} : { target }),
      ...(ptx === undefined ? {} : { version: ptx }),
    });
    if (kernel === undefined) return { value: undefined, diagnostics };
    if (isEmpty(kernel)) return { value: undefined, diagnostics: [...diagnostics, nothing(source)] };
    return { value: { device, kernel, ...more }, diagnostics };
  }
  const { value: module, diagnostics } = openModule(device, source, options);
  if (module === undefined) return { value: undefined, diagnostics };
  const only = module.entries.length === 0 ? module.functions : module.entries;
  const name = options.entry ?? (only.length === 1 ? only[0] : undefined);
  if (name === undefined) return { value: undefined, diagnostics: [...diagnostics, noChoice(source, module)] };
  const kernel = module.kernel(name);
  const called = options.entry === undefined && module.entries.length === 0 ? alone(source, kernel.value) : [];
  const all: readonly Diagnostic[] = [...diagnostics, ...called, ...withList(kernel.diagnostics)];
  if (kernel.value === undefined || hasErrors(all)) return { value: undefined, diagnostics: all };
  return { value: { device, kernel: kernel.value, module, ...more }, diagnostics: all };
}

type TimeWords = "timeout" | "begun";

/** The deadline of `--timeout`, counted from when the command began; or from now, and the launch has as much again. */
export const deadline = (
  { timeout, begun }: Pick<RunCommandOptions, TimeWords>,
  now: () => number,
): Deadline | undefined =>
  timeout === undefined ? undefined : { now, end: (begun ?? now()) + timeout, allowed: timeout };

/** Ends loading at the deadline, and returns it. */
export function limitTime(
  source: Source,
  options: Pick<RunCommandOptions, TimeWords>,
  now: () => number,
): Deadline | undefined {
  const time = deadline(options, now);
  if (time !== undefined) limitLoading(source, { time });
  return time;
}

/** A module on a device; undefined for a snippet. */
export function openModule(device: Device, source: Source, options: LoadWords): Staged<Module | undefined> {
  const { target, arch, async: moving, ptx, platform, grf, zeinfo } = options;
  if (!isModuleText(source)) return { value: undefined, diagnostics: [] };
  const useless = withoutUse(source, { target, arch, async: moving, ptx, platform, grf, zeinfo });
  if (useless.length > 0) return { value: undefined, diagnostics: useless };
  return device.module(source, {
    ...(target === undefined ? {} : { target, override: true }),
    ...(ptx === undefined ? {} : { version: ptx }),
    ...(platform === undefined ? {} : { platform }),
    ...(grf === undefined ? {} : { grf }),
  });
}

/** A snippet without an instruction: only the implied exit at the end of the body. */
const isEmpty = ({ program: { code } }: Kernel): boolean => {
  const [only] = code;
  return code.length === 1 && only !== undefined && only.span.end - only.span.start <= 1;
};

const nothing = (source: Source): Diagnostic =>
  problem("PTX2002", `${source.name} holds no instruction`, { expected: "a module, or instructions to run" });

/** A note that the only function of a module without kernels is called. */
const alone = (source: Source, kernel: Kernel | undefined): readonly Diagnostic[] => {
  if (kernel === undefined) return [];
  const message = `${source.name} has no kernel; its only function, ${kernel.name}, is called by itself`;
  const help = [{ message: `--entry ${shellWord(kernel.name)} says so` }];
  return [problem("PTX2212", message, { severity: "note", help })];
};

function noChoice(source: Source, { names }: Module): Diagnostic {
  const { kernels, functions } = names;
  if (kernels.length === 0 && functions.length === 0)
    return problem("PTX2204", `${source.name} has no kernel`, { expected: "an .entry function" });
  const choices = kernels.length === 0 ? functions : kernels;
  const { shown, more } = names.listed(choices, 12);
  const [first = ""] = shown;
  const has = kernels.length === 0 ? `no kernel and ${functions.length} functions` : `${kernels.length} kernels`;
  return problem("PTX2204", `${source.name} has ${has}`, {
    expected:
      shown.map((name) => `--entry ${shellWord(name)}`).join(", ") + (more === 0 ? "" : `, or one of ${more} more`),
    help: [{ message: `choose one: --entry ${shellWord(first)}` }, howToList],
  });
}

/** The help when a launch names no kernel, or several match. */
const howToList: Help = { message: "--entry '?' lists them all" };

/** Adds how to list the kernels to problems with the choice of one. */
const withList = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.map((each) =>
    each.code === "PTX2203" || each.code === "PTX2204" ? { ...each, help: [...(each.help ?? []), howToList] } : each,
  );
