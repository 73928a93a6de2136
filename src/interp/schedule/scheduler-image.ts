import type { AsyncImage } from "../async/async-image.ts";
import type { MapChangesImage } from "../async/map-changes.ts";
import { copyPages, putPages } from "../memory/snapshot-pages.ts";
import { type CtaSyncImage, restoreCtaSync, saveCtaSync } from "../state/cta-sync.ts";
import type { Warp } from "../state/warp.ts";
import type { CtaSlot } from "./cta-slot.ts";
import type { KeptImage } from "./kept-registers.ts";
import type { StallImage } from "./stall-detector.ts";

/** What a snapshot keeps of a scheduler and the blocks that have a slot. */
export interface SchedulerImage {
  readonly slots: readonly SlotImage[];
  readonly kept: KeptImage;
  readonly position: readonly [slot: number, warp: number, next: number];
  readonly still: number;
  readonly slice: number;
  readonly stuck: boolean;
  readonly random: number | undefined;
  readonly asynchrony: AsyncImage;
  readonly stalls: StallImage;
  readonly mapChanges: MapChangesImage;
}

/** What it keeps of one slot. */
export interface SlotImage {
  readonly slot: CtaSlot;
  readonly block: number;
  readonly running: boolean;
  readonly state: readonly Uint8Array[];
  readonly warps: readonly Warp[];
  readonly ctaSync: CtaSyncImage;
}

/** A copy of a slot, with its registers from the bytes `u8`; pages that equal those of `before` are shared. */
export const saveSlot = (slot: CtaSlot, u8: Uint8Array, before?: SlotImage): SlotImage => ({
  slot,
  block: slot.block,
  running: slot.running,
  state: copyPages(u8.subarray(slot.state.start, slot.state.end), before?.state),
  warps: slot.warps.map(ownLists),
  ctaSync: saveCtaSync(slot.ctaSync),
});

/** Restores and returns the slot. */
export function restoreSlot({ slot, block, running, state, warps, ctaSync }: SlotImage, u8: Uint8Array): CtaSlot {
  restoreCtaSync(slot.ctaSync, ctaSync);
  putPages(state, u8, slot.state.start);
  for (const [at, warp] of slot.warps.entries()) Object.assign(warp, ownLists(warps[at]!));
  return Object.assign(slot, { block, running });
}

/** A copy of a warp with copied lists. */
const ownLists = (warp: Warp): Warp => ({
  ...warp,
  waiting: warp.waiting.map((group) => ({ ...group })),
  activations: [...warp.activations],
  parked: [...warp.parked],
});
