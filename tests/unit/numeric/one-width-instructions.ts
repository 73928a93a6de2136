import { of, to } from "../../../src/isa/form/classes.ts";
import { form, section } from "../../../src/isa/form/define.ts";
import { integer as known } from "../../../src/isa/integer/integer.ts";
import { a, b, max, plus, times, wrap } from "../../../src/numeric/operation/build.ts";
import type { IntegerName } from "../../../src/numeric/operation/type.ts";

/** The types of ptxrun know nothing of the width that this run has besides. */
const types = ["u24", "s24"] as unknown as readonly IntegerName[];

/** An instruction that does not exist, for a width that does not. */
const entry = form("least.type d, a, b", {
  where: { type: types },
  operands: ({ type }) => ({ d: to(type), a: of(type), b: of(type) }),
  since: { ptx: 80, sm: 90 },
  does: ({ type }) => wrap(type, max(plus(times(3, a), b), 10)),
});

export const integer = section("integer", [...known.forms, entry]);
