import type { VectorRule } from "../rule.ts";
import { halfArithmetic } from "./arithmetic.ts";
import { asF32 } from "./as-f32.ts";
import { halfCodes, packedCodes } from "./codes.ts";

/** What is done with f16 and bf16, alone and in pairs. */
export const halfRules: readonly VectorRule[] = [halfArithmetic, halfCodes, asF32];

/** Before packed operands are taken apart. */
export const packedRules: readonly VectorRule[] = [packedCodes];
