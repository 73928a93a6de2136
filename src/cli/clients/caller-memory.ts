import { readSync } from "node:fs";
import type { Supplier } from "../../host/index.ts";
import { CallerGone, type Connection } from "./connection.ts";
import { Kind, MOST_READ, u32, u64 } from "./protocol.ts";

/**
 * The memory of the process that asked for a launch, and waits for its end. It writes all that is stored itself, so its own
 * protections hold. Where it has handed over a descriptor of its memory, reading takes no help.
 */
export class CallerMemory implements Supplier {
  readonly #connection: Connection;
  readonly #descriptor: number | undefined;
  /** Pages that have come with the question, by their addresses. */
  #sent: ReadonlyMap<bigint, Uint8Array> = new Map();

  constructor(connection: Connection, descriptor: number | undefined) {
    this.#connection = connection;
    this.#descriptor = descriptor;
  }

  /** Takes what the caller has sent of its memory unasked; whatever it had sent before is old. */
  begin(pages: ReadonlyMap<bigint, Uint8Array>): void {
    this.#sent = pages;
  }

  read(address: bigint, into: Uint8Array): number {
    const sent = this.#sent.get(address);
    if (sent !== undefined && sent.length <= into.length) {
      into.set(sent);
      return sent.length;
    }
    let read = 0;
    while (read < into.length) {
      const part = into.subarray(read, read + MOST_READ);
      const from = address + BigInt(read);
      const got = this.#descriptor === undefined ? this.#ask(from, part) : readFile(this.#descriptor, from, part);
      read += got;
      if (got < part.length) break;
    }
    return read;
  }

  write(address: bigint, bytes: Uint8Array): void {
    this.#connection.sendLater(Kind.write, u64(address), bytes);
  }

  #ask(address: bigint, into: Uint8Array): number {
    if (!this.#connection.send(Kind.read, u64(address), u32(into.length))) throw new CallerGone();
    const answer = this.#connection.receive();
    if (answer?.kind !== Kind.bytes) throw new CallerGone();
    into.set(answer.payload);
    return answer.payload.length;
  }
}

/** The file holds addresses of 63 bits; what is not mapped is an error of it, and what ends there is read up to that. */
function readFile(descriptor: number, address: bigint, into: Uint8Array): number {
  if (address >> 63n !== 0n) return 0;
  try {
    return readSync(descriptor, into, 0, into.length, address);
  } catch {
    return 0;
  }
}
