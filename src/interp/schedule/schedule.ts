import type { Asynchrony, AsyncImage } from "../async/asynchrony.ts";
import type { MapChanges, MapChangesImage } from "../async/map-changes.ts";
import type { Dim3 } from "../contract/dim3.ts";
import type { Observer } from "../contract/observer.ts";
import type { CtaSyncImage } from "../state/cta-sync.ts";
import type { Template } from "../state/template.ts";
import type { Warp } from "../state/warp.ts";
import type { CtaNeeds, CtaRegisters, CtaSlot } from "./cta-slot.ts";
import type { PatienceImage } from "./patience.ts";

/** What a launch's blocks are and in which order they run. */
export interface Schedule {
  readonly needs: CtaNeeds;
  readonly grid: Dim3;
  /** Blocks of a cluster, which are resident together; one without. */
  readonly cluster: Dim3 | undefined;
  /** A cooperative launch: all blocks begin together. */
  readonly cooperative: boolean;
  readonly fresh: Template;
  readonly carry: 0 | 1;
  /** Permutes who goes first and for how long; undefined for the fixed order. */
  readonly seed: number | undefined;
  readonly observers: readonly Observer[];
  readonly asynchrony: Asynchrony;
  readonly mapChanges: MapChanges;
  /** Whether registers of blocks that have ended may be asked for. */
  readonly keepsRegisters: boolean;
}

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
  readonly kept: ReadonlyMap<number, CtaRegisters>;
  readonly position: readonly [slot: number, warp: number, next: number, keptBytes: number];
  readonly still: number;
  readonly slice: number;
  readonly stuck: boolean;
  readonly random: number | undefined;
  readonly asynchrony: AsyncImage;
  readonly patience: PatienceImage;
  readonly mapChanges: MapChangesImage;
}
