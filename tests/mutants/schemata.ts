import type { Mutation } from "./mutation.ts";
import { loopsOf } from "./operators.ts";

/** Something of the text, and what stands around and instead of it when `hit` or `tick` are asked. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly around: (inner: string) => string;
}

/**
 * The text with all mutants inside, each behind a question whether it is meant: `__mutants.hit(17) ? mutated : original`; and
 * with a call in each loop that ends one that a mutant has made endless.
 */
export function withMutants(text: string, mutants: readonly (Mutation & { readonly id: number })[]): string {
  const edits: Edit[] = mutants.map(({ id, start, end, text: by, statement }) => ({
    start,
    end,
    around: statement
      ? (inner) => `{ if (!__mutants.hit(${id})) { ${inner} } }`
      : (inner) => `(__mutants.hit(${id}) ? (${by}) : (${inner}))`,
  }));
  for (const { start, end } of loopsOf(text))
    edits.push({ start, end, around: (inner) => `{ __mutants.tick(); ${inner} }` });
  // Those around others come first.
  edits.sort((a, b) => a.start - b.start || b.end - a.end);

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
