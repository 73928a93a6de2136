import type { Command, Option } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import { repeated } from "../reading.ts";

/** A tool: a command, and what stands for its arguments. */
export interface Tool {
  readonly name: string;
  readonly command: string;
  /** What an agent reads to choose it. */
  readonly about: string;
  /** How many programs it takes, each as a text or as a file; none where a word is its argument. */
  readonly programs: 0 | 1 | 2;
  readonly word?: { readonly name: string; readonly about: string; readonly needed: boolean };
  /** Exit codes with which it has answered what was asked. */
  readonly answers: readonly ExitCode[];
}

const ran: readonly ExitCode[] = [Exit.ok, Exit.fault, Exit.finding];

export const tools: readonly Tool[] = [
  {
    name: "run",
    command: "run",
    about:
      "Runs PTX (a module's kernel, or a snippet of instructions) without a GPU, and gives its final registers and buffers, faults and findings such as races, each with its line. Inputs: reg for a snippet's registers (a:f32=1.5), arg for a kernel's parameters (x=f32x64:iota, n=64).",
    programs: 1,
    answers: ran,
  },
  {
    name: "explain",
    command: "explain",
    about:
      "Explains a diagnostic's code (PTX1203), an instruction with values, step by step, down to its rounding (fma.rn.f16 a=0x3e94 b=1.5 c=0), the types a value may have (0x3c00), a special register (%laneid) or a target (sm_90).",
    programs: 0,
    word: { name: "what", about: "the code, instruction with values, value, register or target", needed: true },
    answers: [Exit.ok],
  },
  {
    name: "lint",
    command: "lint",
    about: "Finds errors in PTX, and doubtful code that ptxas accepts, each with its line and a way out. Runs nothing.",
    programs: 1,
    answers: [Exit.ok, Exit.rejected],
  },
  {
    name: "step",
    command: "repl",
    about:
      "Debugs a program: a call with a program begins a session and gives its number, calls with session go on in it. Commands are those of ptxrun's debugger: step, next, continue, break 12, back, info regs, print %f1, why %f1, x/4 [x]; help lists all.",
    programs: 1,
    answers: ran,
  },
  {
    name: "diff",
    command: "diff",
    about:
      "Runs two programs with the same inputs, drawn if none are given, and says whether results differ, and at which instruction they begin to.",
    programs: 2,
    answers: [Exit.ok, Exit.check],
  },
  {
    name: "litmus",
    command: "litmus",
    about:
      "Lists every outcome that PTX's memory model allows of a small concurrent program (.litmus, or PTX with //@ thread lines).",
    programs: 1,
    answers: [Exit.ok, Exit.check],
  },
  {
    name: "isa",
    command: "isa",
    about: "Lists instructions with syntax, operands, meaning, and the PTX version and target that have them.",
    programs: 0,
    word: { name: "glob", about: "a mnemonic or a pattern, such as cvt.*; all without", needed: false },
    answers: [Exit.ok],
  },
];

/** Options that no tool has: files that are written, who prints and how, limits that the server sets, other sources of programs. */
const left: ReadonlySet<string> = new Set([
  ...["output", "reporter", "report", "svg", "cache", "history"],
  ...["color", "verbose", "quiet", "format", "json", "text", "md", "coverage"],
  ...["maxSteps", "maxMem", "timeout", "jobs", "executor", "allowRead"],
  ...["eval", "list", "interactive", "batch", "shard", "from", "execute", "command", "sourceDir"],
]);

/** The options of its command that a tool has, by the names of their properties. */
export const optionsOf = (command: Command): ReadonlyMap<string, Option> =>
  new Map(
    command.options.filter((each) => !left.has(each.attributeName())).map((each) => [each.attributeName(), each]),
  );

/** A property of a tool's input, in the words of JSON Schema. */
export interface Property {
  readonly type: "string" | "boolean" | "array";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string" };
}

const text = (description: string): Property => ({ type: "string", description });

const detail: Property = {
  type: "boolean",
  description: "everything, as JSON where the command has it, in place of a short answer",
};

/** What a tool takes: its programs or its word, what only `step` has, the options of its command, and `detail`. */
export function propertiesOf({ name, programs, word }: Tool, command: Command): ReadonlyMap<string, Property> {
  const own: [string, Property][] = [];
  if (word !== undefined) own.push([word.name, text(word.about)]);
  if (programs > 0) own.push(["text", text("the program's text")], ["file", text("or its path")]);
  if (programs > 1) own.push(["other_text", text("the second program's text")], ["other_file", text("or its path")]);
  if (name === "step")
    own.push(
      ["session", text("the number of a session, to go on in it")],
      ["commands", { type: "array", description: "what to do, one after the other", items: { type: "string" } }],
    );
  for (const [key, option] of optionsOf(command)) own.push([key, propertyOf(option)]);
  return new Map([...own, ["detail", detail]]);
}

function propertyOf(option: Option): Property {
  const { description, argChoices, parseArg } = option;
  if (option.isBoolean()) return { type: "boolean", description };
  const placeholder = /<([^<>]*)>/.exec(option.flags)?.[1] ?? "value";
  if (parseArg === repeated)
    return { type: "array", description: `each ${placeholder}: ${description}`, items: { type: "string" } };
  return {
    type: "string",
    description: argChoices === undefined ? `${placeholder}: ${description}` : description,
    ...(argChoices && { enum: argChoices }),
  };
}
