import type { BarrierOperation, Barriers } from "./barriers.ts";
import type { BulkQueue } from "./bulk-queues.ts";
import type { FencesImage } from "./fences.ts";
import type { Flight } from "./operation.ts";

/** What a snapshot keeps. */
export interface AsyncImage {
  readonly flights: readonly { readonly flight: Flight; readonly state: Flight }[];
  readonly lines: ReadonlyMap<number, readonly BulkQueue[]>;
  readonly fences: FencesImage;
  readonly moments: readonly [count: number, now: number];
  readonly random: number | undefined;
  readonly changed: boolean;
  readonly barriers: ReturnType<Barriers["save"]>;
  readonly polls: ReadonlyMap<number, BarrierOperation>;
}
