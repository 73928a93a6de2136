import type { CarryOp } from "./op.ts";
import { highProduct } from "./product.ts";

/** a + b + CF (add.cc, addc; 9.7.2.1, 9.7.2.2). A form without carry-in gets CF = 0. */
export const addCarry = (width: 32 | 64): CarryOp =>
  width === 32
    ? {
        name: "add.carry.32",
        width,
        arity: 2,
        about: { operation: "add", width },
        js: (a: number, b: number, _c: number, carry: number) => a + b + carry,
      }
    : {
        name: "add.carry.64",
        width,
        arity: 2,
        about: { operation: "add", width },
        js: (a: bigint, b: bigint, _c: bigint, carry: bigint) => a + b + carry,
      };

/**
 * a + ~b + CF (sub.cc, subc; 9.7.2.3, 9.7.2.4): the flag is NOT borrow, and a form without carry-in gets CF = 1.
 * Grade asm: ptxas folds `sub.cc 5-3; addc 100+10` to 111. The manual's words, a - (b + CF) with a borrow-out, differ
 * for chains that mix additions and subtractions.
 */
export const subCarry = (width: 32 | 64): CarryOp =>
  width === 32
    ? {
        name: "sub.carry.32",
        width,
        arity: 2,
        start: 1,
        about: { operation: "sub", width },
        js: (a: number, b: number, _c: number, carry: number) => a + (0xffff_ffff - b) + carry,
      }
    : {
        name: "sub.carry.64",
        width,
        arity: 2,
        start: 1,
        about: { operation: "sub", width },
        js: (a: bigint, b: bigint, _c: bigint, carry: bigint) => a + (0xffff_ffff_ffff_ffffn - b) + carry,
      };

/**
 * A half of a * b, plus c and CF (mad.cc, madc; 9.7.2.5, 9.7.2.6). The carry is that of the unsigned sum; signedness
 * only changes which high half is taken.
 */
export function madCarry(width: 32 | 64, signed: boolean, part: "lo" | "hi"): CarryOp {
  const name = `mad.carry.${part}.${signed && part === "hi" ? "s" : "u"}${width}`;
  const about = { operation: "mad", width, part, signed } as const;
  if (width === 64) {
    const read = signed ? (x: bigint) => BigInt.asIntN(64, x) : (x: bigint) => x;
    const down = part === "hi" ? 64n : 0n;
    return {
      name,
      width,
      arity: 3,
      about,
      js: (a: bigint, b: bigint, c: bigint, carry: bigint) =>
        BigInt.asUintN(64, (read(a) * read(b)) >> down) + c + carry,
    };
  }
  const half =
    part === "lo"
      ? (a: number, b: number) => Math.imul(a, b) >>> 0
      : signed
        ? (a: number, b: number) => (highProduct(a, b) - ((a | 0) < 0 ? b : 0) - ((b | 0) < 0 ? a : 0)) >>> 0
        : highProduct;
  return {
    name,
    width,
    arity: 3,
    about,
    js: (a: number, b: number, c: number, carry: number) => half(a, b) + c + carry,
  };
}
