import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Observer } from "../contract/observer.ts";
import type { Stop } from "../contract/stop.ts";
import type { MemoryImage } from "../memory/memory.ts";
import type { SchedulerImage } from "../schedule/scheduler-image.ts";
import type { AwaitedStores } from "../state/awaited-stores.ts";
import type { DeviceLaunchesImage } from "../state/device-launches.ts";
import type { Snapshot } from "./session.ts";

/** The contents of a session's snapshot. */
export interface SessionImage extends Snapshot {
  readonly memory: MemoryImage;
  readonly scheduler: SchedulerImage;
  readonly findings: readonly Diagnostic[];
  readonly reported: ReadonlySet<number>;
  readonly given: ReadonlySet<string>;
  readonly printed: number;
  readonly launches: DeviceLaunchesImage;
  readonly awaited: ReturnType<AwaitedStores["save"]>;
  readonly end: Stop | undefined;
  readonly resting: boolean;
  /** The state of observers that have any. */
  readonly tools: ReadonlyMap<Observer, { readonly byteLength: number }>;
}

/** The pages of memory and registers in a snapshot, and the observers' state; everything else in it is small. */
export function* pagesOf({ memory, scheduler, tools }: SessionImage): Iterable<{ readonly byteLength: number }> {
  for (const { data, shadow } of memory.pages.values()) yield* [data, shadow];
  for (const { state } of scheduler.slots) yield* state;
  for (const { state } of scheduler.kept.kept.values()) yield state;
  yield* tools.values();
}
