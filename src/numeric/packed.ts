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
  const each = convert("f32", to, mode).js as (a: number) => number;
  const up = share(to);
  return {
    name: nameOfConversion("f32", `${to}x2`, mode),
    takes: [32, 32],
    gives: (2 * up) as Width,
    js: (a: number, b: number) => ((each(a) << up) | each(b)) >>> 0,
  };
}

/** `d, a`: both halves of a packed register, each into its half of another (9.7.9.21). */
export function convertEach(from: FloatType, to: FloatType, mode: ConvertMode): Op {
  const each = convert(from, to, mode).js as (a: number) => number;
  const [down, up] = [share(from), share(to)];
  const low = 2 ** down - 1;
  return {
    name: nameOfConversion(`${from}x2`, `${to}x2`, mode),
    takes: [(2 * down) as Width],
    gives: (2 * up) as Width,
    js: (a: number) => ((each((a >>> down) & low) << up) | each(a & low)) >>> 0,
  };
}
