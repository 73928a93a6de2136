import { Code } from "../../wasm/code.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import type { TileSpec } from "./spec.ts";
import type { SumsPlaces } from "./vector-sums.ts";

/** Of A and B, how an element is widened to 16 bits, by its type. */
const signs: Readonly<Partial<Record<TileSpec["a"], "s" | "u">>> = { s8: "s", u8: "u", s4: "s", u4: "u" };

/**
 * The sums of integers into s32. Operands of 4 and 8 bits lie in halves of words, extended as `signs` says. A product of two halves is at most 255 * 255, and the instruction that adds two of them cannot overflow.
 */
export const integerSums = { signs, has: hasSums, write: writeSums };

/** Whether there is code for a tile, in so many bytes. */
function hasSums(spec: TileSpec, bytes: number): boolean {
  const { a, b, d, n } = spec;
  return (
    a in signs && b in signs && d === "s32" && n % 4 === 0 && rowOf(spec) % VECTOR === 0 && roomOf(spec).end <= bytes
  );
}

/** Bytes of a vector. */
const VECTOR = 16;

/** Bytes of a row of A, or of a column of B. */
const rowOf = ({ k }: TileSpec): number => 2 * k;

/** C lies where D does. */
function roomOf(spec: TileSpec): SumsPlaces & { readonly end: number } {
  const { m, n } = spec;
  const b = rowOf(spec) * m;
  const d = b + rowOf(spec) * n;
  return { a: 0, b, c: d, d, end: d + 4 * m * n };
}

/** Adds a function to a module: (address of memory for it), which computes D there and returns 0. */
function writeSums(module: ModuleWriter, spec: TileSpec): { readonly index: number; readonly places: SumsPlaces } {
  const { m, n, satfinite } = spec;
  const places = roomOf(spec);
  const bytes = rowOf(spec);
  const code = new Code(1);
  const [base, row, column, to, end] = [0, code.local("i32"), code.local("i32"), code.local("i32"), code.local("i32")];
  const sums = [0, 1, 2, 3].map(() => code.local("v128")) as [number, number, number, number];
  const c = code.local("v128");
  /** Pushes a sum in four parts. */
  const dot = (which: number): void => {
    for (let at = 0; at < bytes; at += VECTOR) {
      code.get(row).access("v128.load", places.a + at);
      code.get(column).access("v128.load", places.b + bytes * which + at);
      code.vector("i32x4.dot_i16x8_s");
      if (at > 0) code.vector("i32x4.add");
    }
  };
  code.get(base).tee(row).tee(to).set(end);
  code
    .get(end)
    .i32(bytes * m)
    .scalar("i32.add")
    .set(end);
  code.loop().get(base).set(column).loop();
  for (const [which, sum] of sums.entries()) {
    dot(which);
    code.set(sum);
  }
  const [p, q] = sums;
  sumsOfParts(code, sums).set(p);
  code.get(to).access("v128.load", places.c).set(c);
  code.get(to).get(p).get(c).vector("i32x4.add").tee(q);
  if (satfinite) {
    // Where both have another sign than their sum, it is too large: then C says on which side.
    code.get(c).i32(31).vector("i32x4.shr_s").v128([MOST, MOST, MOST, MOST]).vector("v128.xor").get(q);
    code.get(q).get(c).vector("v128.xor").get(q).get(p).vector("v128.xor").vector("v128.and");
    code.i32(31).vector("i32x4.shr_s").vector("v128.bitselect").set(q);
    code.set(c).get(q);
  }
  code.access("v128.store", places.d);
  code.get(to).i32(VECTOR).scalar("i32.add").set(to);
  code
    .get(column)
    .i32(4 * bytes)
    .scalar("i32.add")
    .tee(column);
  code
    .get(base)
    .i32(bytes * n)
    .scalar("i32.add")
    .scalar("i32.lt_u")
    .branchIf(0)
    .end();
  code.get(row).i32(bytes).scalar("i32.add").tee(row).get(end).scalar("i32.lt_u").branchIf(0).end();
  code.i32(0);
  return { index: module.function({ takes: ["i32"], gives: ["i32"] }, code), places };
}

/** Pushes the sums of four columns, each of which lies in the four words of a local. */
export function sumsOfParts(code: Code, [p, q, r, s]: readonly [number, number, number, number]): Code {
  /** The sums of parts of two columns, or of two pairs of them. */
  const joined = (one: number, other: number, low: readonly number[], high: readonly number[]): Code =>
    code.get(one).get(other).shuffleWords(low).get(one).get(other).shuffleWords(high).vector("i32x4.add");
  joined(p, q, [0, 4, 1, 5], [2, 6, 3, 7]).set(p);
  joined(r, s, [0, 4, 1, 5], [2, 6, 3, 7]).set(r);
  return joined(p, r, [0, 1, 4, 5], [2, 3, 6, 7]);
}

const MOST = 0x7fff_ffff;
