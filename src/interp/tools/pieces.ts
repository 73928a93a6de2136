/** Work that takes long, a piece at a time: between two pieces whoever drives it says whether it shall end early. */
export type Pieces<T> = Generator<void, T, boolean>;

/** Does all of it; `interrupt` is asked between two pieces, and true ends it early. */
export function whole<T>(pieces: Pieces<T>, interrupt?: () => boolean): T {
  for (let piece = pieces.next(false); ; piece = pieces.next(interrupt?.() === true))
    if (piece.done) return piece.value;
}
