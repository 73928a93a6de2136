import { f32, f64 } from "../../format/format.ts";
import { arithmeticShape } from "../../lower/shape.ts";
import { formatOf } from "../../operation/type.ts";
import type { VectorRule } from "../rule.ts";
import type { Vector } from "../vector.ts";
import { canonical64 } from "./canonical.ts";
import { restricted32 } from "./effects.ts";
import { nearest32, nearestFlushed32 } from "./nearest32.ts";
import { number32, number64 } from "./number.ts";
import { rounded32 } from "./round32.ts";
import { splitOf } from "./split.ts";
import { arithmetic } from "./usual64.ts";

/** One operation of IEEE 754 on f64, of which no form has an effect. */
export const arithmetic64: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.satfinite || formatOf(result.format) !== f64) return undefined;
  const { rnd, ftz, sat, relu } = result;
  if (rnd === "rs" || rnd === "rna" || ftz || sat || relu) return undefined;
  const shape = arithmeticShape(result.of);
  const parts = shape?.operands.map((x) => number64(x, { takes, operands, make, lower }));
  if (shape === undefined || !parts?.every((part) => part !== undefined)) return undefined;
  const half = (at: 0 | 1): Vector =>
    arithmetic(
      shape.does,
      rnd,
      parts.map((part) => part[at]),
      make,
    );
  return canonical64([half(0), half(1)], make);
};

/** One operation of IEEE 754 on f32, rounded once. */
export const arithmetic32: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.satfinite || formatOf(result.format) !== f32) return undefined;
  const { rnd, ftz = false } = result;
  if (rnd === "rs" || rnd === "rna") return undefined;
  const reading = { takes, operands, make, lower };
  const shape = arithmeticShape(result.of);
  const parts = shape?.operands.map((x) => number32(x, reading));
  if (shape === undefined || !parts?.every((part) => part !== undefined)) return undefined;
  if (rnd !== "rn") return restricted32(rounded32(splitOf(shape.does, parts, rnd, make), rnd, ftz, make), result, make);
  return restricted32((ftz ? nearestFlushed32 : nearest32)(shape.does, parts, make), result, make);
};
