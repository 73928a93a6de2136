import type { Mutation } from "./mutation.ts";
import { loopsOf } from "./operators.ts";

/** Something of the text, and what stands in its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly around: (inner: string) => string;
}

type Numbered = Mutation & { readonly id: number };

/**
 * The text with all mutants inside, each behind a question whether it is meant: `hit(17) ? mutated : original`; `hit` is the name
 * of who is asked, in TypeScript or C.
 */
export const withMutants = (text: string, mutants: readonly Numbered[], hit: string): string =>
  edited(text, questions(mutants, hit));

/** The same, with a call of `tick` in each loop of TypeScript that ends one that a mutant has made endless. */
export const withLoops = (text: string, mutants: readonly Numbered[], hit: string, tick: string): string =>
  edited(text, [
    ...questions(mutants, hit),
    ...loopsOf(text).map((loop) => ({ ...loop, around: (inner: string) => `{ ${tick}(); ${inner} }` })),
  ]);

const questions = (mutants: readonly Numbered[], hit: string): readonly Edit[] =>
  mutants.map(({ id, start, end, text: by, statement }) => ({
    start,
    end,
    around: statement
      ? (inner) => `{ if (!${hit}(${id})) { ${inner} } }`
      : (inner) => `(${hit}(${id}) ? (${by}) : (${inner}))`,
  }));

function edited(text: string, all: readonly Edit[]): string {
  // Those around others come first.
  const edits = all.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let next = 0;
  /** From here to there, with the edits that lie between. */
  const render = (from: number, to: number): string => {
    let out = "";
    let at = from;
    for (let edit = edits[next]; edit !== undefined && edit.end <= to && edit.start >= from; edit = edits[next]) {
      next++;
      out += text.slice(at, edit.start) + edit.around(render(edit.start, edit.end));
      at = edit.end;
    }
    return out + text.slice(at, to);
  };
  return render(0, text.length);
}
