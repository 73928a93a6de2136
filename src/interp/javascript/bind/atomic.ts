import type { Bits } from "../../../numeric/bits.ts";
import { lower } from "../../../numeric/lower/lowered.ts";
import type { Operation } from "../../../numeric/operation/operation.ts";
import { elements, type Operand, type SlotOperand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import { reductionOf } from "../../contract/plan/reduction.ts";
import { windows } from "../../contract/window.ts";
import { markOf } from "../../memory/reduction-mark.ts";
import type { Context } from "../../state/context.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { check } from "../check.ts";
import { atomicLoopOf } from "../find-loop.ts";
import { locator } from "../locate.ts";
import type { AtomicLoop } from "../loop.ts";
import { checkedAccess } from "./memory.ts";

type AtomicPlan = Plan & { shape: "atomic" };

/** `d, [a], b{, c}` or `[a], b`: one lane after the other, in their order. */
export function atomic(plan: AtomicPlan, operands: readonly (Operand | undefined)[], context: Context): Step {
  const { space, op, bits, gives } = plan;
  const [d, a, b, c] = gives ? operands : [undefined, ...operands];
  const parts = elements(b);
  const bytes = (bits / 8) * parts.length;
  const { locate, sum } = locator(a, space, bytes, context);
  const inputs: readonly (readonly Operand[])[] = op.takes.length === 3 ? [parts, elements(c)] : [parts];
  const update = parts.length === 1 && d?.kind !== "vector" ? single(plan, d, inputs, context) : undefined;
  const reduction = reductionOf({ plan, operands }, context.program, context.observable);
  const reduces = reduction && markOf(reduction);
  return checkedAccess(locate, check({ kind: "atomic", space, bytes, reduces, sum }, context), [
    update ?? several(plan, d, inputs, context),
  ]);
}

/** A loop for operations on one element of at most 64 bits; undefined for others. */
function single(
  { space, op, shared = op, bits }: AtomicPlan,
  d: Operand | undefined,
  inputs: readonly (readonly Operand[])[],
  context: Context,
): Step | undefined {
  if (bits === 128) return undefined;
  const { lanes } = context;
  const [b, c] = inputs.map(([only]) => only);
  const to = d?.kind === "slot" ? d.slot * lanes : -1;
  const from = slot(b).slot * lanes;
  const other = c === undefined ? 0 : slot(c).slot * lanes;
  const bind = (which: Operation): Step => {
    const loop = atomicLoopOf(which) ?? (bits === 64 ? general64 : bits === 32 ? general32 : general16);
    return loop(context, lower(which), to, from, other);
  };
  if (space === "shared") return bind(shared);
  return space === "generic" && shared !== op ? byWindow(bind(op), bind(shared), context) : bind(op);
}

/**
 * For an operation that differs in shared memory, picks by generic address. The lanes that access shared memory go
 * last: no other lane accesses the same memory.
 */
function byWindow(usual: Step, inShared: Step, { lanes, scratch: { high } }: Context): Step {
  return (warp) => {
    const { active } = warp;
    let there = 0;
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1 && high[lane] === windows.shared) there |= 1 << lane;
    if (there === 0) return usual(warp);
    warp.active = (active & ~there) >>> 0;
    usual(warp);
    warp.active = there >>> 0;
    inShared(warp);
    warp.active = active;
  };
}

const general32: AtomicLoop = ({ lanes, memory, scratch: { at } }, { js }, d, b, c) => {
  const run = js as (held: number, b: number, c: number) => number;
  const { u32 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 2;
      const held = u32[index]!;
      u32[index] = run(held, r[b + lane]!, r[c + lane]!);
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const general16: AtomicLoop = ({ lanes, memory, scratch: { at } }, { js }, d, b, c) => {
  const run = js as (held: number, b: number, c: number) => number;
  const { u16 } = memory.data;
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 1;
      const held = u16[index]!;
      u16[index] = run(held, r[b + lane]!, r[c + lane]!);
      if (d >= 0) r[d + lane] = held;
    }
  };
};

