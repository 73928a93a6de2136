import type { Channels } from "../../../../src/interp/contract/launch/channels.ts";
import { and, argument, relation } from "../../../../src/numeric/operation/build.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import type * as ast from "../ast.ts";

/**
 * The operation with one value for all channels in place of its predicate: any or all of the mask, perhaps inverted.
 */
export function combined(each: Operation, { predicate }: ast.Instruction, { first, count }: Channels): Operation {
  const range = BigInt.asUintN(32, ((1n << BigInt(count)) - 1n) << BigInt(first));
  const held = and(argument("P"), range);
  const answer = predicate?.combine === "any" ? relation("ne", held, 0) : relation("eq", held, range);
  const { result } = each;
  if (result.into !== "choose") throw new Error("only a selection asks all channels");
  return {
    ...each,
    takes: each.takes.map((taken) => (taken.name === "P" ? { name: "P", type: "b32" } : taken)),
    result: { ...result, when: predicate?.inverted ? relation("eq", answer, 0) : answer },
  };
}
