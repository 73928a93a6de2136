import { approximations } from "./approx.ts";
import { type Section, section } from "./define.ts";
import { arithmetic } from "./float-arithmetic.ts";
import { divisions } from "./float-division.ts";
import { fused } from "./float-fma.ts";
import { extremes } from "./float-minmax.ts";
import { roots } from "./float-root.ts";
import { signs } from "./float-sign.ts";

/** 9.7.3. */
export const float: Section = section("9.7.3", "Floating Point", "floating-point-instructions", [
  ...arithmetic,
  ...fused,
  ...divisions,
  ...roots,
  ...signs,
  ...extremes,
  ...approximations,
]);
