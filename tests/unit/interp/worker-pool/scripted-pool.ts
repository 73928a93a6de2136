import { vi } from "vitest";
import { Device, type LaunchOptions, must } from "../../../../src/host/index.ts";
import { executors } from "../../../../src/interp/create-session.ts";
import { ledgerOf, STORED_TO } from "../../../../src/interp/memory/ledger.ts";
import { Linear } from "../../../../src/interp/memory/linear.ts";
import { PAGE } from "../../../../src/interp/memory/memory.ts";
import { ALLOCATED, fourfold, INITIALISED, STORED } from "../../../../src/interp/memory/shadow.ts";
import { Board, type GivenUp, givenUp, workerState } from "../../../../src/interp/worker-pool/board.ts";
import type { MemoryMessage, PoolMessage, RangeMessage } from "../../../../src/interp/worker-pool/message.ts";
import { Rounds } from "../../../../src/interp/worker-pool/rounds.ts";
import type { WorkerPool } from "../../../../src/interp/worker-pool/worker-pool.ts";

/**
 * A worker pool whose workers do nothing but what a test says that they have done, in a time that passes only where somebody waits:
 * so all that a launch asks of them, and when, is known.
 */
export class ScriptedPool implements WorkerPool {
  readonly size: number;
  worth = 0;
  ready = true;
  /** How often it has been asked to start. */
  started = 0;
  failure: string | undefined;
  /** Workers that have ended. */
  readonly gone = new Set<number>();
  time = 0;
  /** How long the launch has waited, time after time. */
  readonly waits: number[] = [];
  readonly posted: { worker: number; message: PoolMessage }[] = [];
  readonly memories: MemoryMessage[] = [];
  /** By worker: the last range that it has been sent. */
  readonly pieces: RangeMessage[] = [];
  /** Happens whenever somebody has waited. */
  meanwhile: () => void = () => {};

  constructor(size: number) {
    this.size = size;
    vi.spyOn(Board.prototype, "listen").mockImplementation((_, ms) => {
      this.time += ms;
      if (this.waits.push(ms) > 5000) throw new Error("nobody comes any more");
      this.meanwhile();
    });
  }

  start(): void {
    this.started++;
  }

  post(worker: number, message: PoolMessage): void {
    if (message.kind === "memory") this.memories[worker] = message;
    if (message.kind === "range") this.pieces[worker] = message;
    this.posted.push({ worker, message });
  }

  ended(worker: number): boolean {
    return this.gone.has(worker);
  }

  now(): number {
    return this.time;
  }

  get board(): Board {
    return new Board(this.memories[0]!.board);
  }

  /** What a round's workers have been sent since they were asked last. */
  ranges(): readonly RangeMessage[] {
    const all = this.posted.splice(0).map(({ message }) => message);
    return all.filter((message) => message.kind === "range");
  }

  /** A worker says that it is done. */
  done(worker: number, said: { why?: GivenUp; steps?: number; last?: number } = {}): void {
    this.board.report(worker, said.why ?? givenUp.no, said.steps ?? 0, said.last ?? -1, []);
    this.board.set(worker, workerState.done);
  }

  /** A worker has stored to a word of its memory; `besides`: what else its ledger says of the page. */
  stores(worker: number, at: number, value: number, besides = 0): void {
    const { own, page, ledger } = this.#at(worker, at);
    own.data.u32[at >>> 2] = value;
    own.shadow.s32[at >>> 2] = fourfold(ALLOCATED | INITIALISED | STORED);
    ledger.flags[page]! |= STORED_TO | besides;
  }

  /** A worker may have read a word. */
  reads(worker: number, at: number): void {
    const { page, ledger } = this.#at(worker, at);
    ledger.low[page] = at % PAGE;
    ledger.high[page] = (at % PAGE) + 4;
  }

  /** As a worker's memory is before each round. */
  clear(worker: number): void {
    const { own, ledger } = this.#at(worker, 0);
    own.shadow.u8.fill(0);
    for (const part of [ledger.low, ledger.high, ledger.flags]) part.fill(0);
  }

  #at(worker: number, at: number) {
    const { own, ledger } = this.memories[worker]!;
    const linear = new Linear(own);
    return { own: linear, page: Math.floor(at / PAGE), ledger: ledgerOf(ledger, linear.distance / PAGE) };
  }

  /** Workers do at once what they are told. */
  obey(): void {
    for (let worker = 0; worker < this.size; worker++)
      if (this.board.state(worker) !== workerState.working && this.board.state(worker) !== workerState.done)
        this.board.set(worker, workerState.idle);
  }

  get states(): readonly number[] {
    return Array.from({ length: this.size }, (_, worker) => this.board.state(worker));
  }
}

/** A launch of `grid` blocks of which one has run, and whose others are the worker pool's; a block takes `each` milliseconds. */
export function handedOver(text: string, workerPool: ScriptedPool, each: number, options: LaunchOptions = {}) {
  const device = new Device({ maxMemory: 1 << 20 });
  const data = device.buffer(new Uint32Array(4096));
  const executor = executors.get("js")!;
  const loaded = must(must(device.module(text)).kernel("k"));
  const session = must(loaded.session({ block: 1, args: [data], executor, readableRegisters: false, ...options }))!;
  session.run({ budget: 1 });
  const { scheduler } = session.state!;
  scheduler.hold();
  while (!scheduler.held) session.run({ budget: 64 });
  const rounds = new Rounds(session, workerPool, { name: "js", executor });
  rounds.begin(scheduler.next, each * scheduler.next);
  /** Where the buffer's word lies in memory. */
  const at = (word: number): number => Number(BigInt.asUintN(32, data.address)) + 4 * word;
  return { session, rounds, data, at, scheduler };
}
