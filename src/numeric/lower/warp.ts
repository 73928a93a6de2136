import type { WarpOperation } from "../operation/warp.ts";
import { scalarOf } from "./scalar.ts";

/** A register of all lanes: `at[lane]`. Predicates are one word, a bit a lane, at index 0. */
export type LaneValues = Uint32Array | BigUint64Array;

/**
 * A warp operation on the operands of all lanes: reads those of the lanes in `mask` and writes their results; it never
 * touches the others. Values are clean unsigned bits, and 0 for a lane that takes no part. `lanes` is the warp's width.
 */
export type Among = (
  results: readonly LaneValues[],
  operands: readonly LaneValues[],
  mask: number,
  lanes: number,
) => void;

const made = new WeakMap<WarpOperation, Among>();

/** The function of a warp operation, made once. */
export function amongLanes(operation: WarpOperation): Among {
  const known = made.get(operation) ?? lowered(operation);
  made.set(operation, known);
  return known;
}

function lowered(operation: WarpOperation): Among {
  switch (operation.among) {
    case "sync":
      return () => {};
    case "shuffle":
      return shuffle(operation);
    case "vote":
      return vote(operation.mode);
    case "match":
      return operation.mode === "any" ? matchAny : matchAll;
    case "reduce":
      return reduce(operation);
    case "elect":
      return elect;
  }
}

type Lane = (lane: number, b: number, bound: number, segment: number) => number;

/** The lane that `lane` reads for its b and c, -1 where that is out of range (PTX ISA, shfl.sync). */
export function sourceLane(op: WarpOperation & { among: "shuffle" }): (lane: number, b: number, c: number) => number {
  const from = scalarOf(op.source) as Lane;
  const reaches = scalarOf(op.inRange) as Lane;
  return (lane, b, c) => {
    const clamp = c & 31;
    const segment = (c >>> 8) & 31;
    const bound = (lane & segment) | (clamp & ~segment & 31);
    return reaches(lane, b & 31, bound, segment) ? from(lane, b & 31, bound, segment) : -1;
  };
}

/** Source lanes depend only on b and c, which in most programs are the same in all lanes and never change. */
function shuffle(op: WarpOperation & { among: "shuffle" }): Among {
  const read = sourceLane(op);
  const sources = new Int32Array(32);
  let [lastB, lastC] = [-1, -1];
  return (results, operands, mask, lanes) => {
    const [d, p] = [results[0] as Uint32Array, results[1] as Uint32Array];
    const [a, b, c] = [operands[0] as Uint32Array, operands[1] as Uint32Array, operands[2] as Uint32Array];
    let range = 0;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      if (b[lane] !== lastB || c[lane] !== lastC) {
        [lastB, lastC] = [b[lane]!, c[lane]!];
        for (let each = 0; each < 32; each++) sources[each] = read(each, lastB, lastC);
      }
      const j = sources[lane]!;
      if (j >= 0) range |= 1 << lane;
      // The value of a lane that takes no part is undefined in the manual, and here what `operands` hold for it.
      d[lane] = a[j >= 0 ? j : lane]!;
    }
    p[0] = range;
  };
}

/** A result that is one for all lanes. */
const vote =
  (mode: "all" | "any" | "uni" | "ballot"): Among =>
  ([d], [p], mask) => {
    const votes = ((p as Uint32Array)[0]! & mask) >>> 0;
    if (mode === "ballot") {
      (d as Uint32Array).fill(votes);
      return;
    }
    const agreed = { all: votes === mask, any: votes !== 0, uni: votes === mask || votes === 0 };
    d![0] = agreed[mode] ? mask : 0;
  };

const matchAny: Among = ([d], [a], mask, lanes) => {
  for (let lane = 0; lane < lanes; lane++) {
    let same = 0;
    for (let other = 0; other < lanes; other++) if ((mask >>> other) & 1 && a![other] === a![lane]) same |= 1 << other;
    d![lane] = same >>> 0;
  }
};

const matchAll: Among = ([d, p], [a], mask, lanes) => {
  const first = a![firstOf(mask)];
  let same = true;
  for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1 && a![lane] !== first) same = false;
  (d as Uint32Array).fill(same ? mask : 0);
  p![0] = same ? mask : 0;
};

function reduce({ each, join }: WarpOperation & { among: "reduce" }): Among {
  const both = scalarOf(join) as (a: number, b: number) => number;
  const one = each === undefined ? (a: number) => a : (scalarOf(each) as (a: number) => number);
  return ([d], operands, mask, lanes) => {
    const a = operands[0] as Uint32Array;
    const first = firstOf(mask);
    let all = one(a[first]!);
    for (let lane = first + 1; lane < lanes; lane++) if ((mask >>> lane) & 1) all = both(all, one(a[lane]!));
    (d as Uint32Array).fill(all);
  };
}

const elect: Among = ([d, p], _, mask) => {
  const leader = firstOf(mask);
  (d as Uint32Array).fill(leader);
  p![0] = 1 << leader;
};

const firstOf = (mask: number): number => 31 - Math.clz32(mask & -mask);
