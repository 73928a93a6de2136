/** An element type: how many bits it has, and codes with the values that they mean. */
export interface Elements {
  readonly bits: number;
  readonly codes: readonly (readonly [code: number, value: number])[];
  /** Its number in the instruction descriptor. */
  readonly id: number;
}

/** Codes written by hand from the formats: sign, exponent, fraction. */
export const elements = {
  f16: { bits: 16, id: 0, codes: [[0, 0], [0x3c00, 1], [0xbc00, -1], [0x4000, 2], [0xc200, -3], [0x4400, 4]] },
  bf16: { bits: 16, id: 1, codes: [[0, 0], [0x3f80, 1], [0xbf80, -1], [0x4000, 2], [0xc040, -3], [0x4080, 4]] },
  tf32: { bits: 32, id: 2, codes: [[0, 0], [0x3f80_0000, 1], [0xbf80_0000, -1], [0x4000_0000, 2], [0xc040_0000, -3]] },
  e4m3: { bits: 8, id: 0, codes: [[0, 0], [0x38, 1], [0xb8, -1], [0x40, 2], [0xc4, -3], [0x48, 4]] },
  e5m2: { bits: 8, id: 1, codes: [[0, 0], [0x3c, 1], [0xbc, -1], [0x40, 2], [0xc2, -3], [0x44, 4]] },
  e2m3: { bits: 6, id: 3, codes: [[0, 0], [0x08, 1], [0x28, -1], [0x10, 2], [0x34, -3], [0x18, 4]] },
  e3m2: { bits: 6, id: 4, codes: [[0, 0], [0x0c, 1], [0x2c, -1], [0x10, 2], [0x32, -3], [0x14, 4]] },
  e2m1: { bits: 4, id: 5, codes: [[0, 0], [0x2, 1], [0xa, -1], [0x4, 2], [0xd, -3], [0x6, 4]] },
  u8: { bits: 8, id: 0, codes: [[0, 0], [1, 1], [2, 2], [200, 200], [7, 7]] },
  s8: { bits: 8, id: 1, codes: [[0, 0], [1, 1], [0xff, -1], [0x80, -128], [7, 7]] },
  s1z4m11: { bits: 16, id: 3, codes: [[0, 0], [1, 1], [0x8001, -1], [0x87ff, -2047], [0x7ff, 2047], [0x8000, 0], [5, 5]] },
} as const satisfies Readonly<Record<string, Elements>>; // biome-ignore format: one type a line

export type ElementName = keyof typeof elements;

/** Which code stands at a place: nothing that repeats with a power of two. */
export const pick = (name: ElementName, at: number, seed: number): readonly [number, number] => {
  const { codes } = elements[name];
  return codes[(Math.imul(at + 17 * seed + 1, 0x9e37_79b1) >>> 13) % codes.length]!;
};
