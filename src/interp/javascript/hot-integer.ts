import { highProduct } from "../../numeric/product.ts";
import type { Hot } from "./hot-loop.ts";
import { unrolled2, unrolled4 } from "./unrolled.ts";

const add: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = (s[a + lane]! + s[b + lane]!) | 0;
    });

const sub: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = (s[a + lane]! - s[b + lane]!) | 0;
    });

const mul: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = Math.imul(s[a + lane]!, s[b + lane]!);
    });

const mad: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = (Math.imul(s[a + lane]!, s[b + lane]!) + s[c + lane]!) | 0;
    });

const mulHighUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, active }) =>
    unrolled2(lanes, active, (lane) => {
      r[d + lane] = highProduct(r[a + lane]!, r[b + lane]!);
    });

/** A negative number is 2^32 less than its bits say. */
const mulHighSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) =>
    unrolled2(lanes, active, (lane) => {
      const x = s[a + lane]!;
      const y = s[b + lane]!;
      s[d + lane] = highProduct(r[a + lane]!, r[b + lane]!) - ((x >> 31) & y) - ((y >> 31) & x);
    });

const minUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, active }) =>
    unrolled4(lanes, active, (lane) => {
      r[d + lane] = Math.min(r[a + lane]!, r[b + lane]!);
    });

const maxUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, active }) =>
    unrolled4(lanes, active, (lane) => {
      r[d + lane] = Math.max(r[a + lane]!, r[b + lane]!);
    });

const minSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = Math.min(s[a + lane]!, s[b + lane]!);
    });

const maxSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = Math.max(s[a + lane]!, s[b + lane]!);
    });

const negate: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = (0 - s[a + lane]!) | 0;
    });

const absolute: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = Math.abs(s[a + lane]!) | 0;
    });

/** A distance of two numbers of 32 bits and a third are exact in a double. */
const sadUnsigned: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ r, active }) =>
    unrolled4(lanes, active, (lane) => {
      r[d + lane] = Math.abs(r[a + lane]! - r[b + lane]!) + r[c + lane]!;
    });

const sadSigned: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ r, s, active }) =>
    unrolled4(lanes, active, (lane) => {
      r[d + lane] = Math.abs(s[a + lane]! - s[b + lane]!) + r[c + lane]!;
    });

/** Integers of 32 bits. */
export const integers: readonly (readonly [string, Hot])[] = [
  ["iadd.u32", add],
  ["iadd.s32", add],
  ["isub.u32", sub],
  ["isub.s32", sub],
  ["imul.lo.u32", mul],
  ["imul.lo.s32", mul],
  ["imul.hi.u32", mulHighUnsigned],
  ["imul.hi.s32", mulHighSigned],
  ["imad.lo.u32", mad],
  ["imad.lo.s32", mad],
  ["imin.u32", minUnsigned],
  ["imin.s32", minSigned],
  ["imax.u32", maxUnsigned],
  ["imax.s32", maxSigned],
  ["ineg.s32", negate],
  ["iabs.s32", absolute],
  ["isad.u32", sadUnsigned],
  ["isad.s32", sadSigned],
];
