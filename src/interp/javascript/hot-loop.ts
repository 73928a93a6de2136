import type { Op } from "../../numeric/op.ts";
import type { Step } from "../state/warp.ts";

/**
 * A loop of its own for one operation, so that the engine inlines it: five times faster than a loop that is handed
 * the operation. Offsets are into the banks; every operand is as wide as the operation. A loop must equal the
 * operation's `js` bit for bit (a test runs each against it).
 */
export type Hot = (lanes: number, op: Op, d: number, a: number, b: number, c: number, e: number) => Step;
