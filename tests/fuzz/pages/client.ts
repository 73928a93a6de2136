import type { Wire } from "../../../src/clients/connection.ts";
import { Kind, Reader, u32, u64, utf8, VERSION } from "../../../src/clients/protocol.ts";
import type { Random } from "../executors/random.ts";

export const PAGE = 4096;

/** A launch as a client's process asks for it: one block of so many threads. */
export interface Asked {
  readonly text: string;
  readonly threads: number;
  readonly args: readonly bigint[];
}

/** What a client's process keeps in memory: bytes at an address of their own, of which some pages may not be mapped. */
export class ProcessMemory {
  readonly base: bigint;
  readonly bytes: Uint8Array;
  mapped: readonly boolean[];

  constructor(base: bigint, pages: number) {
    this.base = base;
    this.bytes = new Uint8Array(pages * PAGE);
    this.mapped = Array(pages).fill(true);
  }

  /** A copy of what is mapped from `address` on, at most `count` bytes. */
  read(address: bigint, count: number): Uint8Array {
    const from = Number(address - this.base);
    let to = from;
    while (to < from + count && this.mapped[Math.floor(to / PAGE)] === true) to = (Math.floor(to / PAGE) + 1) * PAGE;
    return new Uint8Array(this.bytes.subarray(from, Math.min(to, from + count)));
  }

  write(address: bigint, bytes: Uint8Array): void {
    this.bytes.set(bytes, Number(address - this.base));
  }
}

/** What a conversation has to do with what the worker says. */
export interface Talk {
  readonly memory: ProcessMemory;
  /** Whether the worker reads memory by a descriptor of it. */
  readonly byDescriptor: boolean;
  /** The next launch, once the one before has ended as `finished` says; undefined where there is none. */
  readonly next: (finished: string | undefined) => Asked | undefined;
  /** Called when the worker has written to memory. */
  readonly wrote: (address: bigint, bytes: Uint8Array) => void;
  /** Draws in which pieces bytes come. */
  readonly pieces: Random | undefined;
}

/**
 * The client's side of `native/protocol.h`, as `native` has it in C: it answers what it is asked while the worker waits for it. Its
 * messages lie in one buffer behind each other, and are gone once they have been read, as those of a socket are.
 */
export class ModelClient implements Wire {
  readonly #talk: Talk;
  #coming: Uint8Array;
  /** What it does not understand, which is a mistake of the worker. */
  readonly odd: string[] = [];
  /** The beginning of a message. */
  #heard: Uint8Array = new Uint8Array();

  constructor(talk: Talk) {
    this.#talk = talk;
    this.#coming = message(Kind.hello, u32(VERSION), u32(talk.byDescriptor ? 1 : 0));
  }

  read(into: Uint8Array): number {
    const whole = Math.min(into.length, this.#coming.length);
    const count = whole === 0 ? 0 : 1 + (this.#talk.pieces?.below(whole) ?? whole - 1);
    into.set(this.#coming.subarray(0, count));
    this.#coming = this.#coming.subarray(count);
    return count;
  }

  write(bytes: Uint8Array): boolean {
    const all = Buffer.concat([this.#heard, bytes]);
    let at = 0;
    // A large message comes in two pieces.
    while (at + 8 <= all.length && at + 8 + all.readUInt32LE(at + 4) <= all.length) {
      const end = at + 8 + all.readUInt32LE(at + 4);
      this.#hear(all.readUInt32LE(at), all.subarray(at + 8, end));
      at = end;
    }
    this.#heard = all.subarray(at);
    return true;
  }

  #hear(kind: number, payload: Uint8Array): void {
    const { memory, wrote } = this.#talk;
    const words = new Reader({ kind, payload });
    switch (kind) {
      case Kind.hello:
        this.#ask(undefined);
        return;
      case Kind.read: {
        const [address, count] = [words.u64(), words.u32()];
        const there = memory.read(address, count);
        this.#say(message(Kind.bytes, there, new Uint8Array(count - there.length), u32(there.length)));
        return;
      }
      case Kind.write: {
        const address = words.u64();
        memory.write(address, words.rest());
        wrote(address, memory.read(address, payload.length - 8));
        return;
      }
      case Kind.finished:
        this.#ask(`${words.u32()} ${words.text()}`);
        return;
      default:
        this.odd.push(`message ${kind}: ${words.text()}`);
    }
  }

  #ask(finished: string | undefined): void {
    const asked = this.#talk.next(finished);
    if (asked === undefined) return;
    const { args, text, threads } = asked;
    const pages = new Set(args.map((value) => value - (value % BigInt(PAGE))));
    const sent = [...pages].map((page): [bigint, Uint8Array] => [page, this.#talk.memory.read(page, PAGE)]);
    this.#say(
      message(
        Kind.launch,
        ...[threads, 1, 1, 1, 1, 1, 0, args.length].map(u32),
        ...args.map(u64),
        u32(sent.length),
        ...sent.flatMap(([page, bytes]) => [u64(page), bytes]),
        // The first kernel has no need of a name.
        u32(0),
        utf8(text),
      ),
    );
  }

  #say(bytes: Uint8Array): void {
    this.#coming = joined([this.#coming, bytes]);
  }
}

const message = (kind: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  joined([u32(kind), u32(parts.reduce((sum, { length }) => sum + length, 0)), ...parts]);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
