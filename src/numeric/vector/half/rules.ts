import type { VectorRule } from "../rule.ts";
import { halfArithmetic } from "./arithmetic.ts";
import { asF32 } from "./as-f32.ts";
import { halfCodes, packedCodes } from "./codes.ts";
import { halfFunction } from "./function.ts";

/** What is done with f16 and bf16, alone and in pairs. */
export const halfRules: readonly VectorRule[] = [halfArithmetic, halfCodes, halfFunction, asF32];

/** Before packed operands are taken apart. */
export const packedRules: readonly VectorRule[] = [packedCodes];
