/** One piece of a pattern: a character, `?`, `*` within a folder, `**` over folders, and any number of whole folders. */
type Piece = { readonly kind: "character"; readonly character: string } | { readonly kind: "?" | "*" | "**" | "**/" };

/**
 * A pattern for complete names: `*` within a folder, `**` over folders, `?` one character. Matching takes at most the
 * product of the lengths of name and pattern, and no time where the pattern needs more characters than the name has.
 */
export function globPattern(glob: string): { test(name: string): boolean } {
  const pieces = piecesOf(glob);
  const least = pieces.filter(({ kind }) => kind === "character" || kind === "?").length;
  return { test: (name) => name.length >= least && matches(pieces, name) };
}

/** True for a pattern, false for a plain name. */
export const isGlob = (text: string): boolean => /[*?]/.test(text);

function piecesOf(glob: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const [text] of glob.matchAll(/\*\*\/|\*\*|[\s\S]/g)) {
    const last = pieces.at(-1)?.kind;
    // Adjacent stars match what the widest of them does.
    if (last === "**" && (text === "*" || text === "**")) continue;
    if (text === last && text !== "?") continue;
    if (text === "**" && last === "*") pieces.pop();
    if (text === "?" || text === "*" || text === "**" || text === "**/") pieces.push({ kind: text });
    else pieces.push({ kind: "character", character: text });
  }
  return pieces;
}

/** The state before a piece; or within a folder that `**\/` has begun. */
const BEFORE = 1;
const INSIDE = 2;

/** Follows all partial matches at once, character by character: no backtracking. */
function matches(pieces: readonly Piece[], name: string): boolean {
  const places = pieces.length + 1;
  let here = enter(pieces, new Array(places).fill(0), 0);
  for (const character of name.split("")) {
    const next: number[] = new Array(places).fill(0);
    for (const [at, piece] of pieces.entries()) {
      if (here[at] === 0) continue;
      if (piece.kind === "character" ? piece.character === character : piece.kind === "?" && character !== "/")
        enter(pieces, next, at + 1);
      else if (piece.kind === "**" || (piece.kind === "*" && character !== "/")) enter(pieces, next, at);
      else if (piece.kind === "**/" && character === "/") enter(pieces, next, at);
      else if (piece.kind === "**/") next[at] = (next[at] ?? 0) | INSIDE;
    }
    here = next;
  }
  return ((here[pieces.length] ?? 0) & BEFORE) !== 0;
}

/** Enters the state before a piece, and the states after it as long as the pieces can match nothing. */
function enter(pieces: readonly Piece[], states: number[], from: number): number[] {
  for (let at = from, state = states[at] ?? 0; (state & BEFORE) === 0; at++, state = states[at] ?? 0) {
    states[at] = state | BEFORE;
    const kind = pieces[at]?.kind;
    if (kind !== "*" && kind !== "**" && kind !== "**/") break;
  }
  return states;
}
