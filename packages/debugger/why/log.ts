import { bitsIn, lanesOf } from "../../../src/interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Observer, WarpAccess } from "../../../src/interp/contract/observer.ts";
import type { Session } from "../../../src/interp/machine/session.ts";

/** Lanes of a warp wrote memory, or one thread did by an asynchronous operation that `pc` asked for. */
export interface WriteEvent {
  readonly step: number;
  readonly pc: number;
  readonly block: number;
  readonly warp: number;
  readonly lanes: readonly number[];
  /** By the order of the lanes: offsets in memory's buffer. */
  readonly where: readonly number[];
  readonly bytes: number;
  readonly atomic: boolean;
  /** Not by the instruction of the step, but when that waited. */
  readonly late: boolean;
  readonly from: number;
  readonly end: number;
}

/** Numbers in the order in which they come. */
class Column {
  #data = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#data.length) {
      const more = new Int32Array(2 * this.length);
      more.set(this.#data);
      this.#data = more;
    }
    this.#data[this.length++] = value;
  }

  at(index: number): number {
    return this.#data[index] ?? 0;
  }
}

/** What all warps of a stretch of a run have executed and written, without values: those are read at a step. */
export class RunLog implements Observer {
  readonly writes: WriteEvent[] = [];
  /** Lanes that have exchanged values, in order. */
  readonly exchanges: { readonly step: number; readonly block: number; readonly warp: number; readonly lanes: number }[] =
    []; // biome-ignore format: a list
  readonly #session: Session;
  /** The step of the first entry. */
  readonly first: number;
  readonly #warps: Column = new Column();
  readonly #pcs: Column = new Column();
  readonly #active: Column = new Column();
  readonly #taken: Column = new Column();
  readonly #byWarp: Map<number, readonly number[]> = new Map();

  constructor(session: Session) {
    this.#session = session;
    this.first = session.steps;
  }

  /** The step behind the last entry. */
  get behind(): number {
    return this.first + this.#pcs.length;
  }

  instruction(block: number, warp: number, pc: number, active: number, taken: number): void {
    this.#warps.push(block * 32 + warp);
    this.#pcs.push(pc);
    this.#active.push(active);
    this.#taken.push(taken);
  }

  access({ how, pc, block, warp, lanes, bytes, where }: WarpAccess): void {
    if (how === "load" || bitsIn(lanes) === 0) return;
    const all = lanesOf(lanes);
    this.#write(pc, block, warp, all, all.map((lane) => where[lane] ?? 0), bytes, how === "atomic", false); // biome-ignore format: one row
  }

  store(
    at: ThreadId,
    _space: unknown,
    _address: bigint,
    bytes: number,
    _sem: unknown,
    _scope: unknown,
    where: number,
    _value: bigint | undefined,
    by?: number,
  ): void {
    this.#write(by ?? this.#pcs.at(this.#pcs.length - 1), at.block, at.warp, [at.lane], [where], bytes, false, by !== undefined); // biome-ignore format: one row
  }

  atomic(
    at: ThreadId,
    _space: unknown,
    _address: bigint,
    bytes: number,
    _sem: unknown,
    _scope: unknown,
    where: number,
    by?: number,
  ): void {
    this.#write(by ?? this.#pcs.at(this.#pcs.length - 1), at.block, at.warp, [at.lane], [where], bytes, true, by !== undefined); // biome-ignore format: one row
  }

  warpSync(block: number, warp: number, lanes: number): void {
    this.exchanges.push({ step: this.#session.steps, block, warp, lanes });
  }

  pc(step: number): number {
    return this.#pcs.at(step - this.first);
  }

  active(step: number): number {
    return this.#active.at(step - this.first);
  }

  taken(step: number): number {
    return this.#taken.at(step - this.first);
  }

  block(step: number): number {
    return Math.floor(this.#warps.at(step - this.first) / 32);
  }

  warp(step: number): number {
    return this.#warps.at(step - this.first) % 32;
  }

  /** What was written in a step. */
  writesIn(step: number): readonly WriteEvent[] {
    const from = below(this.writes, step, (each) => each.step);
    return this.writes.slice(
      from,
      below(this.writes, step + 1, (each) => each.step),
    );
  }

  /** The steps of a warp, in order. */
  stepsOf(block: number, warp: number): readonly number[] {
    const key = block * 32 + warp;
    const known = this.#byWarp.get(key);
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let at = 0; at < this.#warps.length; at++) if (this.#warps.at(at) === key) found.push(this.first + at);
    this.#byWarp.set(key, found);
    return found;
  }

  #write(
    pc: number,
    block: number,
    warp: number,
    lanes: readonly number[],
    where: readonly number[],
    bytes: number,
    atomic: boolean,
    late: boolean,
  ): void {
    const from = Math.min(...where);
    const end = Math.max(...where) + bytes;
    this.writes.push({ step: this.#session.steps, pc, block, warp, lanes, where, bytes, atomic, late, from, end });
  }
}

/** The number of entries of an ascending list below a bound. */
export function below<T>(list: readonly T[], bound: number, of: (entry: T) => number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list[middle];
    if (entry !== undefined && of(entry) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
