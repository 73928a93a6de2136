import { a, b, flushed, operation, predicate, relation } from "../../numeric/operation/build.ts";
import type { Expression, Relation } from "../../numeric/operation/expression.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import type { TypeName } from "../../numeric/operation/type.ts";

/** The unsigned relations have two names. */
const unsigned = { lo: "lt", ls: "le", hi: "gt", hs: "ge" } as const;

/** `.CmpOp`: Relations of floats, or of integers. */
export type CmpOp = Relation | keyof typeof unsigned;

/** a `.CmpOp` b, 1 or 0. */
export const compared = (word: CmpOp, ftz?: boolean): Expression =>
  relation(
    word in unsigned ? unsigned[word as keyof typeof unsigned] : (word as Relation),
    flushed(ftz, a),
    flushed(ftz, b),
  );

/** setp without the combination of its result. */
export const related = (type: TypeName, word: CmpOp, ftz?: boolean): Operation =>
  operation({ a: type, b: type }, "pred", predicate(compared(word, ftz)));
