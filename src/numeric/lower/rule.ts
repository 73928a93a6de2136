import type { Bits } from "../bits.ts";
import type { Operation } from "../operation/operation.ts";
import { reference } from "../operation/reference.ts";
import { widthOf } from "../operation/type.ts";

/** An operation on the bits of one lane: numbers up to 32 bits, bigints above, as the types of the operation say. */
export type Scalar = (...bits: Bits[]) => Bits;

/**
 * Lowers some operations to a function on bits; undefined for the others. It matches the operation's data, never a
 * name. `lower` is for the parts of an operation that are operations themselves: a lane, either side of a choice.
 */
export type ScalarRule = (operation: Operation, lower: (part: Operation) => Scalar) => Scalar | undefined;

/** The reference as a function on bits; tests hold the rules against it. */
export function byReference(operation: Operation): Scalar {
  const narrow = widthOf(operation.gives) <= 32;
  const count = operation.takes.length;
  return (...bits) => {
    // A loop for any number of operands passes undefined for those that are missing.
    const result = reference(operation, bits.slice(0, count).map(BigInt));
    return narrow ? Number(result) : result;
  };
}
