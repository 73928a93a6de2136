import { type Section, section } from "./define.ts";
import { halfArithmetic } from "./half-arithmetic.ts";
import { halfFma } from "./half-fma.ts";
import { halfMinMax } from "./half-minmax.ts";
import { halfUnary } from "./half-unary.ts";

/** 9.7.4. */
export const half: Section = section(
  "9.7.4",
  "Half Precision Floating Point",
  "half-precision-floating-point-instructions",
  [...halfArithmetic, ...halfFma, ...halfUnary, ...halfMinMax],
);
