import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { ArrivalOrder, Observer } from "../contract/observer.ts";
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

  /** Lets an operation happen. */
  moves(operation: Operation): void {
    const around = this.#observers.find(({ moves }) => moves !== undefined);
    if (around === undefined) operation.perform();
    else around.moves!(operation, () => operation.perform());
  }

  /** A thread has arrived at the mbarrier object at `at`, or has changed what it counts. */
  counted(thread: ThreadId, at: number, order: ArrivalOrder = { sem: "relaxed", scope: "cluster" }): void {
    for (const observer of this.#observers) observer.arrived?.(thread, at, order);
  }

  /** Notifies of all accesses: at the wait, or when an operation signals its mbarrier object at `where`. */
  done(flight: Flight, where?: number): void {
    for (const observer of this.#observers) observer.landed?.(flight.operation, where);
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
