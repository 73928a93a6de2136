// The layouts of matrices in shared memory, from the manual's table of canonical layouts, evaluated as
// CuTe does: an oracle that shares no code with the interpreter.

/** By majorness and swizzle: the layout without swizzling, as the manual writes it. */
export const canonical = {
  mn: {
    0: "((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))",
    32: "((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))",
    64: "((T,4,m),(8,k)):((1,T,LBO),(4T,SBO))",
    128: "((T,8,m),(8,k)):((1,T,LBO),(8T,SBO))",
  },
  k: {
    0: "((8,m),(T,2k)):((1T,SBO),(1,LBO))",
    32: "((8,m),(T,2k)):((2T,SBO),(1,T))",
    64: "((8,m),(T,2k)):((4T,SBO),(1,T))",
    128: "((8,m),(T,2k)):((8T,SBO),(1,T))",
  },
} as const;
export type Major = keyof typeof canonical;
export type Mode = 0 | 32 | 64 | 128;

/** `(T,2,m)` as numbers. */
function numbers(text: string, names: Readonly<Record<string, number>>): number[] {
  return text.split(",").map((word) => {
    const [, factor, name] = /^(\d*)([A-Za-z]*)$/.exec(word)!;
    const value = name === "" ? 1 : names[name!];
    // What a shape repeats for ever has no end.
    return Number(factor === "" ? 1 : factor) * (value ?? Number.POSITIVE_INFINITY);
  });
}

/** Byte of an element of `bits` bits, at `mn` and `k`, from where the matrix begins; strides in bytes. */
export function placeOf(
  major: Major,
  mode: Mode,
  bits: number,
  { leading, stride }: { readonly leading: number; readonly stride: number },
  mn: number,
  k: number,
): number {
  const T = 128 / bits;
  const names = { T, LBO: (leading * 8) / bits, SBO: (stride * 8) / bits };
  const groups = [...canonical[major][mode].matchAll(/\(([^()]+)\)/g)].map(([, inner]) => numbers(inner!, names));
  const [rows, columns, rowStrides, columnStrides] = groups as [number[], number[], number[], number[]];
  const along = (index: number, shape: number[], strides: number[]): number => {
    let sum = 0;
    let left = index;
    shape.forEach((size, at) => {
      const last = at === shape.length - 1;
      sum += (last ? left : left % size) * strides[at]!;
      left = Math.floor(left / size);
    });
    return sum;
  };
  return ((along(mn, rows, rowStrides) + along(k, columns, columnStrides)) * bits) / 8;
}

/** Swizzle<B, 4, 3> on the address of a byte. */
export function swizzle(mode: Mode, address: number): number {
  const bits = mode === 0 ? 0 : Math.log2(mode / 16);
  return address ^ (((address >> 7) & ((1 << bits) - 1)) << 4);
}

const modes: readonly Mode[] = [0, 128, 64, 32];

/** A matrix descriptor (PTX ISA, Matrix Descriptor Format). */
export const descriptor = (start: number, leading: number, stride: number, mode: Mode, base = 0): bigint =>
  BigInt((start & 0x3ffff) >> 4) |
  (BigInt((leading & 0x3ffff) >> 4) << 16n) |
  (BigInt((stride & 0x3ffff) >> 4) << 32n) |
  (BigInt(base) << 49n) |
  (BigInt(modes.indexOf(mode)) << 62n);

/** Strides that put a matrix of `mn` rows and `k` columns together without a gap. */
export function packed(
  major: Major,
  mode: Mode,
  bits: number,
  mn: number,
  k: number,
): { leading: number; stride: number } {
  const T = 128 / bits;
  if (major === "k") return mode === 0 ? { leading: 128, stride: (128 * k) / T } : { leading: 16, stride: 8 * mode };
  if (mode === 0) return { stride: 128, leading: (128 * mn) / T };
  return { stride: 8 * mode, leading: mode * k };
}
