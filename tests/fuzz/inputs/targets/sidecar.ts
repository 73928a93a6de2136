import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bugIn, feed, limits } from "../feed.ts";
import type { Input, Target } from "../input.ts";
import { mutated, mutatedJson, shortened, wordsOf } from "../mutation.ts";

const folder = resolve(import.meta.dirname, "../../../../examples");
const ending = ".ptxcheck.json";

/** Programs with their sidecars, short ones. */
function pairs(): readonly Input[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
  return names.sort().flatMap((name) => {
    const program = join(folder, `${name.slice(0, -ending.length)}.ptx`);
    if (!existsSync(program)) return [];
    const text = readFileSync(program, "utf8");
    return text.length > 20_000 ? [] : [[text, readFileSync(join(folder, name), "utf8")]];
  });
}

let words: readonly string[] | undefined;

/** Golden checks, with mistakes in the sidecar or in the program. */
export const sidecar: Target = {
  bases: pairs,
  change: ([program = "", checks = ""], random) => {
    words ??= wordsOf(pairs().map(([, checks = ""]) => checks));
    if (random.chance(15)) return [mutated(shortened(program, 6000, random), words, random), checks];
    if (random.chance(50)) return [program, mutated(checks, words, random)];
    try {
      return [program, JSON.stringify(mutatedJson(JSON.parse(checks), random), null, 2)];
    } catch {
      return [program, mutated(checks, words, random)];
    }
  },
  attempt: async ([program = "", checks = ""]) =>
    bugIn(await feed(["check", "x.ptx", ...limits], { "x.ptx": program, [`x${ending}`]: checks })),
};
