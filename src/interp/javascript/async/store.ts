import { lower } from "../../../numeric/lower/lowered.ts";
import { reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import type { Completion } from "../../async/operation.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { elements, type Operand, type SlotOperand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { replicas, tellReplica } from "../bulk/multimem.ts";
import { locator } from "../locate.ts";
import { barrierPlace, eachLane, refuse } from "./barrier-place.ts";
import { siteOf } from "./site.ts";

type StorePlan = PlanOf<"store async">;
type Bits = number | bigint;

/** st.async and red.async: the value is read at issue, memory changes later. */
export function storeAsync(plan: StorePlan, [d, b, mbar]: readonly (Operand | undefined)[], context: Context): Step {
  const { space, bits, update, scope } = plan;
  const { lanes, asynchrony, memory, scratch } = context;
  const parts = elements(b).flatMap((part) => words(slot(part)).map((word) => reader(word, lanes)));
  const bytes = (bits / 8) * parts.length;
  const to = locator(d, space, bytes, context);
  const kind = update === undefined ? "store" : "atomic";
  const access: MemoryAccess = { kind, space, bytes, sum: to.sum };
  const all = plan.multimem === true ? replicas(d, space, context) : undefined;
  const strength = { kind, bytes, sem: "release", scope: scope ?? "gpu" } as const;
  const barrier = mbar === undefined ? undefined : barrierPlace(mbar, space, false, context);
  const places = new Int32Array(LANES);
  const put = putter(plan, context);
  const site = siteOf(context);
  return (warp) => {
    barrier?.locate(warp);
    to.locate(warp);
    places.set(scratch.at);
    eachLane(warp, lanes, (lane) => {
      const at = places[lane]!;
      scratch.at[lane] = at;
      const there = all?.(warp, lane, { kind, bytes }, reach) ?? [at];
      if (all === undefined) reach(warp, lane, access, context);
      else for (const each of there) tellReplica(warp, lane, each, strength, context);
      const signal = barrier?.at(warp, lane);
      const error = signal === undefined ? undefined : asynchrony.barriers.check(signal);
      if (error !== undefined) throw refuse(error, lane, context);
      if (signal !== undefined) checkBlocks(warp, lane, at, signal, update !== undefined, context);
      const values = parts.map((read) => read(warp, lane));
      const completion: Completion = signal === undefined ? { kind: "none" } : { kind: "mbarrier", at: signal, bytes };
      // A strong store to global memory may be read at any time: it conflicts with nothing.
      const writes = scope === undefined ? [{ start: at, bytes }] : [];
      asynchrony.issue({
        site: site(warp),
        thread: { block: warp.block, warp: warp.index, lane },
        what: update === undefined ? "store" : "reduction",
        proxy: "generic",
        reads: [],
        writes,
        completion,
        ...(update !== undefined && { updates: true as const }),
        perform: () => {
          for (const start of there) {
            for (const [index, value] of values.entries()) put(start + (bits / 8) * index, value);
            memory.initialise(start, bytes);
          }
        },
      });
    });
  };
}

/**
 * Checks that memory and mbarrier object lie in one block of the cluster, for a reduction another one than the thread's
 * (PTX ISA, st.async, red.async).
 */
function checkBlocks(warp: Warp, lane: number, at: number, signal: number, other: boolean, context: Context): void {
  const { cluster } = warp.ctaSync;
  const rankOf = (place: number): number =>
    cluster.findIndex(({ warps: [first] }) => {
      const start = first?.shared ?? 0;
      return place >= start && place < start + context.sharedBytes;
    });
  const rank = rankOf(at);
  if (cluster.length < 2) throw new Fault("PTX3036", lane, "needs a cluster of at least two blocks");
  if (rank < 0) throw new Fault("PTX3036", lane, "writes to memory that is not shared memory of the cluster");
  if (rank !== rankOf(signal))
    throw new Fault("PTX3036", lane, "writes to one block, and its mbarrier object is in another");
  if (other && cluster[rank] === warp.ctaSync)
    throw new Fault("PTX3036", lane, "reduces in its own block, and needs another one of the cluster");
}

/** A register of 128 bits lies in two neighbouring slots. */
const words = (part: SlotOperand): readonly SlotOperand[] =>
  part.bits === 128
    ? [
        { ...part, bits: 64 },
        { ...part, bits: 64, slot: part.slot + 1 },
      ]
    : [part];

function reader({ slot: index, bank }: SlotOperand, lanes: number): (warp: Warp, lane: number) => Bits {
  const from = index * lanes;
  return bank === "q" ? ({ q }, lane) => q[from + lane]! : ({ r }, lane) => r[from + lane]!;
}

/** Returns a function that writes one element, or combines it with memory by the operation. */
function putter({ bits, update }: StorePlan, { memory }: Context): (at: number, value: Bits) => void {
  const { u8, u16, u32, u64 } = memory.data;
  const run = update === undefined ? undefined : (lower(update.op).js as (held: Bits, value: Bits) => Bits);
  if (bits === 64)
    return (at, value) => {
      u64[at >>> 3] = (run === undefined ? BigInt(value) : run(u64[at >>> 3]!, BigInt(value))) as bigint;
    };
  const [view, shift] = bits === 8 ? ([u8, 0] as const) : bits === 16 ? ([u16, 1] as const) : ([u32, 2] as const);
  return (at, value) => {
    const word = Number(BigInt.asUintN(32, BigInt(value)));
    view[at >>> shift] = (run === undefined ? word : run(view[at >>> shift]!, word)) as number;
  };
}
