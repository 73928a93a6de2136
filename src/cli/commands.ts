import { Argument, type Command, CommanderError, Option } from "commander";
import type { SweepOptions } from "../../packages/lab/sweep/plan.ts";
import { objectVersions } from "../../packages/visa/src/binary/version.ts";
import type { ExplainOptions } from "../explain/command.ts";
import type { RunCommandOptions } from "../launch/options.ts";
import type { CommandIo } from "../system/command-io.ts";
import { addCampaignOptions } from "./campaign/arguments.ts";
import type { Action, CampaignOptions } from "./campaign/command.ts";
import type { CeOptions } from "./ce/command.ts";
import { addCheckOptions, addDiffOptions, addLintOptions } from "./check/arguments.ts";
import type { CheckOptions } from "./check/command.ts";
import type { ShellName } from "./completion/command.ts";
import type { DapOptions } from "./dap/command.ts";
import type { DiffCommandOptions } from "./diff/command.ts";
import type { DoctorOptions } from "./doctor/command.ts";
import { addExecOptions, type ExecOptions } from "./exec/options.ts";
import { addFormat, formatOption, sameAs } from "./format.ts";
import { topics } from "./help/topics.ts";
import { addHuntOptions } from "./hunt/arguments.ts";
import type { HuntOptions } from "./hunt/command.ts";
import type { IsaOptions } from "./isa/command.ts";
import type { LinkOptions } from "./link/command.ts";
import type { LintOptions } from "./lint/command.ts";
import type { LitOptions } from "./lit/command.ts";
import { addLitmusOptions, type LitmusOptions } from "./litmus/arguments.ts";
import type { LspOptions } from "./lsp/command.ts";
import { addMcpOptions, type McpOptions } from "./mcp/options.ts";
import { addReplOptions } from "./repl/options.ts";
import type { ReplOptions } from "./repl/repl.ts";
import {
  addCeOptions,
  addColourOptions,
  addDoctorOptions,
  addJobsOption,
  addOutputOptions,
  addRunOptions,
  addSourceOption,
  addTraceOptions,
  group,
} from "./run/options.ts";
import { addSweepOptions } from "./sweep/arguments.ts";
import type { TraceCommandOptions } from "./trace/command.ts";
import type { VisaOptions } from "./visa/command.ts";

/** The arguments of a command: commander has checked that they are as `takes` declares them. */
export interface Called<Args, Options> {
  readonly args: Args;
  readonly options: Options;
  readonly io: CommandIo;
  /** The complete command line. */
  readonly argv: readonly string[];
  /** All commands, for commands that describe them. */
  readonly program: Command;
  /** Runs another command line. */
  readonly main: (argv: readonly string[], io: CommandIo) => Promise<number>;
}

interface CommandEntry {
  /** The command's name, and its arguments in commander's syntax. */
  readonly syntax: string;
  /** A line of --help, 66 columns at most. */
  readonly about: string;
  /** The heading of --help under which it stands. */
  readonly group?: "Run" | "Debug" | "Check" | "Explain" | "Explore" | "Serve" | "Build" | "Help";
  readonly is?: { readonly isDefault?: boolean; readonly hidden?: boolean };
  readonly takes?: (command: Command) => Command;
  /** Loads the command's code only now, because start-up takes most of a run's time. Returns the exit code. */
  run(called: Called<unknown, unknown>): Promise<number>;
}

const target = (command: Command, when: string, texts: string): Command =>
  command
    .option("--target <name>", `sm_90 and the like, ${when}`)
    .option("--ptx <version>", `8.8 and the like, for ${texts}`)
    .option("--platform <name>", "of vISA: SKL, TGLLP, DG2, PVC, XE2 ...");

/** Several words are files to be linked if each could be one: a value without its option, or a command misspelled, is none. */
const isFileName = (word: string): boolean => word === "-" || /^[^=]*\.\w+$/.test(word);

/** What --help names. */
const names = (): string[] =>
  commandTable.flatMap(({ syntax, is }) => (is?.hidden ? [] : (syntax.split(" ")[0] ?? [])));

