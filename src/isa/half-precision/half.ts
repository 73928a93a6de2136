import { type Section, section } from "../form/define.ts";
import { halfArithmetic } from "./arithmetic.ts";
import { halfFma } from "./fma.ts";
import { halfMinMax } from "./minmax.ts";
import { halfUnary } from "./unary.ts";

export const half: Section = section("half-precision", [...halfArithmetic, ...halfFma, ...halfUnary, ...halfMinMax]);
