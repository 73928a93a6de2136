import { problem } from "../../host/problem.ts";
import { isComputed } from "../../interp/contract/plan/effects.ts";
import { type Candidate, type Form, match, mnemonics } from "../../isa/index.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";

/** Thrown inside, caught by `readSide`: the first thing that is wrong with a sequence. */
export class Refused extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}
export const refuse = (code: "PTX2301" | "PTX2003", message: string, expected?: string, help?: string): never => {
  throw new Refused(
    problem(code, message, {
      ...(expected === undefined ? {} : { expected }),
      ...(help === undefined ? {} : { help: [{ message: help }] }),
    }),
  );
};

type Slot = Form["slots"][number];

/** The forms that a spelling has; a mnemonic alone takes the words of another as far as it has them. */
export function formsOf(spelling: string, others: readonly string[] | undefined): readonly Candidate[] {
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  if (found.kind === "forms") return found.candidates;
  if (words.length === 0 && others !== undefined) {
    for (const some of fewer(others)) {
      const borrowed = match(mnemonic, some);
      if (borrowed.kind === "forms") return borrowed.candidates;
    }
  }
  const near = nearest(mnemonic, mnemonics);
  if (found.kind !== "none")
    return refuse("PTX2301", `${mnemonic} is no instruction`, undefined, near && `did you mean ${near}?`);
  return refuse(
    "PTX2301",
    `${spelling} is no form of ${mnemonic}`,
    found.form.syntax,
    `ptxrun isa ${mnemonic} lists the forms`,
  );
}

/** The form that fits; only what is computed from values can be swept. */
export function usable(
  spelling: string,
  candidates: readonly Candidate[],
  fits: (each: Candidate) => boolean,
): Candidate {
  const computed = candidates.filter((each) => isComputed(each.plan()));
  if (computed.length === 0)
    refuse(
      "PTX2301",
      `${spelling} has no values to sweep: its result does not follow from its operands alone`,
      "an instruction that computes, such as add, cvt or setp; not memory, control or other lanes",
    );
  return (
    computed.find(fits) ??
    refuse(
      "PTX2301",
      `${spelling} needs its operands written here`,
      `${spelling} ${computed[0]?.form.syntax.split(" ").slice(1).join(" ")}, with a number for each constant`,
    )
  );
}

/** The operands that an instruction cannot leave out. */
export const required = ({ form, classes }: Candidate): readonly Slot[] =>
  form.slots.filter(({ name, optional }) => !optional && classes[name]?.kind !== "absent");

/** The whole spelling, where the words were the other side's. */
export function spelled({ form, mods }: Candidate, written: string): string {
  const words = form.modifiers.flatMap(({ name }) => {
    const value = mods[name];
    return value === undefined || value === false ? [] : [value === true ? name : String(value)];
  });
  return written.includes(".") || words.length === 0 ? written : [written, ...words].join(".");
}

/** All words, then fewer and fewer of them, in their order. */
function fewer(words: readonly string[]): string[][] {
  const few = words.slice(0, 8);
  return Array.from({ length: 2 ** few.length }, (_, mask) => few.filter((_, at) => (mask & (1 << at)) === 0)).sort(
    (a, b) => b.length - a.length,
  );
}
