import {
  a,
  b,
  c,
  concat,
  label,
  max,
  min,
  minus,
  plus,
  select,
  slice,
  times,
  wrap,
} from "../../../numeric/operation/build.ts";
import type { Expression } from "../../../numeric/operation/expression.ts";
import { of, to } from "../../form/classes.ts";
import { type Form, form } from "../../form/define.ts";

/** Bytes 0 to 3 are a, 4 to 7 are b. */
const byte = (at: Expression): Expression => slice(concat([b, 32], [a, 32]), times(8, at), 8);
/** The manual's selector, c[1:0]. */
const n = slice(c, 0, 2);

/** Which byte goes to byte `to` of d; the manual's table has a row for each value of c[1:0]. */
const source = {
  /** Forward 4 extract: from n upward. */
  f4e: (to: number) => plus(n, to),
  /** Backward 4 extract: from n downward, byte 7 below byte 0. */
  b4e: (to: number) => slice(minus(n, to), 0, 3),
  /** Replicate 8: byte n in all four. */
  rc8: () => n,
  /** Edge clamp left: as they are, none below n. */
  ecl: (to: number) => max(n, to),
  /** Edge clamp right: as they are, none above n. */
  ecr: (to: number) => min(n, to),
  /** Replicate 16: one half in both. */
  rc16: (to: number) => {
    const half = times(2, slice(c, 0, 1));
    return to % 2 ? plus(half, 1) : half;
  },
} as const;

/** Without a mode each byte has four bits of c: which byte, and above it whether its sign is wanted in its place. */
function selected(to: number): Expression {
  const chosen = label(`byte${to}`, byte(slice(c, 4 * to, 3)));
  return select(slice(c, 4 * to + 3, 1), times(0xff, slice(chosen, 7, 1)), chosen);
}

export const permute: readonly Form[] = [
  form("prmt.b32{.mode} d, a, b, c", {
    where: { mode: ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] },
    operands: { d: to("b32"), a: of("b32"), b: of("b32"), c: of("b32") },
    since: { ptx: 20, sm: 20 },
    does: ({ mode }) => {
      const at = (to: number): Expression =>
        label(`d.b${to}`, mode === undefined ? selected(to) : byte(source[mode](to)));
      return wrap("b32", concat([at(3), 8], [at(2), 8], [at(1), 8], [at(0), 8]));
    },
    check: [
      { a: 0x3322_1100, b: 0x7766_5544, c: 0x7410, d: 0x7744_1100 },
      { a: 0x8000_0000, b: 0, c: 0xb3b3, d: 0xff80_ff80 },
      { with: ["f4e"], a: 0x3322_1100, b: 0x7766_5544, c: 1, d: 0x4433_2211 },
      { with: ["rc16"], a: 0x3322_1100, b: 0, c: 1, d: 0x3322_3322 },
    ],
  }),
];
