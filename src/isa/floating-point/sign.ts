import {
  a,
  abs,
  and,
  b,
  bits,
  concat,
  is,
  negated,
  predicate,
  round,
  slice,
  wrap,
  xor,
} from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import type { Result } from "../../numeric/operation/operation.ts";
import { type BitsName, type Width, widthOf } from "../../numeric/operation/type.ts";
import { of, to } from "../form/classes.ts";
import { type Form, form, unspecified } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

const p: PredicateClass = { kind: "predicate", access: "write" };
const op = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] as const;

/** b with the sign of a. */
const withSign = (width: Width, a: Expression, b: Expression): Result =>
  wrap(`b${width}` as BitsName, concat([slice(bits(a), width - 1, 1), 1], [slice(bits(b), 0, width - 1), width - 1]));

const SIGN = 1n << 63n;

const canonical = unspecified("the manual promises nothing of a NaN: it comes out canonical, as on half precision");
const payload = unspecified(
  "a NaN keeps its bits; ptxas makes an addition of it, and what that does to a payload is not recorded",
);

/** testp, copysign, neg and abs. */
export const signs: readonly Form[] = [
  form("testp.op.type p, a", {
    where: { op, type: ["f32", "f64"] },
    operands: ({ type }) => ({ p, a: of(type) }),
    since: { ptx: 20, sm: 20 },
    does: ({ op: property }) => predicate(is(property, a)),
    check: [
      { with: ["normal", "f32"], a: 0x8000_0000, p: 1 }, // a zero counts as normal
      { with: ["subnormal", "f32"], a: 0x8000_0001, p: 1 },
      { with: ["finite", "f64"], a: 0x7ff0_0000_0000_0000n, p: 0 },
      { with: ["infinite", "f64"], a: 0xfff0_0000_0000_0000n, p: 1 },
      { with: ["number", "f64"], a: 0x7ff0_0000_0000_0001n, p: 0 },
      { with: ["notanumber", "f32"], a: 0xff80_0001, p: 1 },
    ],
  }),
  form("copysign.type d, a, b", {
    where: { type: ["f32", "f64"] },
    operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
    since: { ptx: 20, sm: 20 },
    // As bits: a NaN keeps its payload.
    does: ({ type }) => withSign(widthOf(type), a, b),
    check: [
      { with: ["f32"], a: 0x8000_0000, b: 0x3f80_0000, d: 0xbf80_0000 },
      { with: ["f64"], a: 0x3ff0_0000_0000_0000n, b: 0xfff8_0000_0000_0001n, d: 0x7ff8_0000_0000_0001n },
    ],
  }),
  form("neg{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: ({ ftz }) => least(ftz && "ftz"),
    does: (mods) => round("f32", mods, negated(a)),
    facts: [canonical],
    check: [
      { a: 0x3f80_0000, d: 0xbf80_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x0000_0000 },
    ],
  }),
  form("neg.f64 d, a", {
    operands: { d: to("f64"), a: of("f64") },
    since: least(),
    does: () => wrap("b64", xor(bits(a), SIGN)),
    facts: [payload],
    check: [{ a: 0x3ff0_0000_0000_0000n, d: 0xbff0_0000_0000_0000n }],
  }),
  form("abs{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: ({ ftz }) => least(ftz && "ftz"),
    does: (mods) => round("f32", mods, abs(a)),
    facts: [canonical],
    check: [
      { a: 0xbf80_0000, d: 0x3f80_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x0000_0000 },
    ],
  }),
  form("abs.f64 d, a", {
    operands: { d: to("f64"), a: of("f64") },
    since: least(),
    does: () => wrap("b64", and(bits(a), SIGN - 1n)),
    facts: [payload],
    check: [{ a: 0xbff0_0000_0000_0000n, d: 0x3ff0_0000_0000_0000n }],
  }),
];
