import type { Fact, Grade } from "../operation/grade.ts";
import type { ElementType, FloatElement } from "./element.ts";

/**
 * How the tensor cores of each target add: the table that execution, `explain` and `isa` share.
 *
 * Sources: MMA-Sim (arXiv 2511.10909), Khattak and Mikaitis (arXiv 2512.07004), FTTN (arXiv 2403.00232), and rows recorded from
 * GPUs (north-numerical-computing/MATLAB-tensor-core).
 */

/** Which instructions: `mma` is mma.sync and wmma.mma. */
export type Unit = "mma" | "wgmma" | "tcgen05";

/**
 * How a sum becomes D: to nearest even, cut toward zero, or cut toward zero to 13 fraction bits (f32 whose low 10 bits are 0).
 * What is too large becomes an infinity under each.
 */
export type SumRounding = "rn" | "rz" | "e8m13";

/**
 * A row of A times a column of B, plus C, where nothing is infinite or NaN:
 *
 * - `fused`: in groups of `group` products, one after the other; the next group takes D, in D's type, as its C. A product
 *   is the product of the significands at the sum of the exponents, not normalised. Each term of the group, C too, is cut toward
 *   zero to `fraction` bits below the largest exponent of all terms that are not zero; the sum of what is left is exact, and is rounded
 *   to D. An exact sum of 0 is +0.
 * - `halves`: `fused` from zero, first over the k with k mod 4 in {0, 1}, then over the others, each half one group; C is added
 *   last, to nearest even.
 * - `chain`: f32 fused multiply-adds from zero, one k after the other, each to nearest even; C is added last, to nearest even.
 */
export interface Rule {
  readonly way: "fused" | "halves" | "chain";
  readonly group: number;
  readonly fraction: number;
  /** Into a D of f32; into f16 it is always `rn`. */
  readonly f32: SumRounding;
  /** How sure this is for the target that was asked for. */
  readonly grade: Grade;
  /** The same for a D of f32. */
  readonly gradeF32: Grade;
  /** The target whose row this is: another one of its family where the target has no row of its own. */
  readonly measured: number;
}

interface Row extends Omit<Rule, "measured"> {
  readonly targets: readonly number[];
  readonly unit: Unit;
  readonly types: readonly FloatElement[];
}

const half = ["f16", "bf16"] as const;
const fp8 = ["e4m3", "e5m2"] as const;
const fp6 = ["e3m2", "e2m3"] as const;
const narrow = [...fp8, ...fp6, "e2m1"] as const;

const row = (
  targets: readonly number[],
  unit: Unit,
  types: readonly FloatElement[],
  [group, fraction]: readonly [number, number],
  grade: Grade,
  f32: SumRounding = "rz",
  way: Rule["way"] = "fused",
  gradeF32: Grade = grade,
): Row => ({ targets, unit, types, group, fraction, grade, f32, way, gradeF32 });

const rows: readonly Row[] = [
  //  targets   unit       types     group, fraction bits
  row([70], "mma", ["f16"], [4, 23], "hardware"),
  row([75], "mma", ["f16"], [8, 24], "published"),
  row([80, 86, 89], "mma", half, [8, 24], "hardware"),
  row([80, 86, 89], "mma", ["tf32"], [4, 24], "hardware"),
  row([87], "mma", half, [8, 24], "published"),
  row([87], "mma", ["tf32"], [4, 24], "published"),
  row([89], "mma", fp8, [16, 13], "hardware", "e8m13"),
  row([90, 100], "mma", half, [16, 25], "hardware"),
  row([90, 100], "mma", ["tf32"], [8, 25], "hardware"),
  // A D of f32 on sm_90 was not recorded; ptxas writes the same code as for sm_100.
  row([90], "mma", fp8, [16, 25], "hardware", "rz", "halves", "ptxas"),
  row([100], "mma", fp8, [16, 25], "hardware", "rz", "halves"),
  row([90], "wgmma", half, [16, 25], "published"),
  row([90], "wgmma", ["tf32"], [8, 25], "published"),
  row([90], "wgmma", fp8, [32, 13], "hardware", "e8m13"),
  row([100], "tcgen05", half, [16, 25], "published"),
  row([100], "tcgen05", ["tf32"], [8, 25], "published"),
  row([100], "tcgen05", narrow, [32, 25], "published"),
  row([120], "mma", half, [16, 25], "published"),
  row([120], "mma", ["tf32"], [8, 25], "published"),
  row([120], "mma", narrow, [32, 25], "published"),
];

/** mma.m8n8k4 of .f16 is an instruction of sm_70 and sm_75; for others ptxas writes code without tensor cores. */
const chain = { way: "chain", group: 1, fraction: 0, f32: "rn", grade: "unspecified", gradeF32: "ptxas" } as const;

/**
 * Block scale (PTX ISA, Block Scaling for mma.sync). `mxf8f6f4`: the scales' exponents are added to each product's; the
 * rest is `fused`. `mxf4` (.kind::mxf4 and .kind::mxf4nvf4): 16 products are one exact sum, times both scales'
 * significands, at the sum of the scales' exponents; four such terms and C are one group.
 */
