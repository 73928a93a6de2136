import { Command, Option } from "commander";
import { platformNamed, platforms } from "../../../packages/visa/src/resolve/platform.ts";
import { colourChoices } from "../../environment/colour.ts";
import { executors } from "../../interp/index.ts";
import { readView, VIEWS } from "../../launch/dump/view.ts";
import { usualChecks } from "../../launch/value/checks.ts";
import { readBytesCount, readCount, readExtent, readJobs, readThread, readTime } from "../../launch/value/quantity.ts";
import { readMoving, readSchedule, readSeed, readSeeds } from "../../launch/value/schedule.ts";
import { readMemoryWord } from "../../launch/value/weak.ts";
import { addFormat, formatOption, sameAs } from "../format.ts";
import { reading, readingChecks, repeated } from "../reading.ts";

/** The headings of --help: options of one subject stand together, wherever they are declared. */
export const group = {
  most: "Most used:",
  launch: "Launch:",
  checks: "Checks and orders:",
  output: "Output:",
  closer: "A closer look:",
  limits: "Limits and speed:",
  visa: "vISA:",
} as const;

/** Options of a launch: for `run`, and for `//@ args:` in a check. */
function addLaunchOptions(command: Command): Command {
  return command
    .optionsGroup(group.most)
    .option("--block <x,y,z>", "threads of a block (default 1, or .reqntid)", reading(readExtent, "X[,Y[,Z]]"))
    .optionsGroup(group.launch)
    .option("--entry <kernel>", "the kernel: its name or a part of it; ? lists them")
    .option("--grid <x,y,z>", "blocks of the launch (default 1, or a cluster)", reading(readExtent, "X[,Y[,Z]]"))
    .option("--cluster <x,y,z>", "blocks of a cluster (default .reqnctapercluster)", reading(readExtent, "X[,Y[,Z]]"))
    .option("--smem <bytes>", "dynamic shared memory of a block", reading(readBytesCount, "bytes, such as 48K"))
    .option("--stack <bytes>", "stack of a thread (default 16K)", reading(readBytesCount, "bytes, such as 64K"))
    .option("--cooperative", "all blocks are resident: grid-wide barriers work")
    .option("--target <name>", "sm_90 and the like, instead of what .target says")
    .option("--ptx <version>", "8.8 and the like, for a text without .version")
    .option("--arch <name>", "whose tensor cores compute (default: the target's)")
    .optionsGroup(group.checks)
    .addOption(
      new Option("--sanitize <list>", "what is checked along")
        .argParser(readingChecks)
        .default(usualChecks, "mem,init,sync"),
    )
    .option(
      "--schedule <order>",
      "fixed (default), or random:SEED: who goes first",
      reading(readSchedule, "fixed, or random:SEED with a seed below 2^32"),
    )
    .option(
      "--seeds <a..b>",
      "run once with each of these seeds, until one fails",
      reading(readSeeds, "FIRST..LAST, seeds below 2^32"),
    )
    .option(
      "--async <when>",
      "asynchronous copies move late, early or random:SEED",
      reading(readMoving, "late, early, or random:SEED with a seed below 2^32"),
    )
    .option(
      "--memory <kind>",
      "weak, weak:random, or a file of exec --record",
      reading(readMemoryWord, "weak, weak:random, or a file"),
    )
    .option("--seed <number>", "of --memory weak:random: one run", reading(readSeed, "a seed below 2^32"))
    .optionsGroup(group.output)
    .option("--thread <b/t>", "whose registers: block/thread, or all (default 0/0)", reading(readThread, "all or B/T"))
    .optionsGroup(group.limits)
    .option(
      "--max-steps <count>",
      "warp instructions at most, such as 100M",
      reading(readCount, "a count, such as 100M"),
    )
    .option("--max-mem <bytes>", "memory of the device (default 1G)", reading(readBytesCount, "bytes, such as 1G"))
    .option(
      "--timeout <time>",
      "time of a run or a command at most, such as 10s",
      reading(readTime, "a time, such as 10s"),
    )
    .optionsGroup(group.visa)
    .option(
      "--platform <name>",
      "SKL, TGLLP, DG2, PVC, XE2 ... (default DG2 or PVC)",
      reading(platformNamed, platforms.map(({ name }) => name).join(", ")),
    )
    .option(
      "--grf <bytes>",
      "bytes of a register, if not the platform's",
      reading((text) => (text === "32" ? 32 : text === "64" ? 64 : undefined), "32 or 64"),
    )
    .optionsGroup(group.output);
}

/** Options of every command that prints colours. Used alone, `--verbose` shows the stack of an internal error. */
export const addColourOptions = (command: Command, verbose = "print the place of a bug in ptxrun"): Command =>
  command
    .addOption(new Option("--color <when>", "colours").choices(colourChoices).default("auto"))
    .option("-v, --verbose", verbose);

/** Options of every command that has notes. */
export const addOutputOptions = (command: Command, verbose?: string, quiet = "print no notes"): Command =>
  addColourOptions(command.option("-q, --quiet", quiet), verbose);

const withSteps = "print more: steps, the place of a bug in ptxrun";

