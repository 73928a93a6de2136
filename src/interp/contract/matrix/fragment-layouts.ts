import { type Fragment, type FragmentBits, type Term, term } from "./fragment.ts";

/** A power of two as its exponent. */
const log = (value: number): number => Math.log2(value);

/** Elements that share a register. */
const perRegister = (bits: FragmentBits): number => (bits === 64 ? 1 : 32 / bits);

/** Bits of `i` from `shift` on, as parts of a row or a column; nothing where there are none. */
const ofIndex = (shift: number, bits: number, weight: number): readonly Term[] =>
  bits === 0 ? [] : [term("i", weight, shift, bits)];

/**
 * Multiplicand A of `m` rows and `k` columns: a group holds row groupID (and + 8), and each of its threads as many
 * columns next to each other as a register holds. One layout for every type and every shape but m8n8k4 of .f16 (PTX
 * ISA, Matrix Fragments for mma), and for what is stored of a sparse A, whose `k` is then that of the stored columns
 * (PTX ISA, Matrix Fragments for sparse mma).
 */
export function multiplicandA(m: number, k: number, bits: FragmentBits): Fragment {
  const side = perRegister(bits);
  const low = log(side);
  const eight = m >= 16 ? 1 : 0;
  const steps = log(k / (4 * side));
  return {
    name: "a",
    rows: m,
    columns: k,
    bits,
    count: (m * k) / 32,
    row: [term("groupID"), ...ofIndex(low, eight, 8), ...ofIndex(low + eight + steps, log(m / 8) - eight, 16)],
    column: [term("threadID_in_group", side), ...ofIndex(0, low, 1), ...ofIndex(low + eight, steps, 4 * side)],
  };
}

/** Multiplicand B of `k` rows and `n` columns: A's layout with rows and columns exchanged, eight columns at a time. */
export function multiplicandB(k: number, n: number, bits: FragmentBits): Fragment {
  const side = perRegister(bits);
  const low = log(side);
  const steps = log(k / (4 * side));
  return {
    name: "b",
    rows: k,
    columns: n,
    bits,
    count: (k * n) / 32,
    row: [term("threadID_in_group", side), ...ofIndex(0, low, 1), ...ofIndex(low, steps, 4 * side)],
    column: [term("groupID"), ...ofIndex(low + steps, log(n / 8), 8)],
  };
}

/**
 * Accumulators C and D: two columns next to each other in each thread, rows groupID and groupID + 8 (PTX ISA, Matrix
 * Fragments for mma).
 */
export function accumulator(name: "c" | "d", m: number, n: number, bits: FragmentBits): Fragment {
  const eight = m >= 16 ? 1 : 0;
  const columns = log(n / 8);
  return {
    name,
    rows: m,
    columns: n,
    bits,
    count: (m * n) / 32,
    row: [term("groupID"), ...ofIndex(1, eight, 8), ...ofIndex(1 + eight + columns, log(m / 8) - eight, 16)],
    column: [term("threadID_in_group", 2), ...ofIndex(0, 1, 1), ...ofIndex(1 + eight, columns, 8)],
  };
}

/** mma.m8n8k4 with .f16: four matrices, each in four lanes of the low and four of the high half of the warp. */
const four = { count: 4, which: [term("%laneid", 1, 2, 2)] } as const;
const inQuad = term("%laneid", 1, 0, 2);
const high = term("%laneid", 4, 4);
const sixteen = { rows: 8, columns: 4, bits: 16, count: 4, matrices: four } as const;

export const quadPairA = {
  row: { ...sixteen, name: "a", row: [inQuad, high], column: [term("i")] },
  col: { ...sixteen, name: "a", row: [term("i"), high], column: [inQuad] },
} as const satisfies Readonly<Record<string, Fragment>>;

export const quadPairB = {
  row: { ...sixteen, name: "b", rows: 4, columns: 8, row: [inQuad], column: [term("i"), high] },
  col: { ...sixteen, name: "b", rows: 4, columns: 8, row: [term("i")], column: [inQuad, high] },
} as const satisfies Readonly<Record<string, Fragment>>;

