/** The state of a worker. */
export const workerState = { idle: 0, working: 1, done: 2, commit: 3, drop: 4 } as const;

/** Why a worker gave its blocks back; they then run again on one worker. */
export const givenUp = {
  no: 0,
  fault: 1,
  finding: 2,
  print: 3,
  crowded: 4,
  limit: 5,
  stopped: 6,
  layout: 7,
  bug: 8,
} as const;
export type GivenUp = (typeof givenUp)[keyof typeof givenUp];

/** The reason, in words that follow on `one worker: `. */
export const whyGivenUp: Readonly<Record<GivenUp, string>> = {
  0: "",
  1: "a block faults",
  2: "a block has a finding",
  3: "a block prints",
  4: "a block may wait for others",
  5: "the limit of steps is near",
  6: "it was stopped",
  7: "a worker has other addresses",
  8: "a worker failed",
};

const HEAD = 16;
const EACH = 64;
const [BELL, STOP, NEXT] = [0, 1, 2];
const [STATE, WHY, STEPS, BEAT, DONE, LAST, CARRIES] = [0, 1, 2, 4, 5, 6, 16];

/** Communication between the workers and the launch, in shared memory. */
export class Board {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(from: number | SharedArrayBuffer) {
    this.buffer = typeof from === "number" ? new SharedArrayBuffer(4 * (HEAD + EACH * from)) : from;
    this.#words = new Int32Array(this.buffer);
  }

  state(worker: number): number {
    return Atomics.load(this.#words, at(worker, STATE));
  }

  /** Sets a worker's state, and wakes the threads that wait for it. */
  set(worker: number, state: number): void {
    Atomics.store(this.#words, at(worker, STATE), state);
    Atomics.notify(this.#words, at(worker, STATE));
    Atomics.add(this.#words, BELL, 1);
    Atomics.notify(this.#words, BELL);
  }

  /** Blocks a worker until its state changes. */
  await(worker: number, state: number): number {
    while (this.state(worker) === state) Atomics.wait(this.#words, at(worker, STATE), state);
    return this.state(worker);
  }

  /** Counts state changes: read before a look at the states, and passed to `listen`. */
  get bell(): number {
    return Atomics.load(this.#words, BELL);
  }

  /** Waits for the next state change, at most `ms` milliseconds. */
  listen(bell: number, ms: number): void {
    Atomics.wait(this.#words, BELL, bell, ms);
  }

  /** Offers blocks from `first` on, which workers take as they become free. */
  offer(first: number): void {
    Atomics.store(this.#words, NEXT, first);
  }

  /** Takes the next `count` of the offered blocks; returns the first of them. */
  take(count: number): number {
    return Atomics.add(this.#words, NEXT, count);
  }

  /** A worker's final report; `last` is the last block that it has run. */
  report(worker: number, why: GivenUp, steps: number, last: number, carries: readonly number[]): void {
    this.#words[at(worker, LAST)] = last;
    this.#words[at(worker, WHY)] = why;
    this.#words[at(worker, STEPS)] = steps | 0;
    this.#words[at(worker, STEPS) + 1] = Math.floor(steps / 0x1_0000_0000);
    this.#words.set(carries, at(worker, CARRIES));
  }

  last(worker: number): number {
    return this.#words[at(worker, LAST)]!;
  }

  why(worker: number): GivenUp {
    return this.#words[at(worker, WHY)] as GivenUp;
  }

  steps(worker: number): number {
    const [low, high] = this.#words.subarray(at(worker, STEPS));
    return (low! >>> 0) + 0x1_0000_0000 * high!;
  }

  /** Carry flags of the last block, by warp. */
  carries(worker: number, warps: number): readonly number[] {
    return [...this.#words.subarray(at(worker, CARRIES), at(worker, CARRIES) + warps)].map((flags) => flags >>> 0);
  }

  /** Sign of life of a worker that has begun `blocks` blocks of its range. */
  beat(worker: number, blocks: number): void {
    Atomics.add(this.#words, at(worker, BEAT), 1);
    Atomics.store(this.#words, at(worker, DONE), blocks);
  }

  beats(worker: number): number {
    return Atomics.load(this.#words, at(worker, BEAT));
  }

  blocks(worker: number): number {
    return Atomics.load(this.#words, at(worker, DONE));
  }

  /** Whether workers are to give up. */
  get stop(): boolean {
    return Atomics.load(this.#words, STOP) !== 0;
  }

  set stop(value: boolean) {
    Atomics.store(this.#words, STOP, value ? 1 : 0);
  }
}

const at = (worker: number, field: number): number => HEAD + EACH * worker + field;
