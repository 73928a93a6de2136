import { type Form, form, ptxas } from "../form/define.ts";
import {
  check,
  common,
  eight,
  facts,
  four,
  half,
  held,
  hopper,
  integer,
  mixed,
  one,
  packed,
  plan,
  shapes,
  shared,
  signs,
  some,
  turn,
  two,
  words,
} from "./wgmma-parts.ts";

/** Asynchronous multiplications by four warps. */
export const wgmmaForms: readonly Form[] = [
  form("wgmma.mma_async.sync{.aligned}.shape.dtype.atype.f16 d, a, b, scale, na, nb, ta, tb", {
    where: { shape: shapes(16), dtype: ["f16", "f32"], atype: half },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, shared), ...signs, ta: turn, tb: turn }),
    since: hopper,
    facts,
    run: ({ shape, dtype, atype }) => plan("d a b scale na nb ta tb", { shape, d: dtype, a: atype }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16", {
        d: two,
        tail: ", 1, 1, 1, 0, 0",
        gives: 0x3c00_3c00,
      }),
    ],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.dtype.atype.f16 d, a, b, scale, na, nb, tb", {
    where: { shape: shapes(16), dtype: ["f16", "f32"], atype: half },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, packed), ...signs, tb: turn }),
    since: hopper,
    facts,
    run: ({ shape, dtype, atype }) => plan("d a b scale na nb tb", { shape, d: dtype, a: atype }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", {
        d: four,
        a: held,
        tail: ", 1, 1, 1, 0",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.f32.bf16.bf16 d, a, b, scale, na, nb, ta, tb", {
    where: { shape: shapes(16) },
    operands: ({ shape }) => ({ ...common(shape, "f32", shared), ...signs, ta: turn, tb: turn }),
    since: hopper,
    facts,
    run: ({ shape }) => plan("d a b scale na nb ta tb", { shape, d: "f32", a: "bf16" }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", { d: four, tail: ", 1, 1, 1, 0, 0", gives: one }),
    ],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.f32.bf16.bf16 d, a, b, scale, na, nb, tb", {
    where: { shape: shapes(16) },
    operands: ({ shape }) => ({ ...common(shape, "f32", packed), ...signs, tb: turn }),
    since: hopper,
    facts,
    run: ({ shape }) => plan("d a b scale na nb tb", { shape, d: "f32", a: "bf16" }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", {
        d: four,
        a: held,
        tail: ", 1, 1, 1, 0",
        gives: one,
      }),
    ],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.f32.tf32.tf32 d, a, b, scale, na, nb", {
    where: { shape: shapes(8) },
    operands: ({ shape }) => ({ ...common(shape, "f32", shared), ...signs }),
    since: hopper,
    facts,
    run: ({ shape }) => plan("d a b scale na nb", { shape, d: "f32", a: "tf32" }),
    check: [check("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32", { d: four, tail: ", 1, 1, 1", gives: one })],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.f32.tf32.tf32 d, a, b, scale, na, nb", {
    where: { shape: shapes(8) },
    operands: ({ shape }) => ({ ...common(shape, "f32", packed), ...signs }),
    since: hopper,
    facts,
    run: ({ shape }) => plan("d a b scale na nb", { shape, d: "f32", a: "tf32" }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32", { d: four, a: held, tail: ", 1, 1, 1", gives: one }),
    ],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.dtype.atype.btype d, a, b, scale, na, nb", {
    where: { shape: shapes(32), dtype: ["f16", "f32"], atype: eight, btype: eight },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, shared), ...signs }),
    since: hopper,
    facts,
    run: ({ shape, dtype, atype, btype }) => plan("d a b scale na nb", { shape, d: dtype, a: atype, b: btype }),
    check: [check("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2", { d: four, tail: ", 1, 1, 1", gives: one })],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.dtype.atype.btype d, a, b, scale, na, nb", {
    where: { shape: shapes(32), dtype: ["f16", "f32"], atype: eight, btype: eight },
    operands: ({ shape, dtype }) => ({ ...common(shape, dtype, packed), ...signs }),
    since: hopper,
    facts,
    run: ({ shape, dtype, atype, btype }) => plan("d a b scale na nb", { shape, d: dtype, a: atype, b: btype }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2", { d: four, a: held, tail: ", 1, 1, 1", gives: one }),
    ],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape{.satfinite}.s32.atype.btype d, a, b, scale", {
    where: { shape: shapes(32, some), atype: integer, btype: integer },
    operands: ({ shape }) => ({ ...common(shape, "s32", shared) }),
    since: ({ atype, btype }) => mixed(atype, btype),
    facts,
    run: ({ shape, atype, btype, satfinite }) =>
      plan("d a b scale", { shape, d: "s32", a: atype, b: btype }, { satfinite }),
    check: [check("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8", { d: four, tail: ", 1", gives: 7 })],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape{.satfinite}.s32.atype.btype d, a, b, scale", {
    where: { shape: shapes(32, some), atype: integer, btype: integer },
    operands: ({ shape }) => ({ ...common(shape, "s32", words) }),
    since: ({ atype, btype }) => mixed(atype, btype),
    facts,
    run: ({ shape, atype, btype, satfinite }) =>
      plan("d a b scale", { shape, d: "s32", a: atype, b: btype }, { satfinite }),
    check: [check("wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8", { d: four, a: held, tail: ", 1", gives: 7 })],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.s32.b1.b1.and.popc d, a, b, scale", {
    where: { shape: shapes(256, some) },
    operands: ({ shape }) => ({ ...common(shape, "s32", shared) }),
    since: hopper,
    facts,
    run: ({ shape }) => plan("d a b scale", { shape, d: "s32", a: "b1" }),
    check: [check("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc", { d: four, tail: ", 1", gives: 7 })],
  }),
  form("wgmma.mma_async.sync{.aligned}.shape.s32.b1.b1.and.popc d, a, b, scale", {
    where: { shape: shapes(256, some) },
    operands: ({ shape }) => ({ ...common(shape, "s32", words) }),
    since: hopper,
    facts,
    run: ({ shape }) => plan("d a b scale", { shape, d: "s32", a: "b1" }),
    check: [
      check("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc", { d: four, a: held, tail: ", 1", gives: 7 }),
    ],
  }),
  form("wgmma.fence.sync{.aligned}", {
    operands: {},
    since: hopper,
    run: () => ({ shape: "wgmma fence" }),
    check: [
      {
        target: "sm_90a",
        threads: 128,
        snippet: ".reg .b32 d; wgmma.fence.sync.aligned; mov.u32 d, 1;",
        gives: { d: 1 },
      },
    ],
    facts: [ptxas(".aligned may be left out")],
  }),
  form("wgmma.commit_group.sync{.aligned}", {
    operands: {},
    since: hopper,
    run: () => ({ shape: "wgmma commit" }),
    check: [
      {
        target: "sm_90a",
        threads: 128,
        snippet: ".reg .b32 d; wgmma.commit_group.sync.aligned; mov.u32 d, 1;",
        gives: { d: 1 },
      },
    ],
    facts: [ptxas(".aligned may be left out")],
  }),
  form("wgmma.wait_group.sync{.aligned} n", {
    operands: { n: { kind: "literal", bits: 32, least: 0, signed: true } },
    since: hopper,
    run: () => ({ shape: "wgmma wait" }),
    check: [
      {
        target: "sm_90a",
        threads: 128,
        snippet: ".reg .b32 d; wgmma.wait_group.sync.aligned 0; mov.u32 d, 1;",
        gives: { d: 1 },
      },
    ],
    facts: [ptxas(".aligned may be left out")],
  }),
];
