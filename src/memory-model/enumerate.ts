import { type Axiom, axioms } from "./axioms.ts";
import type { Litmus } from "./event.ts";
import type { Bounds, Enumerate, Execution } from "./outcome.ts";
import { Pieces } from "./pieces.ts";
import { Anew, Search } from "./search.ts";
import { Values } from "./values.ts";

/** Bounds that every test of the literature and every small kernel is within. */
export const usualBounds: Bounds = { events: 64, executions: 200_000 };

/** Every execution that the axioms of section 8.10 allow. */
export const enumerate: Enumerate = (litmus, bounds) => enumerateUnder(axioms, litmus, bounds);

/**
 * Every execution that some axioms allow. A read may take its value from a write that only comes to be later in the search
 * (load buffering), so the search guesses among the values that it saw written there before, and is repeated until it sees
 * no new one. As no value comes out of thin air, a chain of such guesses is never longer than there are writes.
 */
export function* enumerateUnder(chosen: readonly Axiom[], litmus: Litmus, bounds: Bounds): ReturnType<Enumerate> {
  const pieces = new Pieces();
  let values = new Values();
  let rounds = 0;
  for (;;) {
    const search = new Search(litmus, bounds, chosen, pieces, values);
    const found: Execution[] = [];
    try {
      for (const execution of search.run()) found.push(execution);
    } catch (error) {
      if (!(error instanceof Anew)) throw error;
      values = new Values();
      rounds = 0;
      continue;
    }
    if (search.seen.exceeds(values) && rounds++ < search.writes) {
      values = search.seen;
      continue;
    }
    yield* found;
    const { complete, mixed, bounded } = search;
    return { complete, mixed, bounded };
  }
}
