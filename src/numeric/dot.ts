import type { Element } from "./about.ts";
import type { Op } from "./op.ts";

type DotType = "u32" | "s32";

/** dp4a: c plus the products of the four bytes of a and b, each with its type's sign (9.7.1.23). */
export function dp4a(atype: DotType, btype: DotType): Op {
  const byteOfA = element(atype, 8);
  const byteOfB = element(btype, 8);
  return {
    name: `dp4a.${atype}.${btype}`,
    takes: [32, 32, 32],
    gives: 32,
    about: { kind: "dot", pairs: [0, 1, 2, 3].map((at) => [slice(0, atype, 8, at), slice(1, btype, 8, at)]) },
    js: (a: number, b: number, c: number) => {
      let d = c;
      for (let at = 0; at < 4; at++) d += byteOfA(a, at) * byteOfB(b, at);
      return d >>> 0;
    },
  };
}

/** dp2a: c plus the products of the two halves of a and two bytes of b, the low or the high ones (9.7.1.24). */
export function dp2a(part: "lo" | "hi", atype: DotType, btype: DotType): Op {
  const halfOfA = element(atype, 16);
  const byteOfB = element(btype, 8);
  const first = part === "lo" ? 0 : 2;
  return {
    name: `dp2a.${part}.${atype}.${btype}`,
    takes: [32, 32, 32],
    gives: 32,
    about: { kind: "dot", pairs: [0, 1].map((at) => [slice(0, atype, 16, at), slice(1, btype, 8, first + at)]) },
    js: (a: number, b: number, c: number) =>
      (c + halfOfA(a, 0) * byteOfB(b, first) + halfOfA(a, 1) * byteOfB(b, first + 1)) >>> 0,
  };
}

const slice = (operand: number, type: DotType, bits: 8 | 16, at: number): Element => ({
  operand,
  low: at * bits,
  bits,
  signed: type === "s32",
});

/** One element of 32 bits as a number; sums of a few products of such fit a double. */
function element(type: DotType, width: 8 | 16): (bits: number, at: number) => number {
  const top = 32 - width;
  return type === "s32"
    ? (bits, at) => (bits << (top - at * width)) >> top
    : (bits, at) => (bits << (top - at * width)) >>> top;
}
