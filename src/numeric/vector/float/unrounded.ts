import { f32, f64 } from "../../format/format.ts";
import type { Expression } from "../../operation/expression.ts";
import { formatOf } from "../../operation/type.ts";
import type { VectorRule } from "../rule.ts";
import { canonical64 } from "./canonical.ts";
import { restricted32 } from "./effects.ts";
import { number32, number64 } from "./number.ts";
import { flush32 } from "./operand.ts";

/** What is a number of the format already: signs, min and max, whole numbers. Nothing is rounded. */
export const unrounded: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.satfinite || result.rnd === "rs") return undefined;
  const reading = { takes, operands, make, lower };
  const format = formatOf(result.format);
  if (format === f32) {
    const of = number32(result.of, reading);
    return of && restricted32(result.ftz && !isFlushed(result.of) ? flush32(of, make) : of, result, make);
  }
  if (format !== f64 || result.ftz || result.sat || result.relu) return undefined;
  const of = number64(result.of, reading);
  return of && canonical64(of, make);
};

/** Is nothing subnormal that is read? Then what is chosen of it is not. */
function isFlushed(x: Expression): boolean {
  switch (x.node) {
    case "flush":
    case "integer":
    case "integral":
      return true;
    case "min":
    case "max":
      return isFlushed(x.a) && isFlushed(x.b);
    case "neg":
    case "abs":
    case "signed":
    case "label":
      return isFlushed(x.a);
    default:
      return false;
  }
}
