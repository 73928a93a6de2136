import { type Command, Option } from "commander";
import { readCompiler, type WantedCompiler } from "../../../packages/lab/hunt/compiler.ts";
import { readCount } from "../../launch/value/quantity.ts";
import { readSeeds } from "../../launch/value/schedule.ts";
import { archOf, targets } from "../../resolve/module/header/target.ts";
import { addFormat } from "../format.ts";
import { reading } from "../reading.ts";

const some = (text: string): number | undefined => {
  const count = readCount(text);
  return count === undefined || count < 1 || count > 1000 ? undefined : count;
};

const targetIn = (text: string): string | undefined => (/^sm_/.test(text) && archOf(text) ? text : undefined);

const read = reading(readCompiler, "llc-19:O0,O3, llc or nvcc, or a path to one, and levels");

/** The options of `hunt`. */
export const addHuntOptions = (command: Command): Command =>
  addFormat(command)
    .addOption(
      new Option("--with <compiler>", "a compiler and its levels, such as llc-19:O0,O3; twice or more, to compare")
        .argParser((text: string, before: readonly WantedCompiler[] = []) => [...before, read(text)])
        .makeOptionMandatory(),
    )
    .option("--seeds <a..b>", "which modules are drawn", reading(readSeeds, "FIRST..LAST, below 2^32"), [1, 10])
    .option(
      "--programs <number>",
      "kernels of a module, with the functions that they call",
      reading(some, "1 to 1000"),
      30,
    )
    .option("--target <name>", "what is compiled for", reading(targetIn, targets.join(", ")), "sm_80")
    .option("-o, --output <folder>", "where a folder for each finding is written", "hunt");
