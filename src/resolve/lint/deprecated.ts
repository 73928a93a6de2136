import type { Program } from "../../interp/contract/program.ts";
import { match } from "../../isa/match/match.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { showVersion } from "../module/header/target.ts";

/** A warning for each instruction of a form that its entry calls deprecated (PTX9105). */
export function deprecatedForms({ code, source }: Program): readonly Diagnostic[] {
  const known = new Map<string, ReturnType<typeof deprecation>>();
  return code.flatMap(({ opcode, span }): Diagnostic[] => {
    if (!known.has(opcode)) known.set(opcode, deprecation(opcode));
    const found = known.get(opcode);
    if (found === undefined) return [];
    const { since, use, manual } = found;
    return [
      {
        code: "PTX9105",
        severity: "warning",
        source,
        span,
        message: `${opcode} is deprecated since PTX ${showVersion(since)}`,
        expected: use,
        help: [{ message: `use ${use}, with the lanes that reach it as its membermask, where it takes one` }],
        manual,
      },
    ];
  });
}

function deprecation(opcode: string) {
  const [mnemonic = "", ...words] = opcode.split(".");
  const found = match(mnemonic, words, opcode);
  if (found.kind !== "forms") return undefined;
  const [{ form }] = found.candidates;
  return form.deprecated && { ...form.deprecated, manual: form.manual };
}
