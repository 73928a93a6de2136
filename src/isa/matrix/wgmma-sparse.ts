import { type Form, form } from "../form/define.ts";
import {
  check,
  common,
  eight,
  facts,
  four,
  held,
  hopper,
  integer,
  metadataLayout,
  mixed,
  one,
  packed,
  plan,
  shapes,
  shared,
  signs,
  some,
  sparse,
  turn,
  two,
  unsure,
  words,
} from "./wgmma-parts.ts";

const of = { facts: [...facts, metadataLayout, unsure] } as const;

/** A sparse A, whose metadata say which of its elements are stored. */
export const wgmmaSparse: readonly Form[] = [
  form("wgmma.mma_async.sp.sync{.aligned}.shape.dtype.f16.f16 d, a, b, e, sel, scale, na, nb, ta, tb", {
    where: { shape: shapes(32), dtype: ["f16", "f32"] },
    operands: ({ shape, dtype }) => ({
      ...common(shape, dtype, shared, sparse(1)),
      ...signs,
      ta: turn,
      tb: turn,
    }),
    since: hopper,
    ...of,
    run: ({ shape, dtype }) => plan("d a b e sel scale na nb ta tb", { shape, d: dtype, a: "f16" }, { sparse: 4 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16", {
        d: two,
        tail: ", r0, 0, 1, 1, 1, 0, 0",
        gives: 0x3c00_3c00,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.dtype.f16.f16 d, a, b, e, sel, scale, na, nb, tb", {
    where: { shape: shapes(32), dtype: ["f16", "f32"] },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, packed, sparse(1)), ...signs, tb: turn }),
    since: hopper,
    ...of,
    run: ({ shape, dtype }) => plan("d a b e sel scale na nb tb", { shape, d: dtype, a: "f16" }, { sparse: 4 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", {
        d: four,
        a: held,
        tail: ", r0, 0, 1, 1, 1, 0",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.f32.bf16.bf16 d, a, b, e, sel, scale, na, nb, ta, tb", {
    where: { shape: shapes(32) },
    operands: ({ shape }) => ({ ...common(shape, "f32", shared, sparse(1)), ...signs, ta: turn, tb: turn }),
    since: hopper,
    ...of,
    run: ({ shape }) => plan("d a b e sel scale na nb ta tb", { shape, d: "f32", a: "bf16" }, { sparse: 4 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16", {
        d: four,
        tail: ", r0, 0, 1, 1, 1, 0, 0",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.f32.bf16.bf16 d, a, b, e, sel, scale, na, nb, tb", {
    where: { shape: shapes(32) },
    operands: ({ shape }) => ({ ...common(shape, "f32", packed, sparse(1)), ...signs, tb: turn }),
    since: hopper,
    ...of,
    run: ({ shape }) => plan("d a b e sel scale na nb tb", { shape, d: "f32", a: "bf16" }, { sparse: 4 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16", {
        d: four,
        a: held,
        tail: ", r0, 0, 1, 1, 1, 0",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.f32.tf32.tf32 d, a, b, e, sel, scale, na, nb", {
    where: { shape: shapes(16) },
    operands: ({ shape }) => ({ ...common(shape, "f32", shared, sparse(1)), ...signs }),
    since: hopper,
    ...of,
    run: ({ shape }) => plan("d a b e sel scale na nb", { shape, d: "f32", a: "tf32" }, { sparse: 2 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32", {
        d: four,
        tail: ", r0, 0, 1, 1, 1",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.f32.tf32.tf32 d, a, b, e, sel, scale, na, nb", {
    where: { shape: shapes(16) },
    operands: ({ shape }) => ({ ...common(shape, "f32", packed, sparse(1)), ...signs }),
    since: hopper,
    ...of,
    run: ({ shape }) => plan("d a b e sel scale na nb", { shape, d: "f32", a: "tf32" }, { sparse: 2 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32", {
        d: four,
        a: held,
        tail: ", r0, 0, 1, 1, 1",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.btype d, a, b, e, sel, scale, na, nb", {
    where: { shape: shapes(64), dtype: ["f16", "f32"], atype: eight, btype: eight },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, shared, sparse(0)), ...signs }),
    since: hopper,
    ...of,
    run: ({ shape, dtype, atype, btype }) =>
      plan("d a b e sel scale na nb", { shape, d: dtype, a: atype, b: btype }, { sparse: 4 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e5m2", {
        d: four,
        tail: ", r0, 0, 1, 1, 1",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.btype d, a, b, e, sel, scale, na, nb", {
    where: { shape: shapes(64), dtype: ["f16", "f32"], atype: eight, btype: eight },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, packed, sparse(0)), ...signs }),
    since: hopper,
    ...of,
    run: ({ shape, dtype, atype, btype }) =>
      plan("d a b e sel scale na nb", { shape, d: dtype, a: atype, b: btype }, { sparse: 4 }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e5m2", {
        d: four,
        a: held,
        tail: ", r0, 0, 1, 1, 1",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape{.satfinite}.s32.atype.btype d, a, b, e, sel, scale", {
    where: { shape: shapes(64, some), atype: integer, btype: integer },
    operands: ({ shape }) => ({ ...common(shape, "s32", shared, sparse(0)) }),
    since: ({ atype, btype }) => mixed(atype, btype),
    ...of,
    run: ({ shape, atype, btype, satfinite }) =>
      plan("d a b e sel scale", { shape, d: "s32", a: atype, b: btype }, { sparse: 4, satfinite }),
    check: [check("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8", { d: four, tail: ", r0, 0, 1", gives: 7 })],
  }),
  form("wgmma.mma_async.sp.sync{.aligned}.shape{.satfinite}.s32.atype.btype d, a, b, e, sel, scale", {
    where: { shape: shapes(64, some), atype: integer, btype: integer },
    operands: ({ shape }) => ({ ...common(shape, "s32", words, sparse(0)) }),
    since: ({ atype, btype }) => mixed(atype, btype),
    ...of,
    run: ({ shape, atype, btype, satfinite }) =>
      plan("d a b e sel scale", { shape, d: "s32", a: atype, b: btype }, { sparse: 4, satfinite }),
    check: [
      check("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8", { d: four, a: held, tail: ", r0, 0, 1", gives: 7 }),
    ],
  }),
];
