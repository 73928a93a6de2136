import { type HeldOperation, type HeldOperations, lineOf } from "../../async/operation.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { copyOf, writesOf } from "../../javascript/async/copy.ts";
import { siteOf } from "../../javascript/async/site.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";
import { entry, record, room } from "../boundary/copy-layout.ts";
import { COPIED } from "../copies/copy-site.ts";

const ALL = 0xffff_ffff;
/** Words of the room before its records. */
const WORDS = room.records / 4;

/**
 * The copies of full warps that a module holds (`copies/copy-code.ts`). They become operations in flight when somebody asks for
 * those: either the module holds all that there are, or none.
 */
export class HeldCopies implements HeldOperations {
  readonly #context: Context;
  readonly #room: number;
  readonly #words: Int32Array;
  /** By warp whose copies the module may hold: its block. */
  readonly #blocks: Map<number, number> = new Map();

  private constructor(context: Context, place: number) {
    this.#context = context;
    this.#room = place / 4;
    this.#words = context.memory.data.s32;
    context.asynchrony.held = this;
  }

  /** Undefined where copies do not wait for a wait, or lanes have to be told apart, but not if observers `mayWait` for that. */
  static of(context: Context, mayWait: boolean): HeldCopies | undefined {
    const { asynchrony, copyRoom } = context;
    return copyRoom === undefined || (asynchrony.apart && !mayWait) || !asynchrony.movesAtWaits
      ? undefined
      : new HeldCopies(context, copyRoom);
  }

  /** Whether the module may hold copies of a warp. */
  hold({ block, index, shared }: Warp): boolean {
    if (!this.#context.asynchrony.mayHold(lineOf("cp.async", { block, warp: index, lane: 0 }), ALL)) return false;
    const own = this.#entry(index);
    // A warp of another block that is resident, too.
    if (this.#words[own + entry.shared / 4] !== 0) return false;
    this.#words[own + entry.shared / 4] = shared;
    this.#context.memory.know(shared, this.#context.sharedBytes);
    this.#blocks.set(index, block);
    return true;
  }

  release(): void {
    if (this.#blocks.size === 0) return;
    const words = this.#words;
    const site = siteOf(this.#context);
    const queues = [...this.#blocks].map(([warp, block]) => {
      const own = this.#entry(warp);
      const thread = { block, warp, lane: 0 };
      const of = (field: number): number => words[own + field / 4]!;
      const groups: HeldOperation[][] = [];
      for (let group = of(entry.waited); group <= of(entry.committed); group++) groups.push([]);
      for (let copy = of(entry.first); copy !== 0; copy = words[copy / 4]!) {
        const its = (field: number): number => words[(copy + field) / 4]!;
        const places: number[] = [];
        for (let lane = 0; lane < 4 * LANES; lane += 4) {
          const from = its(record.from + lane);
          places.push(its(record.to + lane), from, from === 0 ? 0 : COPIED);
        }
        const started = { lanes: ALL, among: ALL, bytes: COPIED, places, writes: writesOf(places, COPIED)! };
        const operation = copyOf(site({ pc: its(record.pc) }), thread, started, this.#context.memory.data);
        groups[its(record.group) - of(entry.waited)]!.push({ operation, number: its(record.number) * LANES });
      }
      const by = of(entry.waitedBy);
      const last = by === 0 ? undefined : { site: site({ pc: by - 1 }), pending: of(entry.pending) };
      return { line: lineOf("cp.async", thread), lanes: ALL, groups, last };
    });
    const begun = words[this.#room + room.begun / 4]!;
    this.drop();
    this.#context.asynchrony.take(queues, begun * LANES);
  }

  drop(): void {
    this.#blocks.clear();
    this.#words.fill(0, this.#room, this.#room + WORDS);
  }

  /** Where a warp's entry begins, in words. */
  #entry(warp: number): number {
    return this.#room + (room.warps + entry.bytes * warp) / 4;
  }
}
