/**
 * Where a fact comes from; `hardware` is the surest. An entry of the table names the facts that do not follow from its
 * page alone; all others are `manual`.
 */
export const grades = {
  manual: "the manual says so",
  ptxas: "it does so: what it folds, or the instructions that it writes",
  headers: "CUDA's host headers compute it so",
  hardware: "recorded from a GPU",
  published: "a publication measured it on a GPU",
  unspecified: "nobody says; ptxrun's choice, inside of whatever bound the manual gives",
} as const;

export type Grade = keyof typeof grades;

/** One fact of an entry: how sure it is, and what it is about. */
export interface Fact {
  readonly grade: Grade;
  readonly says: string;
  /** The spellings that it is about, by the words of their placeholders; all without it. */
  readonly when?: (mods: Readonly<Record<string, string | boolean | undefined>>) => boolean;
}
