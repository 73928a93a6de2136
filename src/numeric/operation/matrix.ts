import type { ScaleType } from "../tensor/element.ts";
import type { Scale, TileSpec } from "../tensor/spec.ts";

/**
 * A matrix multiply-accumulate of a warp as data (PTX ISA, wmma, mma, mma.sp): D = A * B + C, with A of m * k, B of k *
 * n, C and D of m * n. `interp/contract/matrix/matrix-fragments.ts` says how the elements lie in registers, the rule
 * of the target (`numeric/tensor/rules.ts`) how they are summed.
 */
export interface MatrixOperation {
  readonly m: number;
  readonly n: number;
  /** Columns of A as the instruction names them: a sparse A stores half of them. */
  readonly k: number;
  readonly a: TileSpec["a"];
  readonly b: TileSpec["b"];
  readonly c: TileSpec["c"];
  readonly d: TileSpec["d"];
  /** The instruction that does it: their registers hold matrices differently. */
  readonly by: "mma" | "wmma";
  /** Whether A and B lie by rows or columns in the registers; this matters to m8n8k4 of .f16 alone, four at once. */
  readonly quadPairs?: { readonly a: "row" | "col"; readonly b: "row" | "col" };
  /** A has two of four columns (one of two of .tf32, two pairs of four of 4-bit types); `sorted` as ordered_metadata has them. */
  readonly sparse?: { readonly sorted: boolean };
  /** .kind::f8f6f4 and .kind::mxf8f6f4: elements of 4 and 6 bits lie in 8 (PTX ISA, mma). */
  readonly contained?: true;
  readonly scale?: { readonly kind: Scale["kind"]; readonly type: ScaleType; readonly vector: 1 | 2 | 4 };
  readonly rounding?: "rn" | "rz" | "rm" | "rp";
  /** Integers become the nearest of s32; floats (wmma before PTX 6.5) the largest number, and 0 for NaN. */
  readonly satfinite?: true;
  readonly bits?: "xor" | "and";
}

/** Columns of A that are stored. */
export const storedColumns = ({ k, sparse }: Pick<MatrixOperation, "k" | "sparse">): number => (sparse ? k / 2 : k);

/** What a tile of `rows` rows computes of it. */
export function tileSpecOf(operation: MatrixOperation, rows = operation.m): TileSpec {
  const { n, k, a, b, c, d, scale, rounding, satfinite, bits, sparse, quadPairs } = operation;
  return {
    m: rows,
    n,
    k: storedColumns(operation),
    unit: "mma",
    a,
    b,
    c,
    d,
    ...(quadPairs && { shape: "m8n8k4" }),
    ...(scale && {
      scale: { kind: scale.kind, type: scale.type, block: (k / scale.vector / (sparse ? 2 : 1)) as 16 | 32 },
    }),
    ...(rounding && { rounding }),
    // For floats it is applied to D afterwards.
    ...(satfinite && d === "s32" && { satfinite }),
    ...(bits && { bits }),
  };
}

/** How many neighbouring columns of A share one set of indices, and how many of them are stored. */
export function chunkOf({ a, contained }: Pick<MatrixOperation, "a" | "contained">): {
  readonly columns: 2 | 4 | 8;
  readonly stored: 1 | 2 | 4;
} {
  if (a === "tf32") return { columns: 2, stored: 1 };
  const fourBits = a === "s4" || a === "u4" || (a === "e2m1" && !contained);
  return fourBits ? { columns: 8, stored: 4 } : { columns: 4, stored: 2 };
}

/** The operation on one line, in the manual's letters. */
export function matrixText(operation: MatrixOperation): string {
  const { m, n, k, a, b, c, d, bits, scale, sparse, satfinite, rounding, quadPairs } = operation;
  const product = bits ? `popc(A ${bits} B)` : scale ? "(A * scale_A) * (B * scale_B)" : sparse ? "A(e) * B" : "A * B";
  const into =
    d === "s32" ? (satfinite ? "clamp.s32" : bits ? "" : "wrap.s32") : d === "f64" ? `fma.${rounding ?? "rn"}` : "";
  const sum = `${product} + C`;
  const all =
    into === "" ? sum : into.startsWith("fma") ? `${sum} by ${into}.f64, one k after the other` : `${into}(${sum})`;
  const types = `A ${m}x${k} .${a}, B ${k}x${n} .${b}, C .${c}, D .${d}`;
  return `D = ${all}; ${quadPairs ? "four of " : ""}${types}`;
}
