import type { Operand } from "../../contract/operand.ts";
import { slot } from "../../contract/operand.ts";
import { bitsInMemory, linesOf, type PlanLines } from "../../contract/plan/plan-lines.ts";
import { windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { finder, type Locator, locator } from "../locate.ts";

/**
 * Locates the lines of matrices: afterwards lane i has the address of line i in `Context.scratch`. Throws a Fault if
 * lanes that should agree on an address do not, or if a generic address lies in a space that the instruction does not
 * reach.
 */
export function lineLocator(
  a: Operand | undefined,
  stride: Operand | undefined,
  plan: PlanLines,
  kind: "load" | "store",
  context: Context,
): Locator {
  const { lines } = plan;
  // A generic address has 64 bits; ptxas takes a 32-bit address as one of shared memory.
  const space = a?.kind === "address" && a.base?.bank === "r" ? "shared" : plan.space;
  const { scratch } = context;
  const { low, high } = scratch;
  const count = linesOf(lines);
  const given = locator(a, space, lines.bytes, context).sum;
  const spread =
    lines.stride === undefined ? undefined : strided(stride, lines.stride, bitsInMemory(lines), count, context);
  const sum: Step = (warp) => {
    given(warp);
    spread?.(warp);
  };
  const find = finder(space, lines.bytes, context);
  const reached: readonly number[] = lines.stride === undefined ? [windows.shared] : [windows.shared, windows.global];
  const verb = kind === "load" ? "reads" : "writes";
  return {
    sum,
    locate: (warp) => {
      sum(warp);
      if (space === "generic")
        for (let lane = 0; lane < count; lane++)
          if (!reached.includes(high[lane]!) && isElsewhere(high[lane]!)) {
            const address = ((BigInt(high[lane]!) << 32n) | BigInt(low[lane]!)).toString(16);
            const what = `${verb} ${lines.bytes} bytes at 0x${address}, which is not in ${reached.length === 1 ? "shared memory" : "global or shared memory"}`;
            throw new Fault("PTX3002", lane, what);
          }
      find(warp);
    },
  };
}

/** True for the windows of other memory; an address outside of all windows gets the message of any bad address. */
const isElsewhere = (high: number): boolean => Object.values<number>(windows).includes(high);

/** Computes the addresses of all lines from that of the first, which all lanes supply. */
function strided(
  operand: Operand | undefined,
  otherwise: number,
  bits: number,
  count: number,
  { lanes, scratch: { low, high } }: Context,
): Step {
  const from = operand === undefined ? -1 : slot(operand).slot * lanes;
  return ({ r }: Warp) => {
    const [base, window] = [low[0]!, high[0]!];
    const elements = from < 0 ? otherwise : r[from]!;
    for (let lane = 1; lane < 32; lane++) {
      if (low[lane] !== base || high[lane] !== window) throw unlike(lane, "another address than");
      if (from >= 0 && r[from + lane] !== elements) throw unlike(lane, "another stride than");
    }
    const step = (elements * bits) / 8;
    for (let line = 0; line < count; line++) {
      const sum = base + line * step;
      low[line] = sum;
      high[line] = window + Math.floor(sum / 0x1_0000_0000);
    }
  };
}

const unlike = (lane: number, what: string): Fault =>
  new Fault("PTX3015", lane, `gets ${what} lane 0 gives, and all of the warp give one`);
