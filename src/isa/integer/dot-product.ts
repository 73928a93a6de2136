import { a, b, c, element, label, plus, times, wrap } from "../../numeric/operation/build.ts";
import type { Expression } from "../../numeric/operation/expression.ts";
import { count, countTo } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";

const since = { ptx: 50, sm: 61 };
const type = ["u32", "s32"] as const;
const word = count();
const va = (i: number, x: Expression): Expression => label(`Va[${i}]`, x);
const vb = (i: number, x: Expression): Expression => label(`Vb[${i}]`, x);
const operands = { d: countTo(), a: word, b: word, c: word };

/** Dot products of bytes and halves. */
export const dots: readonly Form[] = [
  form("dp4a.atype.btype d, a, b, c", {
    where: { atype: type, btype: type },
    operands,
    since,
    does: ({ atype, btype }) =>
      wrap(
        "u32",
        plus(c, ...[0, 1, 2, 3].map((i) => times(va(i, element(atype, a, 8, i)), vb(i, element(btype, b, 8, i))))),
      ),
    check: [
      { with: ["u32", "u32"], a: 0x0102_0304, b: 0x0506_0708, c: 1, d: 71 }, // 5 + 12 + 21 + 32 + 1
      { with: ["s32", "u32"], a: 0xff00_0000, b: 0xff00_0000, c: 0, d: 0xffff_ff01 }, // -1 * 255
      { with: ["s32", "s32"], a: 0x8080_8080, b: 0x8080_8080, c: 0, d: 0x0001_0000 },
    ],
  }),
  form("dp2a.mode.atype.btype d, a, b, c", {
    where: { mode: ["lo", "hi"], atype: type, btype: type },
    operands,
    since,
    does: ({ mode, atype, btype }) => {
      const first = mode === "lo" ? 0 : 2;
      return wrap(
        "u32",
        plus(c, ...[0, 1].map((i) => times(va(i, element(atype, a, 16, i)), vb(i, element(btype, b, 8, first + i))))),
      );
    },
    check: [
      { with: ["lo", "u32", "u32"], a: 0x0001_0002, b: 0x0304_0506, c: 1, d: 18 }, // 2 * 6 + 1 * 5 + 1
      { with: ["hi", "u32", "u32"], a: 0x0001_0002, b: 0x0304_0506, c: 1, d: 12 }, // 2 * 4 + 1 * 3 + 1
      { with: ["lo", "s32", "u32"], a: 0x0000_ffff, b: 0x0000_00ff, c: 0, d: 0xffff_ff01 },
    ],
  }),
];
