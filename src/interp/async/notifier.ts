import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Observer } from "../contract/observer.ts";
import type { Memory } from "../memory/memory.ts";
import { WINDOWED } from "../memory/shadow.ts";
import { readsLeft } from "./flight.ts";
import { BARRIER_BYTES } from "./mbarrier-object.ts";
import type { ByteRange, Flight, Operation, Site } from "./operation.ts";

/** Of a copy's accesses; an update reads its source by weak ones. */
const strengthOf = ({ updates, scope }: Operation): "weak" | "relaxed" =>
  updates || scope === undefined ? "weak" : "relaxed";

/** Notifies observers of asynchronous operations, as accesses of the threads that issued them. */
export class Notifier {
  readonly #memory: Memory;
  readonly #observers: readonly Observer[];

  constructor(memory: Memory, observers: readonly Observer[]) {
    this.#memory = memory;
    this.#observers = observers;
  }

  /** Notifies of all accesses: at the wait, or when an operation signals its mbarrier object. */
  done(flight: Flight): void {
    if (this.#observers.length === 0 || flight.reported) return;
    flight.reported = true;
    this.read(flight, readsLeft(flight));
    const { thread, writes, updates, scope = "gpu", site } = flight.operation;
    const sem = strengthOf(flight.operation);
    for (const observer of this.#observers) {
      for (const { start, bytes } of writes)
        if (updates)
          observer.atomic?.(thread, this.#space(start), BigInt(start), bytes, "relaxed", scope, start, site.pc);
        else observer.store?.(thread, this.#space(start), BigInt(start), bytes, sem, scope, start, undefined, site.pc);
    }
  }

  /** Notifies of reads, which a `.read` wait, or one for early reads, has ordered already. */
  read({ operation }: Flight, reads: readonly ByteRange[]): void {
    const { thread, scope = "gpu", site } = operation;
    const sem = strengthOf(operation);
    for (const observer of this.#observers)
      for (const { start, bytes } of reads)
        observer.load?.(thread, this.#space(start), BigInt(start), bytes, sem, scope, start, site.pc);
  }

  /** An operation of a thread has signalled the mbarrier object at `at`. */
  arrived(thread: ThreadId, site: Site, at: number): void {
    for (const observer of this.#observers)
      observer.atomic?.(thread, "shared", BigInt(at), BARRIER_BYTES, "release", "gpu", at, site.pc);
  }

  #space(at: number): "shared" | "global" {
    return (this.#memory.shadow.u8[at]! & WINDOWED) === 0 ? "global" : "shared";
  }
}
