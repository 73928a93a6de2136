import { LANES } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Observer, WarpAccess } from "../contract/observer.ts";
import { elements, type Operand, slot } from "../contract/operand.ts";
import { bytesTouched, touchesOf } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { PlannedAccess } from "../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";

/** The thread ids of a warp's lanes, made anew only when the warp changes. */
export class Threads {
  #block = -1;
  #warp = -1;
  #lanes: readonly ThreadId[] = [];

  of({ block, index }: Warp): readonly ThreadId[] {
    if (block !== this.#block || index !== this.#warp) {
      this.#block = block;
      this.#warp = index;
      this.#lanes = Array.from({ length: LANES }, (_, lane) => ({ block, warp: index, lane }));
    }
    return this.#lanes;
  }
}

/** An access that observers are notified of: all but discards, whose bytes hold no value to read. */
export type ObservableAccess = PlannedAccess & { readonly how: Exclude<PlannedAccess["how"], "discard"> };

/** The accesses of a plan that observers are notified of. */
export const observableAccesses = (plan: Plan): readonly ObservableAccess[] =>
  touchesOf(plan).filter((access): access is ObservableAccess => access.how !== "discard");

/** Where the lanes of an access touch memory, see `WarpAccess`. */
export type AccessLocations = Pick<WarpAccess, "addresses" | "where">;

/**
 * One access of an instruction as passed to observers, one object for all calls; callers set `addresses` and `where`.
 */
export class ObservedAccess implements WarpAccess {
  readonly how: ObservableAccess["how"];
  readonly pc: number;
  readonly space: WarpAccess["space"];
  readonly bytes: number;
  readonly sem: WarpAccess["sem"];
  readonly scope: WarpAccess["scope"];
  readonly addresses: Uint32Array;
  readonly where: Int32Array;
  block = -1;
  warp = -1;
  lanes = 0;
  readonly #wide: BigUint64Array;
  readonly #touching: number;
  readonly #stored: (warp: Warp, lane: number) => bigint | undefined;
  #by: Warp | undefined;

  constructor(
    access: ObservableAccess,
    pc: number,
    operands: readonly (Operand | undefined)[],
    context: Context,
    { addresses, where }: AccessLocations,
  ) {
    const { how, space, sem, scope, lines, lanes = -1 } = access;
    this.how = how;
    this.pc = pc;
    this.space = space;
    this.sem = sem;
    this.scope = scope;
    this.bytes = bytesTouched(access, operands);
    this.addresses = addresses;
    this.where = where;
    this.#wide = new BigUint64Array(addresses.buffer, addresses.byteOffset, LANES);
    this.#touching = lanes;
    const data = operands[access.data ?? -1];
    // The values of a matrix line come from all lanes, so they are read back from memory.
    if (how !== "store") this.#stored = () => undefined;
    else if (lines === undefined) this.#stored = values(data, 8 * access.bytes, context.lanes);
    else this.#stored = (_, lane) => bytesAt(context, this.where[lane]!, this.bytes);
  }

  notify(warp: Warp, taken: number, observers: readonly Observer[], threads: Threads): void {
    const lanes = taken & this.#touching;
    if (lanes === 0) return;
    this.block = warp.block;
    this.warp = warp.index;
    this.lanes = lanes >>> 0;
    this.#by = warp;
    for (const observer of observers) {
      if (observer.access !== undefined) observer.access(this);
      else this.#tellEach(observer, warp, lanes, threads);
    }
  }

  value(lane: number): bigint | undefined {
    return this.#stored(this.#by!, lane);
  }

  #tellEach(observer: Observer, warp: Warp, lanes: number, threads: Threads): void {
    const { how, space, bytes, sem, scope, where } = this;
    if (observer[how] === undefined) return;
    const who = threads.of(warp);
    const wide = this.#wide;
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      if (how === "load") observer.load!(who[lane]!, space, wide[lane]!, bytes, sem, scope, where[lane]!);
      else if (how === "atomic") observer.atomic!(who[lane]!, space, wide[lane]!, bytes, sem, scope, where[lane]!);
      else observer.store!(who[lane]!, space, wide[lane]!, bytes, sem, scope, where[lane]!, this.#stored(warp, lane));
    }
  }
}

/** Bytes of memory's buffer as one number, the first lowest. */
function bytesAt({ memory }: Context, at: number, bytes: number): bigint {
  let value = 0n;
  for (let byte = bytes - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(memory.data.u8[at + byte]!);
  return value;
}

/** What a lane stores: its elements side by side, the first one lowest. */
function values(operand: Operand | undefined, bits: number, lanes: number): (warp: Warp, lane: number) => bigint {
  if (operand === undefined) return () => 0n;
  const parts = elements(operand).map(slot);
  const [only] = parts;
  // The usual case, without 64-bit arithmetic.
  if (parts.length === 1 && only?.bank === "r" && bits === 32) {
    const from = only.slot * lanes;
    return ({ r }, lane) => BigInt(r[from + lane]!);
  }
  return ({ r, q }, lane) =>
    parts.reduce((sum, part, index) => {
      const at = part.slot * lanes + lane;
      const low = part.bank === "q" ? q[at]! : BigInt(r[at]!);
      const value = bits === 128 ? low | (q[at + lanes]! << 64n) : low;
      return sum | (BigInt.asUintN(bits, value) << BigInt(bits * index));
    }, 0n);
}
