import type { Form } from "../../isa/form/define.ts";
import { clash, continuations, modifierWords } from "../../isa/match/match.ts";
import { isRounding, isType, matchForm, type Problem } from "../../isa/match/match-form.ts";
import { nameParts, roundings } from "../../isa/match/vocabulary.ts";
import { formsOf } from "../../isa/table.ts";
import type * as ast from "../../parser/ast.ts";
import { nearest } from "../nearest.ts";
import { type Report, reject } from "../report.ts";

/** Explains why an instruction does not match its nearest form: one diagnostic for each cause. */
export function explainMismatch(
  instruction: ast.Instruction,
  form: Form,
  problems: readonly Problem[],
  report: Report,
): void {
  const words = instruction.modifiers.map(({ text }) => text);
  const unknown = problems.filter(
    (problem) => (problem.kind === "foreign" || problem.kind === "type") && isUnknown(words[problem.at] ?? ""),
  );
  // An unknown word explains everything that seems to be missing.
  const { mnemonic } = instruction;
  const told =
    unknown.length > 0 ? unknown : problems.filter((problem) => !isExplained(problem, problems, mnemonic.text, words));
  let types = false;
  for (const problem of told) {
    const badType =
      problem.kind === "type" || (problem.kind === "missing" && isType(problem.modifier)) ? true : undefined;
    if (badType && unknown.length === 0) {
      if (!types) rejectTypes(instruction, form, words, problems, report);
      types = true;
    } else explain(problem, instruction, form, words, report);
  }
}

/** A word is missing because another, which the form does not have, is in its place: `setp.lo.s32`. */
function isExplained(problem: Problem, all: readonly Problem[], mnemonic: string, words: readonly string[]): boolean {
  if (problem.kind !== "missing") return false;
  const { name } = problem.modifier;
  return all.some((other) => {
    if (other.kind !== "foreign") return false;
    const word = words[other.at] ?? "";
    if (isRounding(problem.modifier) && roundings.has(word)) return true;
    return formsOf(mnemonic).some(({ modifiers }) =>
      modifiers.some((modifier) => modifier.name === name && modifier.choices.includes(word)),
    );
  });
}

const isUnknown = (word: string): boolean => !modifierWords().has(word);

/** `.rn, .ftz or .sat`. */
export function listWords(words: readonly string[]): string {
  const dotted = words.slice(0, 12).map((word) => `.${word}`);
  if (words.length > dotted.length) return `${dotted.join(", ")} ...`;
  const last = dotted.pop() ?? "";
  return dotted.length === 0 ? last : `${dotted.join(", ")} or ${last}`;
}

/** `add.f16x2`: the name as far as it tells which instruction is meant. */
function nameOf(form: Form, words: readonly string[]): string {
  let from = 0;
  const telling = form.modifiers.flatMap((modifier) => {
    const part = modifier.choices.every((choice) => nameParts.has(choice));
    if (!isType(modifier) && !part) return [];
    const at = words.findIndex((word, index) => (part || index >= from) && modifier.choices.includes(word));
    const written = words[at];
    if (!part && written !== undefined) from = at + 1;
    return written !== undefined ? [written] : modifier.choices.length === 1 ? modifier.choices : [];
  });
  return [form.mnemonic, ...telling].join(".");
}

/** The words that the form takes, without those that are already written. */
function freeWords(form: Form, words: readonly string[]): readonly string[] {
  return form.modifiers
    .filter((modifier) => !isType(modifier) && !modifier.choices.some((choice) => words.includes(choice)))
    .flatMap(({ choices }) => choices);
}

/** The words that complete a form, when only one word is missing: `.lo`, `.hi` or `.wide`. */
const missingWords = (mnemonic: string, words: readonly string[]): readonly string[] =>
  formsOf(mnemonic).flatMap((form) => {
    const [problem, ...more] = matchForm(form, words).problems;
    return problem?.kind === "missing" && more.length === 0 ? problem.modifier.choices : [];
  });

function rejectTypes(
  instruction: ast.Instruction,
  form: Form,
  words: readonly string[],
  problems: readonly Problem[],
  report: Report,
): void {
  const written = instruction.modifiers.filter(({ text }) => isTypeWord(text));
  const { mnemonic } = instruction;
  const wrong = problems.flatMap((problem) => (problem.kind === "type" ? [problem.at] : []));
  const start = instruction.modifiers[wrong[0] ?? -1]?.start ?? written[0]?.start ?? mnemonic.start;
  const end = instruction.modifiers[wrong.at(-1) ?? -1]?.end ?? written.at(-1)?.end ?? mnemonic.end;
  const others = words.filter((word) => !isTypeWord(word));
  const possible = continuations(mnemonic.text, others).filter(isTypeWord);
  const expected =
    possible.length > 0
      ? listWords(possible)
      : listWords(form.modifiers.filter(isType).flatMap(({ choices }) => choices));
  const message =
    written.length === 0
      ? `${mnemonic.text} needs a type`
      : `${mnemonic.text} has no type ${written.map(({ text }) => `.${text}`).join("")}`;
  reject(report, "PTX1210", { start, end }, message, { expected, manual: form.manual });
}

