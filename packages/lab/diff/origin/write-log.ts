import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Observer } from "../../../../src/interp/contract/observer.ts";
import { touchesOf } from "../../../../src/interp/contract/plan/effects.ts";
import type { Space } from "../../../../src/interp/contract/space.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";
import { leaves, type Place, threadKey } from "./step.ts";

/** One store or atomic operation on a place. */
export interface Write {
  readonly thread: ThreadId;
  readonly how: "store" | "atomic";
  readonly pc: number;
  readonly step: number;
  /** How many writes of this place by this thread were before it. */
  readonly nth: number;
  /** The place's bytes that it wrote, and their offset; for an atomic operation its operand. */
  readonly value: string;
}

/** Writes of all places that are kept. */
const MOST_WRITES = 100_000;

/** Records the writes to some places and their threads. Add it with `session.observe` before the run. */
export class WriteLog implements Observer {
  /** By place. */
  readonly writes: readonly Write[][];
  cut = false;
  #kept = 0;
  readonly #session: Session;
  readonly #places: readonly Place[];
  readonly #byByte = new Map<number, number[]>();
  readonly #counts = new Map<string, number>();
  #pc = 0;
  #given = new Map<number, string>();

  constructor(session: Session, places: readonly Place[]) {
    this.#session = session;
    this.#places = places;
    this.writes = places.map(() => []);
    for (const [index, { where, bytes }] of places.entries())
      for (let byte = where; byte < where + bytes; byte++) {
        const known = this.#byByte.get(byte);
        if (known === undefined) this.#byByte.set(byte, [index]);
        else known.push(index);
      }
  }

  instruction(block: number, warp: number, pc: number, _active: number, taken: number): void {
    this.#pc = pc;
    const instruction = this.#session.program.code[pc];
    if (instruction?.plan.shape !== "atomic") return;
    // Its result may go to the register that its operand is in.
    const [touched] = touchesOf(instruction.plan);
    const data = leaves(instruction.operands[touched?.data ?? 0]);
    this.#given = new Map();
    for (let lane = 0; lane < 32; lane++)
      if ((taken >>> lane) & 1)
        this.#given.set(
          lane,
          `${operationOf(instruction.opcode)} ${data.map((each) => this.#session.operand({ block, warp, lane }, each)[0]).join(" ")}`,
        );
  }

  store(
    at: ThreadId,
    _space: Space,
    _address: bigint,
    bytes: number,
    _sem: unknown,
    _scope: unknown,
    where: number,
    value: bigint | undefined,
    by?: number,
  ): void {
    // biome-ignore format: as the observer has it
    for (const [index, place] of this.#touched(where, bytes)) {
      if (place.block !== undefined && place.block !== at.block) continue;
      const from = Math.max(place.where, where);
      const end = Math.min(place.where + place.bytes, where + bytes);
      const bits =
        value === undefined ? "?" : BigInt.asUintN((end - from) * 8, value >> BigInt((from - where) * 8)).toString(16);
      this.#keep(index, at, "store", by ?? this.#pc, `${from - place.where}:${end - from}:${bits}`);
    }
  }

  atomic(
    at: ThreadId,
    _space: Space,
    _address: bigint,
    bytes: number,
    _sem: unknown,
    _scope: unknown,
    where: number,
    by?: number,
  ): void {
    // biome-ignore format: as the observer has it
    for (const [index, place] of this.#touched(where, bytes)) {
      if (place.block === undefined || place.block === at.block)
        this.#keep(index, at, "atomic", by ?? this.#pc, this.#given.get(at.lane) ?? "?");
    }
  }

  #touched(where: number, bytes: number): ReadonlyMap<number, Place> {
    const found = new Map<number, Place>();
    for (let byte = where; byte < where + bytes; byte++)
      for (const index of this.#byByte.get(byte) ?? []) {
        const place = this.#places[index];
        if (place !== undefined) found.set(index, place);
      }
    return found;
  }

  #keep(index: number, { block, warp, lane }: ThreadId, how: Write["how"], pc: number, value: string): void {
    if (this.#kept >= MOST_WRITES) {
      this.cut = true;
      return;
    }
    this.#kept++;
    // The machine uses one object for all threads.
    const thread = { block, warp, lane };
    const key = `${index} ${threadKey(thread)}`;
    const nth = this.#counts.get(key) ?? 0;
    this.#counts.set(key, nth + 1);
    this.writes[index]?.push({ thread, how, pc, step: this.#session.steps, nth, value });
  }
}

/** The operation of an atomic instruction, without state space and scope: compilers differ in these words. */
const operationOf = (opcode: string): string =>
  opcode
    .split(".")
    .slice(1)
    .filter((word) => !/^(global|shared|shared::.*|cta|cluster|gpu|sys|relaxed|acquire|release|acq_rel)$/.test(word))
    .join(".");

/** How the writes of a place differ between two runs. */
export type Culprit =
  | { readonly kind: "write"; readonly thread: ThreadId; readonly a?: Write; readonly b?: Write }
  /** All threads write the same values, in different orders. */
  | { readonly kind: "order"; readonly a?: Write; readonly b?: Write };

/** The first write of a place that only one of two runs has. */
export function culpritOf(a: readonly Write[], b: readonly Write[]): Culprit | undefined {
  const [lastA, lastB] = [a.at(-1), b.at(-1)];
  const sameThread = lastA !== undefined && lastB !== undefined && threadKey(lastA.thread) === threadKey(lastB.thread);
  if (sameThread && lastA.how === "store" && lastB.how === "store" && lastA.value !== lastB.value)
    return { kind: "write", thread: lastA.thread, a: lastA, b: lastB };
  const [byA, byB] = [byThread(a), byThread(b)];
  for (const key of new Set([...byA.keys(), ...byB.keys()])) {
    const [listA, listB] = [byA.get(key) ?? [], byB.get(key) ?? []];
    for (let at = 0; at < Math.max(listA.length, listB.length); at++) {
      const [one, other] = [listA[at], listB[at]];
      if (one?.value === other?.value) continue;
      const thread = (one ?? other)?.thread;
      if (thread === undefined) continue;
      return { kind: "write", thread, ...(one && { a: one }), ...(other && { b: other }) };
    }
  }
  if (a.length === 0) return undefined;
  const at = a.findIndex((each, at) => threadKey(each.thread) !== threadKey(b[at]?.thread ?? each.thread));
  const [one, other] = at < 0 ? [lastA, lastB] : [a[at], b[at]];
  return { kind: "order", ...(one && { a: one }), ...(other && { b: other }) };
}

function byThread(writes: readonly Write[]): ReadonlyMap<string, readonly Write[]> {
  const found = new Map<string, Write[]>();
  for (const write of writes) {
    const key = threadKey(write.thread);
    const list = found.get(key);
    if (list === undefined) found.set(key, [write]);
    else list.push(write);
  }
  return found;
}
