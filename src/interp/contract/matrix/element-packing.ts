import { type ElementType, elementBits } from "../../../numeric/tensor/element.ts";

/** How elements lie in memory: a container of so many bits each, `shift` of them below the element. */
export interface Packing {
  readonly bits: number;
  readonly container: number;
  readonly shift: number;
}

/**
 * In shared memory (PTX ISA, Packing formats): elements lie side by side, `used` bits of them in each 16 bytes. Of 4 and
 * 6 bits, 16 are followed by padding, unless they are `packed`: all of mxf4 and mxf4nvf4, others with the greater K.
 */
export function packedInShared(type: ElementType, packed: boolean): { readonly bits: number; readonly used: number } {
  const bits = elementBits(type);
  return { bits, used: packed || bits >= 8 ? 128 : 16 * bits };
}

/** In tensor memory, matrix A (PTX ISA, Packing formats): 4 and 6 bits are in a byte each, unless they are `packed`. */
export function packedInTensor(type: ElementType, packed: boolean): Packing {
  const bits = elementBits(type);
  if (packed || bits >= 8) return { bits, container: bits, shift: 0 };
  return { bits, container: 8, shift: bits === 4 ? 2 : 0 };
}
