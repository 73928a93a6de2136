import { chunkAddress, readMatrixDescriptor } from "../../contract/matrix/matrix-descriptor.ts";
import { cellAt, columnOf, laneOf, type TensorRange, tensorRangeText } from "../../contract/matrix/tensor-memory.ts";
import type { Operand } from "../../contract/operand.ts";
import type { CopyShape } from "../../contract/plan/plan-tensor-memory.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { CtaSync, Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { baseOf, checkWritten, initialise, peerOf, rangeAt, requireAllocated, wordOf } from "./cells.ts";
import { eachLane, longOf } from "./lanes.ts";
import { issue, rangesOf } from "./matrix/issue.ts";
import { requireShared } from "./shared-reach.ts";

/** The block itself, and with `.cta_group::2` both of its pair, the even one first. */
export function blocksOf(warp: Warp, group: 1 | 2, lane: number): readonly CtaSync[] {
  const own = warp.ctaSync;
  if (group === 1) return [own];
  const peer = peerOf(warp, lane);
  return own.cluster.indexOf(own) % 2 === 0 ? [own, peer] : [peer, own];
}

/** `[t], s`: tcgen05.cp. */
export function copyToTensorMemory(
  { group, form, expand }: PlanOf<"tcgen05 copy">,
  [t, s]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, memory } = context;
  const [address, descriptor] = [wordOf(t, lanes), longOf(s, lanes)];
  const site = siteOf(context);
  const across = form.columns / 4;
  return eachLane(lanes, (warp, lane) => {
    const to = address(warp, lane);
    const read = readMatrixDescriptor(descriptor(warp, lane), context.target);
    if (typeof read === "string") throw new Fault("PTX3064", lane, `has a matrix descriptor whose ${read}`);
    const syncs = blocksOf(warp, group, lane);
    const writes = targetsOf(form, to);
    for (const sync of syncs) for (const range of writes) requireAllocated(sync, range, lane, "writes");
    const chunks = new Int32Array(form.rows * across);
    for (let at = 0; at < chunks.length; at++)
      chunks[at] = chunkAddress(read, "K", Math.floor(at / across), at % across);
    requireShared(chunks, lane, "the matrix", context);
    for (const sync of syncs) for (const range of writes) initialise(memory, baseOf(sync), range);
    const act = form.rows === 4 ? "cp.4x256b" : "cp";
    issue(
      warp,
      {
        act,
        group,
        thread: { block: warp.block, warp: warp.index, lane },
        site: site(warp),
        syncs,
        reads: [],
        writes,
        shared: syncs.flatMap(({ warps }) => rangesOf(chunks, warps[0]!.shared)),
        perform: () => {
          for (const sync of syncs) move(form, expand, to, chunks, sync, context);
        },
      },
      context,
    );
  });
}

/** The ranges that a copy writes. */
const targetsOf = ({ rows, columns, to }: CopyShape, address: number): readonly TensorRange[] =>
  to.flatMap((lists) =>
    lists.map((first) => ({
      lane: laneOf(address) + first,
      lanes: rows / to.length,
      column: columnOf(address),
      columns,
    })),
  );

function move(
  { rows, columns, to }: CopyShape,
  expand: string | undefined,
  address: number,
  chunks: Int32Array,
  sync: CtaSync,
  { memory }: Context,
): void {
  const { u8 } = memory.data;
  const [base, shared] = [baseOf(sync), sync.warps[0]!.shared];
  const run = rows / to.length;
  const across = columns / 4;
  for (let row = 0; row < rows; row++)
    for (const first of to[Math.floor(row / run)]!)
      for (let chunk = 0; chunk < across; chunk++) {
        const from = shared + chunks[row * across + chunk]!;
        const at = base + cellAt(laneOf(address) + first + (row % run), columnOf(address) + 4 * chunk);
        if (expand === undefined) u8.copyWithin(at, from, from + 16);
        else expandChunk(u8, from, at, expand === "b4x16_p64" ? 4 : 6);
      }
}

/** 16 elements of 4 or 6 bits and padding become 16 bytes (PTX ISA, Optional Decompression). */
function expandChunk(u8: Uint8Array, from: number, to: number, bits: 4 | 6): void {
  for (let at = 0; at < 16; at++) {
    const bit = at * bits;
    const pair = u8[from + (bit >> 3)]! | (u8[from + (bit >> 3) + 1]! << 8);
    const element = (pair >>> (bit & 7)) & ((1 << bits) - 1);
    u8[to + at] = bits === 4 ? element << 2 : element;
  }
}

/** `[t]`: tcgen05.shift, 31 of 32 lanes of 8 columns get the value of the next lane. */
export function tensorShift(
  { group }: PlanOf<"tcgen05 shift">,
  [t]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, memory } = context;
  const address = wordOf(t, lanes);
  const site = siteOf(context);
  return eachLane(lanes, (warp, lane) => {
    const reads = rangeAt(address(warp, lane), 32, 8);
    if (reads.lane % 32 !== 0)
      throw new Fault("PTX3061", lane, `shifts ${tensorRangeText(reads)}, and the lane must be a multiple of 32`);
    const syncs = blocksOf(warp, group, lane);
    for (const sync of syncs) {
      requireAllocated(sync, reads, lane, "shifts");
      checkWritten(context, warp, lane, baseOf(sync), reads);
    }
    const thread = { block: warp.block, warp: warp.index, lane };
    const perform = (): void => {
      for (const sync of syncs)
        for (let row = 0; row < 31; row++) {
          const at = baseOf(sync) + cellAt(reads.lane + row, reads.column);
          const next = baseOf(sync) + cellAt(reads.lane + row + 1, reads.column);
          memory.data.u8.copyWithin(at, next, next + 32);
        }
    };
    const writes = [{ ...reads, lanes: 31 }];
    issue(
      warp,
      { act: "shift", group, thread, site: site(warp), syncs, reads: [reads], writes, shared: [], perform },
      context,
    );
  });
}
