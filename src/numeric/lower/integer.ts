import { wideScalar } from "./bigint.ts";
import { narrowScalar } from "./closure.ts";
import type { ScalarRule } from "./rule.ts";

/** Operations of integers alone: on numbers where their values fit, else on bigints. */
export const integers: ScalarRule = (operation) => narrowScalar(operation) ?? wideScalar(operation);
