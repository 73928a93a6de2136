import type { Code } from "../../wasm/code.ts";

/** Exponents and powers of two in vectors of four words: how sums in WebAssembly align their terms. */

/** A zero's exponent has this power of two less; 16 bits have the sum of two. */
export const NONE = 14;
/** No exponent of a number is below it, nor above it that of a zero. */
export const LEAST = -5000;
/** The highest exponent of a sum's terms, and exponent field of C: no sum leaves f32. */
export const MOST_TOP = 120;
export const MOST_FIELD = 127 + MOST_TOP;

/** The address of the memory that a function works in: its only parameter. */
export const BASE = 0;

/** Writes the end of a loop over addresses of the function's memory, which grow by `step` up to `end` bytes from its beginning. */
export function andOn(code: Code, address: number, step: number, end: number): Code {
  code.get(address).i32(step).scalar("i32.add").tee(address);
  return code.get(BASE).i32(end).scalar("i32.add").scalar("i32.lt_u").branchIf(0).end();
}

/** A word in each lane. */
export const each = (code: Code, word: number): Code => code.v128([word, word, word, word]);

/** New locals, all vectors. */
export const vectors = <N extends string>(code: Code, ...names: readonly N[]): Record<N, number> =>
  Object.fromEntries(names.map((name) => [name, code.local("v128")])) as Record<N, number>;

/** Pushes the exponent fields of f32. */
export const fields = (code: Code, of: number): Code =>
  each(code.get(of).i32(23).vector("i32x4.shr_u"), 255).vector("v128.and");

/** Turns the exponents on the stack, `more` added, into powers of two that f32 has. */
export function power(code: Code, more = 0): Code {
  if (127 + more !== 0) each(code, 127 + more).vector("i32x4.add");
  return code.i32(23).vector("i32x4.shl");
}

/** The same of exponents that no f32 may have: what is too small is 0. */
export function clampedPower(code: Code, more: number): Code {
  each(code, 127 + more).vector("i32x4.add");
  each(each(code, 0).vector("i32x4.max_s"), 254).vector("i32x4.min_s");
  return code.i32(23).vector("i32x4.shl");
}

/** Pushes 2^(more - e). */
export const inverse = (code: Code, exponent: number, more = 0): Code =>
  each(code, 127 + more)
    .get(exponent)
    .vector("i32x4.sub")
    .i32(23)
    .vector("i32x4.shl");

/** Makes the exponents on the stack those of zeros, where `zero` has no bit or only a sign. */
export const unlessZero = (code: Code, zero: number): Code =>
  each(code.get(zero), 0).vector("f32x4.eq").i32(NONE).vector("i32x4.shl").vector("i32x4.add");

/** Pushes 1 bits where C in f32 is too large, an infinity or a NaN. */
export const tooLarge = (code: Code, c: number): Code =>
  each(each(code.get(c), 0x7fff_ffff).vector("v128.and"), ((MOST_FIELD + 1) << 23) - 1).vector("i32x4.gt_s");

/**
 * Leaves in `top`, which is on the stack, too, no exponent below the lowest; pushes 1 bits where one of a number was below it.
 * All have `bias` more than they are.
 */
export function raised(code: Code, top: number, lowest: number, bias: number): Code {
  code.tee(top);
  each(
    each(code, lowest + bias)
      .vector("i32x4.lt_s")
      .get(top),
    LEAST,
  )
    .vector("i32x4.gt_s")
    .vector("v128.and");
  each(code.get(top), lowest + bias)
    .vector("i32x4.max_s")
    .set(top);
  return code;
}

/** Bits of binary64 that f32 has not. */
const low = [0x1fff_ffff, 0, 0x1fff_ffff, 0];

/** Pushes two pairs of binary64 as f32, cut toward zero, or rounded to odd. They have normal numbers, or zeros. */
export function single(code: Code, pairs: readonly [number, number], toOdd = false): Code {
  for (const local of pairs) {
    code
      .get(local)
      .v128(low.map((word) => ~word))
      .vector("v128.and");
    if (toOdd) {
      code.get(local).v128(low).vector("v128.and").v128([0, 0, 0, 0]).vector("i64x2.ne");
      code.v128([0x2000_0000, 0, 0x2000_0000, 0]).vector("v128.and").vector("v128.or");
    }
    code.vector("f32x4.demote_f64x2_zero");
  }
  return code.shuffleWords([0, 1, 4, 5]);
}
