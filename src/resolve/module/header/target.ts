/** An architecture: `sm_90a` is { name: "sm_90a", sm: 90, suffix: "a" }. */
export interface Arch {
  readonly name: string;
  readonly sm: number;
  readonly suffix: "" | "a" | "f";
}

/** Every `.version` there is (PTX ISA 13, release notes), as the highest minor number of each major one. */
const lastMinor: ReadonlyMap<number, number> = new Map([
  [1, 5],
  [2, 3],
  [3, 2],
  [4, 3],
  [5, 1],
  [6, 8],
  [7, 8],
  [8, 8],
  [9, 4],
]);

/** The newest `.version` that ptxrun knows, as 94 for 9.4. */
export const newestVersion = 94;

/** True when `.version major.minor` was ever released. */
export const isVersion = (major: number, minor: number): boolean => minor <= (lastMinor.get(major) ?? -1);

/** `90` as a version is written: `9.0`. */
export const showVersion = (version: number): string => `${Math.floor(version / 10)}.${version % 10}`;

/** The lowest `.version` that knows each target (measured with ptxas 13.0; sm_107 as PTX ISA 9.4 dates it, .target). */
const since: ReadonlyMap<string, number> = new Map([
  ["sm_10", 10],
  ["sm_11", 10],
  ["sm_12", 12],
  ["sm_13", 12],
  ["sm_20", 20],
  ["sm_21", 20],
  ["sm_30", 30],
  ["sm_32", 40],
  ["sm_35", 31],
  ["sm_37", 41],
  ["sm_50", 40],
  ["sm_52", 41],
  ["sm_53", 42],
  ["sm_60", 50],
  ["sm_61", 50],
  ["sm_62", 50],
  ["sm_70", 51],
  ["sm_72", 61],
  ["sm_75", 63],
  ["sm_80", 70],
  ["sm_86", 71],
  ["sm_87", 74],
  ["sm_88", 73],
  ["sm_89", 78],
  ["sm_90", 78],
  ["sm_90a", 80],
  ["sm_100", 86],
  ["sm_100a", 86],
  ["sm_100f", 88],
  ["sm_101", 86],
  ["sm_101a", 86],
  ["sm_101f", 88],
  ["sm_103", 88],
  ["sm_103a", 88],
  ["sm_103f", 88],
  ["sm_107", 94],
  ["sm_107a", 94],
  ["sm_107f", 94],
  ["sm_110", 90],
  ["sm_110a", 90],
  ["sm_110f", 90],
  ["sm_120", 87],
  ["sm_120a", 87],
  ["sm_120f", 88],
  ["sm_121", 88],
  ["sm_121a", 88],
  ["sm_121f", 88],
]);

/** All targets, newest first. */
export const targets: readonly string[] = [...since.keys()].reverse();

/**
 * `sm_90a` or `compute_90a` as data, with the lowest `.version` (as 80 for 8.0) that knows it; undefined when there is
 * no such target (PTX ISA 11.1.2).
 */
export function archOf(name: string): { arch: Arch; since: number } | undefined {
  const parts = /^(?:sm|compute)_(\d+)([af]?)$/.exec(name);
  const first = parts ? since.get(`sm_${parts[1]}${parts[2]}`) : undefined;
  if (!parts || first === undefined) return undefined;
  return { arch: { name, sm: Number(parts[1]), suffix: parts[2] as Arch["suffix"] }, since: first };
}

/**
 * The greatest known target of the family that a newer one belongs to, with the same suffix: `sm_107f` of `sm_109f`. Families
 * began with sm_100, and each has ten numbers (PTX ISA, .target, table of families); undefined where there is none, or where the
 * name lies between known ones.
 */
export function relativeOf(name: string): string | undefined {
  const [, number, suffix] = /^(?:sm|compute)_(1\d\d)([af]?)$/.exec(name) ?? [];
  const family = number?.slice(0, 2);
  const ofFamily = new RegExp(`^sm_${family}\\d${suffix}$`);
  const known = [...since.keys()].filter((each) => ofFamily.test(each));
  const [last] = known.slice(-1);
  return last !== undefined && Number(number) > Number(last.slice(3, 6)) ? last : undefined;
}
