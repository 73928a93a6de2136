import { bothTo, eachTo } from "../../../src/isa/data-movement/convert/packed-conversion.ts";
import { of, to } from "../../../src/isa/form/classes.ts";
import { compute, form, section } from "../../../src/isa/form/define.ts";
import { integer as known } from "../../../src/isa/integer/integer.ts";
import type { FloatName } from "../../../src/numeric/operation/type.ts";

/** The types of ptxrun know nothing of the format that this run has besides. */
const e3m3 = "e3m3" as FloatName;
const since = { ptx: 80, sm: 90 };

/** Two instructions that do not exist, for a format that does not: there and back. */
const entries = [
  form("narrow.rn.satfinite.e3m3x2.f32 d, a, b", {
    operands: { d: to("b16"), a: of("f32"), b: of("f32") },
    since,
    run: () => compute(bothTo(e3m3, { rnd: "rn", satfinite: true })),
  }),
  form("widen.rn.f16x2.e3m3x2 d, a", {
    operands: { d: to("f16x2"), a: of("b16") },
    since,
    run: () => compute(eachTo(e3m3, "f16", { rnd: "rn" })),
  }),
];

export const integer = section("integer", [...known.forms, ...entries]);
