import { registerOf, to } from "../form/classes.ts";
import { type Form, form } from "../form/define.ts";

/** A matrix in the registers of a warp, transposed. */
export const movmatrix: readonly Form[] = [
  form("movmatrix.sync.aligned.m8n8.trans.b16 d, a", {
    operands: { d: to("b32"), a: registerOf("b32") },
    since: { ptx: 78, sm: 75 },
    run: () => ({ shape: "transpose" }),
    // Every lane holds the same: each column of the matrix is one number, then each row is.
    check: [{ a: 0x0002_0001, d: 0x0001_0001 }],
  }),
];
