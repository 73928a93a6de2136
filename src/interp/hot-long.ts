import type { Hot } from "./hot.ts";

// A bigint that stays inside the loop is a machine word to the engine; one that goes through a call is an object.

const add: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[d + lane] = BigInt.asUintN(64, q[a + lane]! + q[b + lane]!);
  };

const sub: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[d + lane] = BigInt.asUintN(64, q[a + lane]! - q[b + lane]!);
  };

const mul: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[d + lane] = BigInt.asUintN(64, q[a + lane]! * q[b + lane]!);
  };

const mad: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1)
        q[d + lane] = BigInt.asUintN(64, BigInt.asUintN(64, q[a + lane]! * q[b + lane]!) + q[c + lane]!);
  };

const and: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) q[d + lane] = q[a + lane]! & q[b + lane]!;
  };

/** On words: a variable shift of a bigint is a call. */
const shl: Hot =
  (lanes, _op, d, a, b) =>
  ({ w, r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const by = r[b + lane]!;
      const low = w[2 * (a + lane)]!;
      const high = w[2 * (a + lane) + 1]!;
      const to = 2 * (d + lane);
      if (by === 0) {
        w[to] = low;
        w[to + 1] = high;
      } else if (by < 32) {
        w[to] = low << by;
        w[to + 1] = (high << by) | (low >>> (32 - by));
      } else {
        w[to] = 0;
        w[to + 1] = by > 63 ? 0 : low << (by - 32);
      }
    }
  };

const wideUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, r, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[d + lane] = BigInt.asUintN(64, BigInt(r[a + lane]!) * BigInt(r[b + lane]!));
  };

const wideSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ q, s, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[d + lane] = BigInt.asUintN(64, BigInt(s[a + lane]!) * BigInt(s[b + lane]!));
  };

/** Integers of 64 bits, and products of 32 that are 64 wide. */
export const longs: readonly (readonly [string, Hot])[] = [
  ["iadd.u64", add],
  ["iadd.s64", add],
  ["isub.u64", sub],
  ["isub.s64", sub],
  ["imul.lo.u64", mul],
  ["imul.lo.s64", mul],
  ["imad.lo.u64", mad],
  ["imad.lo.s64", mad],
  ["band.b64", and],
  ["shl.b64", shl],
  ["imul.wide.u32", wideUnsigned],
  ["imul.wide.s32", wideSigned],
];
