import type { Program } from "../../interp/contract/program.ts";
import { match } from "../../isa/match/match.ts";
import { table } from "../../isa/table.ts";

/** Executions of one family of instructions: a section of the manual. */
export interface FamilyCount {
  /** `9.7.3`; empty for what is in no section: all of vISA. */
  readonly section: string;
  readonly title: string;
  readonly warp: number;
  readonly thread: number;
}

/** Adds up executions by section of the manual; `warps` and `threads` are by index of the instruction. */
export function familiesOf(
  { code, target }: Program,
  warps: Float64Array,
  threads: Float64Array,
): readonly FamilyCount[] {
  const found = new Map<string, { -readonly [K in keyof FamilyCount]: FamilyCount[K] }>();
  const known = new Map<string, Family>();
  for (const [pc, { opcode }] of code.entries()) {
    if (warps[pc] === 0) continue;
    const family = known.get(opcode) ?? (target === "" ? visa : familyOf(opcode));
    known.set(opcode, family);
    const sum = found.get(family.section) ?? { ...family, warp: 0, thread: 0 };
    found.set(family.section, sum);
    sum.warp += warps[pc] ?? 0;
    sum.thread += threads[pc] ?? 0;
  }
  return [...found.values()].sort((a, b) => b.warp - a.warp || (a.section < b.section ? -1 : 1));
}

type Family = Pick<FamilyCount, "section" | "title">;
const visa: Family = { section: "", title: "Intel vISA" };
const other: Family = { section: "", title: "other" };

/** The section that the form of an opcode stands in; several have an `add`. */
function familyOf(opcode: string): Family {
  const [mnemonic = "", ...words] = opcode.split(".");
  const having = table.filter(({ mnemonics }) => mnemonics.includes(mnemonic));
  const [first = undefined] = having;
  if (first === undefined) return other;
  const found = having.length === 1 ? undefined : match(mnemonic, words);
  const form = found?.kind === "forms" ? found.candidates[0].form : undefined;
  const { number, title } = having.find(({ forms }) => form !== undefined && forms.includes(form)) ?? first;
  return { section: number, title };
}
