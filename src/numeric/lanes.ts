import type { WarpOp } from "./lane-op.ts";
import type { Op } from "./op.ts";

type Words = readonly Uint32Array[];

/** An operation that has no 64-bit operand. */
function amongWords(
  name: string,
  takes: WarpOp["takes"],
  gives: WarpOp["gives"],
  js: (results: Words, operands: Words, mask: number, lanes: number) => void,
): WarpOp {
  return { name, takes, gives, js: js as WarpOp["js"] };
}

/** Waits for the others and does nothing else (9.7.13.4). */
export const meeting: WarpOp = amongWords("bar.warp.sync", [], [], () => {});

export type ShuffleMode = "up" | "down" | "bfly" | "idx";

/**
 * `d|p, a, b, c` (9.7.9.6): d is a of the lane that b and c choose, p whether that lane is in range; out of range a lane
 * keeps its own a. What a lane holds that takes no part is unpredictable in the manual, and 0 here.
 */
export function shuffle(mode: ShuffleMode): WarpOp {
  const source = sources[mode];
  return amongWords(`shfl.${mode}.b32`, [32, 32, 32], [32, 1], (results, operands, mask, lanes) => {
    const [d, p] = [results[0]!, results[1]!];
    const [a, b, c] = [operands[0]!, operands[1]!, operands[2]!];
    let inRange = 0;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      const clamp = c[lane]! & 31;
      const segment = (c[lane]! >>> 8) & 31;
      const j = source(lane, b[lane]! & 31, (lane & segment) | (clamp & ~segment), segment);
      if (j >= 0) inRange |= 1 << lane;
      d[lane] = a[j >= 0 ? j : lane]!;
    }
    p[0] = inRange;
  });
}

/** The lane that is read, or -1 when it is out of range; `bound` is the pseudo-code's maxLane. */
type Source = (lane: number, b: number, bound: number, segment: number) => number;

const sources: Readonly<Record<ShuffleMode, Source>> = {
  // Upwards the bound is the lowest lane that may be read.
  up: (lane, b, bound) => (lane - b >= bound ? lane - b : -1),
  down: (lane, b, bound) => (lane + b <= bound ? lane + b : -1),
  bfly: (lane, b, bound) => ((lane ^ b) <= bound ? lane ^ b : -1),
  idx: (lane, b, bound, segment) => {
    const j = (lane & segment) | (b & ~segment);
    return j <= bound ? j : -1;
  },
};

export type VoteMode = "all" | "any" | "uni" | "ballot";

/** `d, p` (9.7.13.8): what the predicates of all lanes have in common, the same in every lane. */
export const vote = (mode: VoteMode): WarpOp =>
  amongWords(`vote.${mode}`, [1], [mode === "ballot" ? 32 : 1], ([d], [p], mask) => {
    const votes = (p![0]! & mask) >>> 0;
    const agreed = { all: votes === mask, any: votes !== 0, uni: votes === mask || votes === 0 };
    if (mode === "ballot") d!.fill(votes);
    else d![0] = agreed[mode] ? mask : 0;
  });

/** `d, a` (9.7.13.9): the lanes whose a is the same as this lane's. */
export const matchAny = (bits: 32 | 64): WarpOp => ({
  name: `match.any.b${bits}`,
  takes: [bits],
  gives: [32],
  js: ([d], [a], mask, lanes) => {
    for (let lane = 0; lane < lanes; lane++) {
      let same = 0;
      for (let other = 0; other < lanes; other++)
        if ((mask >>> other) & 1 && a![other] === a![lane]) same |= 1 << other;
      d![lane] = same >>> 0;
    }
  },
});

/** `d|p, a` (9.7.13.9): all lanes that take part where a is the same in all of them, and 0 where it is not. */
export const matchAll = (bits: 32 | 64): WarpOp => ({
  name: `match.all.b${bits}`,
  takes: [bits],
  gives: [32, 1],
  js: ([d, p], [a], mask, lanes) => {
    const first = a![firstOf(mask)];
    let same = true;
    for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1 && a![lane] !== first) same = false;
    (d as Uint32Array).fill(same ? mask : 0);
    p![0] = same ? mask : 0;
  },
});

/** `d, a` (9.7.13.11): a of all lanes as one, the same in every lane; `abs` takes magnitudes of floats. */
export function reduce(op: Op, name: string, abs = false): WarpOp {
  const js = op.js as (a: number, b: number) => number;
  const wipe = abs ? 0x7fff_ffff : 0xffff_ffff;
  // A lane alone takes part in min and max too: its NaN becomes the canonical one.
  const idempotent = op.name.startsWith("fm");
  return amongWords(`redux.${name}`, [32], [32], ([d], [a], mask, lanes) => {
    const first = firstOf(mask);
    let all = (a![first]! & wipe) >>> 0;
    if (idempotent) all = js(all, all);
    for (let lane = first + 1; lane < lanes; lane++) if ((mask >>> lane) & 1) all = js(all, (a![lane]! & wipe) >>> 0);
    d!.fill(all);
  });
}

/** `d|p` (9.7.13.15): the lowest lane leads. */
export const elect: WarpOp = amongWords("elect", [], [32, 1], ([d, p], _operands, mask) => {
  const leader = firstOf(mask);
  d!.fill(leader);
  p![0] = 1 << leader;
});

const firstOf = (mask: number): number => 31 - Math.clz32(mask & -mask);
