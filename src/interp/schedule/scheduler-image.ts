import type { AsyncImage } from "../async/asynchrony.ts";
import type { MapChangesImage } from "../async/map-changes.ts";
import type { CtaSyncImage } from "../state/cta-sync.ts";
import type { Warp } from "../state/warp.ts";
import type { CtaSlot } from "./cta-slot.ts";
import type { KeptImage } from "./kept-registers.ts";
import type { PatienceImage } from "./patience.ts";

/** What a snapshot keeps of a scheduler and the blocks that have a slot. */
export interface SchedulerImage {
  readonly slots: readonly {
    readonly slot: CtaSlot;
    readonly block: number;
    readonly running: boolean;
    readonly state: readonly Uint8Array[];
    readonly warps: readonly Warp[];
    readonly ctaSync: CtaSyncImage;
  }[];
  readonly kept: KeptImage;
  readonly position: readonly [slot: number, warp: number, next: number];
  readonly still: number;
  readonly slice: number;
  readonly stuck: boolean;
  readonly random: number | undefined;
  readonly asynchrony: AsyncImage;
  readonly patience: PatienceImage;
  readonly mapChanges: MapChangesImage;
}

/** A copy of a warp whose lists are its own. */
export const ownLists = (warp: Warp): Warp => ({
  ...warp,
  waiting: warp.waiting.map((group) => ({ ...group })),
  activations: [...warp.activations],
  parked: [...warp.parked],
});
