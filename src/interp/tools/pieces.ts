/** Long work in slices: between two slices the caller says whether to end early. */
export type Pieces<T> = Generator<void, T, boolean>;

/** Does all of it; `interrupt` is called between two slices, and true ends it early. */
export function whole<T>(pieces: Pieces<T>, interrupt?: () => boolean): T {
  for (let piece = pieces.next(false); ; piece = pieces.next(interrupt?.() === true))
    if (piece.done) return piece.value;
}
