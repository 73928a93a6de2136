/** What can be found: its title, its address from the root, what it is, and words beside the title. */
export type Entry = readonly [title: string, path: string, kind: string, words: string];

/** Results at most. */
export const MAX_RESULTS = 30;

/**
 * The entries that have every word of a query, the best first. A word may be the beginning of one; `add.rn.f16x2` asks for
 * three.
 */
export function find(query: string, entries: readonly Entry[]): readonly Entry[] {
  const asked = wordsOf(query);
  if (asked.length === 0) return [];
  const scored: { entry: Entry; score: number }[] = [];
  for (const entry of entries) {
    const score = scoreOf(asked, entry);
    if (score > 0) scored.push({ entry, score });
  }
  // Sorting is stable: what stands earlier in the manual comes first among equals.
  scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, MAX_RESULTS).map(({ entry }) => entry);
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** 0 where a word is missing. */
function scoreOf(asked: readonly string[], [title, , , words]: Entry): number {
  const own = wordsOf(title);
  const others = wordsOf(words);
  let score = 0;
  for (const word of asked) {
    const best = Math.max(rank(word, own) * 3, rank(word, others));
    if (best === 0) return 0;
    score += best;
  }
  // The instruction itself before what merely mentions it, and short titles before long ones.
  if (own[0] === asked[0]) score += 6;
  return score + 3 / (1 + own.length);
}

/** 3 for a word that is there, 2 for a beginning, 1 for a part of one that is not short. */
function rank(word: string, words: readonly string[]): number {
  let best = 0;
  for (const each of words) {
    if (each === word) return 3;
    if (each.startsWith(word)) best = 2;
    else if (best === 0 && word.length > 2 && each.includes(word)) best = 1;
  }
  return best;
}
