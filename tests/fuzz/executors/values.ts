import type { Random } from "./random.ts";

/** Words at which arithmetic goes wrong: bits of floats by format, and integers. */
const f16 = [
  0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0x3c01, 0xbc00, 0x3555, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00,
  0x7fff, 0xffff, 0x4248, 0x6400, 0x6801, 0x1400, 0x0c00,
]; // biome-ignore format: a table
const bf16 = [
  0, 0x8000, 1, 0x7f, 0x80, 0x3f80, 0x3f81, 0xbf80, 0x3eab, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0x7fc0, 0x7fff,
  0xffff, 0x4049, 0x4b00, 0x3380,
]; // biome-ignore format: a table
const f32 = [
  0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x3f800000, 0x3f800001, 0x3f7fffff, 0xbf800000, 0x7f7fffff,
  0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x7fffffff, 0xffffffff, 0x4b000000, 0x4b000001,
  0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x477fefff, 0x477ff000,
  0x33000000, 0x33000001, 0x38800000, 0x387fc000, 0x3f000000, 0x3fc00000, 0x40200000, 0x40490fdb, 0x42ff0000, 0x437f0000,
]; // biome-ignore format: a table
const f64 = [
  0n, 0x8000000000000000n, 1n, 0xfffffffffffffn, 0x10000000000000n, 0x3ff0000000000000n, 0x3ff0000000000001n,
  0xbff0000000000000n, 0x7fefffffffffffffn, 0x7ff0000000000000n, 0xfff0000000000000n, 0x7ff8000000000000n,
  0x7ff0000000000001n, 0x7fffffffffffffffn, 0x4330000000000000n, 0x41e0000000000000n, 0xc1e0000000000000n,
  0x43e0000000000000n, 0xc3e0000000000000n, 0x43f0000000000000n, 0x47efffffe0000000n, 0x47effffff0000000n,
  0x36a0000000000000n, 0x3690000000000000n, 0x3810000000000000n, 0x3fe0000000000000n, 0x40effc0000000000n,
]; // biome-ignore format: a table
const integers = [
  0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff,
];

/** A word of one of many kinds. */
export function word32(random: Random): number {
  switch (random.below(12)) {
    case 0:
    case 1:
      return random.any(f32) >>> 0;
    case 2: // near another, so that sums cancel and products need rounding
      return (random.any(f32) + random.below(9) - 4) >>> 0;
    case 3: // a float of a moderate exponent with few bits, so that ties are frequent
      return ((random.below(2) << 31) | ((118 + random.below(20)) << 23) | (random.below(64) << 17)) >>> 0;
    case 4: // one of a moderate exponent with all bits
      return ((random.below(2) << 31) | ((110 + random.below(36)) << 23) | random.below(1 << 23)) >>> 0;
    case 5:
      return (random.any(f16) | (random.any(f16) << 16)) >>> 0;
    case 6:
      return (random.any(bf16) | (random.any(bf16) << 16)) >>> 0;
    case 7:
      return random.any(integers);
    case 8:
      return -random.any(integers) >>> 0;
    case 9:
      return random.below(64);
    default:
      return random.word() >>> random.any([0, 0, 0, 8, 16, 24]);
  }
}

export function word64(random: Random): bigint {
  switch (random.below(6)) {
    case 0:
      return random.any(f64);
    case 1:
      return BigInt.asUintN(64, random.any(f64) + BigInt(random.below(9) - 4));
    case 2: {
      const exponent = BigInt(1013 + random.below(20));
      const fraction = random.chance(50) ? BigInt(random.below(64)) << 46n : BigInt(random.word()) << 20n;
      return (BigInt(random.below(2)) << 63n) | (exponent << 52n) | fraction;
    }
    case 3:
      return BigInt.asUintN(64, BigInt(random.any(integers)) * (random.chance(50) ? 1n : -1n));
    default:
      return (BigInt(word32(random)) << 32n) | BigInt(word32(random));
  }
}

/** Fills whole words of eight bytes. */
export function fillWith(random: Random, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    if (random.chance(35)) view.setBigUint64(at, word64(random), true);
    else {
      view.setUint32(at, word32(random), true);
      view.setUint32(at + 4, word32(random), true);
    }
  }
}

/** A constant as an instruction of `bits` bits takes it. */
export function integerLiteral(random: Random, bits: number, least?: number, most?: number): string {
  if (least !== undefined || most !== undefined) {
    const low = least ?? 0;
    const span = Math.min((most ?? low + 64) - low + 1, 2 ** 31);
    return String(low + random.below(span));
  }
  if (random.chance(40)) return String(random.any(integers.filter((value) => value < 2 ** Math.min(bits, 31))));
  if (bits <= 8) return String(random.below(128));
  if (bits === 16) return `0x${random.any(random.chance(50) ? f16 : bf16).toString(16)}`;
  if (bits === 32) return random.chance(20) ? String(-random.below(1000) - 1) : `0x${word32(random).toString(16)}`;
  return `0x${word64(random).toString(16)}`;
}

export const f32Literal = (random: Random): string =>
  `0f${(random.chance(60) ? random.any(f32) >>> 0 : word32(random)).toString(16).padStart(8, "0").toUpperCase()}`;
export const f64Literal = (random: Random): string =>
  `0d${(random.chance(60) ? random.any(f64) : word64(random)).toString(16).padStart(16, "0").toUpperCase()}`;
