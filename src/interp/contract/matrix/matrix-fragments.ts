import { chunkOf, type MatrixOperation, storedColumns } from "../../../numeric/operation/matrix.ts";
import { type ElementType, elementBits } from "../../../numeric/tensor/element.ts";
import type { Fragment, FragmentBits } from "./fragment.ts";
import {
  accumulator,
  metadata,
  multiplicandA,
  multiplicandB,
  quadPairA,
  quadPairAccumulator,
  quadPairB,
  scaleA,
  scaleB,
  wmmaFragment,
} from "./fragment-layouts.ts";

/** Every operand of a matrix operation that is a fragment. */
export interface MatrixFragments {
  readonly a: Fragment;
  readonly b: Fragment;
  readonly c: Fragment;
  readonly d: Fragment;
  readonly metadata?: Fragment;
  readonly scaleA?: Fragment;
  readonly scaleB?: Fragment;
}

const made = new WeakMap<MatrixOperation, MatrixFragments>();

/** The layouts of one operation; the same object each time. */
export function fragmentsOf(operation: MatrixOperation): MatrixFragments {
  const known = made.get(operation);
  if (known !== undefined) return known;
  const fragments = newFragments(operation);
  made.set(operation, fragments);
  return fragments;
}

function newFragments(operation: MatrixOperation): MatrixFragments {
  const { m, n, k, a, b, c, d, by, quadPairs, sparse, scale } = operation;
  const width = (type: ElementType): FragmentBits => containerBits(type, operation);
  if (quadPairs !== undefined)
    return {
      a: quadPairA[quadPairs.a],
      b: quadPairB[quadPairs.b],
      c: quadPairAccumulator("c", c === "f16" ? 16 : 32),
      d: quadPairAccumulator("d", d === "f16" ? 16 : 32),
    };
  if (by === "wmma") {
    const sixteen = a === "f16";
    const of = (role: "a" | "b" | "c" | "d", type: ElementType) =>
      wmmaFragment(role, { m, n, k }, width(type), sixteen);
    return { a: of("a", a), b: of("b", b), c: of("c", c), d: of("d", d) };
  }
  return {
    a: multiplicandA(m, storedColumns(operation), width(a)),
    b: multiplicandB(k, n, width(b)),
    c: accumulator("c", m, n, width(c)),
    d: accumulator("d", m, n, width(d)),
    ...(sparse && { metadata: metadata(k / chunkOf(operation).columns, width(a)) }),
    ...(scale && { scaleA: scaleA(scale.vector), scaleB: scaleB(scale.vector) }),
  };
}

/** Bits of an element in its register: those of 4 and 6 bits have 8 where they are contained. */
function containerBits(type: ElementType, { contained }: MatrixOperation): FragmentBits {
  const bits = elementBits(type);
  return (contained && bits < 8 ? 8 : bits) as FragmentBits;
}