export const scaledRules = {
  mxf8f6f4: { group: 32, fraction: 25 },
  mxf4: { group: 64, fraction: 35, exact: 16 },
} as const;

/** The first target that has tensor cores. */
export const firstWithTensorCores: number = Math.min(...rows.flatMap(({ targets }) => targets));

/** The number of a target: 90 of `sm_90a`. */
export const targetNumber = (target: string): number => Number.parseInt(target.replace(/^[^0-9]*/, ""), 10);

/** No publication measured how sums of these are rounded. */
const roundingOpen: ReadonlySet<FloatElement> = new Set(fp6);

/** Targets without rows of their own, and the one of their family that is taken for them: grade unspecified. */
const family: ReadonlyMap<number, number> = new Map([
  [72, 70],
  [88, 86],
  [101, 100],
  [103, 100],
  [107, 100],
  [110, 100],
  [121, 120],
]);

/** The properties of a multiplication that decide its rule. */
export interface Multiplied {
  readonly unit: Unit;
  readonly shape?: "m8n8k4";
  readonly a: ElementType;
  readonly b: ElementType;
  readonly scale?: { readonly kind: keyof typeof scaledRules };
}

const withoutCores = ({ shape, a }: Multiplied, measured: number): boolean =>
  shape === "m8n8k4" && a === "f16" && measured >= 80;

/**
 * The rule of a target ("sm_90a", "sm_120f", ...). A target without a published one takes that of its family, and what a
 * target's cores do not have at all is taken from the first that has it; both are of grade `unspecified`.
 */
export function ruleOf(target: string, multiplied: Multiplied): Rule {
  const { unit, a, b, scale } = multiplied;
  const number = targetNumber(target);
  const measured = family.get(number) ?? number;
  if (withoutCores(multiplied, measured)) return { ...chain, measured };
  const both = [a, b] as readonly FloatElement[];
  const having = rows.filter((one) => one.unit === unit && both.every((type) => one.types.includes(type)));
  const own = having.find(({ targets }) => targets.includes(measured));
  const found = own ?? nearest(having, measured);
  if (!found) throw new Error(`no tensor core multiplies ${a} and ${b} by ${unit}`);
  const scaled = scale && ({ way: "fused", f32: "rz", ...scaledRules[scale.kind] } as const);
  const { way, group, fraction, f32 } = scaled ?? found;
  const known = own !== undefined && measured === number && !both.some((type) => roundingOpen.has(type));
  const { grade, gradeF32 } = known ? found : ({ grade: "unspecified", gradeF32: "unspecified" } as const);
  return { way, group, fraction, f32, grade, gradeF32, measured: own ? measured : found.targets[0]! };
}

/** How many products are one sum: each half of K in `halves`. */
export const groupOf = ({ way, group }: Pick<Rule, "way" | "group">, k: number): number =>
  way === "halves" ? k / 2 : group;

/** The order in which K is summed: in `halves` first the k with k mod 4 in {0, 1}, then the others. */
export function orderOf(way: Rule["way"], k: number): readonly number[] {
  const all = Array.from({ length: k }, (_, at) => at);
  return way === "halves" ? [...all.filter((at) => at % 4 < 2), ...all.filter((at) => at % 4 >= 2)] : all;
}

/** The row of the greatest target that is not above `measured`, or else of the least target. */
function nearest(having: readonly Row[], measured: number): Row | undefined {
  const least = ({ targets }: Row): number => Math.min(...targets);
  const sorted = [...having].sort((x, y) => least(x) - least(y));
  return sorted.findLast((one) => least(one) <= measured) ?? sorted[0];
}

const arithmetic = "the sum of a group, its cut and its rounding";

/** What is known of the arithmetic of floats on tensor cores, for the entries of the table. */
export const tensorFacts: readonly Fact[] = [
  { grade: "hardware", says: `${arithmetic}: mma on sm_70, 80, 86, 89, 90 and 100; wgmma of fp8 with a D of f32` },
  { grade: "published", says: `${arithmetic}: mma on sm_75, 87 and 120; wgmma of other types; tcgen05; block scale` },
  {
    grade: "unspecified",
    says: `${arithmetic}: sm_72, 88, 101, 103, 107, 110 and 121 as their family's published target`,
  },
  {
    grade: "ptxas",
    says: "e4m3 and e5m2 with a D of f32 by mma on sm_90: the same code as for sm_100, two mma of f16 and an add",
    when: ({ atype, dtype }) => dtype === "f32" && (atype === "e4m3" || atype === "e5m2"),
  },
  {
    grade: "ptxas",
    says: "m8n8k4 of .f16 from sm_80 on: no tensor core, but fma.rn.f32 from 0 and an add; with a D of f16 unspecified",
    when: ({ m8n8k4 }) => m8n8k4 === true,
  },
  { grade: "unspecified", says: "e3m2 and e2m3; sparse A; the exponents of sums whose terms are all deep subnormals" },
  { grade: "unspecified", says: "the sign of a zero or NaN; infinities and NaN with block scale" },
];
