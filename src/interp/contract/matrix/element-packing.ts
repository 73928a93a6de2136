import { type ElementType, elementBits } from "../../../numeric/tensor/element.ts";

/** How elements lie in memory: a container of so many bits each, `shift` of them below the element. */
export interface Packing {
  readonly bits: number;
  readonly container: number;
  readonly shift: number;
}

/**
 * In shared memory (PTX ISA, Packing formats): elements of 4 and 6 bits of mxf8f6f4 and f8f6f4 are packed, 16 of them
 * and padding in 16 bytes; `per` elements share a 16-byte chunk.
 */
export function packedInShared(
  type: ElementType,
  fourBitKind: boolean,
): { readonly bits: number; readonly per: number } {
  const bits = elementBits(type);
  if (fourBitKind) return { bits, per: 32 };
  return { bits, per: bits <= 8 ? 16 : 128 / bits };
}

/**
 * In tensor memory, matrix A (PTX ISA, Packing formats): 4 and 6 bits are in a byte, two of 4 bits with mxf4 and
 * mxf4nvf4.
 */
export function packedInTensor(type: ElementType, fourBitKind: boolean): Packing {
  const bits = elementBits(type);
  if (fourBitKind || bits >= 8) return { bits, container: bits, shift: 0 };
  return { bits, container: 8, shift: bits === 4 ? 2 : 0 };
}
