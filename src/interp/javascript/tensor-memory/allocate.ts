import { LANES, lowest } from "../../contract/launch/lane-mask.ts";
import { LANE_BYTES, mostColumns, TENSOR_LANES, type TensorRange } from "../../contract/matrix/tensor-memory.ts";
import type { Operand } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import { freeColumn, type TensorBlock, withBlock, withoutBlock } from "../../state/tensor-allocation.ts";
import { withoutColumns } from "../../state/tensor-order.ts";
import type { CtaSync, Parked, Step, TensorWait, Warp } from "../../state/warp.ts";
import { park, reconverge, wake } from "../../warp/groups.ts";
import { check } from "../check.ts";
import { locator } from "../locate.ts";
import { baseOf, peerOf, uniform, wordOf } from "./cells.ts";
import { checkFreed } from "./touch.ts";

type Act = PlanOf<"tcgen05 alloc">;

/** tcgen05.alloc, dealloc and relinquish_alloc_permit. */
export function tensorAllocation(plan: Act, operands: readonly (Operand | undefined)[], context: Context): Step {
  if (plan.act === "relinquish")
    return (warp) => {
      warp.ctaSync.tensor = { ...warp.ctaSync.tensor, relinquished: warp.pc };
    };
  return plan.act === "alloc" ? allocate(plan, operands, context) : deallocate(plan, operands, context);
}

function allocate({ group, exclusive }: Act, [a, n]: readonly (Operand | undefined)[], context: Context): Step {
  const most = mostColumns(exclusive, context.target);
  const count = wordOf(n, context.lanes);
  const put = addressWriter(a, context);
  return (warp) => {
    const columns = uniform(warp, count, "a number of columns", "PTX3063");
    const { pc, ctaSync } = warp;
    const { blocks, relinquished } = ctaSync.tensor;
    const even = exclusive ? columns % 32 === 0 : (columns & (columns - 1)) === 0;
    if (columns < 32 || columns > most || !even)
      throw allocationFault(
        `asks for ${columns} columns of tensor memory, and a ${exclusive ? "multiple of 32" : "power of two"} from 32 to ${most} is needed`,
      );
    if (relinquished !== undefined)
      throw allocationFault(
        "comes after tcgen05.relinquish_alloc_permit of its block",
        relatedAt(relinquished, context),
      );
    const other = blocks.find((block) => block.group !== group);
    if (other !== undefined)
      throw allocationFault(
        `is of .cta_group::${group}, and others of the kernel are of .cta_group::${other.group}`,
        relatedAt(other.pc, context),
      );
    const peer = group === 2 ? peerOf(warp, 0) : undefined;
    // Everything is checked before the warp waits, so that a fault occurs at its instruction.
    put(warp, undefined);
    const unfreed = (): void => {
      const what = `takes ${columns} columns of tensor memory, which are not freed when the block exits`;
      context.report(report(context, warp, 0, "PTX4061", what, pc));
    };
    const on: TensorWait = {
      kind: "tensor memory",
      act: "alloc",
      columns,
      column: 0,
      exclusive,
      group,
      grant: (column) => {
        const block: TensorBlock = { column, columns, group, exclusive, pc, warp: warp.index, unfreed };
        forget(context.memory, baseOf(ctaSync), column, columns);
        ctaSync.tensor = withBlock(ctaSync.tensor, block);
        put(warp, column);
      },
    };
    wait(warp, on);
    serve(ctaSync, peer, warp);
  };
}

function deallocate({ group, exclusive }: Act, [t, n]: readonly (Operand | undefined)[], context: Context): Step {
  const [address, count] = [wordOf(t, context.lanes), wordOf(n, context.lanes)];
  return (warp) => {
    const column = uniform(warp, address, "the address", "PTX3063");
    const columns = uniform(warp, count, "a number of columns", "PTX3063");
    const { ctaSync } = warp;
    const { blocks } = ctaSync.tensor;
    const block = blocks.find((each) => each.column === column);
    if (block === undefined) {
      const at = blocks.map((each) => `0x${each.column.toString(16)}`).join(", ");
      throw allocationFault(
        `frees tensor memory at 0x${column.toString(16)}, where none was allocated${at === "" ? "" : `; allocations begin at ${at}`}`,
      );
    }
    if (block.columns !== columns)
      throw allocationFault(
        `frees ${columns} columns, and ${block.columns} were allocated there`,
        relatedAt(block.pc, context),
      );
    if (block.group !== group)
      throw allocationFault(
        `is of .cta_group::${group}, and the allocation of .cta_group::${block.group}`,
        relatedAt(block.pc, context),
      );
    if (block.exclusive !== exclusive)
      throw allocationFault(
        `is ${exclusive ? "" : "not "}.exclusive, and the allocation is ${exclusive ? "not" : "so"}`,
        relatedAt(block.pc, context),
      );
    const peer = group === 2 ? peerOf(warp, 0) : undefined;
    const freed: TensorRange = { lane: 0, lanes: TENSOR_LANES, column, columns };
    checkFreed(warp, ctaSync, freed, context);
    const free = (sync: CtaSync): void => {
      const left = withoutBlock(sync.tensor, column);
      sync.tensor = { ...left, order: withoutColumns(left.order, freed) };
    };
    if (peer === undefined) free(ctaSync);
    else
      wait(warp, {
        kind: "tensor memory",
        act: "dealloc",
        columns,
        column,
        exclusive,
        group,
        grant: () => free(ctaSync),
      });
    serve(ctaSync, peer, warp);
  };
}

