import { type Section, section } from "../form/define.ts";
import { approximations } from "./approx.ts";
import { arithmetic } from "./arithmetic.ts";
import { divisions } from "./division.ts";
import { fused } from "./fma.ts";
import { extremes } from "./minmax.ts";
import { roots } from "./root.ts";
import { signs } from "./sign.ts";

export const float: Section = section(
  "floating-point",
  [...arithmetic, ...fused, ...divisions, ...roots, ...signs, ...extremes, ...approximations],
  { "": "rcp.approx.ftz.f64 rsqrt.approx.ftz.f64" },
);
