import { Argument, Command, CommanderError, Option } from "commander";
import type { ColourChoice } from "../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../environment/exit.ts";
import { report } from "../environment/report.ts";
import { HostError } from "../host/problem.ts";
import type { RunCommandOptions } from "../launch/options.ts";
import { objectVersions } from "../visa/binary/version.ts";
import { addCampaignOptions } from "./campaign/arguments.ts";
import { addCheckOptions, addDiffOptions, addLintLimits } from "./check/arguments.ts";
import type { CommandIo } from "./command-io.ts";
import type { ShellName } from "./completion/command.ts";
import { addExecOptions, type ExecOptions } from "./exec/options.ts";
import { addLitmusOptions } from "./litmus/arguments.ts";
import { addReplOptions } from "./repl/options.ts";
import {
  addColourOptions,
  addJobsOption,
  addOutputOptions,
  addRunOptions,
  addSourceOption,
  addTraceOptions,
} from "./run/options.ts";
import { addSweepOptions } from "./sweep/arguments.ts";
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

/** All commands, the hidden ones too, with `done` to take an exit code; each loads its own code when it is called, because start-up takes most of a run's time. */
export function commands(io: CommandIo, argv: readonly string[], done: (exit: number) => void): Command {
  const program = new Command("ptxrun")
    .description("Runs NVIDIA PTX without a GPU, bit for bit, one instruction at a time.")
    .version(version, "-V, --version")
    .addHelpText("after", examples)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: () => {} })
    .enablePositionalOptions();

  const add = (
    name: string,
    description: string,
    options?: { readonly isDefault?: boolean; readonly hidden?: boolean },
  ) =>
    program
      .command(name, options)
      .description(description)
      .exitOverride()
      .configureOutput({ writeOut: io.out, writeErr: () => {} });

  addSourceOption(
    addJobsOption(
      addRunOptions(
        add("run [file]", "run a program and print its final state (the default command)", { isDefault: true }),
      ),
    ),
  )
    .option("-i, --interactive", "step through it in the REPL")
    .action(async (file: string | undefined, options: RunCommandOptions & { readonly interactive?: boolean }) => {
      if (options.interactive) {
        const { repl } = await import("./repl/repl.ts");
        done(await repl(file, options, io));
        return;
      }
      const { run } = await import("./run/command.ts");
      done(await run(file, options, io, argv));
    });
  addReplOptions(add("repl [file]", "step, look, go back: the debugger; without a file a scratchpad")).action(
    async (file: string | undefined, options) => {
      const { repl } = await import("./repl/repl.ts");
      done(await repl(file, options, io));
    },
  );
  addCheckOptions(
    addOutputOptions(
      add("check <path...>", "run the golden checks in files, folders and patterns"),
      "list every case, and print the place of a bug in ptxrun",
      "print failures only, and nothing where all passes",
    ),
  ).action(async (paths: string[], options) => {
    const { check } = await import("./check/command.ts");
    done(await check(paths, options, io));
  });
  addDiffOptions(
    addRunOptions(add("diff [path...]", "run two programs with the same inputs, and say where their results differ")),
  ).action(async (paths: string[], options) => {
    const { diff } = await import("./diff/command.ts");
    done(await diff(paths, options, io));
  });
  addExecOptions(
    add("exec <program> [args...]", "run a program that calls CUDA, with ptxrun's libraries in place of the real ones"),
  ).action(async (name: string, args: string[], options: ExecOptions) => {
    const { exec } = await import("./exec/command.ts");
    done(await exec(name, args, options, io));
  });
  addSourceOption(
    addTraceOptions(
      add("trace [file]", "run a program and print each executed instruction, as a line of JSON or as text"),
    ),
  ).action(async (file: string | undefined, options) => {
    const { trace } = await import("./trace/command.ts");
    done(await trace(file, options, io));
  });
  addLintLimits(addOutputOptions(add("lint <path...>", "parse and validate, run nothing")))
    .option("--target <name>", "sm_90 and the like, for snippets")
    .option("--ptx <version>", "8.8 and the like, for snippets")
    .option("--platform <name>", "of vISA: SKL, TGLLP, DG2, PVC, XE2 and the like")
    .option("--json", "print the diagnostics as JSON")
    .action(async (paths: string[], options) => {
      const { lintCommand } = await import("./lint/command.ts");
      done(lintCommand(paths, options, io));
    });
  addColourOptions(add("isa [glob]", "list the supported instructions, from the table"))
    .addOption(new Option("--json", "as JSON").conflicts(["md", "coverage"]))
    .addOption(new Option("--md", "as Markdown").conflicts("coverage"))
    .option("--coverage", "how many forms of each section run, as a Markdown table")
    .action(async (glob: string | undefined, options) => {
      const { isa } = await import("./isa/command.ts");
      done(isa(glob, options, io));
    });
  addOutputOptions(
    add("explain <what...>", "explain a code, values, an instruction, or one at work on NAME=VALUE operands"),
  )
    .option("--as <types>", "the types to read a value as, such as f16,bf16")
    .option("--arch <name>", "sm_90 and the like: whose tensor cores multiply one row of a by one column of b")
    .option("--rnd <words>", "also the results by other roundings: all, or rn,rz and the like")
    .option("--json", "as JSON")
    .action(async (what: string[], options) => {
      const { explain } = await import("../explain/command.ts");
      done(explain(what.join(" "), options, io));
    });
  addSweepOptions(
    addOutputOptions(
      add("sweep <form>", "run many inputs through an instruction and through others, and say how far they are apart"),
      "print more: how fast it went, and the place of a bug in ptxrun",
      "print no differences, only their numbers",
    ),
  ).action(async (form: string, options) => {
    const { sweep } = await import("./sweep/command.ts");
    done(sweep(form, options, io));
  });
  addLitmusOptions(
    addOutputOptions(
      add("litmus <path...>", "every outcome that the memory model allows of small programs of several threads"),
      "print the place of a bug in ptxrun",
      "print only what is not as stated",
    ),
  ).action(async (paths: string[], options) => {
    const { litmus } = await import("./litmus/command.ts");
    done(litmus(paths, options, io));
  });
  addCampaignOptions(
    addOutputOptions(
      add("campaign", "run many parts on many machines, and put their results together"),
      "print a line for each part that is done, and the place of a bug in ptxrun",
      "print no line for a shard that is done",
    ),
  ).action(async (action: "run" | "merge" | "plan", path: string, options) => {
    const { campaign } = await import("./campaign/command.ts");
    done(await campaign(action, path, options, io, main));
  });
  add("dap", "the debug adapter, for editors: on standard input and output, or on a socket")
    .option("--socket <path>", "listen at this path, for this user alone")
    .action(async (options) => {
      const { dap } = await import("./dap/command.ts");
      done(await dap(options, io));
    });
  add("lsp", "the language server, for editors: on standard input and output")
    .option("--stdio", "the only way to speak with it")
    .option("--target <name>", "sm_90 and the like, for texts that state none")
    .option("--ptx <version>", "8.8 and the like, for texts that state none")
    .option("--platform <name>", "of vISA: SKL, TGLLP, DG2, PVC, XE2 and the like")
    .action(async (options) => {
      const { lsp } = await import("./lsp/command.ts");
      done(await lsp(options, io));
    });
  addOutputOptions(add("visa", "turn vISA text into an object, or an object into text"))
    .addArgument(new Argument("<action>", "what to do").choices(["asm", "disasm"]))
    .argument("<file>", "the text or the object; - for standard input")
    .option("-o, --output <file>", "write the result to a file; an object is printed in hexadecimal without")
    .addOption(new Option("--version <number>", "of the object that asm writes (default 4.1)").choices(objectVersions))
    .action(async (action: "asm" | "disasm", file: string, options) => {
      const { visaCommand } = await import("./visa/command.ts");
      done(visaCommand(action, file, options, io));
    });
  add("completion", "print a completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: ShellName) => {
      const { completion } = await import("./completion/command.ts");
      done(completion(shell, program, io));
    });
  add("kernels-for", "what completion scripts ask for: kernels that a line's last word may be", { hidden: true })
    .argument("<shell>", "the shell")
    .argument("<line>", "the line up to the cursor")
    .action(async (shell: string, line: string) => {
      const { kernelsFor } = await import("./completion/command.ts");
      done(kernelsFor(shell, line, program, io));
    });
  add("man", "print the manual page").action(async () => {
    const { man } = await import("./man/command.ts");
    done(man(program, io));
  });
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