/** All commands, in the order of `--help`. */
export const commandTable: readonly CommandEntry[] = [
  {
    syntax: "run [file] [others...]",
    about: "run a program and print its final state (the default command)",
    group: "Run",
    is: { isDefault: true },
    takes: (command) =>
      addSourceOption(addJobsOption(addRunOptions(command)))
        .optionsGroup(group.closer)
        .option("-i, --interactive", "step through it in the REPL")
        .option("--list", "list the modules of a file and their kernels")
        .optionsGroup(group.output),
    run: async ({
      args: [file, linkedWith],
      options: given,
      io,
      argv,
    }: Called<
      [string | undefined, string[]],
      RunCommandOptions & { readonly interactive?: boolean; readonly list?: boolean }
    >) => {
      if (linkedWith.length > 0 && ![file ?? "", ...linkedWith].every(isFileName))
        throw new CommanderError(1, "commander.excessArguments", "one argument too many");
      const options = linkedWith.length === 0 ? given : { ...given, linkedWith };
      if (options.list) return (await import("./run/module-list.ts")).listModules(file, options, io);
      return options.interactive
        ? (await import("./repl/repl.ts")).repl(file, options, io)
        : (await import("./run/command.ts")).run(file, options, io, argv);
    },
  },
  {
    syntax: "exec <program> [args...]",
    about: "run a program that calls CUDA, with ptxrun's libraries",
    group: "Run",
    takes: addExecOptions,
    run: async ({ args: [name, args], options, io }: Called<[string, string[]], ExecOptions>) =>
      (await import("./exec/command.ts")).exec(name, args, options, io),
  },
  {
    syntax: "repl [file]",
    about: "step, look, go back: the debugger; without a file a scratchpad",
    group: "Debug",
    takes: addReplOptions,
    run: async ({ args: [file], options, io }: Called<[string | undefined], ReplOptions>) =>
      (await import("./repl/repl.ts")).repl(file, options, io),
  },
  {
    syntax: "trace [file]",
    about: "print each executed instruction, as JSON or as text",
    group: "Debug",
    takes: (command) => addSourceOption(addTraceOptions(command)),
    run: async ({ args: [file], options, io }: Called<[string | undefined], TraceCommandOptions>) =>
      (await import("./trace/command.ts")).trace(file, options, io),
  },
  {
    syntax: "check <path...>",
    about: "run the golden checks in files, folders and patterns",
    group: "Check",
    takes: (command) =>
      addCheckOptions(
        addOutputOptions(
          command,
          "list every case, and print the place of a bug in ptxrun",
          "print failures only, and nothing where all passes",
        ),
      ),
    run: async ({ args: [paths], options, io }: Called<[string[]], CheckOptions>) =>
      (await import("./check/command.ts")).check(paths, options, io),
  },
  {
    syntax: "lint <path...>",
    about: "parse and validate, run nothing",
    group: "Check",
    takes: (command) =>
      addFormat(
        target(addLintOptions(addOutputOptions(command)), "instead of what .target says", "snippets"),
        "github",
      ),
    run: async ({ args: [paths], options, io }: Called<[string[]], LintOptions>) =>
      (await import("./lint/command.ts")).lintCommand(paths, options, io),
  },
  {
    syntax: "doctor [file]",
    about: "what is wrong with a kernel: infers launches, runs every check",
    group: "Check",
    takes: (command) =>
      addDoctorOptions(command).option("--self", "without a file: what is installed and works here, for a bug report"),
    run: async ({
      args: [file],
      options,
      io,
      main,
    }: Called<[string | undefined], DoctorOptions & { readonly self?: boolean }>) => {
      if (file !== undefined && options.self)
        throw new CommanderError(1, "commander.excessArguments", "one argument too many");
      if (options.self) return (await import("./doctor/self.ts")).doctorSelf(options, io, main);
      if (file === undefined)
        throw new CommanderError(1, "commander.missingArgument", "error: missing required argument 'file'");
      return (await import("./doctor/command.ts")).doctor(file, options, io);
    },
  },
  {
    syntax: "diff [path...]",
    about: "two programs, the same inputs: where do results differ, and why",
    group: "Check",
    takes: (command) => addDiffOptions(addRunOptions(command)),
    run: async ({ args: [paths], options, io }: Called<[string[]], DiffCommandOptions>) =>
      (await import("./diff/command.ts")).diff(paths, options, io),
  },
  {
    syntax: "lit <test> [ptx]",
    about: "run what a compiler made of a test, as its comments say",
    group: "Check",
    takes: (command) =>
      addFormat(
        addOutputOptions(command, undefined, "print failures only").option(
          "--mark <word>",
          "what comes before a directive in a comment (default PTXTEST:)",
        ),
      ),
    run: async ({ args: [test, ptx], options, io }: Called<[string, string | undefined], LitOptions>) =>
      (await import("./lit/command.ts")).lit(test, ptx, options, io),
  },
  {
    syntax: "ce [ptx]",
    about: "run a compiler's output as a tool of Compiler Explorer",
    group: "Check",
    takes: addCeOptions,
    run: async ({ args: [ptx], options, io }: Called<[string | undefined], CeOptions>) =>
      (await import("./ce/command.ts")).ce(ptx, options, io),
  },
  {
    syntax: "explain <what...>",
    about: "a code, values, an instruction at work, a register, a target",
    group: "Explain",
    takes: (command) =>
      addFormat(
        addOutputOptions(command)
          .option("--as <types>", "the types to read a value as, such as f16,bf16")
          .option("--arch <name>", "whose tensor cores multiply a row by a column")
          .option("--rnd <words>", "results by other roundings too: all, or rn,rz"),
      ),
    run: async ({ args: [what], options, io }: Called<[string[]], ExplainOptions>) =>
      (await import("../explain/command.ts")).explain(what.join(" "), options, io),
  },
  {
    syntax: "isa [glob]",
    about: "list the supported instructions, from the table",
    group: "Explain",
    takes: (command) =>
      addColourOptions(command)
        .addOption(formatOption(["text", "json", "md", "coverage"]))
        .addOption(sameAs("--json", "json").conflicts(["md", "coverage"]))
        .addOption(sameAs("--md", "md").conflicts("coverage"))
        .addOption(sameAs("--coverage", "coverage")),
    run: async ({ args: [glob], options, io }: Called<[string | undefined], IsaOptions>) =>
      (await import("./isa/command.ts")).isa(glob, options, io),
  },
  {
    syntax: "sweep <form>",
    about: "many inputs through an instruction: how far off is it",
    group: "Explore",
    takes: (command) =>
      addSweepOptions(
        addOutputOptions(
          command,
          "print more: how fast it went, and the place of a bug in ptxrun",
          "print no differences, only their numbers",
        ),
      ),
    run: async ({ args: [form], options, io }: Called<[string], SweepOptions>) =>
      (await import("./sweep/command.ts")).sweep(form, options, io),
  },
  {
    syntax: "litmus [path...]",
    about: "every outcome that the memory model allows of small programs",
    group: "Explore",
    takes: (command) =>
      addLitmusOptions(
        addOutputOptions(command, "print the place of a bug in ptxrun", "print only what is not as stated"),
      ),
    run: async ({ args: [paths], options, io }: Called<[string[]], LitmusOptions>) => {
      const { from } = options;
      if (paths.length === 0 && from === undefined)
        throw new CommanderError(1, "commander.missingArgument", "error: missing required argument 'path'");
      if (from === undefined) return (await import("./litmus/command.ts")).litmus(paths, options, io);
      if (paths.length > 0) throw new CommanderError(1, "commander.excessArguments", "one argument too many");
      return (await import("./litmus/excerpt.ts")).excerpt(from, options, io);
    },
  },
  {
    syntax: "hunt",
    about: "random programs through compilers: which get them wrong",
    group: "Explore",
    takes: (command) =>
      addHuntOptions(addOutputOptions(command, "print the place of a bug in ptxrun", "print what is found only")),
    run: async ({ options, io }: Called<[], HuntOptions>) => (await import("./hunt/command.ts")).hunt(options, io),
  },
  {
    syntax: "campaign",
    about: "run many parts on many machines, and put results together",
    group: "Explore",
    takes: (command) =>
      addCampaignOptions(
        addOutputOptions(
          command,
          "print a line for each part that is done, and the place of a bug in ptxrun",
          "print no line for a shard that is done",
        ),
      ),
    run: async ({ args: [action, path], options, io, main }: Called<[Action, string], CampaignOptions>) =>
      (await import("./campaign/command.ts")).campaign(action, path, options, io, main),
  },
  {
    syntax: "dap",
    about: "the debug adapter, for editors: standard streams or a socket",
    group: "Serve",
    takes: (command) => command.option("--socket <path>", "listen at this path, for this user alone"),
    run: async ({ options, io }: Called<[], DapOptions>) => (await import("./dap/command.ts")).dap(options, io),
  },
  {
    syntax: "lsp",
    about: "the language server, for editors: standard streams",
    group: "Serve",
    takes: (command) =>
      target(
        command.option("--stdio", "the only way to speak with it"),
        "for texts that state none",
        "texts that state none",
      ),
    run: async ({ options, io }: Called<[], LspOptions>) => (await import("./lsp/command.ts")).lsp(options, io),
  },
  {
    syntax: "mcp",
    about: "tools for agents (Model Context Protocol): standard streams",
    group: "Serve",
    takes: addMcpOptions,
    run: async ({ options, io, program, main }: Called<[], McpOptions>) =>
      (await import("./mcp/command.ts")).mcp(options, io, program, main),
  },
  {
    syntax: "link <file...>",
    about: "link PTX modules, as nvlink joins objects",
    group: "Build",
    takes: (command) =>
      addOutputOptions(command)
        .option("-o, --output <file>", "write the text to a file")
        .option("--target <name>", "sm_90 and the like: of files with PTX for several, which is taken"),
    run: async ({ args: [files], options, io }: Called<[string[]], LinkOptions>) =>
      (await import("./link/command.ts")).linkCommand(files, options, io),
  },
  {
    syntax: "visa",
    about: "turn vISA text into an object, or an object into text",
    group: "Build",
    takes: (command) =>
      addOutputOptions(command)
        .addArgument(new Argument("<action>", "what to do").choices(["asm", "disasm"]))
        .argument("<file>", "the text or the object; - for standard input")
        .option("-o, --output <file>", "write the result to a file; an object is printed in hexadecimal without")
        .addOption(
          new Option("--version <number>", "of the object that asm writes (default 4.1)").choices(objectVersions),
        ),
    run: async ({ args: [action, file], options, io }: Called<["asm" | "disasm", string], VisaOptions>) =>
      (await import("./visa/command.ts")).visaCommand(action, file, options, io),
  },
  {
    syntax: "help",
    about: "this list; of a command its options, of a topic its page",
    group: "Help",
    takes: (command) =>
      command.addArgument(
        new Argument("[topic]", "a command or a topic").choices([...new Set([...names(), ...Object.keys(topics)])]),
      ),
    run: async ({ args: [topic], io, program }: Called<[string | undefined], unknown>) =>
      (await import("./help/command.ts")).help(topic, program, io),
  },
  {
    syntax: "man",
    about: "print a manual page: of ptxrun, or of one command",
    group: "Help",
    takes: (command) => command.addArgument(new Argument("[command]", "whose page").choices(names())),
    run: async ({ args: [name], io, program }: Called<[string | undefined], unknown>) =>
      (await import("./man/command.ts")).man(name, program, io),
  },
  {
    syntax: "completion",
    about: "print a completion script for a shell",
    group: "Help",
    takes: (command) => command.addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"])),
    run: async ({ args: [shell], io, program }: Called<[ShellName], unknown>) =>
      (await import("./completion/command.ts")).completion(shell, program, io),
  },
  {
    syntax: "kernels-for",
    about: "what completion scripts ask for: kernels that a line's last word may be",
    is: { hidden: true },
    takes: (command) => command.argument("<shell>", "the shell").argument("<line>", "the line up to the cursor"),
    run: async ({ args: [shell, line], io, program }: Called<[string, string], unknown>) =>
      (await import("./completion/command.ts")).kernelsFor(shell, line, program, io),
  },
];
