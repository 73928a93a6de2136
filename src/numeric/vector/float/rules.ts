import type { VectorRule } from "../rule.ts";
import { arithmetic32 } from "./arithmetic.ts";
import { floatRelation } from "./relation.ts";

/** What is done with f32 and f64. */
export const floatRules: readonly VectorRule[] = [arithmetic32, floatRelation];
