/** Long work in slices: between two slices the caller says whether to end early. */
export type Sliced<T> = Generator<void, T, boolean>;

/** Does all of it; `interrupt` is called between two slices, and true ends it early. */
export function whole<T>(work: Sliced<T>, interrupt?: () => boolean): T {
  for (let slice = work.next(false); ; slice = work.next(interrupt?.() === true)) if (slice.done) return slice.value;
}
