/**
 * The name closest to what was written, for "did you mean": at most a third of its letters differ (insertions,
 * deletions, replacements and swaps of neighbours count one each, upper and lower case nothing); undefined when nothing
 * is close. Only the first thousand names are compared, so that a hostile file cannot make this slow.
 */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  if (written.length > 64) return undefined;
  const lower = written.toLowerCase();
  let best: string | undefined;
  let limit = Math.max(1, Math.floor(written.length / 3)) + 1;
  let seen = 0;
  for (const name of names) {
    if (++seen > 1000) break;
    if (name.toLowerCase() === lower && name !== written) return name;
    // Of a letter or two, one that differs is all; only what begins alike may be meant.
    if (written.length <= 2 && bare(name)[0] !== bare(written)[0]) continue;
    if (name === written || Math.abs(name.length - written.length) >= limit) continue;
    const apart = distance(written, name);
    if (apart < limit) {
      limit = apart;
      best = name;
    }
  }
  return best;
}

/** Without the mark that registers begin with. */
const bare = (name: string): string => (/^[%$]/.test(name) ? name.slice(1) : name).toLowerCase();

/**
 * The number of edits between two short words: insertions, deletions, replacements and swaps of neighbours (optimal
 * string alignment).
 */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j - 1] ?? 0) + 1, (above[j] ?? 0) + 1, (above[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
