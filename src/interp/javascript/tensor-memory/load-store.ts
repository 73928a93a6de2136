import { type Preference, twoOfFour } from "../../../numeric/tensor/two-of-four.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { positionsOf } from "../../contract/matrix/fragment.ts";
import { tensorFragment } from "../../contract/matrix/tensor-fragments.ts";
import { cellAt, type TensorRange, tensorRangeText } from "../../contract/matrix/tensor-memory.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { TensorReduction } from "../../contract/plan/plan-tensor-memory.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { checkWritten, initialise, rangeAt, requireAllocated, uniform, wordOf } from "./cells.ts";
import { issueStore } from "./matrix/issue.ts";
import { touch } from "./touch.ts";
import { warpThread } from "./wait.ts";

/** The canonical NaN (PTX ISA, Floating Point). */
const NAN = 0x7fff_ffff;
const SIGN = 0x8000_0000;

/**
 * Reduces the words of one lane for tcgen05.ld.red: the least or greatest, of floats as min.f32 and max.f32 order
 * them: -0 below +0, and a NaN only if all words are one, or with `.NaN` if any is.
 */
function reducer({ op, type, abs, nan }: TensorReduction): (words: Uint32Array) => number {
  const key = keys[type];
  const sign = op === "min" ? -1 : 1;
  const isNan = (word: number): boolean => type === "f32" && (word & 0x7fff_ffff) > 0x7f80_0000;
  return (words) => {
    let best: number | undefined;
    let unordered = false;
    for (const each of words) {
      const word = abs ? (each & ~SIGN) >>> 0 : each;
      if (isNan(word)) unordered = true;
      else if (best === undefined || sign * (key(word) - key(best)) > 0) best = word;
    }
    return best === undefined || (unordered && nan) ? NAN : best;
  };
}

/** Numbers that sort as the values of the words do. */
const keys: Readonly<Record<TensorReduction["type"], (word: number) => number>> = {
  u32: (word) => word >>> 0,
  s32: (word) => word | 0,
  // The bits of floats of one sign sort by magnitude.
  f32: (word) => (word & SIGN ? -1 - (word & 0x7fff_ffff) : word),
};

type Access = PlanOf<"tcgen05 load"> | PlanOf<"tcgen05 store">;

/** What an instruction touches from its address on: one range, or the two of 16x32bx2. */
interface Place {
  readonly ranges: readonly TensorRange[];
  /** For `lane * registers + register`: the word, counted from the start of tensor memory, bytes. */
  readonly words: Int32Array;
}

/** `{d, ...}, [t]{, half}` and with a reduction `{d, ...}, x, [t]{, half}` (PTX ISA, tcgen05.ld). */
export function tensorLoad(
  plan: PlanOf<"tcgen05 load">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { red, packed, compress } = plan;
  const [m, d, ...rest] = compress === undefined ? [undefined, ...operands] : operands;
  const [x, t, half] = red === undefined ? [undefined, ...rest] : rest;
  const registersOf = (vector: Operand | undefined) =>
    elements(vector).map((part) => (part.kind === "sink" ? undefined : slot(part).slot * context.lanes));
  const registers = registersOf(d);
  const place = placer(plan, t, half, context);
  const { u32 } = context.memory.data;
  const site = siteOf(context);
  const reduce = red && reducer(red);
  const to = red && slot(x).slot * context.lanes;
  const keep = compress && compressor(compress, registersOf(m), registers);
  const count = compress === undefined ? registers.length : 2 * registers.length;
  const values = new Uint32Array(count);
  return (warp) => {
    const { ranges, words } = place(warp, "reads");
    const { r, tensor } = warp;
    for (const range of ranges) checkWritten(context, warp, 0, tensor, range);
    const asked = {
      act: "ld",
      group: 0,
      reads: ranges,
      writes: [],
      thread: warpThread(warp),
      site: site(warp),
    } as const;
    touch(warp, warp.ctaSync, asked, context);
    for (let lane = 0; lane < LANES; lane++) {
      for (let at = 0; at < count; at++) {
        const word = (tensor + words[lane * count + at]!) >>> 2;
        values[at] = packed ? ((u32[word]! & 0xffff) | (u32[word + 1]! << 16)) >>> 0 : u32[word]!;
      }
      if (keep !== undefined) keep(values, r, lane);
      else for (const [at, place] of registers.entries()) if (place !== undefined) r[place + lane] = values[at]!;
      if (reduce !== undefined && to !== undefined) r[to + lane] = reduce(values);
    }
  };
}