/** The program, its inputs, and its launch. */
export const addProgramOptions = (command: Command): Command =>
  addLaunchOptions(
    command
      .optionsGroup(group.most)
      .option("-e, --eval <ptx>", "run this text instead of a file")
      .option("-r, --reg <name=value>", "a register's value at the start, such as a:f32=1.5", repeated)
      .option("-a, --arg <name=value>", "a parameter's value; without a name, the next's", repeated)
      .optionsGroup(group.launch)
      .option("-g, --global <name=value>", "a module variable's contents before the launch", repeated)
      .optionsGroup(group.visa)
      .option("--zeinfo <file>", "of a dump: its .zeinfo, or its program"),
  );

/** Some of the options of a program and its launch, by their attributes; `described` changes what --help says of each. */
export function addSomeProgramOptions(
  command: Command,
  names: ReadonlySet<string>,
  described: (description: string) => string = (same) => same,
): Command {
  for (const option of addProgramOptions(new Command()).options)
    if (names.has(option.attributeName())) {
      option.description = described(option.description);
      command.addOption(option);
    }
  return command;
}

/** The options of a launch that is inferred: each replaces a part of that. */
const addInferredOptions = (command: Command): Command =>
  addSomeProgramOptions(
    command,
    new Set(["entry", "grid", "block", "smem", "cooperative", "arg", "global"]),
    (description) => description.replace(/ \(default [^)]*\)$/, " (inferred by default)"),
  );

/** All options of `ce`. */
export const addCeOptions = (command: Command): Command =>
  addColourOptions(
    addInferredOptions(command)
      .optionsGroup(group.limits)
      .addOption(
        new Option("--timeout <time>", "time of all kernels together at most")
          .argParser(reading(readTime, "a time, such as 10s"))
          .default(5000, "5s"),
      )
      .addOption(
        new Option("--max-steps <count>", "warp instructions of a kernel at most")
          .argParser(reading(readCount, "a count, such as 100M"))
          .default(1_000_000, "1M"),
      )
      .addOption(
        new Option("--max-mem <bytes>", "memory of the device")
          .argParser(reading(readBytesCount, "bytes, such as 1G"))
          .default(2 ** 28, "256M"),
      )
      .optionsGroup(group.output)
      .option("--source <file>", "what was compiled: places are its lines, as .loc says"),
  );

/** All options of `doctor`. */
export const addDoctorOptions = (command: Command): Command => {
  addSomeProgramOptions(addInferredOptions(command), new Set(["maxMem"]));
  return addFormat(addOutputOptions(command.optionsGroup(group.output), undefined, "print findings alone"));
};

/** All options of `trace`. */
export const addTraceOptions = (command: Command): Command =>
  addOutputOptions(addProgramOptions(command), withSteps)
    .optionsGroup("Which instructions:")
    .option("--opcode <glob>", "a mnemonic, an opcode or a pattern, such as 'ld.*'")
    .option("--label <name>", "after this label, up to the next one")
    .option("--limit <count>", "so many at most", reading(readCount, "a count, such as 1000"))
    .optionsGroup(group.output)
    .addOption(formatOption(["json", "text"]))
    .addOption(sameAs("--text", "text"))
    .option("-o, --output <file>", "write the trace to a file");

/** All options of `run`. */
export const addRunOptions = (command: Command): Command => addCacheOption(addResultOptions(command, withSteps));

/** What shows more than the final state, and who computes, of the command that runs one launch. */
export const addJobsOption = (command: Command): Command =>
  command
    .optionsGroup(group.closer)
    .option("--why <place>", "where a value came from: out[5], %f3, or first", repeated)
    .option("--precision", "exact values beside, and which lines lose digits")
    .option("--stats", "count instructions, branches and transactions")
    .option("--report <file>", "write a page about the launch: lines, lanes, memory")
    .optionsGroup(group.limits)
    .option("--jobs <count>", "threads that run blocks (default auto)", reading(readJobs, "auto, or 1 to 64"))
    .option(
      "--executor <name>",
      "js, wasm from the first instruction on, or native",
      reading((text) => (executors.has(text) ? text : undefined), "js, wasm or native"),
    )
    .optionsGroup(group.output);

/** `--source-dir`, of the commands that show the program that the PTX was compiled from. */
export const addSourceOption = (command: Command): Command =>
  command
    .optionsGroup(group.closer)
    .option("--source-dir <folder>", "where the .cu file lies, if not beside the PTX", repeated)
    .optionsGroup(group.output);

/** `--cache`, of the commands that run the same programs repeatedly. */
export const addCacheOption = (command: Command): Command =>
  command
    .optionsGroup(group.limits)
    .option("--cache <folder>", "keep what was read and compiled for later runs")
    .optionsGroup(group.output);

/** The options of `run`, and those of `repl` that it shares with it. */
export const addResultOptions = (command: Command, verbose?: string): Command =>
  addFormat(
    addOutputOptions(
      addProgramOptions(command)
        .optionsGroup(group.most)
        .option("-d, --dump <what>", "what to show: regs, changed, none, a name, x:4x4", repeated)
        .optionsGroup(group.output)
        .option("--as <view>", "how values are shown: f16, 4x4, f32x4x4, all ...", reading(readView, VIEWS)),
      verbose,
    ),
  )
    .option("-o, --output <file>", "write the result to a file")
    .addHelpText("after", "\nptxrun help TOPIC says more: inputs, values, dumps, sanitize, schedule, targets.");

/** `run` as a separate command, which `//@ args:` uses to read its line: only launch options. */
export const launchCommand = (): Command => addLaunchOptions(new Command("args"));
