import { problem } from "../../../host/problem.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { CaseLine } from "../file/directive.ts";
import { spellQuoted } from "../file/quoted.ts";
import type { Expectation } from "./expectation.ts";

type PrintsExpectation = Expectation & { readonly kind: "prints" };

/** Characters that an expectation is rewritten to at most, and that a message shows of a line. */
const MAX_REWRITTEN_CHARACTERS = 1024;
const MAX_SHOWN_CHARACTERS = 80;

/** The result of an expectation of printed text. */
export interface PrintedJudgement {
  readonly diagnostics: readonly Diagnostic[];
  /** The replacement for the expectation; absent when it holds, or when that would be too long for a line. */
  readonly now?: string;
}

/** Compares what was printed with `prints "TEXT"`; `inJson` where the case stands in a sidecar. */
export function judgePrinted(
  { name, source }: CaseLine,
  { text, part, span }: PrintsExpectation,
  printed: string,
  inJson: boolean,
): PrintedJudgement {
  const whole = spellQuoted(printed, inJson);
  const now = printed.length > MAX_REWRITTEN_CHARACTERS || part ? {} : { now: whole };
  if (text === undefined) {
    const message =
      printed.length > MAX_REWRITTEN_CHARACTERS
        ? "it is too long for a line; prints~ takes a part"
        : "check --update fills it in";
    const expected = printed.length > MAX_REWRITTEN_CHARACTERS ? {} : { expected: spellQuoted(printed) };
    const about = `case ${name} leaves open what is printed`;
    return { diagnostics: [problem("PTX7013", about, { source, span, ...expected, help: [{ message }] })], ...now };
  }
  // A case seldom cares about a line end at the end; one that is written must be there.
  if (part ? printed.includes(text) : printed === text || printed === `${text}\n`) return { diagnostics: [] };
  const wrong = (message: string, expected: string): PrintedJudgement => ({
    diagnostics: [problem("PTX7017", `case ${name}: ${message}`, { source, span, expected })],
    ...now,
  });
  if (printed === "") return wrong("nothing is printed", shown(text));
  if (part) return wrong(`${shown(printed)} is printed`, `${shown(text)} in it`);
  const [wanted, got] = [text.split("\n"), printed.split("\n")];
  const at = wanted.findIndex((line, index) => line !== got[index]);
  const index = at < 0 ? wanted.length : at;
  const [before, after] = [wanted[index], got[index]];
  if (after === undefined) {
    return wrong(`nothing is printed after line ${index}`, before === "" ? "a line end" : shown(before ?? ""));
  }
  return wrong(
    `line ${index + 1} that is printed is ${shown(after)}`,
    before === undefined ? "nothing more" : shown(before),
  );
}

/** The text as a case would write it; of a long text, the beginning. */
const shown = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${spellQuoted(text.slice(0, MAX_SHOWN_CHARACTERS))}...` : spellQuoted(text);