type Places = readonly (number | undefined)[];

/** Keeps two of each four words of a lane, and their indices (`.spcompress`). */
function compressor(
  preference: Preference,
  indices: Places,
  kept: Places,
): (words: Uint32Array, r: Uint32Array, lane: number) => void {
  const choose = twoOfFour(preference);
  const packed = new Uint32Array(indices.length);
  return (words, r, lane) => {
    packed.fill(0);
    for (let at = 0; at < words.length; at += 4) {
      const pair = choose(words, at);
      packed[at >>> 5]! |= pair << (at & 31);
      for (const [which, place] of [pair & 3, pair >>> 2].entries()) {
        const to = kept[at / 2 + which];
        if (to !== undefined) r[to + lane] = words[at + place]!;
      }
    }
    for (const [at, to] of indices.entries()) if (to !== undefined) r[to + lane] = packed[at]!;
  };
}

/** `[t], {b, ...}` or `[t], half, {b, ...}` (PTX ISA, tcgen05.st). */
export function tensorStore(
  plan: PlanOf<"tcgen05 store">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { form, packed } = plan;
  const t = operands[0];
  const [half, b] = form === "16x32bx2" ? operands.slice(1) : [undefined, operands[1]];
  const registers = elements(b).map((part) => slot(part).slot * context.lanes);
  const place = placer(plan, t, half, context);
  const { u32 } = context.memory.data;
  const site = siteOf(context);
  return (warp) => {
    const { ranges, words } = place(warp, "writes");
    const { r, tensor } = warp;
    const thread = warpThread(warp);
    touch(warp, warp.ctaSync, { act: "st", group: 0, reads: [], writes: ranges, thread, site: site(warp) }, context);
    for (const range of ranges) initialise(context.memory, tensor, range);
    // The registers are read now, and written to tensor memory later.
    const count = registers.length;
    const places = words.slice();
    const values = Uint32Array.from(places, (_, at) => r[registers[at % count]! + Math.floor(at / count)]!);
    issueStore(thread, site(warp), context, () => {
      for (const [at, value] of values.entries()) {
        const word = (tensor + places[at]!) >>> 2;
        u32[word] = packed ? value & 0xffff : value;
        if (packed) u32[word + 1] = value >>> 16;
      }
    });
  };
}

/** Computes the range that an instruction touches, and throws a Fault if it may not. */
function placer(
  { form, num, packed }: Access,
  t: Operand | undefined,
  half: Operand | undefined,
  { lanes }: Context,
): (warp: Warp, verb: string) => Place {
  const fragment = tensorFragment(form, num);
  const positions = positionsOf(fragment);
  const width = packed ? 2 : 1;
  const { rows, columns } = fragment;
  const address = wordOf(t, lanes);
  const split = half === undefined ? undefined : wordOf(half, lanes);
  const words = new Int32Array(positions.length);
  return (warp, verb) => {
    const first = uniform(warp, address, "the address");
    const starts = split === undefined ? [first] : [first, (first + split(warp, 0)) >>> 0];
    const ranges = starts.map((start) => rangeAt(start, rows, columns * width));
    for (const range of ranges) requireReach(warp, range, verb);
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at]!;
      const row = Math.floor(position / columns);
      const { lane, column } = ranges[row < rows ? 0 : 1]!;
      words[at] = cellAt(lane + (row % rows), column + (position % columns) * width);
    }
    return { ranges, words };
  };
}

/** Throws a Fault unless a range is in the 32 lanes that the warp may access (PTX ISA, Access restrictions). */
function requireReach(warp: Warp, range: TensorRange, verb: string): void {
  const own = 32 * (warp.index % 4);
  if (range.lane < own || range.lane + range.lanes > own + 32) {
    const what = `${verb} ${tensorRangeText(range)}; warp ${warp.index} of the block reaches lanes ${own} to ${own + 31}`;
    throw new Fault("PTX3062", 0, what);
  }
  requireAllocated(warp.ctaSync, range, 0, verb);
}
