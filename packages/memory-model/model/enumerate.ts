import { type Axiom, axioms } from "./axioms.ts";
import type { Litmus, Location, Thread, Trace } from "./event.ts";
import type { Bounds, Enumerate } from "./outcome.ts";
import { ByteRanges } from "./search/byte-ranges.ts";
import { Hints } from "./search/hints.ts";
import { Anew, Search } from "./search/search.ts";

/** Bounds that suffice for every test of the literature and every small kernel. */
export const usualBounds: Bounds = { events: 64, executions: 4_000_000 };

/** Every execution that the axioms of section 8.10 allow. */
export const enumerate: Enumerate = (litmus, bounds) => enumerateUnder(axioms, litmus, bounds);

/** What a search may try where not all axioms stand. */
export interface Freedom {
  /** Values that reads may return out of thin air. */
  readonly guessed?: readonly bigint[];
  /** Whether what memory holds at first may come later in coherence order than what is written. */
  readonly initially?: boolean;
}

/**
 * Every execution that some axioms allow. A read may take its value from a write that is added only later in the search
 * (load buffering), so the search guesses among the values that it saw written there before, and is repeated until it
 * sees no new one. As no value comes out of thin air, a chain of such guesses is never longer than there are writes.
 */
export function* enumerateUnder(
  chosen: readonly Axiom[],
  litmus: Litmus,
  bounds: Bounds,
  { guessed = [], initially = false }: Freedom = {},
): ReturnType<Enumerate> {
  const pieces = new ByteRanges();
  const remembered = { ...litmus, threads: litmus.threads.map(remembering) };
  let hints = begin(remembered.threads, pieces, guessed);
  let rounds = 0;
  for (;;) {
    const search = new Search(remembered, bounds, chosen, pieces, hints, { initially });
    const found = search.found;
    try {
      for (const execution of search.run()) found.push(execution);
    } catch (error) {
      if (!(error instanceof Anew)) throw error;
      hints = begin(remembered.threads, pieces, guessed);
      rounds = 0;
      continue;
    }
    if (search.guesses && search.seen.exceeds(hints) && rounds++ < search.writes) {
      hints = search.seen;
      continue;
    }
    yield* found;
    const { complete, mixed, bounded } = search;
    return { complete, mixed, bounded };
  }
}

/** Most reads of a thread that is run alone to find its writes. */
const mostReads = 256;

/** The events of the threads when each runs alone and every read returns zero, or another value that is guessed. */
function begin(threads: readonly Thread[], pieces: ByteRanges, guessed: readonly bigint[]): Hints {
  const writes: [thread: number, location: Location][] = [];
  const hints = new Hints();
  for (const [index, thread] of threads.entries())
    for (const value of [0n, ...guessed]) {
      const values: bigint[] = [];
      let trace = thread.run(values);
      while (trace.end === "asks" && values.push(value) <= mostReads) trace = thread.run(values);
      for (const event of trace.events) {
        if (event.kind !== "read" && event.kind !== "write") continue;
        pieces.take(event.location, event.proxy);
        if (event.kind === "write") writes.push([index, event.location]);
        else if (guessed.length > 0) hints.addGuesser(index, event);
      }
    }
  for (const [thread, location] of writes)
    for (const piece of pieces.of(location)) {
      hints.addWriter(thread, piece);
      for (const value of guessed) hints.add(thread, piece, pieces.part(location, value, piece));
    }
  return hints;
}

/** A thread that caches its trace for each list of values. */
function remembering(thread: Thread): Thread {
  const traces = new Map<string, Trace>();
  return {
    name: thread.name,
    placement: thread.placement,
    run(values) {
      const key = values.join();
      const known = traces.get(key);
      if (known) return known;
      const trace = thread.run(values);
      traces.set(key, trace);
      return trace;
    },
  };
}
