import type { Fragment } from "../../src/interp/contract/matrix/fragment.ts";
import { layoutLines, positionsOf } from "../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../src/interp/contract/matrix/matrix-fragments.ts";
import { type Operand, scalars } from "../../src/interp/contract/operand.ts";
import type { Instruction, Program } from "../../src/interp/contract/program.ts";
import { isValueType, widthOf } from "../../src/numeric/format/value-type.ts";
import { hex, number } from "../../src/present/value.ts";
import { nameOf } from "../../src/present/working/instruction.ts";
import type { FragmentMap } from "../page/client.ts";

/** The matrices of a multiplication, in the order of their operands: who holds which element of them, and in which register. */
export function fragmentMaps(
  program: Program,
  { plan, operands }: Instruction,
  read?: (lane: number, operand: Operand) => bigint,
): readonly FragmentMap[] {
  if (plan.shape !== "multiply") return [];
  const layouts = fragmentsOf(plan.op);
  return (["d", "a", "b", "c"] as const).map((role, at) =>
    mapOf(program, layouts[role], plan.op[role], operands[at], read),
  );
}

function mapOf(
  program: Program,
  fragment: Fragment,
  type: string,
  operand: Operand | undefined,
  read?: (lane: number, operand: Operand) => bigint,
): FragmentMap {
  const { name, rows, columns, bits, count, matrices } = fragment;
  const items = scalars(operand);
  const each = (bits === 64 ? 64 : 32) / bits;
  const words = read && Array.from({ length: 32 }, (_, lane) => items.map((item) => read(lane, item)));
  const value = (held: number): string => {
    const i = held % count;
    const word = words?.[Math.floor(held / count)]?.[Math.floor(i / each)] ?? 0n;
    const own = BigInt.asUintN(bits, word >> BigInt((i % each) * bits));
    return isValueType(type) && widthOf(type) === bits ? number(own, type) : hex(own, bits);
  };
  const holders = new Int32Array(rows * columns * (matrices?.count ?? 1)).fill(-1);
  for (const [held, position] of positionsOf(fragment).entries())
    if (holders[position] === -1) holders[position] = held;
  return {
    ...{ name, type, rows, columns, bits, count, holders },
    values: words === undefined ? [] : [...holders].map((held) => (held < 0 ? "" : value(held))),
    registers: items.map((each) => (each.kind === "slot" ? (nameOf(program, each) ?? "_") : "_")),
    layout: layoutLines(fragment),
  };
}
