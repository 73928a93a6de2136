import { toF16, valuesOf } from "../../numeric/binary64/double.ts";
import { f16 } from "../../numeric/format/format.ts";
import type { Hot } from "./hot-loop.ts";
import { rolled } from "./unrolled.ts";

// The value of each code comes from a table; a double holds the product of two halves exactly, and a sum rounded there
// first is rounded right the second time (numeric/binary64/fast.ts). Results wait in `results`, low half first, until all are
// there: reading the words of a double right behind writing it would stall.

const results = new Float64Array(64);
const words = new Int32Array(results.buffer);

const add: Hot = (lanes, _op, d, a, b) => {
  const values = valuesOf(f16);
  return ({ s, active }) => {
    const to = results;
    rolled(lanes, active, (lane) => {
      const x = s[a + lane]!;
      const y = s[b + lane]!;
      to[2 * lane] = values[x & 0xffff]! + values[y & 0xffff]!;
      to[2 * lane + 1] = values[x >>> 16]! + values[y >>> 16]!;
    });
    round(s, d, lanes, active);
  };
};

const sub: Hot = (lanes, _op, d, a, b) => {
  const values = valuesOf(f16);
  return ({ s, active }) => {
    const to = results;
    rolled(lanes, active, (lane) => {
      const x = s[a + lane]!;
      const y = s[b + lane]!;
      to[2 * lane] = values[x & 0xffff]! - values[y & 0xffff]!;
      to[2 * lane + 1] = values[x >>> 16]! - values[y >>> 16]!;
    });
    round(s, d, lanes, active);
  };
};

const mul: Hot = (lanes, _op, d, a, b) => {
  const values = valuesOf(f16);
  return ({ s, active }) => {
    const to = results;
    rolled(lanes, active, (lane) => {
      const x = s[a + lane]!;
      const y = s[b + lane]!;
      to[2 * lane] = values[x & 0xffff]! * values[y & 0xffff]!;
      to[2 * lane + 1] = values[x >>> 16]! * values[y >>> 16]!;
    });
    round(s, d, lanes, active);
  };
};

const fma: Hot = (lanes, _op, d, a, b, c) => {
  const values = valuesOf(f16);
  return ({ s, active }) => {
    const to = results;
    rolled(lanes, active, (lane) => {
      const x = s[a + lane]!;
      const y = s[b + lane]!;
      const z = s[c + lane]!;
      to[2 * lane] = values[x & 0xffff]! * values[y & 0xffff]! + values[z & 0xffff]!;
      to[2 * lane + 1] = values[x >>> 16]! * values[y >>> 16]! + values[z >>> 16]!;
    });
    round(s, d, lanes, active);
  };
};

/** Rounds the results of the active lanes to pairs of halves. */
function round(s: Int32Array, d: number, lanes: number, active: number): void {
  const from = words;
  for (let lane = 0; lane < lanes; lane++)
    if ((active >>> lane) & 1)
      s[d + lane] = half(from[4 * lane + 1]!, from[4 * lane]!) | (half(from[4 * lane + 3]!, from[4 * lane + 2]!) << 16);
}

/** A double's words to bits of f16, rounded to nearest even. */
function half(high: number, low: number): number {
  const magnitude = high & 0x7fff_ffff;
  // From 2^-14 to below 2^16 in binary64; the others go the general way.
  if (magnitude < 0x3f10_0000 || magnitude >= 0x40f0_0000) return toF16(double(high, low));
  // Whatever lies in the low word only matters by not being 0; exponents are 1023 - 15 apart.
  const sticky = magnitude | (low === 0 ? 0 : 1);
  return ((high >>> 16) & 0x8000) | ((sticky - 0x3f00_0000 + 0x1ff + ((magnitude >>> 10) & 1)) >>> 10);
}

const value = new Float64Array(1);
const parts = new Int32Array(value.buffer);

function double(high: number, low: number): number {
  parts[0] = low;
  parts[1] = high;
  return value[0]!;
}

/** Pairs of halves, rounded to nearest, without effects. */
export const halves: readonly (readonly [string, Hot])[] = [
  ["fadd.f16.rnx2", add],
  ["fsub.f16.rnx2", sub],
  ["fmul.f16.rnx2", mul],
  ["ffma.f16.rnx2", fma],
];
