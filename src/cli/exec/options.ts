import { type Command, Option } from "commander";
import type { ColourChoice } from "../../environment/colour.ts";
import { executors } from "../../interp/create-session.ts";
import { readBytesCount, readTime } from "../../launch/value/quantity.ts";
import { archOf, targets } from "../../resolve/module/header/target.ts";
import { addFindings, type WantedFindings } from "../findings/formats.ts";
import { reading, readingChecks } from "../reading.ts";
import { addColourOptions } from "../run/options.ts";

/** Commander's options of `exec`. Texts are passed on unchanged, once they can be read. */
export interface ExecOptions {
  readonly target?: string;
  readonly sanitize?: string;
  readonly executor?: string;
  readonly maxMem?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly onError?: "abort" | "exit" | "continue";
  readonly stats?: boolean;
  readonly trace?: boolean;
  readonly output?: string;
  readonly record?: string;
  readonly errorExitcode?: number;
  readonly onlyAnnounced?: boolean;
  readonly color: ColourChoice;
  readonly reporter?: readonly WantedFindings[];
}

const after = `
PROGRAM is found as a shell finds it; what follows it belongs to the program. Its exit
code is that of ptxrun exec, but for 0 where the checks have found something;
128 and the signal's number where a signal ended it.`;

/** All options of `exec`. */
export const addExecOptions = (command: Command): Command =>
  addFindings(addColourOptions(command))
    .option(
      "--target <name>",
      "what the device of the driver API is: sm_50 to sm_121 (default sm_90)",
      reading(
        (text) => (/^sm_\d+$/.test(text) && archOf(text) ? text : undefined),
        targets.filter((name) => /\d$/.test(name)).join(", "),
      ),
    )
    .option(
      "--sanitize <list>",
      "checks that run along, such as +race (default mem,init,sync)",
      (text: string) => readingChecks(text) && text,
    )
    .option(
      "--executor <name>",
      "js, wasm or native (default wasm, and native where a kernel runs for long)",
      reading((text) => (executors.has(text) ? text : undefined), "js, wasm or native"),
    )
    .option("--max-mem <bytes>", "memory of the device (default 1G)", reading(readBytesCount, "bytes, such as 1G"))
    .option(
      "--timeout <time>",
      "time that one launch may take, such as 10s",
      reading((text) => readTime(text) || undefined, "a time above 0, such as 10s"),
    )
    .addOption(
      new Option("--on-error <what>", "after a failed launch of ptx_run, abort unless told").choices([
        "abort",
        "exit",
        "continue",
      ]),
    )
    .option(
      "--only-announced",
      "of the program's memory, kernels of ptx_run may touch what ptxrun_register has named, and no more",
    )
    .option(
      "--error-exitcode <code>",
      "exit code where the program's own is 0 and the checks have found something (default 7)",
      reading((text) => (/^\d{1,3}$/.test(text) && Number(text) < 256 ? Number(text) : undefined), "0 to 255"),
    )
    .option("--stats", "after each launch, how many instructions it took and how long, and all so far")
    .option("--trace", "each call of the driver API; before each launch, its kernel, grid, block and arguments")
    .option("-o, --output <file>", "append what --stats and --trace say to a file, not to standard error")
    .option("--record <folder>", "keep each launch as a .ptx that run, repl and check replay")
    .passThroughOptions()
    .addHelpText("after", after);
