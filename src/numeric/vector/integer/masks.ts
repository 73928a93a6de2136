import type { Expression } from "../../operation/expression.ts";
import type { Vector } from "../vector.ts";
import { boolean, fits, type Integers, mapped, signed32, unsigned32 } from "./lowering.ts";
import type { Operands } from "./operands.ts";
import { relationMask } from "./relations.ts";

/** The mask of one node. `real` gives that of what asks about reals. */
export function maskOf(
  integers: Integers,
  operands: Operands,
  real: (x: Expression) => Vector | undefined,
  x: Expression,
): Vector | undefined {
  const { make } = integers;
  switch (x.node) {
    case "argument":
    case "bits":
      if (operands.isPredicate(x.name)) return operands.given(x.name);
      break;
    case "integer":
      return make.all32(x.value === 0n ? 0 : -1);
    case "label":
      return integers.mask(x.a);
    case "relation":
      return relationMask(integers, x.relation, x.a, x.b) ?? real(x);
    case "is":
      return real(x);
    case "and":
    case "or":
    case "xor":
      if (fits(integers, x.a, boolean) && fits(integers, x.b, boolean)) {
        const [a, b] = [integers.mask(x.a), integers.mask(x.b)];
        return a && b && make.op(`v128.${x.node}`, a, b);
      }
      break;
    case "select": {
      const [when, yes, no] = [integers.mask(x.when), integers.mask(x.yes), integers.mask(x.no)];
      return when && yes && no && make.choose(when, yes, no);
    }
    default:
      break;
  }
  if (fits(integers, x, signed32) || fits(integers, x, unsigned32))
    return mapped(integers.word(x), (word) => make.op("i32x4.ne", word, make.all32(0)));
  return relationMask(integers, "ne", x, { node: "integer", value: 0n });
}
