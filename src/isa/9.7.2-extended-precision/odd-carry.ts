import type { CarryAbout, CarryOp } from "../../numeric/index.ts";

/**
 * Additions with carry-in that ptxas takes and the manual does not list: 16 bits wide, or saturating. None has `.cc`,
 * so they never give a carry out, and each is an operation on 32-bit slots whose result is cut already.
 */
type Js = (a: number, b: number, c: number, carry: number) => number;
const odd = (name: string, arity: 2 | 3, about: CarryAbout, js: Js): CarryOp => ({ name, width: 32, arity, about, js });

/** a + b + CF and a + ~b + CF on 16 bits. */
export const addCarry16: CarryOp = odd(
  "add.carry.16",
  2,
  { operation: "add", width: 16 },
  (a, b, _c, carry) => (a + b + carry) & 0xffff,
);
export const subCarry16: CarryOp = odd(
  "sub.carry.16",
  2,
  { operation: "sub", width: 16 },
  (a, b, _c, carry) => (a + (0xffff - b) + carry) & 0xffff,
);

/** A half of a * b, plus c and CF, on 16 bits. */
export function madCarry16(signed: boolean, part: "lo" | "hi"): CarryOp {
  const read = signed ? (x: number) => (x << 16) >> 16 : (x: number) => x;
  const shift = part === "hi" ? 16 : 0;
  return odd(
    `mad.carry.${part}.${signed ? "s" : "u"}16`,
    3,
    { operation: "mad", width: 16, part, signed },
    (a, b, c, carry) => ((Math.imul(read(a), read(b)) >> shift) + c + carry) & 0xffff,
  );
}

const clamped = (sum: number): number => Math.max(-0x8000_0000, Math.min(0x7fff_ffff, sum)) >>> 0;

/** The signed sum of all three, clamped to 32 bits. */
export const addCarrySat: CarryOp = odd(
  "add.carry.sat.32",
  2,
  { operation: "add", width: 32, sat: true },
  (a, b, _c, carry) => clamped((a | 0) + (b | 0) + carry),
);
export const subCarrySat: CarryOp = odd(
  "sub.carry.sat.32",
  2,
  { operation: "sub", width: 32, sat: true },
  (a, b, _c, carry) => clamped((a | 0) + ~b + carry),
);
export const madCarrySat: CarryOp = odd(
  "mad.carry.hi.sat.32",
  3,
  { operation: "mad", width: 32, part: "hi", signed: true, sat: true },
  (a, b, c, carry) => {
    const high = Number((BigInt(a | 0) * BigInt(b | 0)) >> 32n);
    return clamped(high + (c | 0) + carry);
  },
);
