import { bytesTouched, fenceOf, touchesOf } from "../contract/effects.ts";
import type { Observer } from "../contract/observer.ts";
import { elements, type Operand, slot } from "../contract/operand.ts";
import type { Instruction } from "../contract/program.ts";
import type { PlannedAccess } from "../contract/shape-facts.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";
import { guardOf } from "../warp/guard.ts";
import { locator } from "./locate.ts";
import { lineLocator } from "./matrix/locate-lines.ts";

/** Wraps a step so that observers hear of each lane's accesses to memory once they have happened; and of a fence. */
export function observing(
  step: Step,
  { plan, operands, guard }: Instruction,
  context: Context,
  observers: readonly Observer[],
): Step {
  const witnesses = touchesOf(plan)
    .filter(isHeard)
    .map((access) => witness(access, operands, context, observers));
  const scope = fenceOf(plan);
  if (witnesses.length === 0 && scope === undefined) return step;
  const lanes = guardOf(guard);
  return (warp) => {
    const taken = lanes(warp);
    // Before the step: a load may overwrite its own base.
    const tellings = witnesses.map((locate) => locate(warp));
    step(warp);
    for (const tell of tellings) tell(taken);
    if (scope !== undefined) for (const observer of observers) observer.fence?.(warp.block, warp.index, taken, scope);
  };
}

/** Nobody hears of bytes that are discarded: they hold nothing that another thread could want. */
type Heard = PlannedAccess & { readonly how: Exclude<PlannedAccess["how"], "discard"> };
const isHeard = (access: PlannedAccess): access is Heard => access.how !== "discard";

/** Finds where the lanes of a warp are about to touch memory; what comes back tells observers of those that did. */
function witness(
  access: Heard,
  operands: readonly (Operand | undefined)[],
  context: Context,
  observers: readonly Observer[],
): (warp: Warp) => (lanes: number) => void {
  const { how, space, address: at, sem, scope, lines, lanes: touching = 0xffff_ffff } = access;
  const bytes = bytesTouched(access, operands);
  const { low, high, at: places } = context.scratch;
  const { sum, locate } =
    lines === undefined
      ? locator(operands[at], space, bytes, context)
      : lineLocator(operands[at], operands[2], { space, lines }, how === "load" ? how : "store", context);
  const written = how === "store" && lines === undefined ? operands[access.data ?? -1] : undefined;
  const stored = written === undefined ? () => 0n : values(written, 8 * access.bytes, context.lanes);
  return (warp) => {
    locate(warp);
    const where = Int32Array.from(places);
    sum(warp);
    const addresses = Array.from(low, (word, lane) => (BigInt(high[lane]!) << 32n) | BigInt(word));
    return (lanes) => {
      for (let lane = 0; lane < warp.lanes; lane++) {
        if (!(((lanes & touching) >>> lane) & 1)) continue;
        const thread = { block: warp.block, warp: warp.index, lane };
        const place = [thread, space, addresses[lane]!, bytes, sem, scope, where[lane]!] as const;
        // What a line holds comes from all lanes, so it is read back.
        const value = lines === undefined ? stored(warp, lane) : bytesAt(context, where[lane]!, bytes);
        for (const observer of observers)
          if (how === "store") observer.store?.(...place, value);
          else observer[how]?.(...place);
      }
    };
  };
}

/** Bytes of memory's buffer as one number, the first lowest. */
function bytesAt({ memory }: Context, at: number, bytes: number): bigint {
  let value = 0n;
  for (let byte = bytes - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(memory.data.u8[at + byte]!);
  return value;
}

/** What a lane stores: its elements side by side, the first one lowest. */
function values(operand: Operand | undefined, bits: number, lanes: number): (warp: Warp, lane: number) => bigint {
  const parts = elements(operand).map(slot);
  return ({ r, q }, lane) =>
    parts.reduce((sum, part, index) => {
      const at = part.slot * lanes + lane;
      const low = part.bank === "q" ? q[at]! : BigInt(r[at]!);
      const value = bits === 128 ? low | (q[at + lanes]! << 64n) : low;
      return sum | (BigInt.asUintN(bits, value) << BigInt(bits * index));
    }, 0n);
}
