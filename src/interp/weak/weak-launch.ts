import { clusterOf } from "../contract/launch/cluster-rank.ts";
import type { Dim3 } from "../contract/launch/dim3.ts";
import { volume } from "../contract/launch/dim3.ts";
import { lanesOf } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import { acquires, type PlannedFence, reachOf, releases } from "../contract/memory-consistency.ts";
import type { ArrivalOrder, ObservedOperation, Observer } from "../contract/observer.ts";
import { type PostponedImage, PostponedLoads } from "./postponed.ts";
import type { Agent } from "./released.ts";
import type { WeakImage, WeakMemory } from "./weak-memory.ts";

interface Sizes {
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly cluster?: Dim3 | undefined;
}

const orderOf = ({ sem, scope }: ArrivalOrder | PlannedFence) => ({
  reach: reachOf(scope),
  acquires: acquires(sem),
  releases: releases(sem),
});

interface LaunchImage {
  readonly memory: WeakImage;
  readonly postponed: PostponedImage;
  readonly byteLength: number;
}

/** The weak memory of a launch, and the loads that threads have postponed: observes its barriers and fences. */
export class WeakLaunch implements Observer {
  readonly memory: WeakMemory;
  readonly postponed: PostponedLoads = new PostponedLoads();
  readonly #sizes: Sizes;
  readonly #threads: number;

  constructor(memory: WeakMemory, sizes: Sizes) {
    this.memory = memory;
    this.#sizes = sizes;
    this.#threads = volume(sizes.block);
  }

  agent({ block, warp, lane }: ThreadId): Agent {
    const { grid, cluster } = this.#sizes;
    return {
      index: block * this.#threads + 32 * warp + lane,
      block,
      cluster: cluster === undefined ? block : clusterOf(block, grid, cluster),
    };
  }

  fenced(at: ThreadId, { sem, scope }: PlannedFence): void {
    this.memory.fence(this.agent(at), orderOf({ sem, scope }), sem === "sc");
  }

  barrier(block: number, _id: number, arrived: Uint32Array, whole: boolean): void {
    if (whole) this.memory.meet(this.#block(block));
    else this.memory.meet([...arrived].flatMap((lanes, warp) => this.#lanes(block, warp, lanes)));
  }

  cluster(blocks: readonly number[]): void {
    this.memory.meet(blocks.flatMap((block) => this.#block(block)));
  }

  warpSync(block: number, warp: number, lanes: number): void {
    this.memory.meet(this.#lanes(block, warp, lanes));
  }

  moves({ writes, updates }: ObservedOperation, perform: () => void): void {
    this.memory.move(writes, updates === true, perform);
  }

  landed({ thread, writes }: ObservedOperation, where?: number): void {
    this.memory.land(this.agent(thread), writes, where);
  }

  arrived(at: ThreadId, where: number, order: ArrivalOrder): void {
    this.memory.arrive(this.agent(at), where, orderOf(order));
  }

  completed(at: ThreadId, where: number, order: ArrivalOrder): void {
    this.memory.complete(this.agent(at), where, orderOf(order));
  }

  end(block: number): void {
    this.memory.end(this.#block(block));
  }

  save(): LaunchImage {
    const memory = this.memory.save();
    return { memory, postponed: this.postponed.save(), byteLength: memory.byteLength };
  }

  restore(image: unknown): void {
    const { memory, postponed } = image as LaunchImage;
    this.memory.restore(memory);
    this.postponed.restore(postponed);
  }

  #block(block: number): readonly Agent[] {
    return Array.from({ length: this.#threads }, (_, at) => this.agent({ block, warp: at >>> 5, lane: at & 31 }));
  }

  #lanes(block: number, warp: number, lanes: number): readonly Agent[] {
    return lanesOf(lanes).map((lane) => this.agent({ block, warp, lane }));
  }
}
