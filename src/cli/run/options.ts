import { Command, Option } from "commander";
import { platformNamed, platforms } from "../../../packages/visa/src/resolve/platform.ts";
import { colourChoices } from "../../environment/colour.ts";
import { executors } from "../../interp/index.ts";
import { readView, VIEWS } from "../../launch/dump/view.ts";
import { readChecks } from "../../launch/value/checks.ts";
import { readBytesCount, readCount, readExtent, readJobs, readThread, readTime } from "../../launch/value/quantity.ts";
import { readMoving, readSchedule, readSeed, readSeeds } from "../../launch/value/schedule.ts";
import { readMemoryWord } from "../../launch/value/weak.ts";
import { reading } from "../reading.ts";

const values = `
VALUE: 0x3c00, 0b1, 0f3f800000, 0d3ff0000000000000 are bits; 1.5, -3, inf, nan are numbers in the type of the register
or parameter (-r a:f32=1.5 names another); 1,2 are lanes, low bits first. A buffer is f32x8 (undefined), f32x8:fill=0,
f32x2x4:iota, f32x2:1,2, f32x8:random (normal, uniform:A..B, special, bits; each with :SEED), @x.npy or @x.bin; =NAME is the buffer of another parameter; hex:00ff the bytes of an aggregate.
image:cat.png:filter=linear is a texture, surface:u8x4:64x48 a surface; see docs/textures.md. A tensor map is
tensormap:DIMS,OPTION,...:TENSOR with a new buffer or =NAME as TENSOR, such as tensormap:64x64,box=32x8:f32x4096:iota
(ptxrun explain PTX2220 has all of it); multimem:2:f32x8:fill=1 a multimem address for two buffers, NAME.0 and NAME.1.`;

const each = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Options of a launch: for `run`, and for `//@ args:` in a check. */
function addLaunchOptions(command: Command): Command {
  return command
    .option(
      "--entry <kernel>",
      "the kernel to launch, or function to call: its name or a part of it, demangled or not; ? lists them",
    )
    .option("--grid <x,y,z>", "blocks of the launch (default 1, or a cluster)", reading(readExtent, "X[,Y[,Z]]"))
    .option(
      "--block <x,y,z>",
      "threads of a block (default 1, or what .reqntid says)",
      reading(readExtent, "X[,Y[,Z]]"),
    )
    .option(
      "--cluster <x,y,z>",
      "blocks of a cluster (default 1, or .reqnctapercluster)",
      reading(readExtent, "X[,Y[,Z]]"),
    )
    .option("--stack <bytes>", "stack of a thread, 16K unless told", reading(readBytesCount, "bytes, such as 64K"))
    .option("--smem <bytes>", "dynamic shared memory of a block", reading(readBytesCount, "bytes, such as 48K"))
    .option("--cooperative", "a cooperative launch: all blocks are resident, grid-wide barriers work")
    .option(
      "--schedule <order>",
      "fixed (default), or random:SEED: which warps and blocks go first",
      reading(readSchedule, "fixed, or random:SEED with a seed below 2^32"),
    )
    .option(
      "--async <when>",
      "when data of asynchronous copies move: late (default), early, or random:SEED; --schedule random:SEED and --seeds draw it too",
      reading(readMoving, "late, early, or random:SEED with a seed below 2^32"),
    )
    .option(
      "--seeds <a..b>",
      "run once with each of these seeds, until one fails",
      reading(readSeeds, "FIRST..LAST, seeds below 2^32"),
    )
    .option("--target <name>", "sm_90 and the like, for a text without .target")
    .option("--arch <name>", "sm_90 and the like: whose tensor cores compute (default what .target says)")
    .option("--ptx <version>", "8.8 and the like, for a text without .version")
    .option(
      "--platform <name>",
      "of vISA: SKL, TGLLP, DG2, PVC, XE2 and the like (default PVC where %r0 has 64 bytes, else DG2)",
      reading(platformNamed, platforms.map(({ name }) => name).join(", ")),
    )
    .option(
      "--grf <bytes>",
      "bytes of a vISA register, if not the platform's",
      reading((text) => (text === "32" ? 32 : text === "64" ? 64 : undefined), "32 or 64"),
    )
    .option(
      "--thread <b/t>",
      "all, or block/thread: whose registers to show (default 0/0; for trace all)",
      reading(readThread, "all or B/T"),
    )
    .addOption(
      new Option("--sanitize <list>", "checks that run along: mem, init, sync, race, bounds; all or none")
        .argParser(reading(readChecks, "mem, init, sync, race, bounds, with commas, all or none"))
        .default({ mem: true, init: true, sync: true }, "mem,init,sync"),
    )
    .option(
      "--max-steps <count>",
      "warp instructions at most, such as 100M",
      reading(readCount, "a count, such as 100M"),
    )
    .option(
      "--memory <kind>",
      "weak: list every outcome that the memory model allows; weak:random: one of them a seed, with --seeds or --seed; or a file of `ptxrun exec --record`, memory at its own addresses",
      reading(readMemoryWord, "weak, weak:random, or a file"),
    )
    .option("--seed <number>", "of --memory weak:random: one run", reading(readSeed, "a seed below 2^32"))
    .option("--max-mem <bytes>", "memory of the device (default 1G)", reading(readBytesCount, "bytes, such as 1G"))
    .option(
      "--timeout <time>",
      "time at most, such as 10s; with --seeds of each run, in the REPL of each command",
      reading(readTime, "a time, such as 10s"),
    );
}

