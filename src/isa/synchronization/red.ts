import { type Form, form } from "../form/define.ts";
import { hint, policyClass } from "../form/memory-access.ts";
import { least } from "../form/since.ts";
import {
  addFloat,
  atomic,
  globalOnly,
  halfOp,
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
  spaces,
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
    where: { ...words, hint, type: halfTypes },
    operands: ({ space, hint, type }) => ({ a: place(space), b: input(type), policy: policyClass(hint) }),
    since: (mods) => since(mods, "add", mods.type),
    conflict: hintConflict,
    run: (mods) => atomic(mods, mods.type, false, halfOp("add", mods.type)),
    check: [{ with: ["global", "bf16x2"], a: 0x3f80_0001, b: 0x3f80_0001 }],
  }),
  form("red{.sem}{.scope}{.space}.add{.hint}.vec.f32 [a], b{, policy}", {
    where: { ...words, space: globalOnly, hint, vec: ["v2", "v4"] },
    operands: ({ space, hint, vec }) => ({
      a: place(space),
      b: vectorOf(vec, input("f32")),
      policy: policyClass(hint),
    }),
    since: (mods) => since(mods, "add", "f32"),
    run: (mods) => atomic(mods, "f32", false, ...addFloat),
    // To zeros; a subnormal becomes the zero of its sign, and -0 + +0 is +0.
    check: [{ a: [0x3f80_0000, 0], b: [0x3f80_0000, 0x8000_0001] }],
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
    run: (mods) => atomic(mods, mods.type, false, halfOp(mods.op, mods.type)),
    check: [{ with: ["max", "v2", "f16"], a: [0x3c00, 0], b: [0x3c00, 0xbc00] }],
  }),
];
