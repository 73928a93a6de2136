import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import type { TypeName } from "../../../../src/numeric/operation/type.ts";
import { isWide, type Value, type Vector } from "../../../../src/numeric/vector/vector.ts";

/** An operation of two operands whose meaning nobody looks at. */
export const operation = (gives: TypeName, a: TypeName, b: TypeName): Operation => ({
  takes: [
    { name: "a", type: a },
    { name: "b", type: b },
  ],
  gives,
  result: { into: "wrap", type: gives, of: { node: "argument", name: "a" } },
});

/** An operand of up to 32 bits. */
export function argument(value: Value | undefined): Vector {
  if (value === undefined || isWide(value)) throw new Error("an operand of one vector is expected");
  return value;
}
