import type { Asynchrony } from "../async/asynchrony.ts";
import type { MapChanges } from "../async/map-changes.ts";
import type { Dim3 } from "../contract/launch/dim3.ts";
import type { Observer } from "../contract/observer.ts";
import type { Program } from "../contract/program.ts";
import type { Template } from "../state/template.ts";
import type { CtaNeeds, CtaSlot } from "./cta-slot.ts";

/** The blocks of a launch and the order in which they run. */
export interface Schedule {
  readonly program: Program;
  readonly needs: CtaNeeds;
  readonly grid: Dim3;
  /** Blocks of a cluster, which are resident together; one without. */
  readonly cluster: Dim3 | undefined;
  /** A cooperative launch: all blocks begin together. */
  readonly cooperative: boolean;
  readonly fresh: Template;
  readonly carry: 0 | 1;
  /** Permutes the order of warps and the length of their turns; undefined for the fixed order. */
  readonly seed: number | undefined;
  readonly observers: readonly Observer[];
  readonly asynchrony: Asynchrony;
  readonly mapChanges: MapChanges;
  /** Whether a block may wait for one that has not begun (`mayWait`). */
  readonly waits: boolean;
  /** Whether registers of ended blocks may be read. */
  readonly keepsRegisters: boolean;
  /** The clusters that run here, one after the other and never two at a time; the others run elsewhere. */
  readonly part?: Part;
  /** Receives each block that ends, in place of this scheduler's own record of registers. */
  readonly ended?: (slot: CtaSlot) => void;
}

/** Clusters `first` to `end - 1` of a grid. */
export interface Part {
  readonly first: number;
  readonly end: number;
}
