import { bytesTouched, fenceOf, touchesOf } from "../contract/effects.ts";
import { LANES } from "../contract/lane-mask.ts";
import type { Observer, WarpAccess } from "../contract/observer.ts";
import { elements, type Operand, slot } from "../contract/operand.ts";
import type { Instruction } from "../contract/program.ts";
import type { PlannedAccess } from "../contract/shape-facts.ts";
import type { ThreadId } from "../contract/thread-id.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";
import { guardOf } from "../warp/guard.ts";
import { locator } from "./locate.ts";
import { lineLocator } from "./matrix/locate-lines.ts";

/** Wraps a step so that observers hear of each lane's accesses to memory once they have happened; and of a fence. */
export function observing(
  step: Step,
  pc: number,
  { plan, operands, guard }: Instruction,
  context: Context,
  threads: Threads,
): Step {
  const { observers } = context;
  const witnesses = touchesOf(plan)
    .filter(isHeard)
    .map((access) => new Witness(access, pc, operands, context));
  const scope = fenceOf(plan);
  if (witnesses.length === 0 && scope === undefined) return step;
  const lanes = guardOf(guard);
  const [only] = witnesses;
  if (witnesses.length === 1 && scope === undefined)
    return (warp) => {
      const taken = lanes(warp);
      // Before the step: a load may overwrite its own base.
      only!.look(warp);
      step(warp);
      only!.tell(warp, taken, observers, threads);
    };
  return (warp) => {
    const taken = lanes(warp);
    for (const witness of witnesses) witness.look(warp);
    step(warp);
    for (const witness of witnesses) witness.tell(warp, taken, observers, threads);
    if (scope !== undefined) for (const observer of observers) observer.fence?.(warp.block, warp.index, taken, scope);
  };
}

/** Who the lanes of a warp are, made once for all that the warp does in one go. */
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

/** Nobody hears of bytes that are discarded: they hold nothing that another thread could want. */
type Heard = PlannedAccess & { readonly how: Exclude<PlannedAccess["how"], "discard"> };
const isHeard = (access: PlannedAccess): access is Heard => access.how !== "discard";

/** One access of an instruction: finds where its lanes are about to touch memory, and tells observers of those that did. */
class Witness implements WarpAccess {
  readonly how: Heard["how"];
  readonly pc: number;
  readonly space: WarpAccess["space"];
  readonly bytes: number;
  readonly sem: WarpAccess["sem"];
  readonly scope: WarpAccess["scope"];
  readonly addresses: Uint32Array = new Uint32Array(2 * LANES);
  readonly where: Int32Array = new Int32Array(LANES);
  block = -1;
  warp = -1;
  lanes = 0;
  readonly #wide = new BigUint64Array(this.addresses.buffer);
  readonly #touching: number;
  readonly #locate: Step;
  readonly #sum: Step;
  readonly #scratch: Context["scratch"];
  readonly #stored: (warp: Warp, lane: number) => bigint | undefined;
  #by: Warp | undefined;

  constructor(access: Heard, pc: number, operands: readonly (Operand | undefined)[], context: Context) {
    const { how, space, address: at, sem, scope, lines, lanes = -1 } = access;
    this.how = how;
    this.pc = pc;
    this.space = space;
    this.sem = sem;
    this.scope = scope;
    this.bytes = bytesTouched(access, operands);
    this.#touching = lanes;
    this.#scratch = context.scratch;
    const { locate, sum } =
      lines === undefined
        ? locator(operands[at], space, this.bytes, context)
        : lineLocator(operands[at], operands[2], { space, lines }, how === "load" ? how : "store", context);
    this.#locate = locate;
    this.#sum = sum;
    const data = operands[access.data ?? -1];
    // What a line holds comes from all lanes, so it is read back.
    if (how !== "store") this.#stored = () => undefined;
    else if (lines === undefined) this.#stored = values(data, 8 * access.bytes, context.lanes);
    else this.#stored = (_, lane) => bytesAt(context, this.where[lane]!, this.bytes);
  }

  look(warp: Warp): void {
    const { addresses } = this;
    const { low, high, at } = this.#scratch;
    this.#locate(warp);
    this.where.set(at);
    this.#sum(warp);
    for (let lane = 0; lane < LANES; lane++) {
      addresses[2 * lane] = low[lane]!;
      addresses[2 * lane + 1] = high[lane]!;
    }
  }

  tell(warp: Warp, taken: number, observers: readonly Observer[], threads: Threads): void {
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
  // The usual case, without a number of 64 bits between.
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
