import { continuations, mnemonics } from "../../../../src/isa/index.ts";
import type { Shell } from "../shell.ts";
import { events } from "./breaking.ts";
import type { Command } from "./command.ts";
import type { CommandTable } from "./command-table.ts";

/** Completions of the word at the end of a line, and that word, in the form of node's readline. */
export function complete(table: CommandTable, shell: Shell, line: string): [string[], string] {
  let at = line.length;
  while (at > 0 && !/[\s,;()[\]{}!=+*]/.test(line.charAt(at - 1))) at--;
  const [before, word] = [line.slice(0, at), line.slice(at)];
  return [candidates(table, shell, before, word).filter((each) => each.startsWith(word)), word];
}

function candidates(table: CommandTable, shell: Shell, before: string, word: string): string[] {
  if (/^\s*(?:@!?%?\w+\s+)?$/.test(before)) {
    if (word.includes(".")) return spelled(word);
    const guarded = before.trim() !== "";
    return [...(guarded ? [] : table.commands.map(({ name }) => name)), ...(word === "" ? [] : mnemonics)].sort();
  }
  const [name = ""] = before.trim().split(/[\s/]/);
  const known = table.commands.find((command) => command.name === name || command.short?.includes(name));
  if (table.isInstruction(before.trim()) || known === undefined) return registersAndMore(shell);
  return forCommand(table, shell, known, before);
}

/** `add.rn.` and the words that may follow it. */
function spelled(word: string): string[] {
  const parts = word.split(".");
  const [mnemonic = "", ...words] = parts.slice(0, -1);
  return continuations(mnemonic, words)
    .map((next) => [...parts.slice(0, -1), next].join("."))
    .sort();
}

function forCommand(table: CommandTable, shell: Shell, { takes, words = [] }: Command, before: string): string[] {
  const { program } = shell.debugger.session;
  const labels = [...(program.labels ?? []).map(({ name }) => name), ...program.functions.map(({ name }) => name)];
  const condition = /\sif\s/.test(before);
  switch (takes) {
    case "place":
      return condition ? registersAndMore(shell) : [...labels, ...words];
    case "expression":
      return [...registersAndMore(shell), ...words];
    case "command":
      return table.commands.map(({ name }) => name);
    case "event":
      return [...events];
    case "topic":
      return /\s\S+\s/.test(before) ? shell.debugger.registers().map(({ name }) => name) : [...words];
    default:
      return [...words];
  }
}

function registersAndMore(shell: Shell): string[] {
  return [...new Set([...shell.subject.names.all(), "$step", "$pc", "$_"])];
}
