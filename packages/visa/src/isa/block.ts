import type * as ast from "../ast.ts";
import type { BlockMove, Form } from "./define.ts";

/** `X:d16.2x16x8nt`: the line gives the shape of its blocks. */
const ofBlocks =
  (does: BlockMove["does"]) =>
  ({ opcode, operands }: ast.Instruction): BlockMove | string => {
    const block = operands.find((each): each is ast.Operand & { kind: "block" } => each.kind === "block");
    if (block === undefined) return `${opcode.text} says its data as X:d16.2x16x8nn`;
    const { bits, blocks, width, height, transposed, transformed } = block;
    if (does === "store" && (blocks > 1 || transposed || transformed))
      return `${opcode.text} stores one block, neither transposed nor transformed`;
    if (transformed && bits > 16) return "elements of 8 or 16 bits are transformed";
    if (blocks < 1 || width < 1 || height < 1 || (blocks * width * height * bits) / 8 > MOST_BYTES)
      return `blocks of 1 to ${MOST_BYTES} bytes`;
    return { does, bits, blocks, width, height, transposed, transformed };
  };

/** A message returns 32 registers of 64 bytes at most. */
const MOST_BYTES = 2048;

/** Moves between registers and blocks of a surface. */
export const blocks: readonly Form[] = (
  [
    [
      "LSC_LOAD_BLOCK2D.<sfid>[.<caching>] (<exec_size>) <data> <surface>",
      "load",
      "loads blocks of a surface; elements outside of it are 0",
    ],
    [
      "LSC_STORE_BLOCK2D.<sfid>[.<caching>] (<exec_size>) <surface> <data>",
      "store",
      "stores a block of a surface, but for elements outside of it",
    ],
  ] as const
).map(([syntax, does, about]) => ({
  syntax,
  mnemonic: `lsc_${does}_block2d`,
  opcode: 0x89,
  about,
  predicable: false,
  saturates: false,
  relations: [],
  types: () => undefined,
  modifiers: "none",
  check: [],
  blocks: ofBlocks(does),
  operands: (does === "load" ? ["data", "surface"] : ["surface", "data"]).map((name) => ({
    name,
    written: does === "load" && name === "data",
    kinds: [name === "data" ? "block" : "surface"],
  })),
}));
