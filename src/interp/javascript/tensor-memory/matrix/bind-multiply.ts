import { readMatrixDescriptor } from "../../../contract/matrix/matrix-descriptor.ts";
import { type TensorLayout, tensorLayout } from "../../../contract/matrix/tensor-layouts.ts";
import { columnOf, laneOf, type TensorRange } from "../../../contract/matrix/tensor-memory.ts";
import { elements, type Operand, predicate, slot } from "../../../contract/operand.ts";
import type { TensorOperand } from "../../../contract/plan/plan-tensor-memory.ts";
import type { PlanOf } from "../../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../../state/context.ts";
import { Fault } from "../../../state/fault.ts";
import type { CtaSync, Step, Warp } from "../../../state/warp.ts";
import { siteOf } from "../../async/site.ts";
import { baseOf, checkWritten, initialise, requireAllocated, wordOf } from "../cells.ts";
import { blocksOf } from "../copy.ts";
import { eachLane, longOf } from "../lanes.ts";
import { requireShared } from "../shared-reach.ts";
import { zeroColumns } from "../zero-columns.ts";
import { instructionOf, isFour } from "./instruction.ts";
import { issue, rangesOf } from "./issue.ts";
import { metadataColumns } from "./metadata.ts";
import { type Multiplication, performMultiplication, scalesOf } from "./multiply.ts";
import { chunksOf, type SharedMatrix } from "./shared-matrix.ts";
import { scaleColumns, wordsOfRow } from "./tensor-matrix.ts";

type Plan = PlanOf<"tcgen05 multiply">;

/** tcgen05.mma, .sp and .ws: each thread starts a separate multiplication. */
export function tensorMultiply(plan: Plan, operands: readonly (Operand | undefined)[], context: Context): Step {
  const { lanes, memory } = context;
  const read = reader(plan, operands, context);
  const site = siteOf(context);
  return eachLane(lanes, (warp, lane) => {
    const syncs = blocksOf(warp, plan.group, lane);
    const it = read(warp, lane, syncs);
    const { reads, writes } = rangesIn(it);
    for (const sync of syncs) {
      for (const range of reads) {
        requireAllocated(sync, range, lane, "reads");
        checkWritten(context, warp, lane, baseOf(sync), range);
      }
      for (const range of writes) {
        requireAllocated(sync, range, lane, "writes");
        initialise(memory, baseOf(sync), range);
      }
    }
    const matrices = typeof it.a === "number" ? [it.b] : [it.a, it.b];
    const chunks = matrices.map(chunksOf);
    for (const [at, each] of chunks.entries()) requireShared(each, lane, matrices[at] === it.b ? "B" : "A", context);
    const shared = chunks.map((each) => syncs.flatMap(({ warps }) => rangesOf(each, warps[0]!.shared)));
    issue(
      warp,
      {
        act: "mma",
        group: plan.group,
        thread: { block: warp.block, warp: warp.index, lane },
        site: site(warp),
        syncs,
        reads,
        writes,
        shared: shared.flat(),
        early: matrices.length === 1 ? 0 : shared[0]!.length,
        pipeline: `${it.d} ${it.idesc.m} ${it.idesc.n} ${plan.kind}`,
        perform: () => performMultiplication(memory, it),
      },
      context,
    );
  });
}

