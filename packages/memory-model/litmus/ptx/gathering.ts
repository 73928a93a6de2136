import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Instruction } from "../../../../src/interp/contract/program.ts";
import { amongLanes, type LaneValues, sourceLane } from "../../../../src/numeric/lower/warp.ts";
import { type WarpOperation, warpOperands } from "../../../../src/numeric/operation/warp.ts";

/** An instruction whose results depend on what other threads bring to it (bar.red, shfl.sync, vote.sync ...). */
export interface Gathering {
  /** The operands whose values a thread brings. */
  readonly brings: readonly Operand[];
  /** Where its results go. */
  readonly gives: readonly (Operand | undefined)[];
  /** These values as one number of 64 bits. */
  packed(values: readonly bigint[]): bigint;
  /** The lanes whose values count, for a lane that brings these; undefined where all do. */
  from(values: readonly bigint[], lane: number): readonly number[] | undefined;
  /** The results of a member: a lane of a warp, or a thread of a block. */
  results(brought: ReadonlyMap<number, bigint>, member: number): readonly bigint[];
}

/** What threads bring to an instruction, and what they take; undefined where they only wait. */
export function gatheringOf({ plan, operands }: Instruction): Gathering | undefined {
  if (plan.shape === "barrier" && plan.act !== "sync" && plan.act !== "arrive") {
    const { act } = plan;
    return {
      brings: [operands.at(-1) as Operand],
      gives: operands.slice(0, 1),
      packed: ([value = 0n]) => value,
      from: () => undefined,
      results: (brought) => [reduced(act, [...brought.values()])],
    };
  }
  if (plan.shape !== "warp" || plan.op.among === "sync") return undefined;
  const { op } = plan;
  const { takes, gives } = warpOperands(op);
  return {
    brings: operands.slice(gives.length, gives.length + takes.length) as Operand[],
    gives: operands.slice(0, gives.length),
    packed: (values) => (op.among === "shuffle" ? shuffled.packed(values) : (values[0] ?? 0n)),
    from: ([, b = 0n, c = 0n], lane) => (op.among === "shuffle" ? [sourceOf(op, lane, b, c)] : undefined),
    results: (brought, lane) => exchanged(op, brought, lane),
  };
}

/** The operands of a shuffle as one number: 32 bits that are moved, 8 that choose a lane and 16 that bound it. */
const shuffled = {
  packed: ([a = 0n, b = 0n, c = 0n]: readonly bigint[]): bigint => a | ((b & 0xffn) << 32n) | ((c & 0xffffn) << 40n),
  unpacked: (value: bigint): readonly bigint[] => [value & 0xffff_ffffn, (value >> 32n) & 0xffn, value >> 40n],
};

function reduced(act: "popc" | "and" | "or", values: readonly bigint[]): bigint {
  const set = values.filter((value) => value !== 0n).length;
  if (act === "popc") return BigInt(set);
  return (act === "and" ? set === values.length : set > 0) ? 1n : 0n;
}

/** A lane that is out of range keeps its own value. */
function sourceOf(op: WarpOperation & { among: "shuffle" }, lane: number, b: bigint, c: bigint): number {
  const source = sourceLane(op)(lane, Number(b), Number(c));
  return source < 0 ? lane : source;
}

/** What a lane gets where these lanes have brought their values. */
function exchanged(op: WarpOperation, brought: ReadonlyMap<number, bigint>, lane: number): readonly bigint[] {
  const { takes, gives } = warpOperands(op);
  const made = (bits: 1 | 32 | 64): LaneValues =>
    bits === 64 ? new BigUint64Array(32) : new Uint32Array(bits === 1 ? 1 : 32);
  const [operands, results] = [takes.map(made), gives.map(made)];
  let mask = 0;
  for (const [member, value] of brought) {
    mask |= 1 << member;
    const values = op.among === "shuffle" ? shuffled.unpacked(value) : [value];
    for (const [i, into] of operands.entries()) {
      const own = values[i] ?? 0n;
      if (into instanceof BigUint64Array) into[member] = own;
      else if (takes[i] === 1) into[0]! |= own === 0n ? 0 : 1 << member;
      else into[member] = Number(own);
    }
  }
  amongLanes(op)(results, operands, mask >>> 0, 32);
  return results.map((values, i) =>
    gives[i] === 1 ? BigInt(((values[0] as number) >>> lane) & 1) : BigInt(values[lane] ?? 0),
  );
}
