import { toBf16, toF16, valuesOf } from "../../numeric/binary64/double.ts";
import { f16, f32 } from "../../numeric/format/format.ts";
import { nanAsF64 } from "../../numeric/format/nan.ts";
import type { Hot } from "./hot-loop.ts";

const NAN32 = Number(f32.nan);

/** Registers of fewer than 32 bits are zero-extended already. */
const copy: Hot =
  (lanes, _op, d, a) =>
  ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = r[a + lane]!;
  };

const low16: Hot =
  (lanes, _op, d, a) =>
  ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = r[a + lane]! & 0xffff;
  };

const signed16: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) s[d + lane] = (s[a + lane]! << 16) >> 16;
  };

const signedToF32: Hot =
  (lanes, _op, d, a) =>
  ({ s, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) f[d + lane] = s[a + lane]!;
  };

const unsignedToF32: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) f[d + lane] = r[a + lane]!;
  };

const signedToF64: Hot =
  (lanes, _op, d, a) =>
  ({ s, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) f[d + lane] = s[a + lane]!;
  };

const unsignedToF64: Hot =
  (lanes, _op, d, a) =>
  ({ r, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) f[d + lane] = r[a + lane]!;
  };

/** A store into Int32Array cuts off the fraction and makes NaN 0; what is beyond its range is clamped first. */
const f32ToSigned: Hot =
  (lanes, _op, d, a) =>
  ({ s, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = f[a + lane]!;
      s[d + lane] = Math.max(Math.min(value, 0x7fff_ffff), -0x8000_0000);
    }
  };

const f32ToUnsigned: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = f[a + lane]!;
      r[d + lane] = Math.max(Math.min(value, 0xffff_ffff), 0);
    }
  };

const floorToSigned: Hot =
  (lanes, _op, d, a) =>
  ({ s, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = Math.floor(f[a + lane]!);
      s[d + lane] = Math.max(Math.min(value, 0x7fff_ffff), -0x8000_0000);
    }
  };

/** From f64 a NaN becomes the least number. */
const f64ToSigned: Hot =
  (lanes, _op, d, a) =>
  ({ s, d: f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = f[a + lane]!;
      s[d + lane] = Number.isNaN(value) ? -0x8000_0000 : Math.max(Math.min(value, 0x7fff_ffff), -0x8000_0000);
    }
  };

const floorF32: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = f[a + lane]!;
      if (Number.isNaN(value)) r[d + lane] = NAN32;
      else f[d + lane] = Math.floor(value);
    }
  };

const truncF32: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = f[a + lane]!;
      if (Number.isNaN(value)) r[d + lane] = NAN32;
      else f[d + lane] = Math.trunc(value);
    }
  };

const quiet = nanAsF64(f32);

const f32ToF64: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, q, d: wide, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = f[a + lane]!;
      if (Number.isNaN(value)) q[d + lane] = quiet(r[a + lane]!);
      else wide[d + lane] = value;
    }
  };

const f64ToF32: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, d: wide, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = wide[a + lane]!;
      if (Number.isNaN(value)) r[d + lane] = NAN32;
      else f[d + lane] = value;
    }
  };

/** bf16 is the upper half of f32. */
const bf16ToF32: Hot =
  (lanes, _op, d, a) =>
  ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = r[a + lane]! << 16;
  };

const f16ToF32: Hot = (lanes, _op, d, a) => {
  const values = valuesOf(f16);
  return ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = values[r[a + lane]!]!;
      if (Number.isNaN(value)) r[d + lane] = NAN32;
      else f[d + lane] = value;
    }
  };
};

const f32ToF16: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = toF16(f[a + lane]!);
  };

const f32ToBf16: Hot =
  (lanes, _op, d, a) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = toBf16(f[a + lane]!);
  };

const f32ToF16x2: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) r[d + lane] = (toF16(f[a + lane]!) << 16) | toF16(f[b + lane]!);
  };

const f32ToBf16x2: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, f, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) r[d + lane] = (toBf16(f[a + lane]!) << 16) | toBf16(f[b + lane]!);
  };

/** Conversions of up to 32 bits, and to and from f64, that compilers write in ordinary kernels. */
export const conversions: readonly (readonly [string, Hot])[] = [
  ["convert.u16.u32", copy],
  ["convert.u16.s32", copy],
  ["convert.s16.u32", signed16],
  ["convert.s16.s32", signed16],
  ["convert.u32.u16", low16],
  ["convert.u32.s16", low16],
  ["convert.s32.u16", low16],
  ["convert.s32.s16", low16],
  ["convert.s32.f32.rn", signedToF32],
  ["convert.u32.f32.rn", unsignedToF32],
  ["convert.s32.f64.rn", signedToF64],
  ["convert.u32.f64.rn", unsignedToF64],
  ["convert.f32.s32.rzi", f32ToSigned],
  ["convert.f32.u32.rzi", f32ToUnsigned],
  ["convert.f32.s32.rmi", floorToSigned],
  ["convert.f64.s32.rzi", f64ToSigned],
  ["convert.f32.f32.rmi", floorF32],
  ["convert.f32.f32.rzi", truncF32],
  ["convert.f32.f64", f32ToF64],
  ["convert.f64.f32.rn", f64ToF32],
  ["convert.f16.f32", f16ToF32],
  ["convert.bf16.f32", bf16ToF32],
  ["convert.f32.f16.rn", f32ToF16],
  ["convert.f32.bf16.rn", f32ToBf16],
  ["convert.f32.f16x2.rn", f32ToF16x2],
  ["convert.f32.bf16x2.rn", f32ToBf16x2],
];
