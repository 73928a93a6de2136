import type { Io } from "../../environment/io.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { RunCommandOptions } from "../options.ts";
import type { Loaded } from "../program.ts";
import { Setup } from "../setup.ts";
import { type Assignment, optionSource, readArgument, readAssignment } from "../value/assignment.ts";
import { memoryFile } from "../value/weak.ts";
import type { Inputs } from "./launch-inputs.ts";
import { readMemory } from "./memory-input.ts";

/** Reads `--memory`, `--global`, `--reg` and `--arg`; problems are added to `diagnostics`. */
export function setUp(
  loaded: Loaded,
  options: Pick<RunCommandOptions, "global" | "reg" | "arg" | "maxMem" | "memory">,
  io: Io,
  diagnostics: Diagnostic[],
): Inputs {
  const { device, kernel, module } = loaded;
  const reach = {
    files: io.files,
    ...(options.maxMem !== undefined && { maxBytes: options.maxMem }),
    ...(loaded.time !== undefined && { time: loaded.time }),
  };
  const setup = new Setup(device, kernel, module, reach);
  setup.diagnostics.push(...readMemory(loaded, memoryFile(options), reach));
  const each = (
    option: string,
    texts: readonly string[],
    take: (assignment: Assignment) => void,
    read: (source: Source) => Staged<Assignment | undefined> = readAssignment,
  ) => {
    for (const text of texts) {
      const { value, diagnostics: wrong } = read(optionSource(option, text));
      setup.diagnostics.push(...wrong);
      if (value !== undefined) take(value);
    }
  };
  each("--global", options.global ?? [], (assignment) => setup.global(assignment));
  each("--reg", options.reg ?? [], (assignment) => setup.register(assignment));
  each("--arg", options.arg ?? [], (assignment) => setup.argument(assignment), readArgument);
  const inputs = setup.finish();
  diagnostics.push(...setup.diagnostics);
  return inputs;
}
