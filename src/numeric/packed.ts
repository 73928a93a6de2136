import type { Lane } from "./about.ts";
import { convert, nameOfConversion } from "./convert.ts";
import type { ConvertMode, FloatType } from "./convert-mode.ts";
import type { Op, Width } from "./op.ts";

/** Bits that an element takes in a packed register; a 6-bit one has two zeros above it. */
const share = (type: FloatType): 4 | 8 | 16 => {
  if (type === "e2m1") return 4;
  return type === "f16" || type === "bf16" ? 16 : 8;
};

/** `d, a, b` of f32: what a becomes takes the upper half of d (9.7.9.21). */
export function convertBoth(to: FloatType, mode: ConvertMode): Op {
  const of = convert("f32", to, mode);
  const each = of.js as (a: number) => number;
  const up = share(to);
  const lane = (operand: number, low: number): Lane => ({ takes: [{ operand, low: 0, bits: 32 }], low, bits: up });
  return {
    name: nameOfConversion("f32", `${to}x2`, mode),
    takes: [32, 32],
    gives: (2 * up) as Width,
    about: { kind: "lanes", of, lanes: [lane(1, 0), lane(0, up)] },
    js: (a: number, b: number) => ((each(a) << up) | each(b)) >>> 0,
  };
}

/** `d, a`: both halves of a packed register, each into its half of another (9.7.9.21). */
export function convertEach(from: FloatType, to: FloatType, mode: ConvertMode): Op {
  const of = convert(from, to, mode);
  const each = of.js as (a: number) => number;
  const [down, up] = [share(from), share(to)];
  const low = 2 ** down - 1;
  return {
    name: nameOfConversion(`${from}x2`, `${to}x2`, mode),
    takes: [(2 * down) as Width],
    gives: (2 * up) as Width,
    about: {
      kind: "lanes",
      of,
      lanes: [0, 1].map((at) => ({ takes: [{ operand: 0, low: at * down, bits: down }], low: at * up, bits: up })),
    },
    js: (a: number) => ((each((a >>> down) & low) << up) | each(a & low)) >>> 0,
  };
}
