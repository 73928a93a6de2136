import type { Input } from "./input.ts";

/**
 * A shorter input that fails in the same way: lines, then words, then characters are left out as long as it does.
 *
 * @param fails - whether an input still does; asked at most `most` times
 */
export async function minimised(input: Input, fails: (input: Input) => Promise<boolean>, most = 1500): Promise<Input> {
  let best = input;
  let left = most;
  for (const cut of [/(?<=\n)/, /(?<=\s)/, /(?:)/u])
    for (let part = 0; part < best.length; part++) {
      const pieces = (): string[] => (best[part] ?? "").split(cut);
      for (let size = Math.ceil(pieces().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
        for (let at = 0; at < pieces().length && left > 0; ) {
          const fewer = best.with(part, pieces().toSpliced(at, size).join(""));
          left--;
          if (await fails(fewer)) best = fewer;
          else at += size;
        }
    }
  return best;
}
