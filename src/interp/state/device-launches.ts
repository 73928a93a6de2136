import type { Related } from "../../source/diagnostic.ts";
import type { Dim3 } from "../contract/launch/dim3.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Program } from "../contract/program.ts";

/** A launch that a thread of a kernel has requested (CUDA C++ Programming Guide, CUDA Dynamic Parallelism). */
export interface DeviceLaunch {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Bytes. */
  readonly dynamicShared: number;
  readonly parameters: Uint8Array;
  /** The thread, the instruction of its call, and both in words. */
  readonly by: ThreadId;
  readonly pc: number;
  readonly related: Related;
}

/** The configuration of a launch whose parameters are being filled in. */
export type Configuration = Pick<DeviceLaunch, "program" | "grid" | "block" | "dynamicShared">;

/** All of it at one moment. */
export type DeviceLaunchesImage = Pick<DeviceLaunches, "queue" | "tail" | "configurations" | "errors" | "handles">;

/**
 * What the threads of a launch have requested of the device. Nothing of it runs before the grid has ended, or before a thread waits
 * for it: this is among the orders that CUDA allows, and keeps that of each stream. The lists are replaced, never changed, so
 * that a snapshot may share them.
 */
export class DeviceLaunches {
  /** In the order of the requests. */
  queue: readonly DeviceLaunch[] = [];
  /** In the stream `cudaStreamTailLaunch`: after all others. */
  tail: readonly DeviceLaunch[] = [];
  /** By the address of the parameters. */
  configurations: ReadonlyMap<bigint, Configuration> = new Map();
  /** The last error of each thread that has one, by its place in the grid. */
  errors: ReadonlyMap<number, number> = new Map();
  /** Streams and events so far. */
  handles = 0;
  /** Launches around this one. */
  readonly depth: number;
  /** The program of a kernel of the module, or of `copy` and `set`, by its name. */
  readonly programOf: (name: string) => Program | undefined;
  /**
   * Whoever runs launches. With a closure of each launch in its place, launches that had ended survived V8's scavenges, which made
   * those of a framework half as long again.
   */
  runner: { waitForLaunched(): void } | undefined;

  constructor(depth: number, programOf: (name: string) => Program | undefined) {
    this.depth = depth;
    this.programOf = programOf;
  }

  /** Runs all that was requested so far, for a thread that waits for it; throws the fault of one that fails. */
  wait(): void {
    this.runner?.waitForLaunched();
  }

  /** Takes the next launch off its list. */
  next(): DeviceLaunch | undefined {
    const [first, ...rest] = this.queue;
    if (first !== undefined) {
      this.queue = rest;
      return first;
    }
    const [last, ...others] = this.tail;
    this.tail = others;
    return last;
  }

  save(): DeviceLaunchesImage {
    const { queue, tail, configurations, errors, handles } = this;
    return { queue, tail, configurations, errors, handles };
  }

  restore(image: DeviceLaunchesImage): void {
    Object.assign(this, image);
  }
}
