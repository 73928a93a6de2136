import { swizzles as patterns, swizzled } from "./swizzle.ts";

/**
 * Matrices in shared memory as wgmma reads them (PTX ISA, Shared Memory Matrix Layout): the contents of a descriptor,
 * and the place of an element. Pure functions of numbers; nothing is read.
 */

/** Bytes of a row of the pattern that is swizzled; 0 for none. */
export type Swizzle = 0 | 32 | 64 | 128;

/** A matrix descriptor (PTX ISA, Matrix Descriptor Format), in bytes. */
export interface MatrixDescriptor {
  /** An address of shared memory, 18 bits, a multiple of 16. */
  readonly start: number;
  readonly leading: number;
  readonly stride: number;
  /** Where the swizzled pattern begins, in rows of 128 bytes behind its boundary, 0 to 7. */
  readonly base: number;
  readonly swizzle: Swizzle;
}

const swizzles: readonly Swizzle[] = [0, 128, 64, 32];

/** Reads a descriptor from its 64 bits. Bits without a meaning in the manual are ignored. */
export function descriptorOf(bits: bigint): MatrixDescriptor {
  const field = (from: number, width: number): number => Number((bits >> BigInt(from)) & ((1n << BigInt(width)) - 1n));
  return {
    start: field(0, 14) << 4,
    leading: field(16, 14) << 4,
    stride: field(32, 14) << 4,
    base: field(49, 3),
    swizzle: swizzles[field(62, 2)]!,
  };
}

/**
 * Bytes from the descriptor's start to 16 bytes of a matrix, before they are swizzled: the canonical
 * layouts. K-major: `major` is the row (of B the column), and 16 bytes hold elements along K. MN-major: `major` is
 * k, and they hold rows. `chunk` counts the 16 bytes along the other dimension.
 */
export function canonicalOffset(
  { leading, stride, swizzle }: Pick<MatrixDescriptor, "leading" | "stride" | "swizzle">,
  kMajor: boolean,
  major: number,
  chunk: number,
): number {
  const within = major % 8;
  const beyond = Math.floor(major / 8);
  if (kMajor)
    return swizzle === 0
      ? within * 16 + beyond * stride + chunk * leading
      : within * swizzle + beyond * stride + chunk * 16;
  if (swizzle === 0) return within * 16 + beyond * leading + chunk * stride;
  const chunks = swizzle / 16;
  return within * swizzle + beyond * stride + (chunk % chunks) * 16 + Math.floor(chunk / chunks) * leading;
}

/** The pattern of each swizzle. */
const patternOf = { 0: patterns.none, 32: patterns["32B"], 64: patterns["64B"], 128: patterns["128B"] } as const;

/** Addresses of the 16 bytes that hold rows `[from, from + rows)` of a matrix, by `row * chunks + chunk`. */
export function chunkAddresses(
  descriptor: MatrixDescriptor,
  kMajor: boolean,
  from: number,
  majors: number,
  chunks: number,
): Int32Array {
  const found = new Int32Array(majors * chunks);
  for (let major = 0; major < majors; major++)
    for (let chunk = 0; chunk < chunks; chunk++) {
      const offset = kMajor
        ? canonicalOffset(descriptor, true, from + major, chunk)
        : canonicalOffset(descriptor, false, major, from + chunk);
      found[major * chunks + chunk] = swizzled(
        (descriptor.start + offset) & 0x3ffff,
        patternOf[descriptor.swizzle],
        descriptor.base,
      );
    }
  return found;
}
