import { a, b, bits, c, flushed, relation, select, wrap } from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { bitsOf, of, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

const base = { ptx: 10, sm: 10 };
const type = ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"] as const;
const flag: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };

/** a where `when` holds, else b, as bits. */
const chosen = (dtype: (typeof type)[number], when: Expression): Result =>
  wrap(`b${bitsOf(dtype)}`, select(when, bits(a), bits(b)));

/** selp and slct. */
export const selection: readonly Form[] = [
  form("selp.type d, a, b, {!}c", {
    where: { type },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type), c: flag }),
    since: base,
    run: () => ({ shape: "select" }),
    check: [
      { with: ["b32"], a: 1, b: 2, c: 1, d: 1 },
      { with: ["f64"], a: 1n, b: 2n, c: 0, d: 2n },
    ],
  }),
  form("slct.dtype.s32 d, a, b, c", {
    where: { dtype: type },
    operands: ({ dtype }) => ({ d: to(dtype), a: of(dtype), b: of(dtype), c: of("s32") }),
    since: base,
    does: ({ dtype }) => chosen(dtype, relation("ge", c, 0)),
    check: [
      { with: ["u32"], a: 1, b: 2, c: 0, d: 1 },
      { with: ["b64"], a: 1n, b: 2n, c: 0xffff_ffff, d: 2n },
    ],
  }),
  form("slct{.ftz}.dtype.f32 d, a, b, c", {
    where: { dtype: type },
    operands: ({ dtype }) => ({ d: to(dtype), a: of(dtype), b: of(dtype), c: of("f32") }),
    since: ({ ftz }) => least(ftz && "ftz"),
    // A NaN chooses b.
    does: ({ ftz, dtype }) => chosen(dtype, relation("ge", flushed(ftz, c), 0)),
    check: [
      { with: ["u32"], a: 1, b: 2, c: 0x8000_0000, d: 1 }, // -0 is not below 0
      { with: ["b16"], a: 1, b: 2, c: 0x7fc0_0000, d: 2 }, // NaN is not above it
      { with: ["f64"], a: 1n, b: 2n, c: 0x8000_0001, d: 2n },
      { with: ["ftz", "f64"], a: 1n, b: 2n, c: 0x8000_0001, d: 1n },
    ],
  }),
];
