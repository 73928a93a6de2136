import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Observer } from "../../interp/contract/observer.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import type { WriteTarget } from "./stop.ts";

/** Which accesses of memory stop a run: an atomic one reads and writes. */
export type Accesses = "read" | "write" | "any";

/** An access that an instruction has made. */
export interface Accessed {
  readonly thread: ThreadId;
  readonly access: "read" | "write";
  /** The instruction that requested it, if it is not the last executed one. */
  readonly by: number | undefined;
}

/** Listens for accesses of some bytes of memory, until it is closed. */
export class AccessListener {
  readonly #session: Session;
  readonly #observer: Observer;
  #observed: Accessed | undefined;

  constructor(session: Session, target: WriteTarget & { readonly kind: "memory" }, accesses: Accesses) {
    this.#session = session;
    const machine = new MachineView(session);
    const { space, address, bytes, thread } = target;
    const note = (access: Accessed["access"], at: ThreadId, start: number, length: number, by?: number): void => {
      if (this.#observed !== undefined) return;
      const place = machine.bufferOffset(space, address, bytes, thread);
      if (place === undefined || start >= place + bytes || start + length <= place) return;
      this.#observed = { thread: at, access, by };
    };
    const writes = accesses !== "read";
    this.#observer = {
      ...(accesses !== "write" && {
        load: (at, _space, _address, length, _sem, _scope, where, by) => note("read", at, where, length, by),
      }),
      ...(writes && {
        store: (at, _space, _address, length, _sem, _scope, where, _value, by) => note("write", at, where, length, by),
      }),
      atomic: (at, _space, _address, length, _sem, _scope, where, by) =>
        note(writes ? "write" : "read", at, where, length, by),
    };
    session.observe(this.#observer);
  }

  /** The first access since the last call; undefined when there was none. */
  take(): Accessed | undefined {
    const observed = this.#observed;
    this.#observed = undefined;
    return observed;
  }

  close(): void {
    this.#session.forget(this.#observer);
  }
}
