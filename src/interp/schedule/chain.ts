import { unlinear, volume } from "../contract/launch/dim3.ts";
import { areApart } from "../contract/observes.ts";
import type { Memory } from "../memory/memory.ts";
import { clearCtaSync } from "../state/cta-sync.ts";
import type { Chain } from "../state/executor.ts";
import { type CtaSlot, standAtStart } from "./cta-slot.ts";
import type { Schedule } from "./schedule.ts";

/** Bytes of shared memory at most: a larger block may touch few of them, and only touched pages are cleared. */
const MOST_SHARED = 16384;

/**
 * The blocks that may take the slot of one without the scheduler: from `next` on, to `end`, where no observer looks at
 * them, and where `Chain` describes all that a block begins with. `began` receives how many have begun.
 */
export function chainOf(
  { cluster, seed, carry, grid, needs, keepsRegisters, observers, fresh }: Schedule,
  memory: Memory,
  slot: CtaSlot,
  next: number,
  end: number,
  began: (count: number) => void,
): Chain | undefined {
  const threads = volume(needs.block);
  const plain = cluster === undefined && seed === undefined && carry === 0 && !keepsRegisters && areApart(observers);
  if (!plain || needs.localBytes + needs.tensorBytes + needs.reservedBytes > 0 || needs.sharedBytes > MOST_SHARED)
    return undefined;
  const { rows } = fresh;
  const most = end - next;
  if (rows === undefined || most <= 0 || slot.block !== next - 1) return undefined;
  if (slot.shared !== undefined) memory.know(slot.shared.start, needs.sharedBytes);
  const notify = (ahead: number): void => {
    for (const observer of observers) observer.end?.(slot.block + ahead);
    for (const observer of observers) observer.begin?.(slot.block + ahead + 1);
  };
  const begin = (count: number): void => {
    slot.block += count;
    clearCtaSync(slot.ctaSync, threads);
    for (const warp of slot.warps) standAtStart(warp, slot.block, threads);
    began(count);
  };
  return { most, grid, ctaid: unlinear(slot.block, grid), rows, notify, begin };
}
