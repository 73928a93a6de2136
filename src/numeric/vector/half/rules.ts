import type { VectorRule } from "../rule.ts";
import { halfArithmetic } from "./arithmetic.ts";
import { asF32 } from "./as-f32.ts";

/** What is done with f16 and bf16, alone and in pairs. */
export const halfRules: readonly VectorRule[] = [halfArithmetic, asF32];
