import { globPattern, isGlob } from "../../environment/glob.ts";
import { problem } from "../../host/problem.ts";
import type { Program } from "../../interp/contract/program.ts";
import { optionSource } from "../../launch/value/assignment.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Staged } from "../../source/diagnostic.ts";

/** Which instructions a trace shows. */
export interface FilterOptions {
  /** An opcode with its modifiers, a pattern for some of them, or a mnemonic for all of its forms. */
  readonly opcode?: string;
  /** From this label up to the next one. */
  readonly label?: string;
}

/** The instructions that both options let through; an option that names nothing in the program is an error. */
export function filterOf(program: Program, { opcode, label }: FilterOptions): Staged<ReadonlySet<number> | undefined> {
  const { code } = program;
  let wanted = new Set(code.keys());
  if (label !== undefined) {
    const names = (program.labels ?? []).map(({ name }) => name);
    if (!names.includes(label)) return unknown("--label", label, names, "a label of the program");
    wanted = afterLabel(program, label);
  }
  if (opcode !== undefined) {
    const matches = matcher(opcode);
    const found = new Set([...code.keys()].filter((pc) => matches(code[pc]?.opcode ?? "")));
    const names = new Set(code.flatMap(({ opcode: each }) => [each, mnemonicOf(each)]));
    if (found.size === 0) return unknown("--opcode", opcode, names, "an instruction of the program");
    wanted = new Set([...wanted].filter((pc) => found.has(pc)));
  }
  return { value: wanted, diagnostics: [] };
}

/** The instructions after each label of that name, up to the next label or the end of the function. */
function afterLabel({ code, labels = [], functions }: Program, label: string): Set<number> {
  const ends = [
    ...labels.map(({ pc }) => pc),
    ...functions.flatMap(({ entry }) => (typeof entry === "number" ? [entry] : [])),
    code.length,
  ];
  const found = new Set<number>();
  for (const { name, pc: start } of labels) {
    if (name !== label) continue;
    const end = Math.min(...ends.filter((each) => each > start));
    for (let pc = start; pc < end; pc++) found.add(pc);
  }
  return found;
}

const mnemonicOf = (opcode: string): string => opcode.split(".")[0] ?? "";

function matcher(pattern: string): (opcode: string) => boolean {
  if (!isGlob(pattern)) return (opcode) => opcode === pattern || mnemonicOf(opcode) === pattern;
  const whole = globPattern(pattern);
  return (opcode) => whole.test(opcode);
}

function unknown(option: string, text: string, names: Iterable<string>, expected: string): Staged<undefined> {
  const meant = nearest(text, names);
  const diagnostic = problem("PTX2211", `${text} names nothing in the program`, {
    source: optionSource(option, text),
    span: { start: 0, end: text.length },
    expected,
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });
  return { value: undefined, diagnostics: [diagnostic] };
}
