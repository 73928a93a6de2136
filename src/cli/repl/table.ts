import { mnemonics } from "../../isa/index.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Command } from "./command.ts";
import { goingBack } from "./commands-back.ts";
import { breaking } from "./commands-breaking.ts";
import { changing } from "./commands-changing.ts";
import { looking } from "./commands-looking.ts";
import { running } from "./commands-running.ts";
import { shellCommands } from "./commands-shell.ts";
import { type Part, refuse, within } from "./refusal.ts";

/** Every command, in the order of `help`. */
export const commands: readonly Command[] = [
  ...running,
  ...goingBack,
  ...breaking,
  ...looking,
  ...changing,
  ...shellCommands,
];

const byWord: ReadonlyMap<string, Command> = new Map(
  commands.flatMap((command) => [command.name, ...(command.short ?? [])].map((word) => [word, command] as const)),
);

/** A command, its argument, and what stands behind a slash. */
export interface Called {
  readonly command: Command;
  readonly argument: Part;
  readonly format: Part;
}

/** Takes a line apart; throws a `Refusal` (PTX2401, PTX2402). */
export function find(line: Part): Called {
  const [word = ""] = /^[A-Za-z][\w-]*/.exec(line.text) ?? [];
  const slash = line.text[word.length] === "/" ? (/^\/\S*/.exec(line.text.slice(word.length))?.[0] ?? "") : "";
  const name = within(line, 0, word.length);
  const command = named(word, word === "" ? line : name);
  const format = within(line, word.length + (slash === "" ? 0 : 1), word.length + slash.length);
  if (slash !== "" && !command.formats)
    throw refuse("PTX2402", `${command.name} takes no format`, format, { expected: command.usage });
  return { command, format, argument: within(line, word.length + slash.length) };
}

/** The command that a word or the beginning of one means; throws a `Refusal` (PTX2401). */
export function named(word: string, at: Part): Command {
  const exact = byWord.get(word);
  if (exact !== undefined) return exact;
  const begun = word === "" ? [] : commands.filter(({ name }) => name.startsWith(word));
  const [only] = begun;
  if (begun.length === 1 && only !== undefined) return only;
  if (begun.length > 1)
    throw refuse("PTX2401", `${word} may be several commands`, at, {
      expected: begun.map(({ name }) => name).join(", "),
    });
  const known = [...byWord.keys()].filter((each) => each.length > 2);
  throw refuse("PTX2401", `there is no command ${word === "" ? at.text : word}`, at, {
    expected: "a command (help lists them) or an instruction",
    meant: nearest(word, known),
  });
}

const instructions: ReadonlySet<string> = new Set(mnemonics);

/**
 * Whether a line is PTX: a guard, a label, a block, a directive, or a mnemonic that is no command's name. A modifier
 * behind it settles the matter (`set x = 1` is a command, `set.lt.u32.u32` an instruction).
 */
export function isInstruction(text: string): boolean {
  if (/^(@|\{|\.[a-z]|[\w$%]+\s*:(?!:))/.test(text)) return true;
  const [, word = "", dot] = /^([a-z]\w*)(\.)?/.exec(text) ?? [];
  if (dot !== undefined) return true;
  return !byWord.has(word) && instructions.has(word);
}
