import {
  a,
  and,
  b,
  operation,
  plus,
  predicate,
  relation,
  type Term,
  wrap,
} from "../../../src/numeric/operation/build.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";

// Operations that programs of these tests are made of, as entries of the table would say them.

/** One operand or two of 32 bits, and a result of 32. */
export const on32 = (of: Term): Operation => operation({ a: "u32", b: "u32" }, "u32", wrap("u32", of));
export const from32 = (of: Term): Operation => operation({ a: "u32" }, "u32", wrap("u32", of));
/** 32 bits into 64. */
export const into64 = (of: Term): Operation => operation({ a: "u32" }, "u64", wrap("u64", of));
/** A question about one operand of 32 bits, or two. */
export const asks = (of: Term): Operation => operation({ a: "u32" }, "pred", predicate(of));
export const asksBoth = (of: Term): Operation => operation({ a: "u32", b: "u32" }, "pred", predicate(of));

export const add: Operation = on32(plus(a, b));
export const less: Operation = asksBoth(relation("lt", a, b));
/** Bit n of an operand. */
export const bit = (n: number): Operation => asks(and(a, 2 ** n));

export const compute = (op: Operation) => ({ shape: "compute", op }) as const;
