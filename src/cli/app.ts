import { Command, CommanderError } from "commander";
import type { ColourChoice } from "../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../environment/exit.ts";
import { report } from "../environment/report.ts";
import { HostError } from "../host/problem.ts";
import type { CommandIo } from "./command-io.ts";
import { commandTable } from "./commands.ts";
import { usageProblem } from "./usage.ts";
import { version } from "./version.ts";

const examples = `
Examples:
  ptxrun -e 'add.f16 d, a, b;' -r a=0x3c00 -r b=1.5
  ptxrun axpy.ptx --block 64 -a x=f32x64:iota -a y=f32x64:fill=1 -a n=64
  ptxrun check examples
  ptxrun explain 0x3c00 --as f16
  ptxrun explain fma.rn.f16 a=0x3e94 b=0x134c c=0x3e22

Exit codes: 0 ok, 1 a check failed, 2 usage, 3 PTX rejected, 4 fault, 5 not implemented, 6 limit, 7 finding, 70 bug, 130 interrupted, 143 terminated.`;

/** Runs one command line (without `node` and the script) and gives its exit code, for `exec` its program's. Throws nothing. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  let exit: number = Exit.ok;
  const program = commands(io, argv, (code) => {
    exit = code;
  });
  let asked: Command | undefined;
  program.hook("preAction", (_, command) => {
    asked = command;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return Exit.ok;
      report([usageProblem(error, argv, program)], { color: colourOf(argv) }, io);
      return Exit.usage;
    }
    if (error instanceof HostError) {
      report(error.diagnostics, { color: colourOf(argv) }, io);
      return worst(error.diagnostics.map(exitOf));
    }
    return bug(error, asked, io);
  }
}

/** All commands, the hidden ones too, with `done` to take an exit code. */
export function commands(io: CommandIo, argv: readonly string[], done: (exit: number) => void): Command {
  const output = { writeOut: io.out, writeErr: () => {} };
  const program = new Command("ptxrun")
    .description("Runs NVIDIA PTX without a GPU, bit for bit, one instruction at a time.")
    .version(version, "-V, --version")
    .addHelpText("after", examples)
    .exitOverride()
    .configureOutput(output)
    .enablePositionalOptions();
  for (const { syntax, about, is, takes, run } of commandTable) {
    const command = program.command(syntax, is).description(about).exitOverride().configureOutput(output);
    (takes?.(command) ?? command).action(async (...given: readonly unknown[]) => {
      const [options, args] = [given.at(-2), given.slice(0, -2)];
      done(await run({ args, options, io, argv, program, main }));
    });
  }
  return program;
}

const colourOf = (argv: readonly string[]): ColourChoice =>
  argv.some((word, at) => word === "--color=never" || (word === "--color" && argv[at + 1] === "never"))
    ? "never"
    : argv.some((word, at) => word === "--color=always" || (word === "--color" && argv[at + 1] === "always"))
      ? "always"
      : "auto";

function bug(error: unknown, asked: Command | undefined, io: CommandIo): ExitCode {
  const verbose = asked?.opts<{ readonly verbose?: boolean }>().verbose === true;
  const offered = asked?.options.some(({ short }) => short === "-v") === true;
  const what = error instanceof Error ? error.message : String(error);
  io.err(
    `bug in ptxrun ${version}: ${what.split("\n")[0]}\n` +
      "The mistake is ours, not your program's: report it with the program and this command line.\n" +
      (verbose && error instanceof Error ? `${error.stack}\n` : offered ? "With -v the stack is printed.\n" : ""),
  );
  return Exit.bug;
}
