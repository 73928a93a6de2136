import { ones, permute, reverse } from "../../numeric/field.ts";
import { look } from "../../numeric/logic.ts";
import type { Hot } from "./hot-loop.ts";
import { rolled, unrolled2, unrolled4 } from "./unrolled.ts";

const and: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = s[a + lane]! & s[b + lane]!;
    });

const or: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = s[a + lane]! | s[b + lane]!;
    });

const xor: Hot =
  (lanes, _op, d, a, b) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = s[a + lane]! ^ s[b + lane]!;
    });

const not: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = ~s[a + lane]!;
    });

// PTX clamps a shift amount at the width; JavaScript takes it modulo 32 (PTX ISA 9.7.8.8, 9.7.8.9).
const shl: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const by = r[b + lane]!;
      s[d + lane] = by > 31 ? 0 : s[a + lane]! << by;
    });

const shrUnsigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const by = r[b + lane]!;
      s[d + lane] = by > 31 ? 0 : s[a + lane]! >>> by;
    });

const shrSigned: Hot =
  (lanes, _op, d, a, b) =>
  ({ r, s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const by = r[b + lane]!;
      s[d + lane] = s[a + lane]! >> Math.min(by, 31);
    });

/** A second shift by one makes an amount of 0 drop all 32 bits of the other word. */
const funnelLeft: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const by = s[c + lane]! & 31;
      s[d + lane] = (s[b + lane]! << by) | ((s[a + lane]! >>> 1) >>> (31 - by));
    });

const funnelRight: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      const by = s[c + lane]! & 31;
      s[d + lane] = (s[a + lane]! >>> by) | ((s[b + lane]! << 1) << (31 - by));
    });

/** JavaScript takes an amount of 32 for 0. */
const funnelLeftClamped: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ r, s, active }) =>
    unrolled2(lanes, active, (lane) => {
      const by = Math.min(r[c + lane]!, 32);
      const upper = by === 32 ? 0 : s[b + lane]! << by;
      s[d + lane] = upper | (by === 0 ? 0 : s[a + lane]! >>> (32 - by));
    });

const funnelRightClamped: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ r, s, active }) =>
    unrolled2(lanes, active, (lane) => {
      const by = Math.min(r[c + lane]!, 32);
      const lower = by === 32 ? 0 : s[a + lane]! >>> by;
      s[d + lane] = lower | (by === 0 ? 0 : s[b + lane]! << (32 - by));
    });

const lop: Hot =
  (lanes, _op, d, a, b, c, table) =>
  ({ s, active }) =>
    rolled(lanes, active, (lane) => {
      s[d + lane] = look(s[a + lane]!, s[b + lane]!, s[c + lane]!, s[table + lane]!);
    });

const extractUnsigned: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ s, active }) =>
    unrolled2(lanes, active, (lane) => {
      const position = s[b + lane]! & 0xff;
      const length = s[c + lane]! & 0xff;
      const field = position > 31 ? 0 : s[a + lane]! >>> position;
      s[d + lane] = length > 31 ? field : field & ((1 << length) - 1);
    });

/** Bits beyond the top are copies of the sign. */
const extractSigned: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ s, active }) =>
    unrolled2(lanes, active, (lane) => {
      const position = s[b + lane]! & 0xff;
      const length = s[c + lane]! & 0xff;
      const field = s[a + lane]! >> Math.min(position, 31);
      const above = length > 31 ? 0 : 32 - length;
      s[d + lane] = length === 0 ? 0 : (field << above) >> above;
    });

const insert: Hot =
  (lanes, _op, d, a, b, c, e) =>
  ({ s, active }) =>
    unrolled2(lanes, active, (lane) => {
      const position = s[c + lane]! & 0xff;
      const length = s[e + lane]! & 0xff;
      const field = position > 31 ? 0 : (length > 31 ? -1 : (1 << length) - 1) << position;
      s[d + lane] = (s[b + lane]! & ~field) | ((s[a + lane]! << position) & field);
    });

const permutation: Hot =
  (lanes, _op, d, a, b, c) =>
  ({ s, active }) =>
    rolled(lanes, active, (lane) => {
      s[d + lane] = permute(s[a + lane]!, s[b + lane]!, s[c + lane]!);
    });

const popc: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled2(lanes, active, (lane) => {
      s[d + lane] = ones(s[a + lane]!);
    });

const clz: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled4(lanes, active, (lane) => {
      s[d + lane] = Math.clz32(s[a + lane]!);
    });

const brev: Hot =
  (lanes, _op, d, a) =>
  ({ s, active }) =>
    unrolled2(lanes, active, (lane) => {
      s[d + lane] = reverse(s[a + lane]!);
    });

/** Logic, shifts and fields of 32 bits. */
export const bits: readonly (readonly [string, Hot])[] = [
  ["band.b32", and],
  ["bor.b32", or],
  ["bxor.b32", xor],
  ["bnot.b32", not],
  ["shl.b32", shl],
  ["shr.u32", shrUnsigned],
  ["shr.s32", shrSigned],
  ["shf.l.wrap", funnelLeft],
  ["shf.r.wrap", funnelRight],
  ["shf.l.clamp", funnelLeftClamped],
  ["shf.r.clamp", funnelRightClamped],
  ["lop3.b32", lop],
  ["bfe.u32", extractUnsigned],
  ["bfe.s32", extractSigned],
  ["bfi.b32", insert],
  ["prmt.b32", permutation],
  ["popc.b32", popc],
  ["clz.b32", clz],
  ["brev.b32", brev],
];
