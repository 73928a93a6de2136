import { f32, f64, fabs, fcopysign, fneg, fproperty } from "../../numeric/index.ts";
import { of, to } from "../form/classes.ts";
import { compute, type Form, form } from "../form/define.ts";
import type { PredicateClass } from "../form/operands.ts";
import { least } from "../form/since.ts";

const formats = { f32, f64 } as const;
const p: PredicateClass = { kind: "predicate", access: "write" };
const op = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] as const;

/** 9.7.3 testp, copysign, neg and abs. */
export const signs: readonly Form[] = [
  form("testp.op.type p, a", {
    where: { op, type: ["f32", "f64"] },
    operands: ({ type }) => ({ p, a: of(type) }),
    since: { ptx: 20, sm: 20 },
    run: ({ op: property, type }) => compute(fproperty(formats[type], property)),
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
    run: ({ type }) => compute(fcopysign(formats[type])),
    check: [
      { with: ["f32"], a: 0x8000_0000, b: 0x3f80_0000, d: 0xbf80_0000 },
      { with: ["f64"], a: 0x3ff0_0000_0000_0000n, b: 0xfff8_0000_0000_0001n, d: 0x7ff8_0000_0000_0001n },
    ],
  }),
  form("neg{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: ({ ftz }) => least(ftz && "ftz"),
    run: ({ ftz }) => compute(fneg(f32, { ftz })),
    check: [
      { a: 0x3f80_0000, d: 0xbf80_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x0000_0000 },
    ],
  }),
  form("neg.f64 d, a", {
    operands: { d: to("f64"), a: of("f64") },
    since: least(),
    run: () => compute(fneg(f64, { ftz: false })),
    check: [{ a: 0x3ff0_0000_0000_0000n, d: 0xbff0_0000_0000_0000n }],
  }),
  form("abs{.ftz}.f32 d, a", {
    operands: { d: to("f32"), a: of("f32") },
    since: ({ ftz }) => least(ftz && "ftz"),
    run: ({ ftz }) => compute(fabs(f32, { ftz })),
    check: [
      { a: 0xbf80_0000, d: 0x3f80_0000 },
      { with: ["ftz"], a: 0x8000_0001, d: 0x0000_0000 },
    ],
  }),
  form("abs.f64 d, a", {
    operands: { d: to("f64"), a: of("f64") },
    since: least(),
    run: () => compute(fabs(f64, { ftz: false })),
    check: [{ a: 0xbff0_0000_0000_0000n, d: 0x3ff0_0000_0000_0000n }],
  }),
];
