import type { Hot } from "./hot.ts";

const add: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = s[a + lane]! + s[b + lane]!;
  };

const sub: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = s[a + lane]! - s[b + lane]!;
  };

const mul: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) r[d + lane] = Math.imul(s[a + lane]!, s[b + lane]!);
  };

const mad: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) r[d + lane] = Math.imul(s[a + lane]!, s[b + lane]!) + s[c + lane]!;
  };

const and: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = s[a + lane]! & s[b + lane]!;
  };

const or: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = s[a + lane]! | s[b + lane]!;
  };

const xor: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = s[a + lane]! ^ s[b + lane]!;
  };

// PTX clamps a shift amount at the width; JavaScript takes it modulo 32 (PTX ISA 9.7.8.7).
const shl: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) {
        const by = r[b + lane]!;
        r[d + lane] = by > 31 ? 0 : s[a + lane]! << by;
      }
  };

const shrUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) {
        const by = r[b + lane]!;
        r[d + lane] = by > 31 ? 0 : r[a + lane]! >>> by;
      }
  };

const shrSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) {
        const by = r[b + lane]!;
        r[d + lane] = s[a + lane]! >> Math.min(by, 31);
      }
  };

/** Integers of 32 bits. Sums of two are exact in a double and wrap when they are stored. */
export const integers: readonly (readonly [string, Hot])[] = [
  ["iadd.u32", add],
  ["iadd.s32", add],
  ["isub.u32", sub],
  ["isub.s32", sub],
  ["imul.lo.u32", mul],
  ["imul.lo.s32", mul],
  ["imad.lo.u32", mad],
  ["imad.lo.s32", mad],
  ["band.b32", and],
  ["bor.b32", or],
  ["bxor.b32", xor],
  ["shl.b32", shl],
  ["shr.u32", shrUnsigned],
  ["shr.s32", shrSigned],
];
