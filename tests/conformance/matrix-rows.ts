import type { MatrixOperation } from "../../src/numeric/operation/matrix.ts";
import { type Matrices, type MatrixCase, multiplied } from "./matrix-kernel.ts";
import { partsOf, type TensorRow } from "./tensor-rows.ts";

/** Shapes of mma.sync by the type of A, and the least target that has them. */
const shapes: Readonly<Record<string, readonly (readonly [m: number, k: number, sm: number])[]>> = {
  f16: [[8, 4, 70], [16, 8, 75], [16, 16, 80]],
  bf16: [[16, 8, 80], [16, 16, 80]],
  tf32: [[16, 4, 80], [16, 8, 80]],
  f64: [[8, 4, 80], [16, 4, 90], [16, 8, 90], [16, 16, 90]],
  s8: [[8, 16, 75], [16, 16, 80], [16, 32, 80]],
  s4: [[8, 32, 75], [16, 32, 80], [16, 64, 80]],
  b1: [[8, 128, 75], [16, 128, 80], [16, 256, 80]],
  e4m3: [[16, 16, 89], [16, 32, 89]],
  e2m1: [[16, 64, 120]],
}; // biome-ignore format: a line each

const family = (type: string): string =>
  type === "u8" ? "s8" : type === "u4" ? "s4" : type === "e5m2" || type === "e3m2" || type === "e2m3" ? "e4m3" : type;

const narrow = (type: string): boolean => type === "e3m2" || type === "e2m3" || type === "e2m1";

/** The mma.sync that computes a row on its target; undefined where the target has none. */
export function caseOf(row: TensorRow): MatrixCase | undefined {
  if (row.unit !== "mma") return undefined;
  const { A, B, C, D, arch, scale } = row;
  const k = partsOf(row).operands.a.length;
  const four = scale?.[0] === "mxf4";
  const kind = scale?.[0] === "mxf8f6f4" ? "mxf8f6f4" : narrow(A) || narrow(B) ? "f8f6f4" : undefined;
  const found = (shapes[four ? "e2m1" : A === "e2m1" ? "e4m3" : family(A)] ?? []).find(
    ([, columns, sm]) => columns === k && arch >= sm && !(kind !== undefined && k !== 32),
  );
  if (found === undefined || (C !== D && !(A === "f16" && k === 4))) return undefined;
  const [m] = found;
  const quad = A === "f16" && k === 4;
  const op: MatrixOperation = {
    m,
    n: 8,
    k,
    a: A,
    b: B,
    c: C,
    d: D,
    by: "mma",
    ...(quad && { quadPairs: { a: "row", b: "col" } as const }),
    ...(kind && { contained: true as const }),
    ...(scale && { scale: { kind: scale[0], type: scale[1], vector: (k / scale[2]) as 1 | 2 | 4 } }),
    ...(row.rounding && { rounding: row.rounding }),
    ...(row.satfinite && { satfinite: true as const }),
    ...(row.bits && { bits: row.bits }),
  };
  const exact = arch >= 120 && (scale || kind) ? "a" : "";
  const words = [
    `m${m}n8k${k}.row.col`,
    ...(four ? [`kind::${scale?.[1] === "ue4m3" || scale?.[2] === 16 ? "mxf4nvf4" : "mxf4"}`] : []),
    ...(kind ? [`kind::${kind}`] : []),
    ...(scale ? [`block_scale.scale_vec::${k / scale[2]}X`] : []),
    ...(row.satfinite ? ["satfinite"] : []),
    ...(row.rounding ? [row.rounding] : []),
    `${D}.${A}.${B}.${C}`,
    ...(scale ? [scale[1]] : []),
    ...(row.bits ? [`${row.bits}.popc`] : []),
  ];
  // m8n8k4 takes C of .f16 alone where D is.
  if (quad && C === "f32" && D === "f16") return undefined;
  return { opcode: `mma.sync.aligned.${words.join(".")}`, op, target: `sm_${arch}${exact}` };
}

/** Rows by the instruction that computes them. */
export function grouped(rows: readonly TensorRow[]): readonly (readonly [MatrixCase, readonly TensorRow[]])[] {
  const groups = new Map<string, [MatrixCase, TensorRow[]]>();
  for (const row of rows) {
    const made = caseOf(row);
    if (made === undefined) continue;
    const key = `${made.target} ${made.opcode}`;
    const group = groups.get(key) ?? [made, []];
    group[1].push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What of the rows comes out otherwise: eight at a time, each a row of A, a column of B and the element of C where they meet. */
export function differingRows(one: MatrixCase, rows: readonly TensorRow[]): string[] {
  const { m, n, k, scale, quadPairs } = one.op;
  const copies = quadPairs ? 4 : 1;
  const parts = rows.map((row) => partsOf(row).operands);
  const all: Matrices[] = [];
  for (let from = 0; from < parts.length; from += 8 * copies) {
    const vector = scale?.vector ?? 0;
    const a = Array.from({ length: copies * m * k }, () => 0n);
    const b = Array.from({ length: copies * k * n }, () => 0n);
    const c = Array.from({ length: copies * m * n }, () => 0n);
    const scaleA = Array.from({ length: m * vector }, () => 0n);
    const scaleB = Array.from({ length: vector * n }, () => 0n);
    parts.slice(from, from + 8 * copies).forEach((part, index) => {
      const [copy, at] = [Math.floor(index / 8), index % 8];
      for (let x = 0; x < k; x++) {
        a[(copy * m + at) * k + x] = part.a[x] ?? 0n;
        b[(copy * k + x) * n + at] = part.b[x] ?? 0n;
      }
      c[(copy * m + at) * n + at] = part.c;
      for (let x = 0; x < vector; x++) {
        scaleA[at * vector + x] = part.scaleA?.[x] ?? 0n;
        scaleB[x * n + at] = part.scaleB?.[x] ?? 0n;
      }
    });
    all.push({ a, b, c, scaleA, scaleB });
  }
  const results = multiplied(one, all);
  return rows.flatMap((row, index) => {
    const [batch, within] = [Math.floor(index / (8 * copies)), index % (8 * copies)];
    const [copy, at] = [Math.floor(within / 8), within % 8];
    const got = results[batch]?.[(copy * m + at) * n + at];
    return got === BigInt(`0x${row.d}`)
      ? []
      : [`${one.opcode} on ${one.target} 0x${got?.toString(16)}: ${JSON.stringify(row)}`];
  });
}
