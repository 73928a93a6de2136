import type { VectorRule } from "../rule.ts";
import { arithmetic32, arithmetic64 } from "./arithmetic.ts";
import { functionOf32 } from "./function32.ts";
import { floatProperty } from "./property.ts";
import { combination, floatRelation } from "./relation.ts";
import { unrounded } from "./unrounded.ts";

/** What is done with f32 and f64. */
export const floatRules: readonly VectorRule[] = [
  arithmetic32,
  arithmetic64,
  functionOf32,
  unrounded,
  floatRelation,
  floatProperty,
  combination,
];
