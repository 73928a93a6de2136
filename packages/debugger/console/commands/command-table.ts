import { mnemonics } from "../../../../src/isa/index.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { type LinePart, refuse, within } from "../expression/refusal.ts";
import type { Command } from "./command.ts";

/** A command, its argument, and the format after a slash. */
export interface Called {
  readonly command: Command;
  readonly argument: LinePart;
  readonly format: LinePart;
}

/** Commands of other debuggers, and the command that does the same here. */
const foreign: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "info regs": "regs registers reg",
    "info threads": "threads",
    "info warps": "warps blocks",
    "info break": "breakpoints",
    "info buffers": "buffers variables vars",
    where: "stack callstack",
    print: "ptype whatis eval call output echo printf show",
    restart: "kill start reset",
    x: "mem memory examine hexdump",
    delete: "clear remove",
    quit: "bye logout",
    list: "source-line code",
    "reverse-continue": "reverse rewind",
    load: "exec attach",
  }).flatMap(([here, there]) => there.split(" ").map((word) => [word, here] as const)),
);

const instructions: ReadonlySet<string> = new Set(mnemonics);

/** The commands, found by their names, their short forms and the beginnings of their names. */
export class CommandTable {
  /** In the order of `help`. */
  readonly commands: readonly Command[];
  readonly #byWord: ReadonlyMap<string, Command>;

  constructor(commands: readonly Command[]) {
    this.commands = commands;
    this.#byWord = new Map(
      commands.flatMap((command) => [command.name, ...(command.short ?? [])].map((word) => [word, command] as const)),
    );
  }

  /** Splits a line into command, format and argument; throws a `Refusal` (PTX2401, PTX2402). */
  find(line: LinePart): Called {
    const [word = ""] = /^[A-Za-z][\w-]*/.exec(line.text) ?? [];
    const slash = line.text[word.length] === "/" ? (/^\/\S*/.exec(line.text.slice(word.length))?.[0] ?? "") : "";
    const name = within(line, 0, word.length);
    const command = this.named(word, word === "" ? line : name);
    const format = within(line, word.length + (slash === "" ? 0 : 1), word.length + slash.length);
    if (slash !== "" && !command.formats)
      throw refuse("PTX2402", `${command.name} takes no format`, format, { expected: command.usage });
    return { command, format, argument: within(line, word.length + slash.length) };
  }

  /** The command that a word or the beginning of one means; throws a `Refusal` (PTX2401). */
  named(word: string, at: LinePart): Command {
    const exact = this.#byWord.get(word);
    if (exact !== undefined) return exact;
    const begun = word === "" ? [] : this.commands.filter(({ name }) => name.startsWith(word));
    const [only] = begun;
    if (begun.length === 1 && only !== undefined) return only;
    if (begun.length > 1)
      throw refuse("PTX2401", `${word} may be several commands`, at, {
        expected: begun.map(({ name }) => name).join(", "),
      });
    throw refuse("PTX2401", `unknown command ${word === "" ? at.text : word}`, at, {
      expected: "a command (help lists them) or an instruction",
      meant: foreign.get(word.toLowerCase()) ?? this.#meant(word),
    });
  }

  /**
   * The name, short form or beginning of a name (`cotn`: continue) that is closest to a word; short words match too
   * easily.
   */
  #meant(word: string): string | undefined {
    const known = [...this.#byWord.keys()].filter((each) => each.length > 2);
    const direct = nearest(word, known);
    if (direct !== undefined || word.length < 4) return direct;
    const begun = nearest(
      word,
      known.map((each) => each.slice(0, word.length)),
    );
    const possible = this.commands.filter(({ name }) => begun !== undefined && name.startsWith(begun));
    return possible.length === 1 ? possible[0]?.name : undefined;
  }

  /**
   * Whether a line is PTX: a guard, a label, a block, a directive, or a mnemonic that is no command's name. A modifier
   * after it decides (`set x = 1` is a command, `set.lt.u32.u32` an instruction). A line of vISA has its channels there:
   * `add (M1, 16)`.
   */
  isInstruction(text: string, visa = false): boolean {
    if (visa && /^(?:\(!?\w+(?:\.\w+)?\)\s*)?[a-z][\w.]*\s*\((?:\w+\s*,\s*)?\d+\)\s/.test(text))
      return !this.#byWord.has(/^\w*/.exec(text)?.[0] ?? "");
    if (/^(@|\{|\.[a-z]|[\w$%]+\s*:(?!:))/.test(text)) return true;
    const [, word = "", dot] = /^([a-z]\w*)(\.)?/.exec(text) ?? [];
    if (dot !== undefined) return true;
    return !this.#byWord.has(word) && instructions.has(word);
  }
}