/** Reads and checks the operands of one lane. */
function reader(
  plan: Plan,
  operands: readonly (Operand | undefined)[],
  { lanes, target }: Context,
): (warp: Warp, lane: number, syncs: readonly CtaSync[]) => Multiplication {
  const at = (name: TensorOperand): Operand | undefined => {
    const index = plan.operands.indexOf(name);
    return index < 0 ? undefined : operands[index];
  };
  const word = (name: TensorOperand) => (at(name) === undefined ? () => 0 : wordOf(at(name), lanes));
  const a = at("a");
  const [descriptorA, addressA] = a?.kind === "address" ? [undefined, wordOf(a, lanes)] : [longOf(a, lanes), undefined];
  const descriptorB = longOf(at("b"), lanes);
  const [d, idesc, scale, meta, sa, sb] = [
    word("d"),
    word("idesc"),
    word("scale"),
    word("meta"),
    word("sa"),
    word("sb"),
  ];
  const mask = at("mask") === undefined ? [] : elements(at("mask")).map((part) => slot(part).slot * lanes);
  const { slot: p, negated } = predicate(at("p"));
  const zeros = at("zeros") === undefined ? undefined : longOf(at("zeros"), lanes);
  return (warp, lane, syncs) => {
    const says = instructionOf(plan, idesc(warp, lane), lane, target);
    const packed = isFour(plan.kind) || says.depth > 0;
    const layout = tensorLayout(plan, says.m);
    const shift = zeros === undefined ? undefined : zeroColumns(zeros(warp, lane), says.m, says.n);
    const matrix = (value: bigint, which: "A" | "B"): SharedMatrix => {
      const descriptor = readMatrixDescriptor(value, target);
      if (typeof descriptor === "string")
        throw new Fault("PTX3064", lane, `has a descriptor of ${which} whose ${descriptor}`);
      const rows = which === "A" ? layout.rows : (says.n + (shift?.shift ?? 0)) / syncs.length;
      const [type, turned] = which === "A" ? [says.a, says.transposeA] : [says.b, says.transposeB];
      const k = which === "A" && says.sparse ? says.k / 2 : says.k;
      return { descriptor, type, major: turned ? "MN" : "K", rows, k, packed };
    };
    const holds = ((negated ? ~warp.p[p]! : warp.p[p]!) >>> lane) & 1;
    return {
      plan,
      target,
      idesc: says,
      layout,
      d: checkedLane(d(warp, lane), layout, lane),
      blocks: syncs.map((sync) => ({ tensor: baseOf(sync), shared: sync.warps[0]!.shared })),
      a: descriptorA === undefined ? addressA!(warp, lane) : matrix(descriptorA(warp, lane), "A"),
      b: matrix(descriptorB(warp, lane), "B"),
      packed,
      accumulates: holds === 1,
      scale: scale(warp, lane),
      mask: mask.map((from) => warp.r[from + lane]!),
      meta: meta(warp, lane),
      sa: sa(warp, lane),
      sb: sb(warp, lane),
      zeros: shift,
    };
  };
}

/** D begins in lane 0, or with half of the lanes in lane 0 or 16 (PTX ISA, Data Path Layout Organization). */
function checkedLane(address: number, { id, halves }: TensorLayout, lane: number): number {
  const first = laneOf(address);
  if (first === 0 || (halves && first === 16)) return address;
  throw new Fault(
    "PTX3061",
    lane,
    `has D from lane ${first} on, and layout ${id} begins in lane 0${halves ? " or 16" : ""}`,
  );
}

/** What a multiplication reads and writes in the tensor memory of each block. */
function rangesIn(it: Multiplication): {
  readonly reads: readonly TensorRange[];
  readonly writes: readonly TensorRange[];
} {
  const { plan, idesc, layout, d } = it;
  const count = idesc.n / layout.parts.length;
  const first = laneOf(d);
  const lanesOf = (column: number, columns: number): readonly TensorRange[] =>
    layout.parts.flatMap((part) =>
      layout.halves
        ? [0, 32, 64, 96].map((at) => ({ lane: first + at, lanes: 16, column, columns }))
        : [{ lane: first + part, lanes: layout.rows, column, columns }],
    );
  const stored = idesc.sparse ? idesc.k / 2 : idesc.k;
  const factors = scalesOf(plan, idesc);
  const scales = (address: number, rows: number, id: number, among?: 32 | 128): readonly TensorRange[] =>
    factors === undefined
      ? []
      : [
          {
            lane: 0,
            lanes: 128,
            column: columnOf(address),
            columns: scaleColumns(rows, id, factors.count, among).columns,
          },
        ];
  return {
    writes: lanesOf(columnOf(d), count),
    reads: [
      ...(it.accumulates ? lanesOf(columnOf(d), count) : []),
      ...(typeof it.a === "number" ? lanesOf(columnOf(it.a), wordsOfRow(idesc.a, stored, it.packed)) : []),
      ...(idesc.sparse ? lanesOf(columnOf(it.meta) + idesc.selector, metadataColumns(plan.kind, idesc.k)) : []),
      ...scales(it.sa, layout.rows, idesc.scaleA, idesc.scaleLanesA),
      ...scales(it.sb, count, idesc.scaleB),
    ],
  };
}
