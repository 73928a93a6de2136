import { type Operand, type SlotOperand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { Stack } from "../../warp/frame.ts";

/** `d, a`: alloca; `d`: stacksave; `a`: stackrestore. Addresses are local ones, not generic. */
export function stack(
  { act }: Plan & { shape: "stack" },
  [d, a, b]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes } = context;
  const own = new Stack(context);
  if (act === "restore") {
    const get = reader(slot(d), lanes);
    return each((warp, lane) => {
      const pointer = get(warp, lane);
      if (!own.set(warp, lane, pointer))
        throw new Fault("PTX3024", lane, `is given 0x${pointer.toString(16)}, which no stacksave returned`);
    });
  }
  const put = writer(slot(d), lanes);
  if (act === "save") return each((warp, lane) => put(warp, lane, own.pointer(warp, lane)));
  const get = reader(slot(a), lanes);
  const align = b === undefined ? undefined : reader(slot(b), lanes);
  return each((warp, lane) =>
    put(warp, lane, own.take(warp, lane, get(warp, lane), Math.max(LEAST_ALIGN, align?.(warp, lane) ?? 0))),
  );
}

/** Every allocation has at least this alignment. */
const LEAST_ALIGN = 8;

const each =
  (act: (warp: Warp, lane: number) => void): Step =>
  (warp) => {
    for (let lane = 0; lane < warp.lanes; lane++) if ((warp.active >>> lane) & 1) act(warp, lane);
  };

const reader = ({ bank, slot }: SlotOperand, lanes: number): ((warp: Warp, lane: number) => number) =>
  bank === "r" ? ({ r }, lane) => r[slot * lanes + lane]! : ({ q }, lane) => Number(q[slot * lanes + lane]!);

const writer = ({ bank, slot }: SlotOperand, lanes: number): ((warp: Warp, lane: number, value: number) => void) =>
  bank === "r"
    ? ({ r }, lane, value) => {
        r[slot * lanes + lane] = value;
      }
    : ({ q }, lane, value) => {
        q[slot * lanes + lane] = BigInt(value);
      };