const allocationFault = (what: string, related: Fault["related"] = []): Fault => new Fault("PTX3063", 0, what, related);

const relatedAt = (pc: number, { program: { source, code } }: Context): Fault["related"] => [
  { source, span: code[pc]!.span, message: `${code[pc]!.opcode}, here` },
];

/** Parks all lanes of a warp at its current instruction. */
function wait(warp: Warp, on: TensorWait): void {
  park(warp, { pc: warp.pc, mask: lowest(LANES), depth: warp.depth, on });
  warp.active = 0;
}

type Waiting = Parked & { readonly on: TensorWait };
const waiting = ({ warps }: CtaSync): readonly { readonly warp: Warp; readonly group: Waiting }[] =>
  warps.flatMap((warp) =>
    warp.parked.flatMap((group) => (group.on.kind === "tensor memory" ? [{ warp, group: group as Waiting }] : [])),
  );

/** Wakes warps whose requests can now be met, in order of warps, pairs together. The caller reconverges `current`. */
function serve(own: CtaSync, peer: CtaSync | undefined, current: Warp): void {
  for (;;) {
    const next = waiting(own).find(({ group: { on } }) => on.group === 1 && freeColumn([own.tensor], on) !== undefined);
    const pair = peer && pairOf(own, peer);
    if (next !== undefined) {
      next.group.on.grant(freeColumn([own.tensor], next.group.on)!);
      go(next.warp, next.group, current);
    } else if (pair !== undefined) {
      for (const { warp, group } of pair.both) {
        group.on.grant(pair.column);
        go(warp, group, current);
      }
    } else return;
  }
}

/** Two warps of a pair of blocks that wait for the same operation, if that can be done now. */
function pairOf(own: CtaSync, peer: CtaSync) {
  for (const one of waiting(own))
    for (const other of waiting(peer)) {
      const [mine, theirs] = [one.group.on, other.group.on];
      if (mine.act !== theirs.act || mine.columns !== theirs.columns || mine.exclusive !== theirs.exclusive) continue;
      if (mine.group !== 2 || theirs.group !== 2) continue;
      if (mine.act === "dealloc" && mine.column !== theirs.column) continue;
      const column = mine.act === "dealloc" ? mine.column : freeColumn([own.tensor, peer.tensor], mine);
      if (column !== undefined) return { both: [one, other], column };
    }
  return undefined;
}

function go(warp: Warp, group: Waiting, current: Warp): void {
  wake(warp, group);
  if (warp !== current) reconverge(warp);
}

/** Marks columns as not initialised, on allocation rather than when freed, so that tools can still show freed ones. */
function forget(memory: Memory, base: number, column: number, columns: number): void {
  for (let lane = 0; lane < TENSOR_LANES; lane++) {
    const at = base + lane * LANE_BYTES + 4 * column;
    memory.know(at, 4 * columns);
    memory.forget(at, 4 * columns);
  }
}

/** Writes an address to [a] as lane 0 has it, or checks that it can be written. A register of 32 bits means shared memory. */
function addressWriter(a: Operand | undefined, context: Context): (warp: Warp, address: number | undefined) => void {
  const narrow = a?.kind === "address" && (a.base?.bits === 32 || a.base === undefined);
  const space = narrow && a.offset < 1n << 32n ? "shared" : "generic";
  const { locate, sum } = locator(a, space, 4, context);
  const verify = check({ kind: "store", space, bytes: 4, sum }, context);
  const { u32 } = context.memory.data;
  return (warp, address) => {
    const { active } = warp;
    warp.active = 1;
    locate(warp);
    verify(warp);
    warp.active = active;
    if (address !== undefined) u32[context.scratch.at[0]! >>> 2] = address;
  };
}
