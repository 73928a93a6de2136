import { type Form, form } from "../form/define.ts";
import { hint, policyClass } from "../form/memory-access.ts";
import { least } from "../form/since.ts";
import {
  atomic,
  globalOnly,
  halfTypes,
  hintConflict,
  input,
  operationConflict,
  packedConflict,
  place,
  result,
  scalarOps,
  scalarTypes,
  scopes,
  sinceAtomic,
  sinceUnflushed,
  spaces,
  swapOp,
  unflushed,
  vectorAdd,
  vectorOf,
} from "./atomic.ts";

const words = { sem: ["relaxed", "acquire", "release", "acq_rel"], scope: scopes, space: spaces } as const;
const cell = ".shared .align 16 .b64 s[2];";

export const atom: readonly Form[] = [
  form("atom{.sem}{.scope}{.space}.op{.hint}.type d, [a], b{, policy}", {
    where: { ...words, op: ["add", "and", "or", "xor", "exch", "inc", "dec", "min", "max"], hint, type: scalarTypes },
    operands: ({ space, hint, type }) => ({
      d: result(type),
      a: place(space),
      b: input(type),
      policy: policyClass(hint),
    }),
    since: (mods) => sinceAtomic(mods, mods.op, mods.type),
    conflict: (mods) => operationConflict(mods) ?? hintConflict(mods),
    run: (mods) => atomic(mods, mods.type, true, ...scalarOps(mods.op, mods.type)),
    check: [
      {
        snippet: `${cell} .reg .u32 d, e, f; st.shared.u32 [s], 5; atom.shared.add.u32 d, [s], 7; atom.shared.inc.u32 e, [s], 12; ld.shared.u32 f, [s];`,
        gives: { d: 5, e: 12, f: 0 },
      },
      {
        // One subnormal more than the least normal number: shared memory keeps it.
        snippet: `${cell} .reg .f32 d; st.shared.b32 [s], 0x00800000; atom.shared.add.f32 d, [s], 0f00000001; ld.shared.f32 d, [s];`,
        gives: { d: 0x0080_0001 },
      },
      {
        snippet: `${cell} .reg .s64 d, e; st.shared.b64 [s], -3; atom.shared.max.s64 d, [s], -7; ld.shared.s64 e, [s];`,
        gives: { d: 0xffff_ffff_ffff_fffdn, e: 0xffff_ffff_ffff_fffdn },
      },
    ],
  }),
  form("atom{.sem}{.scope}{.space}.cas.type d, [a], b, c", {
    where: { ...words, type: ["b16", "b32", "b64", "b128"] },
    operands: ({ space, type }) => ({ d: result(type), a: place(space), b: input(type), c: input(type) }),
    since: (mods) => sinceAtomic(mods, "cas", mods.type),
    run: (mods) => atomic(mods, mods.type, true, swapOp(mods.type)),
    check: [
      {
        snippet: `${cell} .reg .b32 d, e, f; st.shared.b32 [s], 5; atom.shared.cas.b32 d, [s], 5, 9; atom.shared.cas.b32 e, [s], 5, 1; ld.shared.b32 f, [s];`,
        gives: { d: 5, e: 9, f: 9 },
      },
    ],
  }),
  form("atom{.sem}{.scope}{.space}.exch{.hint}.b128 d, [a], b{, policy}", {
    where: { ...words, hint },
    operands: ({ space, hint }) => ({
      d: result("b128"),
      a: place(space),
      b: input("b128"),
      policy: policyClass(hint),
    }),
    since: (mods) => sinceAtomic(mods, "exch", "b128"),
    conflict: hintConflict,
    run: (mods) => atomic(mods, "b128", true, ...scalarOps("exch", "b128")),
    check: [
      {
        snippet: `${cell} .reg .b64 x, y, l, h; .reg .b128 d, b; st.shared.v2.b64 [s], {3, 4}; mov.b64 x, 1; mov.b64 y, 2; mov.b128 b, {x, y}; atom.shared.exch.b128 d, [s], b; mov.b128 {l, h}, d; ld.shared.v2.b64 {x, y}, [s];`,
        gives: { l: 3n, h: 4n, x: 1n, y: 2n },
      },
    ],
  }),
  form("atom{.sem}{.scope}{.space}.add.noftz{.hint}.type d, [a], b{, policy}", {
    where: { ...words, hint, type: [...halfTypes, "f32"] },
    operands: ({ space, hint, type }) => ({
      d: result(type),
      a: place(space),
      b: input(type),
      policy: policyClass(hint),
    }),
    since: (mods) => least(sinceAtomic(mods, "add", mods.type), sinceUnflushed(mods.type)),
    conflict: hintConflict,
    run: (mods) => atomic(mods, mods.type, true, unflushed("add", mods.type)),
    check: [
      {
        // (1, 2^-24) + (2, 2^-24): the subnormals stay.
        snippet: `${cell} .reg .b32 b, d, e; mov.b32 b, 0x40000001; st.shared.b32 [s], 0x3c000001; atom.shared.add.noftz.f16x2 d, [s], b; ld.shared.b32 e, [s];`,
        gives: { d: 0x3c00_0001, e: 0x4200_0002 },
      },
      {
        // One subnormal more than the least normal number, which plain .f32 does not see in global memory.
        snippet:
          ".reg .f32 d; .reg .b32 e, f; atom.global.add.noftz.f32 d, [p], 0f00000001; ld.global.b32 e, [p]; atom.global.add.f32 d, [p], 0f00000001; ld.global.b32 f, [p];",
        buffers: { p: [0x0080_0000] },
        gives: { e: 0x0080_0001, f: 0x0080_0001 },
      },
    ],
  }),
  form("atom{.sem}{.scope}{.space}.add{.noftz}{.hint}.vec.f32 d, [a], b{, policy}", {
    where: { ...words, space: globalOnly, hint, vec: ["v2", "v4"] },
    operands: ({ space, hint, vec }) => ({
      d: vectorOf(vec, result("f32")),
      a: place(space),
      b: vectorOf(vec, input("f32")),
      policy: policyClass(hint),
    }),
    since: (mods) => least(sinceAtomic(mods, "add", "f32"), mods.noftz && sinceUnflushed("f32")),
    run: (mods) => atomic(mods, "f32", true, ...vectorAdd(mods.noftz)),
    check: [
      { a: [0x3f80_0000, 0x4000_0000], b: [0x3f80_0000, 0x4000_0000], d: [0, 0] }, // to zeros
      { with: ["noftz"], a: [0x0000_0001, 0x8000_0002], b: [0x0000_0001, 0x8000_0002], d: [0, 0] },
    ],
  }),
  form("atom{.sem}{.scope}{.space}.op.noftz{.hint}.vec.type d, [a], b{, policy}", {
    where: { ...words, space: globalOnly, op: ["add", "min", "max"], hint, vec: ["v2", "v4", "v8"], type: halfTypes },
    operands: ({ space, hint, vec, type }) => ({
      d: vectorOf(vec, result(type)),
      a: place(space),
      b: vectorOf(vec, input(type)),
      policy: policyClass(hint),
    }),
    since: (mods) => sinceAtomic(mods, mods.op, mods.type),
    conflict: packedConflict,
    run: (mods) => atomic(mods, mods.type, true, unflushed(mods.op, mods.type)),
    check: [
      { with: ["min", "v2", "f16x2"], a: [0xbc00_0000, 0x8000_0000], b: [0xbc00_3c00, 0x8000_7e00], d: [0, 0] },
      { with: ["add", "v4", "bf16"], a: [1, 2, 3, 4], b: [1, 2, 3, 4], d: [0, 0, 0, 0] },
    ],
  }),
];
