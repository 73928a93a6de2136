import { LANES } from "../../contract/launch/lane-mask.ts";
import {
  cellAt, columnOf, laneOf, TENSOR_COLUMNS, TENSOR_LANES, type TensorRange, tensorRangeText,
} from "../../contract/matrix/tensor-memory.ts"; // biome-ignore format: one thought
import { type Operand, slot } from "../../contract/operand.ts";
import type { Memory } from "../../memory/memory.ts";
import { fourfold, INITIALISED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import { blockOf } from "../../state/tensor-allocation.ts";
import type { CtaSync, Warp } from "../../state/warp.ts";

/** Reads an operand of 32 bits of one lane. */
export type LaneWord = (warp: Warp, lane: number) => number;

/** Reads an address of tensor memory, or a number of 32 bits or less. */
export function wordOf(operand: Operand | undefined, lanes: number): LaneWord {
  if (operand?.kind === "address") {
    const more = Number(BigInt.asUintN(32, operand.offset));
    if (operand.base === undefined) return () => more;
    const from = operand.base.slot * lanes;
    if (operand.base.bank === "q") return ({ w }, lane) => (w[2 * (from + lane)]! + more) >>> 0;
    return ({ r }, lane) => (r[from + lane]! + more) >>> 0;
  }
  const from = slot(operand).slot * lanes;
  return ({ r }, lane) => r[from + lane]!;
}

/** The same word in all lanes of a warp, as `.sync.aligned` demands. */
export function uniform(warp: Warp, read: LaneWord, what: string, code: "PTX3061" | "PTX3063" = "PTX3061"): number {
  const first = read(warp, 0);
  for (let lane = 1; lane < LANES; lane++)
    if (read(warp, lane) !== first)
      throw new Fault(
        code,
        lane,
        `has ${what} 0x${read(warp, lane).toString(16)}, and lane 0 has 0x${first.toString(16)}`,
      );
  return first;
}

/** Throws unless all of a range is allocated in a block's tensor memory. `verb`: `reads`, `writes`. */
export function requireAllocated({ tensor }: CtaSync, range: TensorRange, lane: number, verb: string): void {
  const { column, columns } = range;
  const wrong = (why: string): Fault => new Fault("PTX3061", lane, `${verb} ${tensorRangeText(range)}, ${why}`);
  if (range.lane + range.lanes > TENSOR_LANES) throw wrong(`which has lanes 0 to ${TENSOR_LANES - 1}`);
  const wide = tensor.blocks.some((block) => block.columns > TENSOR_COLUMNS);
  if (!wide && column + columns > TENSOR_COLUMNS) throw wrong(`which has columns 0 to ${TENSOR_COLUMNS - 1}`);
  for (let at = column; at < column + columns; ) {
    const block = blockOf(tensor, at);
    if (block === undefined) {
      const taken = tensor.blocks.map(({ column, columns }) => `${column} to ${column + columns - 1}`);
      throw wrong(
        taken.length === 0 ? "of which nothing is allocated" : `of which columns ${taken.join(", ")} are allocated`,
      );
    }
    at = block.column + block.columns;
  }
}

/** Fills in the shadow of a range, whose block's tensor memory begins at `base`. */
export function know(memory: Memory, base: number, { lane, lanes, column, columns }: TensorRange): void {
  for (let at = lane; at < lane + lanes; at++) memory.know(base + cellAt(at, column), 4 * columns);
}

/** Notes that a range has been written. */
export function initialise(memory: Memory, base: number, { lane, lanes, column, columns }: TensorRange): void {
  for (let at = lane; at < lane + lanes; at++) {
    memory.know(base + cellAt(at, column), 4 * columns);
    memory.initialise(base + cellAt(at, column), 4 * columns);
  }
}

/** The first word of a range that was never written. */
export function unwritten(
  { shadow }: Memory,
  base: number,
  range: TensorRange,
): { readonly lane: number; readonly column: number } | undefined {
  const want = fourfold(INITIALISED);
  for (let lane = range.lane; lane < range.lane + range.lanes; lane++)
    for (let column = range.column; column < range.column + range.columns; column++)
      if ((shadow.s32[(base + cellAt(lane, column)) >>> 2]! & want) !== want) return { lane, column };
  return undefined;
}

/** Reports a read of words that were never written, if the launch checks that. */
export function checkWritten(context: Context, warp: Warp, thread: number, base: number, range: TensorRange): void {
  if (!context.sanitize.init) return;
  know(context.memory, base, range);
  const found = unwritten(context.memory, base, range);
  if (found === undefined) return;
  const what = `reads lane ${found.lane}, column ${found.column} of tensor memory, which nothing has written`;
  context.report(report(context, warp, thread, "PTX4001", what));
}

/** The range at an address. */
export const rangeAt = (address: number, lanes: number, columns: number): TensorRange => ({
  lane: laneOf(address),
  lanes,
  column: columnOf(address),
  columns,
});

/** The block that forms a pair with this one (PTX ISA, Peer CTA). */
export function peerOf({ ctaSync }: Warp, lane: number): CtaSync {
  const { cluster } = ctaSync;
  const peer = cluster[cluster.indexOf(ctaSync) ^ 1];
  if (peer === undefined)
    throw new Fault("PTX3065", lane, "needs a pair of blocks, and this block has no peer in its cluster");
  if (peer.warps.every(({ live }) => live === 0))
    throw new Fault("PTX3065", lane, "needs the peer block, which has exited");
  return peer;
}

/** Where a block's tensor memory begins. */
export const baseOf = ({ warps }: CtaSync): number => warps[0]!.tensor;
