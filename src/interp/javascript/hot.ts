import type { Op } from "../../numeric/op.ts";
import type { Step } from "../state/context.ts";
import { bits } from "./hot-bits.ts";
import { conversions } from "./hot-convert.ts";
import { longConversions } from "./hot-convert-long.ts";
import { doubles } from "./hot-double.ts";
import { floats } from "./hot-float.ts";
import { halves } from "./hot-half.ts";
import { integers } from "./hot-integer.ts";
import { longs } from "./hot-long.ts";

/**
 * A loop of its own for one operation, so that the engine inlines it: five times faster than a loop that is handed
 * the operation. Offsets are into the banks; every operand is as wide as the operation. A loop must equal the
 * operation's `js` bit for bit (a test runs each against it).
 */
export type Hot = (lanes: number, op: Op, d: number, a: number, b: number, c: number, e: number) => Step;

/** By name of the operation: those that profiles of kernels name. */
export const hot: ReadonlyMap<string, Hot> = new Map([
  ...integers,
  ...bits,
  ...longs,
  ...floats,
  ...doubles,
  ...halves,
  ...conversions,
  ...longConversions,
]);
