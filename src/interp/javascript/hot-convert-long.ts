import type { Hot } from "./hot-loop.ts";

// Words in place of bigints: a high word is worth 2^32, and both words are exact in a double.
const WORD = 2 ** 32;

const widenUnsigned: Hot =
  (lanes, _op, d, a) =>
  ({ r, w, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      w[2 * (d + lane)] = r[a + lane]!;
      w[2 * (d + lane) + 1] = 0;
    }
  };

const widenSigned: Hot =
  (lanes, _op, d, a) =>
  ({ s, w, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const low = s[a + lane]!;
      w[2 * (d + lane)] = low;
      w[2 * (d + lane) + 1] = low >> 31;
    }
  };

const low32: Hot =
  (lanes, _op, d, a) =>
  ({ s, w, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) s[d + lane] = w[2 * (a + lane)]!;
  };

/** One addition rounds, and only once. */
const signedToF64: Hot =
  (lanes, _op, d, a) =>
  ({ w, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const at = 2 * (a + lane);
      f[d + lane] = w[at + 1]! * WORD + (w[at]! >>> 0);
    }
  };

const unsignedToF64: Hot =
  (lanes, _op, d, a) =>
  ({ w, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const at = 2 * (a + lane);
      f[d + lane] = (w[at + 1]! >>> 0) * WORD + (w[at]! >>> 0);
    }
  };

/** Rounded to odd where 53 bits do not do, so that rounding to f32 is the only one that shows. */
const sum = (high: number, low: number): number => {
  if (Math.abs(high) < 2 ** 20 || (low & 0x7ff) === 0) return high * WORD + (low >>> 0);
  return high * WORD + (((low & ~0x7ff) | 0x800) >>> 0);
};

const signedToF32: Hot =
  (lanes, _op, d, a) =>
  ({ w, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const at = 2 * (a + lane);
      f[d + lane] = sum(w[at + 1]!, w[at]!);
    }
  };

const unsignedToF32: Hot =
  (lanes, _op, d, a) =>
  ({ w, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const at = 2 * (a + lane);
      f[d + lane] = sum(w[at + 1]! >>> 0, w[at]!);
    }
  };

/** Beyond its range the greatest, or the least; a NaN too is the top bit alone. */
function putSigned(w: Int32Array, to: number, value: number): void {
  const whole = Math.trunc(value);
  const high = Math.floor(whole / WORD);
  const inside = whole >= -(2 ** 63) && whole < 2 ** 63;
  const most = whole > 0;
  w[to] = inside ? whole - high * WORD : most ? -1 : 0;
  w[to + 1] = inside ? high : most ? 0x7fff_ffff : -0x8000_0000;
}

function putUnsigned(w: Int32Array, to: number, value: number): void {
  const whole = Math.trunc(value);
  const high = Math.floor(whole / WORD);
  if (whole >= 0 && whole < 2 ** 64) {
    w[to] = whole - high * WORD;
    w[to + 1] = high;
    return;
  }
  w[to] = whole > 0 ? -1 : 0;
  w[to + 1] = whole > 0 ? -1 : Number.isNaN(whole) ? -0x8000_0000 : 0;
}

const f32ToSigned: Hot =
  (lanes, _op, d, a) =>
  ({ w, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) putSigned(w, 2 * (d + lane), f[a + lane]!);
  };

const f64ToSigned: Hot =
  (lanes, _op, d, a) =>
  ({ w, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) putSigned(w, 2 * (d + lane), f[a + lane]!);
  };

const f32ToUnsigned: Hot =
  (lanes, _op, d, a) =>
  ({ w, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) putUnsigned(w, 2 * (d + lane), f[a + lane]!);
  };

const f64ToUnsigned: Hot =
  (lanes, _op, d, a) =>
  ({ w, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) putUnsigned(w, 2 * (d + lane), f[a + lane]!);
  };

/** To and from 64-bit integers. */
export const longConversions: readonly (readonly [string, Hot])[] = [
  ["convert.u32.u64", widenUnsigned],
  ["convert.u32.s64", widenUnsigned],
  ["convert.s32.u64", widenSigned],
  ["convert.s32.s64", widenSigned],
  ["convert.u64.u32", low32],
  ["convert.u64.s32", low32],
  ["convert.s64.u32", low32],
  ["convert.s64.s32", low32],
  ["convert.s64.f64.rn", signedToF64],
  ["convert.u64.f64.rn", unsignedToF64],
  ["convert.s64.f32.rn", signedToF32],
  ["convert.u64.f32.rn", unsignedToF32],
  ["convert.f32.s64.rzi", f32ToSigned],
  ["convert.f64.s64.rzi", f64ToSigned],
  ["convert.f32.u64.rzi", f32ToUnsigned],
  ["convert.f64.u64.rzi", f64ToUnsigned],
];
