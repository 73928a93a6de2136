import { type Fragment, positionsOf, registersOf } from "../interp/contract/matrix/fragment.ts";
import { multiplicandA, warpgroupAccumulator } from "../interp/contract/matrix/fragment-layouts.ts";
import { fragmentsOf } from "../interp/contract/matrix/matrix-fragments.ts";
import { tensorFragment } from "../interp/contract/matrix/tensor-fragments.ts";
import type { Plan } from "../interp/contract/plan/plan.ts";
import { elementBits } from "../numeric/tensor/element.ts";
import { fragmentHeader } from "./fragment.ts";

/** A matrix of an instruction that the registers of a warp hold. */
export interface HeldMatrix {
  /** As the manual calls it: `a`. */
  readonly name: string;
  /** Of its elements. */
  readonly type: string;
  readonly fragment: Fragment;
  /** How many there are, the registers of one behind those of the other; 1 without it. */
  readonly times?: number;
  /** How many warps hold such parts, one below the other (wgmma). */
  readonly warps?: number;
}

/** Where one element is, or a copy of it. */
export interface Holder {
  readonly lane: number;
  /** Which element of the lane's, as in `a6`. */
  readonly element: number;
  /** Which of its registers, from 0. */
  readonly register: number;
  /** The lowest bit in the register, and how many there are. */
  readonly low: number;
  readonly bits: number;
  /** The warp of its warpgroup, for wgmma. */
  readonly warp?: number;
}

/** The matrices in registers of an instruction; `inRegisters` says which operands are vectors, where a plan leaves it open. */
export function heldBy(plan: Plan, inRegisters: (operand: string) => boolean): readonly HeldMatrix[] {
  switch (plan.shape) {
    case "multiply": {
      const { a, b, c, d, scale } = plan.op;
      const { metadata, scaleA, scaleB, ...plain } = fragmentsOf(plan.op);
      return [
        { name: "a", type: a, fragment: plain.a },
        { name: "b", type: b, fragment: plain.b },
        { name: "c", type: c, fragment: plain.c },
        { name: "d", type: d, fragment: plain.d },
        ...(metadata === undefined ? [] : [{ name: metadata.name, type: "b4", fragment: metadata }]),
        ...[scaleA, scaleB].flatMap((each) =>
          each === undefined || scale === undefined ? [] : [{ name: each.name, type: scale.type, fragment: each }],
        ),
      ];
    }
    case "wgmma": {
      const { n, k, a, d } = plan.tile;
      const part = multiplicandA(16, k, elementBits(a) as Fragment["bits"]);
      return [
        { name: "d", type: d, fragment: warpgroupAccumulator(n, d === "f16" ? 16 : 32), warps: 4 },
        ...(inRegisters("a") ? [{ name: "a", type: a, fragment: part, warps: 4 }] : []),
      ];
    }
    case "load lines":
    case "store lines": {
      const { fragment, matrices, stride } = plan.lines;
      // The matrices of wmma.load have a role; those of ldmatrix are what the manual calls its registers.
      const name = stride === undefined ? "r" : fragment.name;
      return [{ name, type: `b${fragment.bits}`, fragment: { ...fragment, name }, times: matrices }];
    }
    case "transpose":
      return ["a", "d"].map((name) => ({ name, type: "b16", fragment: { ...multiplicandA(8, 8, 16), name } }));
    case "tcgen05 load":
    case "tcgen05 store": {
      const fragment = tensorFragment(plan.form, plan.num);
      return [{ name: fragment.name, type: "b32", fragment }];
    }
    default:
      return [];
  }
}

/** The size of a matrix, and how many there are: `16x8`, `4 of 8x8`. */
export const sizeOf = ({ fragment: { rows, columns, matrices }, times = 1, warps = 1 }: HeldMatrix): string => {
  const count = times * (matrices?.count ?? 1);
  return `${count === 1 ? "" : `${count} of `}${rows * warps}x${columns}`;
};

/** Which matrix, row and column there are: the ends that are left out of each. */
export const boundsOf = ({ fragment: { rows, columns, matrices }, times = 1, warps = 1 }: HeldMatrix) => ({
  matrices: times * (matrices?.count ?? 1),
  rows: rows * warps,
  columns,
});

/** The lanes and registers that hold an element: several where they have copies. */
export function holdersOf(held: HeldMatrix, row: number, column: number, matrix = 0): readonly Holder[] {
  const { fragment, warps, times = 1 } = held;
  const { rows, columns, count, bits } = fragment;
  const within = times > 1 ? 0 : matrix;
  const wanted = (within * rows + (row % rows)) * columns + column;
  const perRegister = Math.max(1, 32 / bits);
  const found: Holder[] = [];
  for (const [at, position] of positionsOf(fragment).entries()) {
    if (position !== wanted) continue;
    const element = at % count;
    found.push({
      lane: Math.floor(at / count),
      element,
      register: Math.floor(element / perRegister) + (times > 1 ? matrix * registersOf(fragment) : 0),
      low: (element % perRegister) * bits,
      bits,
      ...(warps === undefined ? {} : { warp: Math.floor(row / rows) }),
    });
  }
  return found;
}

/** `lane 21, c1: register 2 of 4`. */
export function holderText(
  { name, fragment, times = 1 }: HeldMatrix,
  { lane, element, register, low, bits, warp }: Holder,
): string {
  const threads = fragment.holders?.threads ?? 4;
  const by = threads === 4 ? "" : threads === 1 ? " + selector" : ` + ${threads} * selector`;
  const part = bits >= 32 ? "" : `, ${bits === 1 ? `bit ${low}` : `bits ${low + bits - 1}:${low}`}`;
  const where = `${warp === undefined ? "" : `warp ${warp} of the warpgroup, `}lane ${lane}${by}`;
  return `${where}, ${name}${element}: register ${register + 1} of ${Math.max(1, registersOf(fragment)) * times}${part}`;
}

/** How the elements of the matrices lie, in the manual's words, which are defined once. */
export function heldLines(all: readonly HeldMatrix[]): readonly string[] {
  const defined = new Set<string>();
  return all.flatMap(({ fragment, type, times = 1, warps }) => {
    const [head = "", ...lines] = fragmentHeader(fragment, type);
    const more = [...(times > 1 ? [`${times} times`] : []), ...(warps === undefined ? [] : ["in each warp"])];
    const news = lines.filter((line) => !defined.has(line) || !/^ *\w+ = %laneid [%>]/.test(line));
    for (const each of lines) defined.add(each);
    return [[head, ...more].join(", "), ...news];
  });
}