const general64: AtomicLoop = ({ lanes, memory, scratch: { at } }, { js }, d, b, c) => {
  const run = js as (held: bigint, b: bigint, c: bigint) => bigint;
  const { u64 } = memory.data;
  return ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const index = at[lane]! >>> 3;
      const held = u64[index]!;
      u64[index] = run(held, q[b + lane]!, q[c + lane]!);
      if (d >= 0) q[d + lane] = held;
    }
  };
};

/** Vectors, 128 bits, and operations that differ in shared memory. */
function several(
  { space, op, shared, bits }: AtomicPlan,
  d: Operand | undefined,
  inputs: readonly (readonly Operand[])[],
  { lanes, memory, scratch: { at, high } }: Context,
): Step {
  const take = inputs.map((parts) => parts.map((part) => reader(slot(part), bits, lanes)));
  const give = d === undefined ? [] : elements(d).map((part) => writer(part, lanes));
  const elsewhere = lower(shared ?? op).js as (held: Bits, b: Bits, c?: Bits) => Bits;
  const usual = lower(op).js as (held: Bits, b: Bits, c?: Bits) => Bits;
  const cell = cells[bits](memory.data);
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((warp.active >>> lane) & 1)) continue;
      const inShared = space === "shared" || (space === "generic" && high[lane] === windows.shared);
      const run = inShared ? elsewhere : usual;
      // All operands are read before a result is written: a register may be both.
      const [first = [], second = []] = take.map((readers) => readers.map((read) => read(warp, lane)));
      for (const [element, b] of first.entries()) {
        const offset = at[lane]! + element * (bits / 8);
        const held = cell.get(offset);
        cell.set(offset, run(held, b, second[element]));
        give[element]?.(warp, lane, held);
      }
    }
  };
}

const reader = ({ slot, bank }: SlotOperand, bits: number, lanes: number): ((warp: Warp, lane: number) => Bits) => {
  const base = slot * lanes;
  if (bank === "r") return ({ r }, lane) => r[base + lane]!;
  if (bits <= 64) return ({ q }, lane) => q[base + lane]!;
  return ({ q }, lane) => q[base + lane]! | (q[base + lanes + lane]! << 64n);
};

function writer(to: Operand, lanes: number): (warp: Warp, lane: number, value: Bits) => void {
  if (to.kind === "sink") return () => {};
  const { slot: index, bank, bits } = slot(to);
  const base = index * lanes;
  if (bank === "r")
    return ({ r }, lane, value) => {
      r[base + lane] = value as number;
    };
  if (bits === 64)
    return ({ q }, lane, value) => {
      q[base + lane] = value as bigint;
    };
  return ({ q }, lane, value) => {
    q[base + lane] = BigInt.asUintN(64, value as bigint);
    q[base + lanes + lane] = (value as bigint) >> 64n;
  };
}

/** Memory as elements of one width, by byte offset; each is aligned. */
interface Cells {
  get(at: number): Bits;
  set(at: number, value: Bits): void;
}

type Views = Context["memory"]["data"];

const cells: Readonly<Record<AtomicPlan["bits"], (views: Views) => Cells>> = {
  16: ({ u16 }) => ({
    get: (at) => u16[at >>> 1]!,
    set: (at, value) => {
      u16[at >>> 1] = value as number;
    },
  }),
  32: ({ u32 }) => ({
    get: (at) => u32[at >>> 2]!,
    set: (at, value) => {
      u32[at >>> 2] = value as number;
    },
  }),
  64: ({ u64 }) => ({
    get: (at) => u64[at >>> 3]!,
    set: (at, value) => {
      u64[at >>> 3] = value as bigint;
    },
  }),
  128: ({ u64 }) => ({
    get: (at) => u64[at >>> 3]! | (u64[(at >>> 3) + 1]! << 64n),
    set: (at, value) => {
      u64[at >>> 3] = BigInt.asUintN(64, value as bigint);
      u64[(at >>> 3) + 1] = (value as bigint) >> 64n;
    },
  }),
};
