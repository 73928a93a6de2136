import { bits } from "./hot-bits.ts";
import { conversions } from "./hot-convert.ts";
import { longConversions } from "./hot-convert-long.ts";
import { doubles } from "./hot-double.ts";
import { floats } from "./hot-float.ts";
import { halves } from "./hot-half.ts";
import { integers } from "./hot-integer.ts";
import { longs } from "./hot-long.ts";
import type { Hot } from "./hot-loop.ts";

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