/** Options of every command that prints colours. Used alone, `--verbose` shows the stack of an internal error. */
export const addColourOptions = (command: Command, verbose = "print the place of a bug in ptxrun"): Command =>
  command
    .addOption(new Option("--color <when>", "colour the output").choices(colourChoices).default("auto"))
    .option("-v, --verbose", verbose);

/** Options of every command that has notes. */
export const addOutputOptions = (command: Command, verbose?: string, quiet = "print no notes"): Command =>
  addColourOptions(command.option("-q, --quiet", quiet), verbose);

const withSteps = "print more: steps, and the place of a bug in ptxrun";

/** The program, its inputs, and its launch. */
export const addProgramOptions = (command: Command): Command =>
  addLaunchOptions(
    command
      .option("-e, --eval <ptx>", "run this text instead of a file")
      .option("-r, --reg <name[:type]=value>", "a register's initial value; cc.cf=1 sets the carry flag", each)
      .option(
        "-a, --arg <[name[:type]=]value>",
        "a kernel parameter, by name or index; without a name, the next one",
        each,
      )
      .option("-g, --global <name[:type]=value>", "a module variable's contents before the launch", each),
  );

/** All options of `doctor`: each replaces what is inferred. */
export const addDoctorOptions = (command: Command): Command => {
  const own = new Set(["entry", "grid", "block", "smem", "cooperative", "maxMem", "arg", "global"]);
  for (const option of addProgramOptions(new Command()).options)
    if (own.has(option.attributeName())) command.addOption(option);
  return addOutputOptions(command, undefined, "print what was found, and nothing else").option(
    "--json",
    "print it as JSON",
  );
};

/** All options of `trace`. */
export const addTraceOptions = (command: Command): Command =>
  addOutputOptions(addProgramOptions(command), withSteps)
    .option("--opcode <glob>", "only these instructions: a mnemonic, an opcode or a pattern, such as 'ld.*'")
    .option("--label <name>", "only the instructions after this label, up to the next one")
    .option("--text", "for people: values by their types, buffers by their names, lines of the source")
    .option("--limit <count>", "end after this many instructions", reading(readCount, "a count, such as 1000"))
    .option("-o, --output <file>", "write the trace to a file");

/** All options of `run`. */
export const addRunOptions = (command: Command): Command => addCacheOption(addResultOptions(command, withSteps));

/** `--report`, `--precision`, `--jobs` and `--executor`, of the command that runs one launch. */
export const addJobsOption = (command: Command): Command =>
  command
    .option(
      "--report <file>",
      "write a page about the launch, to be looked at in a browser: counts by line, lanes over steps, memory accesses; makes a run slower",
    )
    .option(
      "--precision",
      "run with exact values beside, and say how far results are off and which lines lose the digits; makes a run slower",
    )
    .option(
      "--why <place>",
      "where a value came from, such as out[5], %f3 or [shared:tile+4]:f32, with at most so many causes, out[5]/100; first: the first thing that is wrong",
      each,
    )
    .option(
      "--jobs <count>",
      "threads that run blocks of the grid, with the results of one; auto (default): one a processor where a launch takes long",
      reading(readJobs, "auto, or 1 to 64"),
    )
    .option(
      "--executor <name>",
      "what executes, with the same results: js, or wasm from the first instruction on (default: wasm once a launch is long)",
      reading((text) => (executors.has(text) ? text : undefined), "js or wasm"),
    );

/** `--source-dir`, of the commands that show the program that the PTX was compiled from. */
export const addSourceOption = (command: Command): Command =>
  command.option(
    "--source-dir <folder>",
    "where the program is that the PTX was compiled from, a .cu file or another; beside the PTX it is found anyway",
    each,
  );

/** `--cache`, of the commands that run the same programs repeatedly. */
export const addCacheOption = (command: Command): Command =>
  command.option(
    "--cache <folder>",
    "keep in a folder what was read and compiled of programs: later runs start faster",
  );

/** The options of `run`, and those of `repl` that it shares with it. */
export const addResultOptions = (command: Command, verbose?: string): Command =>
  addOutputOptions(
    addProgramOptions(command)
      .option(
        "-d, --dump <what[=@file]>",
        "regs, changed, none, a register, buffer or variable, or tensor[:LANES[:COLUMNS]]; a buffer takes a view, x:4x4",
        each,
      )
      .option("--as <view>", `how buffers and registers are shown: ${VIEWS}`, reading(readView, VIEWS)),
    verbose,
  )
    .option("--stats", "count instructions, branches and memory transactions, by line too; makes a run slower")
    .addOption(new Option("--format <name>", "how to print the result").choices(["text", "json"]).default("text"))
    .option("--json", "the same as --format json")
    .option("-o, --output <file>", "write the result to a file")
    .addHelpText("after", values);

/** `run` as a separate command, which `//@ args:` uses to read its line: only launch options. */
export const launchCommand = (): Command => addLaunchOptions(new Command("args"));
