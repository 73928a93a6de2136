import { bfe, bfi, bfind, bmsk, brev, clz, fns, popc, prmt, shf, szext } from "../../numeric/index.ts";
import { count, countTo, of, to } from "../form/classes.ts";
import { compute, type Form, form } from "../form/define.ts";

const since = { ptx: 20, sm: 20 };
const bits = ["b32", "b64"] as const;
const mode = ["clamp", "wrap"] as const;
const width = { b32: 32, b64: 64 } as const;
const type = ["u32", "u64", "s32", "s64"] as const;
/** Positions and lengths are 32-bit numbers whatever the type is; their low 8 bits count. */
const number = count({ most: 255 });

/** 9.7.1: bits counted, found, reversed, and fields of them. */
export const fields: readonly Form[] = [
  form("popc.type d, a", {
    where: { type: bits },
    operands: ({ type }) => ({ d: countTo(), a: of(type) }),
    since,
    run: ({ type }) => compute(popc(width[type])),
    check: [
      { with: ["b32"], a: 0xf000_0001, d: 5 },
      { with: ["b64"], a: 0x8000_0000_8000_0000n, d: 2 },
    ],
  }),
  form("clz.type d, a", {
    where: { type: bits },
    operands: ({ type }) => ({ d: countTo(), a: of(type) }),
    since,
    run: ({ type }) => compute(clz(width[type])),
    check: [
      { with: ["b32"], a: 0, d: 32 },
      { with: ["b64"], a: 1n, d: 63 },
    ],
  }),
  form("bfind{.shiftamt}.type d, a", {
    where: { type },
    operands: ({ type }) => ({ d: countTo(), a: of(type) }),
    since,
    run: ({ shiftamt, type }) => compute(bfind(type, { shiftamt })),
    check: [
      { with: ["u32"], a: 0x0000_0100, d: 8 },
      { with: ["shiftamt", "u32"], a: 0x0000_0100, d: 23 },
      { with: ["s64"], a: 0xffff_ffff_ffff_ffffn, d: 0xffff_ffff },
    ],
  }),
  form("brev.type d, a", {
    where: { type: bits },
    operands: ({ type }) => ({ d: to(type), a: of(type) }),
    since,
    run: ({ type }) => compute(brev(width[type])),
    check: [
      { with: ["b32"], a: 0x8000_0002, d: 0x4000_0001 },
      { with: ["b64"], a: 1n, d: 0x8000_0000_0000_0000n },
    ],
  }),
  form("bfe.type d, a, b, c", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: number, c: number }),
    since,
    run: ({ type }) => compute(bfe(type)),
    check: [
      { with: ["u32"], a: 0x1234_5678, b: 8, c: 12, d: 0x456 },
      { with: ["s32"], a: 0x0000_0f00, b: 8, c: 4, d: 0xffff_ffff },
      { with: ["s32"], a: 0x8000_0000, b: 40, c: 4, d: 0xffff_ffff },
    ],
  }),
  form("bfi.type f, a, b, c, d", {
    where: { type: bits },
    operands: ({ type }) => ({ f: to(type), a: of(type), b: of(type), c: number, d: number }),
    since,
    run: ({ type }) => compute(bfi(width[type])),
    check: [
      { with: ["b32"], a: 0xff, b: 0x1111_1111, c: 28, d: 8, f: 0xf111_1111 },
      { with: ["b64"], a: 2n, b: 1n, c: 32, d: 32, f: 0x0000_0002_0000_0001n },
    ],
  }),
  form("fns.b32 d, mask, base, offset", {
    operands: { d: to("b32"), mask: of("b32"), base: of("b32"), offset: of("b32") },
    since: { ptx: 60, sm: 30 },
    run: () => compute(fns),
    check: [
      { mask: 0xaaaa_aaaa, base: 3, offset: 1, d: 3 },
      { mask: 0xaaaa_aaaa, base: 3, offset: 0xffff_ffff, d: 3 },
      { mask: 0xaaaa_aaaa, base: 2, offset: 1, d: 3 },
      { mask: 0xaaaa_aaaa, base: 2, offset: 0xffff_ffff, d: 1 },
      { mask: 0xaaaa_aaaa, base: 2, offset: 0, d: 0xffff_ffff },
    ],
  }),
  form("szext.mode.type d, a, b", {
    where: { mode, type: ["u32", "s32"] },
    operands: { d: countTo(), a: count(), b: count() },
    since: { ptx: 76, sm: 70 },
    run: ({ mode, type }) => compute(szext(type, mode)),
    check: [
      { with: ["clamp", "s32"], a: 0x0000_0f80, b: 8, d: 0xffff_ff80 },
      { with: ["wrap", "u32"], a: 0xffff_ffff, b: 0, d: 0 },
      { with: ["clamp", "u32"], a: 0x8765_4321, b: 32, d: 0x8765_4321 },
      { with: ["wrap", "u32"], a: 0x8765_4321, b: 36, d: 1 },
    ],
  }),
  form("bmsk.mode.b32 d, a, b", {
    where: { mode },
    operands: { d: countTo(), a: count(), b: count() },
    since: { ptx: 76, sm: 70 },
    run: ({ mode }) => compute(bmsk(mode)),
    check: [
      { with: ["wrap"], a: 1, b: 2, d: 6 },
      { with: ["clamp"], a: 32, b: 2, d: 0 },
      { with: ["wrap"], a: 36, b: 34, d: 0x30 },
      { with: ["clamp"], a: 28, b: 40, d: 0xf000_0000 },
    ],
  }),
];

/** 9.7.8: shf. */
export const funnel: readonly Form[] = [
  form("shf.direction.mode.b32 d, a, b, c", {
    where: { direction: ["l", "r"], mode },
    operands: { d: to("b32"), a: of("b32"), b: of("b32"), c: count() },
    since: { ptx: 31, sm: 32 },
    run: ({ direction, mode }) => compute(shf(direction, mode)),
    check: [
      { with: ["l", "clamp"], a: 0x8000_0000, b: 1, c: 1, d: 3 },
      { with: ["l", "clamp"], a: 7, b: 1, c: 99, d: 7 },
      { with: ["r", "wrap"], a: 0x10, b: 1, c: 36, d: 0x1000_0001 },
    ],
  }),
];

/** 9.7.9: prmt. */
export const permute: readonly Form[] = [
  form("prmt.b32{.mode} d, a, b, c", {
    where: { mode: ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] },
    operands: { d: to("b32"), a: of("b32"), b: of("b32"), c: of("b32") },
    since,
    run: ({ mode }) => compute(prmt(mode)),
    check: [
      { a: 0x3322_1100, b: 0x7766_5544, c: 0x7410, d: 0x7744_1100 },
      { a: 0x8000_0000, b: 0, c: 0xb3b3, d: 0xff80_ff80 },
      { with: ["f4e"], a: 0x3322_1100, b: 0x7766_5544, c: 1, d: 0x4433_2211 },
      { with: ["rc16"], a: 0x3322_1100, b: 0, c: 1, d: 0x3322_3322 },
    ],
  }),
];
