import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Hostile, limits } from "./corpus.ts";
import { Random } from "./random.ts";

const folder = resolve(import.meta.dirname, "../../examples");
const numbers = [
  "0",
  "-1",
  "4294967296",
  "18446744073709551615",
  "2147483647",
  "1e9",
  "0x",
  "0f7fc00001",
  "99999999999",
];

/** Examples with one to four mistakes in each, half of them run and half of them checked. */
export function broken(count: number): Hostile[] {
  const random = new Random(0x5eed);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ptx"));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8"));
  const words = texts.flatMap((text) => text.match(/[%.\w$]+|[^\s\w]/g) ?? []).filter((_, at) => at % 11 === 0);
  return Array.from({ length: count }, (_, index) => {
    let text = shortened(random.any(texts), random);
    for (let more = 1 + random.below(4); more > 0; more--) text = mutated(text, words, random);
    const argv = index % 2 === 0 ? ["run", "FILE", "--block", "5", ...limits] : ["check", "FILE", ...limits];
    return { name: `mutated ${index}`, text, argv };
  });
}

/** A window of a long file behind its head, so that each change counts. */
const shortened = (text: string, random: Random): string =>
  text.length > 6000 ? text.slice(0, 300) + text.slice(300 + random.below(text.length - 5000)).slice(0, 5000) : text;

function mutated(text: string, words: readonly string[], random: Random): string {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(at + random.below(12));
    case 1:
      return text.slice(0, at) + random.any(words) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(random.below(160)) + text.slice(at + 1);
    case 3: {
      const from = random.below(text.length + 1);
      return text.slice(0, at) + text.slice(from, from + random.below(60)) + text.slice(at);
    }
    case 4:
      return replaceOne(text, /[%.\w$]+/g, random.any(words), random);
    default:
      return replaceOne(text, /\d+/g, random.any(numbers), random);
  }
}

function replaceOne(text: string, pattern: RegExp, by: string, random: Random): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { index, 0: old } = random.any(found);
  return text.slice(0, index) + by + text.slice(index + old.length);
}
