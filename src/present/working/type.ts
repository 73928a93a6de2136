import type { LanesResult, Operation } from "../../numeric/operation/operation.ts";
import { type TypeName, widthOf } from "../../numeric/operation/type.ts";

/** The types of an operation's operands and result: `f16`, `s32`, `f16x2`, `pred`. */
export interface OperationTypes {
  readonly takes: readonly string[];
  readonly gives: string;
}

/** The types of an operation; for bits that are split into lanes, the packed type of the lanes. */
export function operationTypes({ takes, gives, result }: Operation): OperationTypes {
  if (result.into !== "lanes" || result.onto !== undefined)
    return { takes: takes.map(({ type }) => shown(type)), gives: shown(gives) };
  return {
    takes: takes.map(({ name, type }) => packedOperand(name, type, result)),
    gives: packed(gives, result.lanes[0]?.operation.gives, result.lanes[0]?.bits ?? 0),
  };
}

/** rcp.approx.ftz.f64 works on the upper half of an f64. */
const shown = (type: TypeName): string => type.replace(".upper", "");

/** The type of the first lane that uses a part of an operand. */
function packedOperand(name: string, type: TypeName, { lanes }: LanesResult): string {
  for (const { operation, takes } of lanes) {
    const at = takes.findIndex(({ of }) => of === name);
    if (at >= 0) return packed(type, operation.takes[at]?.type, takes[at]?.bits ?? 0);
  }
  return shown(type);
}

/** `f16x2` for 32 bits of which a lane is an f16. */
function packed(type: TypeName, lane: TypeName | undefined, bits: number): string {
  if (lane === undefined || lane === "pred" || type === "pred" || bits === 0) return shown(type);
  const count = widthOf(type) / bits;
  return count > 1 ? `${lane}x${count}` : shown(lane);
}
