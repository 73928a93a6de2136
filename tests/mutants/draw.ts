import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Mutant, type Mutation, type Place, placeOf } from "./mutation.ts";
import { mutationsOf } from "./operators.ts";

/** A survivor that no test can kill, and why. */
export interface Judged extends Place {
  readonly reason: string;
}

export const nameOf = (place: Place): string => [place.file, place.line, place.at, place.old, place.new].join("\t");

/** Files of this ending in folders, or the files themselves, of those that are there. */
export const filesIn = (places: readonly string[], ending: string): readonly string[] =>
  places.filter(existsSync).flatMap((place) =>
    statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(ending))
          .map((name) => join(place, name))
          .sort()
      : [place],
  );

/**
 * That many mutants of these files at random, one of a place at most, of those that are wanted. A mutant's turn depends on the
 * seed and on what it is, so that a change elsewhere leaves the others as they were.
 */
export function draw(
  files: readonly string[],
  { count, seed, wanted }: { count: number; seed: number; wanted: (mutant: Omit<Mutant, "id">) => boolean },
  mutations: (text: string) => readonly Mutation[] = mutationsOf,
): readonly Mutant[] {
  const all = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const times = new Map<string, number>();
    return mutations(text).map((mutation) => {
      const place = placeOf(file, text, mutation);
      const name = nameOf(place);
      const time = times.get(name) ?? 0;
      times.set(name, time + 1);
      const turn = createHash("sha1").update(`${seed}\t${time}\t${name}`).digest("hex");
      return { ...mutation, file, place, turn };
    });
  });
  const taken = new Set<string>();
  const drawn: Mutant[] = [];
  for (const { turn: _, ...mutant } of all.toSorted((a, b) => (a.turn < b.turn ? -1 : 1))) {
    const site = `${mutant.file} ${mutant.start} ${mutant.end}`;
    if (drawn.length === count) break;
    if (taken.has(site) || !wanted(mutant)) continue;
    taken.add(site);
    drawn.push({ ...mutant, id: drawn.length + 1 });
  }
  return drawn;
}
