export type IntType = "u8" | "s8" | "u16" | "s16" | "u32" | "s32" | "u64" | "s64";
export type IntWidth = 8 | 16 | 32 | 64;

export const intWidth = (type: IntType): IntWidth => Number(type.slice(1)) as IntWidth;
export const isSigned = (type: IntType): boolean => type.startsWith("s");

/** Bits of up to 32 as the number that they mean in `type`; the result is exact. */
export function reader(type: IntType): (bits: number) => number {
  const up = 32 - intWidth(type);
  return isSigned(type) ? (bits) => (bits << up) >> up : (bits) => (bits << up) >>> up;
}

/** 64 bits as the number that they mean in `type`. */
export const reader64 = (type: IntType): ((bits: bigint) => bigint) =>
  isSigned(type) ? (bits) => BigInt.asIntN(64, bits) : (bits) => BigInt.asUintN(64, bits);

/** The least and greatest number of a type. */
export function rangeOf(type: IntType): readonly [bigint, bigint] {
  const width = BigInt(intWidth(type));
  return isSigned(type) ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
}

/** A number of any size into the range of a type. */
export function clampTo(type: IntType): (value: bigint) => bigint {
  const [least, greatest] = rangeOf(type);
  return (value) => {
    if (value < least) return least;
    if (value > greatest) return greatest;
    return value;
  };
}