const isTypeWord = (word: string): boolean => isType({ name: "", optional: false, choices: [word], flag: false });

function explain(
  problem: Problem,
  instruction: ast.Instruction,
  form: Form,
  words: readonly string[],
  report: Report,
): undefined {
  const name = nameOf(form, words);
  const { manual } = form;
  const { mnemonic, modifiers } = instruction;
  const spanAt = (at: number) => modifiers[at] ?? mnemonic;
  switch (problem.kind) {
    case "foreign":
    case "type":
      return explainForeign(problem.at);
    case "missing": {
      if (isRounding(problem.modifier))
        return reject(report, "PTX1204", mnemonic, `${name} needs a rounding`, {
          expected: listWords(problem.modifier.choices),
          manual,
        });
      // With another mistake present, no single word completes a form; the closest form says what is missing.
      const completing = missingWords(mnemonic.text, words);
      const wanted = listWords(completing.length > 0 ? completing : problem.modifier.choices);
      return reject(report, "PTX1209", mnemonic, `${name} needs ${wanted}`, { expected: wanted, manual });
    }
    case "several": {
      const second = words[problem.at] ?? "";
      const first = words[problem.first] ?? "";
      if (roundings.has(second))
        return reject(report, "PTX1205", spanAt(problem.at), `.${second} is a second rounding beside .${first}`, {
          expected: "one rounding",
          related: [{ span: spanAt(problem.first), message: "the first one" }],
          manual,
        });
      return reject(report, "PTX1207", spanAt(problem.at), `.${second} cannot be combined with .${first}`, {
        expected: `.${first} or .${second}`,
        manual,
      });
    }
    case "repeated":
      return reject(report, "PTX1208", spanAt(problem.at), `.${words[problem.at]} is given twice`, {
        expected: `.${words[problem.at]} once`,
        related: [{ span: spanAt(problem.first), message: "the first one" }],
        manual,
      });
    case "incomplete": {
      const present = words[problem.at] ?? "";
      const wanted = problem.modifier.name;
      return reject(report, "PTX1211", spanAt(problem.at), `.${present} needs .${wanted}`, {
        expected: `.${present}.${wanted}`,
        manual,
      });
    }
    case "misplaced":
      return misplaced(problem.at);
    case "conflict": {
      if (problem.at === undefined)
        return reject(report, "PTX1210", mnemonic, `${mnemonic.text} does not have ${problem.against}`, {
          expected: form.syntax,
          manual,
        });
      return reject(
        report,
        roundings.has(words[problem.at] ?? "") ? "PTX1203" : "PTX1207",
        spanAt(problem.at),
        `.${words[problem.at]} cannot be combined with ${problem.against}`,
        { expected: `no .${words[problem.at]}`, manual },
      );
    }
  }

  function misplaced(at: number): undefined {
    const word = words[at] ?? "";
    return reject(report, "PTX1206", spanAt(at), `.${word} stands right behind ${mnemonic.text}`, {
      expected: `${mnemonic.text}.${word}`,
      manual,
    });
  }

  function explainForeign(at: number): undefined {
    const word = words[at] ?? "";
    const span = spanAt(at);
    const free = freeWords(form, words);
    const possible = { expected: free.length > 0 ? listWords(free) : `${name} alone` };
    if (isUnknown(word)) {
      const near = nearest(word, continuations(mnemonic.text, []));
      const help =
        near === undefined ? [] : [{ message: `did you mean .${near}?`, replace: { span, text: `.${near}` } }];
      return reject(report, "PTX1202", span, `${mnemonic.text} has no modifier .${word}`, {
        ...possible,
        help,
        manual,
      });
    }
    if (roundings.has(word)) {
      const allowed = form.modifiers.find(isRounding)?.choices ?? [];
      const why = form.refuse[word];
      return reject(report, "PTX1203", span, `.${word} is not a rounding of ${name}`, {
        expected: allowed.length > 0 ? listWords(allowed) : "no rounding",
        ...(why === undefined ? {} : { help: [{ message: why }] }),
        manual,
      });
    }
    const other = clash(mnemonic.text, words, at);
    if (other !== undefined)
      return reject(report, "PTX1207", span, `.${word} cannot be combined with .${other}`, {
        expected: `.${word} or .${other}`,
        manual,
      });
    return reject(report, "PTX1206", span, `${name} has no .${word}`, { ...possible, manual });
  }
}