export const quadPairAccumulator = (name: "c" | "d", bits: 16 | 32): Fragment => ({
  name,
  rows: 8,
  columns: 8,
  bits,
  count: 8,
  matrices: four,
  ...(bits === 16
    ? { row: [inQuad, high], column: [term("i")] }
    : {
        row: [term("%laneid", 1, 0, 1), term("i", 2, 1, 1), high],
        column: [term("i", 4, 2), term("%laneid", 2, 1, 1), term("i", 1, 0, 1)],
      }),
});

/**
 * Metadata of a sparse A of 16 rows (PTX ISA, Sparse matrix storage, and the figures of Matrix Fragments for sparse
 * mma): each element is the four bits of one chunk of a row. The selector says which threads of a group hold it. A
 * thread holds half of each of two rows where the elements are of 16 or 32 bits, and eight chunks of one row where they
 * are smaller.
 */
export function metadata(chunks: number, bits: FragmentBits): Fragment {
  const threads = chunks === 4 ? 1 : chunks === 8 ? 2 : 4;
  const narrow = bits < 16;
  return {
    name: "e",
    rows: 16,
    columns: chunks,
    bits: 4,
    count: 8,
    holders: { threads },
    row: [term("groupID"), narrow ? term("holder", 8, 0, 1) : term("i", 8, 2)],
    column: narrow
      ? [term("i"), ...(threads === 4 ? [term("holder", 8, 1)] : [])]
      : [term("i", 1, 0, 2), ...(threads === 2 ? [term("holder", 4)] : [])],
  };
}

/**
 * Scales of A (PTX ISA, Block Scaling for mma.sync): two threads of each group, chosen by thread-id-a, hold those of
 * rows groupID and groupID + 8. `vector` scales of a row follow each other from byte-id-a on.
 */
export const scaleA = (vector: 1 | 2 | 4): Fragment => ({
  name: "scale-a",
  rows: 16,
  columns: vector,
  bits: 8,
  count: vector,
  holders: { threads: 2 },
  row: [term("groupID"), term("holder", 8)],
  column: vector === 1 ? [] : [term("i")],
});

/** Scales of B: one thread of each group, chosen by thread-id-b, holds those of column groupID. */
export const scaleB = (vector: 1 | 2 | 4): Fragment => ({
  name: "scale-b",
  rows: vector,
  columns: 8,
  bits: 8,
  count: vector,
  holders: { threads: 1 },
  row: vector === 1 ? [] : [term("i")],
  column: [term("groupID")],
});

/**
 * Fragments of wmma (PTX ISA, Matrix Fragments for WMMA), which the manual leaves open: those of the mma of the same
 * type, one after the other where the matrix is larger, and A of 8 rows as B is. A multiplicand of .f16 has eight
 * registers whatever the shape: where there are more than elements, the rest are copies. The layout in memory makes no
 * difference.
 */
export function wmmaFragment(
  role: "a" | "b" | "c" | "d",
  { m, n, k }: { readonly m: number; readonly n: number; readonly k: number },
  bits: FragmentBits,
  sixteenRegisters: boolean,
): Fragment {
  if (role === "c" || role === "d") return accumulator(role, m, n, bits);
  const plain = role === "a" ? multiplicandA(m, k, bits) : multiplicandB(k, n, bits);
  return sixteenRegisters ? { ...plain, count: 16 } : plain;
}

/**
 * Accumulator D of wgmma (PTX ISA, Register Fragments), the part of one warp: rows from `16 * (%warpid % 4)` on, and
 * any multiple of eight columns. A in registers is `multiplicandA` of the same sixteen rows.
 */
export const warpgroupAccumulator = (n: number, bits: 16 | 32): Fragment => ({
  name: "d",
  rows: 16,
  columns: n,
  bits,
  count: n / 2,
  row: [term("groupID"), term("i", 8, 1, 1)],
  column: [term("threadID_in_group", 2), term("i", 1, 0, 1), term("i", 8, 2)],
});
