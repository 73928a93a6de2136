import { synonyms } from "./synonyms.ts";

/** What can be found: its title, its address from the root, what it is, words beside the title, and a sentence about it. */
export type Entry = readonly [title: string, path: string, kind: string, words: string, about?: string];

/** The kind of what is written for who works on ptxrun. */
export const DEVELOPERS = "for developers";

/** Results at most. */
export const MAX_RESULTS = 30;

/** Words that say nothing of what is looked for. */
const EMPTY = new Set(
  "a an and are as at be by came can come comes do does for from how i if in is it my of on or that the this to what when where which who why with".split(
    " ",
  ),
);

/** Where what is looked for is told, rather than listed; and where it is told to others. */
const TOLD: Readonly<Record<string, number>> = { tour: 4, example: 3, guide: 3, message: 2, [DEVELOPERS]: -6 };

/** Headings of one page among the results: who finds one finds the others there. */
const MOST_OF_A_PAGE = 2;

/**
 * The entries that have every word of a query, the best first; where none has all, those that have the most. A word may be the
 * beginning of one, or be called otherwise; `add.rn.f16x2` asks for three.
 */
export function find(query: string, entries: readonly Entry[]): readonly Entry[] {
  const all = wordsOf(query);
  const telling = all.filter((word) => !EMPTY.has(word));
  const asked = (telling.length > 0 ? telling : all).map(alternatives);
  const empty = telling.length > 0 ? all.filter((word) => EMPTY.has(word)) : [];
  if (asked.length === 0) return [];
  let most = Math.max(1, Math.ceil(asked.length / 2) + (asked.length > 2 ? 0 : asked.length - 1));
  const scored: { entry: Entry; score: number; has: number }[] = [];
  for (const entry of entries) {
    const { score, has } = scoreOf(asked, entry);
    if (has < most) continue;
    most = has;
    // A title that is put in the same way comes before others.
    const same = empty.filter((word) => wordsOf(entry[0]).includes(word)).length;
    scored.push({ entry, score: score + same, has });
  }
  const pages = new Map<string, number>();
  const titles = new Set<string>();
  // Sorting is stable: what stands earlier in the manual comes first among equals.
  return scored
    .filter(({ has }) => has === most)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
    .filter(([title, path]) => {
      if (!path.startsWith("docs/")) return true;
      const page = path.replace(/#.*/, "");
      const before = pages.get(page) ?? 0;
      const again = titles.has(`${page} ${title}`);
      if (!again) pages.set(page, before + 1);
      titles.add(`${page} ${title}`);
      return !again && before < MOST_OF_A_PAGE;
    })
    .slice(0, MAX_RESULTS);
}

const known = new Map<string, readonly string[]>();

/** The words of a text in small letters; those of titles are asked for again and again. */
function wordsOf(text: string): readonly string[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  known.set(text, words);
  return words;
}

/** A word and what else it may be called, each as words that belong together. */
function alternatives(word: string): readonly (readonly string[])[] {
  const bare = word.replace(/^_+|_+$/g, "");
  const single = bare.length > 3 && /[^s]s$/.test(bare) ? bare.slice(0, -1) : undefined;
  const others = (Object.hasOwn(synonyms, bare) ? synonyms[bare] : undefined) ?? [];
  return [
    [bare === "" ? word : bare],
    ...(single === undefined ? [] : [[single]]),
    ...others.map((each) => each.split(" ")),
  ];
}

/** How many words it has, and how well. */
function scoreOf(
  asked: readonly (readonly (readonly string[])[])[],
  [title, , kind, words]: Entry,
): { readonly score: number; readonly has: number } {
  const own = wordsOf(title);
  const others = wordsOf(words);
  let score = 0;
  let has = 0;
  let leads = false;
  for (const [at, each] of asked.entries()) {
    let best = 0;
    for (const [number, alternative] of each.entries()) {
      const rank = Math.min(...alternative.map((word) => Math.max(rankOf(word, own) * 3, rankOf(word, others))));
      // The word itself before what else it is called.
      best = Math.max(best, number === 0 ? rank : rank * 0.9);
      if (at === 0 && begins(own, alternative[0] ?? "")) leads = true;
    }
    if (best > 0) has++;
    score += best;
  }
  // The instruction itself before what merely mentions it, and short titles before long ones.
  if (leads) score += 6;
  return { score: score + (TOLD[kind] ?? 0) + 3 / (1 + own.length), has };
}

/** Whether a title begins with a word; the only word of a title may go on. */
const begins = (own: readonly string[], word: string): boolean =>
  own[0] === word || own[0] === `${word}s` || (own.length === 1 && own[0]?.startsWith(word) === true);

/** 3 for a word that is there, 2 for a beginning, 1 for a part of one that is not short. */
function rankOf(word: string, words: readonly string[]): number {
  let best = 0;
  for (const each of words) {
    if (each === word || each === `${word}s`) return 3;
    if (each.startsWith(word)) best = 2;
    else if (best === 0 && word.length > 2 && each.includes(word)) best = 1;
  }
  return best;
}
