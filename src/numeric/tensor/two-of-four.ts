/** The types of elements that spcompress and tcgen05.ld.spcompress compare. */
export type ComparedType = "u8" | "s8" | "f16" | "bf16" | "f32" | "e5m2" | "e4m3" | "e3m2" | "e2m3";

/** Which two of four elements are kept: those with the greatest or the least values, or magnitudes. */
export interface Preference {
  readonly op: "max" | "min";
  readonly abs: boolean;
  readonly type: ComparedType;
}

/** Bits of a float, and the least magnitude that is a NaN where there is one. */
const floats: Readonly<Record<Exclude<ComparedType, "u8" | "s8">, readonly [bits: number, nan?: number]>> = {
  f16: [16, 0x7c01],
  bf16: [16, 0x7f81],
  f32: [32, 0x7f80_0001],
  e5m2: [8, 0x7d],
  e4m3: [8, 0x7f],
  e3m2: [6],
  e2m3: [6],
};

/** A number that sorts as the values of the bits do, -0 below +0; an infinite one for NaN, which is always kept. */
function keyOf({ type, abs }: Preference): (bits: number) => number {
  if (type === "u8") return (bits) => bits & 0xff;
  if (type === "s8") return abs ? (bits) => Math.abs((bits << 24) >> 24) : (bits) => (bits << 24) >> 24;
  const [width, nan = Number.POSITIVE_INFINITY] = floats[type];
  const sign = 2 ** (width - 1);
  return (bits) => {
    const magnitude = (bits & (sign - 1)) >>> 0;
    if (magnitude >= nan) return Number.NaN;
    return abs || (bits & sign) === 0 ? magnitude : -1 - magnitude;
  };
}

/**
 * Returns a function that chooses two of the four elements from `at` on, and gives their indices: the lower one in its
 * two low bits, the other above them. Of equal elements, and of more than two NaN, the first are kept, which the manual
 * leaves open (PTX ISA, spcompress).
 */
export function twoOfFour(preference: Preference): (elements: ArrayLike<number>, at: number) => number {
  const key = keyOf(preference);
  const sign = preference.op === "max" ? 1 : -1;
  const worth = (bits: number): number => {
    const value = key(bits);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value;
  };
  return (elements, at) => {
    let [first, second] = [0, 1];
    let [best, next] = [worth(elements[at]!), worth(elements[at + 1]!)];
    if (next > best) [first, second, best, next] = [1, 0, next, best];
    for (let index = 2; index < 4; index++) {
      const value = worth(elements[at + index]!);
      if (value > best) [first, second, best, next] = [index, first, value, best];
      else if (value > next) [second, next] = [index, value];
    }
    return Math.min(first, second) | (Math.max(first, second) << 2);
  };
}
