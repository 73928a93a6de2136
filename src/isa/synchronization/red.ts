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
  scalarOps,
  scalarTypes,
  scopes,
  sinceAtomic,
  sinceUnflushed,
  spaces,
  unflushed,
  vectorAdd,
  vectorOf,
} from "./atomic.ts";

const words = { sem: ["relaxed", "release"], scope: scopes, space: spaces } as const;
const cell = ".shared .align 16 .b64 s[2];";
/** red came with PTX 1.2. */
const since: typeof sinceAtomic = (...asked) => least(sinceAtomic(...asked), { ptx: 12, sm: 11 });

export const red: readonly Form[] = [
  form("red{.sem}{.scope}{.space}.op{.hint}.type [a], b{, policy}", {
    where: { ...words, op: ["add", "and", "or", "xor", "inc", "dec", "min", "max"], hint, type: scalarTypes },
    operands: ({ space, hint, type }) => ({ a: place(space), b: input(type), policy: policyClass(hint) }),
    since: (mods) => since(mods, mods.op, mods.type),
    conflict: (mods) => operationConflict(mods) ?? hintConflict(mods),
    run: (mods) => atomic(mods, mods.type, false, ...scalarOps(mods.op, mods.type)),
    check: [
      { with: ["global", "add", "u64"], a: 7n, b: 7n },
      {
        snippet: `${cell} .reg .u32 d; st.shared.u32 [s], 5; red.shared.dec.u32 [s], 4; ld.shared.u32 d, [s];`,
        gives: { d: 4 }, // 5 is above 4
      },
    ],
  }),
  form("red{.sem}{.scope}{.space}.add.noftz{.hint}.type [a], b{, policy}", {
    where: { ...words, hint, type: [...halfTypes, "f32"] },
    operands: ({ space, hint, type }) => ({ a: place(space), b: input(type), policy: policyClass(hint) }),
    since: (mods) => least(since(mods, "add", mods.type), sinceUnflushed(mods.type)),
    conflict: hintConflict,
    run: (mods) => atomic(mods, mods.type, false, unflushed("add", mods.type)),
    check: [
      { with: ["global", "bf16x2"], a: 0x3f80_0001, b: 0x3f80_0001 },
      {
        snippet: ".reg .b32 d; red.add.noftz.f32 [p], 0f80000001; ld.b32 d, [p];",
        buffers: { p: [0x0000_0003] },
        gives: { d: 0x0000_0002 },
      },
    ],
  }),
  form("red{.sem}{.scope}{.space}.add{.noftz}{.hint}.vec.f32 [a], b{, policy}", {
    where: { ...words, space: globalOnly, hint, vec: ["v2", "v4"] },
    operands: ({ space, hint, vec }) => ({
      a: place(space),
      b: vectorOf(vec, input("f32")),
      policy: policyClass(hint),
    }),
    since: (mods) => least(since(mods, "add", "f32"), mods.noftz && sinceUnflushed("f32")),
    run: (mods) => atomic(mods, "f32", false, ...vectorAdd(mods.noftz)),
    check: [
      // To zeros; a subnormal becomes the zero of its sign, and -0 + +0 is +0.
      { a: [0x3f80_0000, 0], b: [0x3f80_0000, 0x8000_0001] },
      { with: ["noftz"], a: [0x3f80_0000, 0x8000_0001], b: [0x3f80_0000, 0x8000_0001] },
    ],
  }),
  form("red{.sem}{.scope}{.space}.op.noftz{.hint}.vec.type [a], b{, policy}", {
    where: { ...words, space: globalOnly, op: ["add", "min", "max"], hint, vec: ["v2", "v4", "v8"], type: halfTypes },
    operands: ({ space, hint, vec, type }) => ({
      a: place(space),
      b: vectorOf(vec, input(type)),
      policy: policyClass(hint),
    }),
    since: (mods) => since(mods, mods.op, mods.type),
    conflict: packedConflict,
    run: (mods) => atomic(mods, mods.type, false, unflushed(mods.op, mods.type)),
    check: [{ with: ["max", "v2", "f16"], a: [0x3c00, 0], b: [0x3c00, 0xbc00] }],
  }),
];
