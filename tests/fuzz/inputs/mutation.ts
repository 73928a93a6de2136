import type { Random } from "../executors/random.ts";

const numbers = [
  ...["0", "-1", "1", "31", "32", "33", "64", "255", "256", "65536", "2147483647", "2147483648", "4294967295"],
  ...["4294967296", "18446744073709551615", "1e9", "1e400", "0x", "0f7fc00001", "0d7ff0000000000000", "99999999999"],
];

/** The words of some texts; each is there once. */
export const wordsOf = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => text.match(/[%.\w$]+|[^\s\w]/g) ?? [])),
];

/** A text with one to four changes: bytes, words, numbers and lines that are left out, doubled, moved or others. */
export function mutated(text: string, words: readonly string[], random: Random): string {
  let changed = text;
  for (let more = 1 + random.below(4); more > 0; more--) changed = mutatedOnce(changed, words, random);
  return changed;
}

function mutatedOnce(text: string, some: readonly string[], random: Random): string {
  const words = some.length === 0 ? ["x"] : some;
  const at = random.below(text.length + 1);
  switch (random.below(9)) {
    case 0:
      return text.slice(0, at) + text.slice(at + random.below(12));
    case 1:
      return text.slice(0, at) + random.any(words) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1);
    case 3: {
      const from = random.below(text.length + 1);
      return text.slice(0, at) + text.slice(from, from + random.below(60)) + text.slice(at);
    }
    case 4:
    case 5:
      return replaceOne(text, /[%.\w$]+/g, () => random.any(words), random);
    case 6:
      return replaceOne(text, /\d+/g, () => random.any(numbers), random);
    case 7:
      // A word that stands elsewhere in this text: more of what comes out means something.
      return replaceOne(text, /[%.\w$]+/g, () => random.any(text.match(/[%.\w$]+/g) ?? ["x"]), random);
    default:
      return mutatedLines(text, random);
  }
}

/** A line of a text left out, doubled, or changed for another. */
export function mutatedLines(text: string, random: Random): string {
  const lines = text.split("\n");
  const [from, to] = [random.below(lines.length), random.below(lines.length)];
  const [moved, other] = [lines[from] ?? "", lines[to] ?? ""];
  switch (random.below(3)) {
    case 0:
      return lines.toSpliced(from, 1).join("\n");
    case 1:
      return lines.toSpliced(to, 0, moved).join("\n");
    default:
      return lines.with(to, moved).with(from, other).join("\n");
  }
}

function replaceOne(text: string, pattern: RegExp, by: () => string, random: Random): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { index, 0: old } = random.any(found);
  return text.slice(0, index) + by() + text.slice(index + old.length);
}

/** A window of a long text behind its head, so that each change counts. */
export const shortened = (text: string, most: number, random: Random): string =>
  text.length > most ? text.slice(0, 300) + text.slice(random.below(text.length - most)).slice(0, most - 300) : text;

const strange: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    -1,
    0,
    1,
    1.5,
    1e300,
    2 ** 31,
    2 ** 53,
    "",
    "x",
    "%r1",
    "0x0",
    "-0x1",
    "__proto__",
    [],
    [null],
    {},
  ],
  ...["\u{1f600}", "a\nb", [{}], { line: -1 }, { length: 3 }],
];

/** A value of JSON in which one value, at any depth, is another, gone, or doubled. */
export function mutatedJson(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.chance(15)) return otherThan(value, random);
  if (Array.isArray(value)) {
    if (value.length === 0) return [random.any(strange)];
    const at = random.below(value.length);
    if (random.chance(15)) return value.toSpliced(at, 1);
    if (random.chance(15)) return value.toSpliced(at, 0, value[random.below(value.length)]);
    return value.with(at, mutatedJson(value[at], random));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return { [random.any(["line", "name", "uri"])]: random.any(strange) };
  const key = random.any(keys);
  const { [key]: old, ...rest } = value as Record<string, unknown>;
  if (random.chance(15)) return rest;
  return { ...value, [key]: mutatedJson(old, random) };
}

function otherThan(value: unknown, random: Random): unknown {
  if (typeof value === "number" && random.chance(60)) return value + random.any([-1, 1, 2, -2, 100, -100]);
  if (typeof value === "string" && value !== "" && random.chance(60))
    return mutatedOnce(value, wordsOf([value]), random);
  return random.any(strange);
}
