import type { BarrierSite } from "../warp/barrier.ts";
import type { Group } from "../warp/groups.ts";
import type { LaneExchange } from "../warp/warp-operation.ts";
import type { CtaSync } from "./cta-sync.ts";

/** Lanes of a full warp. */
export const LANES = 32;

/**
 * All that one warp owns. Registers lie in banks by width, `bank[slot * lanes + lane]`: one dispatch serves every
 * lane. 8- and 16-bit registers are zero-extended in `r`; predicates and CC.CF are one bit a lane.
 */
export interface Warp {
  /** Linear index of the block in the grid, and of the warp in the block. */
  block: number;
  readonly index: number;
  /** Lanes of each slot: 32, or the threads of the block if they are fewer. */
  readonly lanes: number;
  /** What it knows of the block's other warps. */
  readonly ctaSync: CtaSync;
  /** Where the state lies in memory's buffer, bytes. */
  readonly base: number;
  p: Uint32Array;
  /** Registers of up to 32 bits, and the same bytes as integers with sign and as floats. */
  r: Uint32Array;
  s: Int32Array;
  f: Float32Array;
  /** 64-bit registers, and the same bytes as words with sign (low first) and as floats. */
  q: BigUint64Array;
  w: Int32Array;
  d: Float64Array;
  /** By pc: lanes for which the instruction has run. Stays exact for guarded instructions. */
  executed: Uint32Array;
  /** By pc: lanes that ran from here to the end of the straight run, the cheaper way to say the same. */
  executedToEnd: Uint32Array;
  /** CC.CF, one bit a lane. */
  carry: number;
  /** Lanes that have not exited. */
  live: number;
  /** Lanes that execute now, after divergence and predication. */
  active: number;
  /** The instruction that runs now, or runs next for the current group. */
  pc: number;
  /** How often the current group has burnt its fuel while others waited. */
  rank: number;
  /** How many calls deep the current group is. */
  depth: number;
  /** By lane: the call that it is in; undefined in the kernel itself. */
  activations: (Activation | undefined)[];
  /** Groups that cannot go on before others arrive: at a barrier, or at an instruction among lanes. */
  parked: Parked[];
  /** The groups that wait, and the least pc above `pc` where one does: there the current group reconverges with it. */
  waiting: Group[];
  reconvergeAt: number;
  /** Backward branches left in this turn. */
  fuel: number;
  /** Turns whose fuel the current group has burnt while others waited, since it last let them go first. */
  burnt: number;
  /** Warp instructions executed before the current straight run, and where that run began (for %clock). */
  clock: number;
  from: number;
  /** Offsets of the block's shared memory and of lane 0's local memory in the buffer. */
  shared: number;
  local: number;
}

/** One call under way, of one or more lanes; never changed once made, so that a snapshot shares it. */
export interface Activation {
  readonly caller: Activation | undefined;
  /** Index into `Program.functions`. */
  readonly callee: number;
  /** The call instruction, and where its lanes go on. */
  readonly from: number;
  readonly back: number;
  readonly depth: number;
  /** What the callee's slots held before, where it is recursive: all lanes of each slot, in the order of `saves`. */
  readonly saved?: { readonly p: Uint32Array; readonly r: Uint32Array; readonly q: BigUint64Array };
}

/** A group that waits: `pc` is the instruction that it waits at. */
export interface Parked {
  readonly pc: number;
  readonly mask: number;
  readonly depth: number;
  /** A barrier of the block by number, the cluster's barrier, or an instruction among lanes with its membermask. */
  readonly on:
    | { readonly kind: "barrier"; readonly number: number; readonly site: BarrierSite }
    | { readonly kind: "cluster" }
    | { readonly kind: "lanes"; readonly members: number; readonly exchange: LaneExchange };
}

/** How many slots a warp has in each bank, for how many lanes and instructions. */
export interface WarpShape {
  readonly lanes: number;
  readonly p: number;
  readonly r: number;
  readonly q: number;
  readonly code: number;
}

/** Offsets of a warp's banks from its base, bytes. 64-bit slots come first: they need the alignment. */
export function layout({ lanes, p, r, q, code }: WarpShape): {
  readonly r: number;
  readonly p: number;
  readonly executed: number;
  readonly executedToEnd: number;
  readonly bytes: number;
} {
  const afterQ = q * lanes * 8;
  const afterR = afterQ + r * lanes * 4;
  const afterP = afterR + p * 4;
  const bytes = Math.max(Math.ceil((afterP + 8 * code) / 64) * 64, 64);
  return { r: afterQ, p: afterR, executed: afterP, executedToEnd: afterP + 4 * code, bytes };
}

/** Takes the warp's views of the buffer, at its start and whenever the buffer has grown. */
export function view(warp: Warp, buffer: ArrayBuffer, shape: WarpShape): void {
  const { lanes, p, r, q, code } = shape;
  const at = layout(shape);
  warp.q = new BigUint64Array(buffer, warp.base, q * lanes);
  warp.w = new Int32Array(buffer, warp.base, q * lanes * 2);
  warp.d = new Float64Array(buffer, warp.base, q * lanes);
  warp.r = new Uint32Array(buffer, warp.base + at.r, r * lanes);
  warp.s = new Int32Array(buffer, warp.base + at.r, r * lanes);
  warp.f = new Float32Array(buffer, warp.base + at.r, r * lanes);
  warp.p = new Uint32Array(buffer, warp.base + at.p, p);
  warp.executed = new Uint32Array(buffer, warp.base + at.executed, code);
  warp.executedToEnd = new Uint32Array(buffer, warp.base + at.executedToEnd, code);
}

/** A mask of the lowest `lanes` lanes. */
export const lowest = (lanes: number): number => (lanes >= 32 ? 0xffff_ffff : (1 << lanes) - 1) >>> 0;

/** The lowest lane of a mask that is not empty. */
export const firstLane = (mask: number): number => 31 - Math.clz32(mask & -mask);

/** How many lanes are in a mask. */
export function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
