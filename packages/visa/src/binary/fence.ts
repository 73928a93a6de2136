/** The byte of a fence (manual, FENCE): caches by bits, then what it is for. */
const LOCAL = 1 << 5;
const SOFTWARE = 1 << 7;
const caches = [
  ["e", 0],
  ["i", 1],
  ["s", 2],
  ["c", 3],
  ["r", 4],
  ["l1", 6],
] as const;

/** The name of the instruction, and the word behind it where there is one. */
export function fenceOf(bits: number): { readonly name: string; readonly word: string } {
  const word = caches.flatMap(([cache, bit]) => ((bits >> bit) & 1 ? [cache] : [])).join("");
  if (bits & SOFTWARE) return { name: "fence_sw", word: "" };
  return { name: bits & LOCAL ? "fence_local" : "fence_global", word };
}

/** Undefined for a word that names no caches, or not in their order. */
export function fenceBits(name: string, word: string): number | undefined {
  const kind = name === "fence_sw" ? SOFTWARE : name === "fence_local" ? LOCAL : 0;
  const bits = caches.reduce((sum, [cache, bit]) => (word.includes(cache) ? sum | (1 << bit) : sum), kind);
  return fenceOf(bits).word === word ? bits : undefined;
}
