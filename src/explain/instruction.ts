import { problem } from "../host/problem.ts";
import { completions, type Form, match, mnemonics, table } from "../isa/index.ts";
import { matchForm } from "../isa/match/match-form.ts";
import { spelling as leastSpelling, only } from "../present/form.ts";
import type { Palette } from "../present/palette.ts";
import { describeForms, formToJson, listForms } from "../present/table.ts";
import { nearest } from "../resolve/nearest.ts";
import { type Answer, type Explained, refused, said, unknown } from "./answer.ts";
import { firstRounded } from "./roundings.ts";
import { explainWorking, type Given } from "./working.ts";

/** A form of the table; with values for its operands, that form worked through. */
export function explainInstruction(text: string, given: Given, colours: Palette): Answer {
  const { values, rnd } = given;
  const [spelling = ""] = text.trim().split(/[\s;]/);
  const [mnemonic = "", ...words] = spelling.split(".");
  const found = match(mnemonic, words);
  if (found.kind === "forms") {
    const { candidates } = found;
    if (values.length > 0 || rnd !== undefined) return explainWorking(spelling, candidates, given, colours);
    const forms = candidates.map(({ form }) => form);
    return said({ text: describeForms(forms, colours, words), json: formsJson(forms, words) });
  }
  if (found.kind === "unknown" || found.kind === "crowded")
    return refused(unknown(`${mnemonic} is no code, value or instruction`, nearest(mnemonic, mnemonics)));
  if (rnd !== undefined) {
    const rounded = firstRounded(mnemonic, words, rnd);
    if (rounded !== undefined) return explainWorking(rounded.spelling, rounded.candidates, given, colours);
  }
  // Something may only be missing: add.rz.f16 is wrong, though the words are those of add.rz.f32.f16.
  const begun = completions(mnemonic, words).filter((form) =>
    matchForm(form, words).problems.every(({ kind }) => kind === "missing" || kind === "incomplete"),
  );
  if (begun.length > 0 && values.length === 0)
    return said({ text: begunText(spelling, begun, words, colours), json: formsJson(begun, words) });
  const { form } = found;
  const help = [{ message: `ptxrun isa ${mnemonic} lists the forms` }];
  if (begun.length > 0)
    return refused(
      problem("PTX2301", `${spelling} is not complete`, {
        expected: begun
          .slice(0, 3)
          .map((each) => leastSpelling(each, words))
          .join(", "),
        help,
      }),
    );
  return refused(problem("PTX2301", `${spelling} is no form of ${mnemonic}`, { expected: form.syntax, help }));
}

const formsJson = (forms: readonly Form[], words: readonly string[]): Explained["json"] => ({
  kind: "forms",
  table: "ptx",
  forms: forms.map((form) => formToJson(form, words)),
});

/** The forms that an incomplete spelling begins, as `isa` shows them. */
function begunText(spelling: string, forms: readonly Form[], words: readonly string[], colours: Palette): string {
  const heading = `${spelling} is not complete; ${forms.length === 1 ? "this form has" : `these ${forms.length} forms have`} its words:\n\n`;
  if (forms.length <= 12) return heading + describeForms(forms, colours, words);
  const chosen = new Set(forms);
  return (
    heading +
    listForms(
      only(table, (form) => chosen.has(form)),
      colours,
    )
  );
}
