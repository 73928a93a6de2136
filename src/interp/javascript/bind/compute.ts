import type { Bits } from "../../../numeric/bits.ts";
import { type Lowered, lower } from "../../../numeric/lower/lowered.ts";
import { textOf } from "../../../numeric/operation/text.ts";
import type { Width } from "../../../numeric/operation/type.ts";
import type { Operand, SlotOperand } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { computeLoopOf } from "../find-loop.ts";

type ComputePlan = Plan & { shape: "compute" };

/**
 * `d, a{, b{, c ...}}`, where a vector counts as its elements: the operation's generated loop if it has one, else the
 * loop for its widths, else the general loop.
 */
export function compute(plan: ComputePlan, [d, ...from]: readonly (Operand | undefined)[], lanes: number): Step {
  const { extend } = plan;
  const op = lower(plan.op);
  const each = from.flatMap<Operand | undefined>((operand) => (operand?.kind === "vector" ? operand.items : [operand]));
  if (d === undefined || each.length < op.takes.length) throw new Error(`${textOf(plan.op)} lacks an operand`);
  const inputs = each.slice(0, op.takes.length) as Operand[];
  if (inputs.length === 0) return constant(write(d, op.gives, extend, lanes), op, lanes);
  const plain = [d, ...inputs].every((operand, at) => fits(operand, at === 0 ? op.gives : op.takes[at - 1]!));
  if (plain) {
    const [to, a, b, c, e] = [d, ...inputs].map((operand) => (operand as SlotOperand).slot * lanes);
    const loop = computeLoopOf(plan.op);
    if (loop !== undefined) return loop(lanes, op, to!, a!, b!, c!, e!);
    const banks = new Set([d, ...inputs].map((operand) => (operand as SlotOperand).bank));
    if (banks.size === 1 && inputs.length <= 3)
      return (banks.has("r") ? general32 : general64)(lanes, op, to!, a!, b ?? 0, c ?? 0);
  }
  return mixed(
    op,
    write(d, op.gives, extend, lanes),
    inputs.map((operand, at) => read(operand, op.takes[at]!, lanes)),
    lanes,
  );
}

/** True if the register is as wide as the operation, so that nothing is cut or extended. */
const fits = (operand: Operand, width: Width): boolean => operand.kind === "slot" && operand.bits === width;

type Loop = (lanes: number, op: Lowered, d: number, a: number, b: number, c: number) => Step;

const general32: Loop = (lanes, { js, takes }, d, a, b, c) => {
  const run = js as (a: number, b?: number, c?: number) => number;
  if (takes.length === 1)
    return ({ r, active }) => {
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = run(r[a + lane]!);
    };
  if (takes.length === 2)
    return ({ r, active }) => {
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) r[d + lane] = run(r[a + lane]!, r[b + lane]!);
    };
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) r[d + lane] = run(r[a + lane]!, r[b + lane]!, r[c + lane]!);
  };
};

const general64: Loop = (lanes, { js, takes }, d, a, b, c) => {
  const run = js as (a: bigint, b?: bigint, c?: bigint) => bigint;
  if (takes.length === 1)
    return ({ q, active }) => {
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) q[d + lane] = run(q[a + lane]!);
    };
  if (takes.length === 2)
    return ({ q, active }) => {
      for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) q[d + lane] = run(q[a + lane]!, q[b + lane]!);
    };
  return ({ q, active }) => {
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1) q[d + lane] = run(q[a + lane]!, q[b + lane]!, q[c + lane]!);
  };
};

/** An operation without operands: its result is the same in all lanes. */
function constant(put: OperandWriter, { js }: Lowered, lanes: number): Step {
  const bits = (js as () => Bits)();
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) put(warp, lane, bits);
  };
}

type OperandReader = (warp: Warp, lane: number) => Bits;
type OperandWriter = (warp: Warp, lane: number, bits: Bits) => void;

/** Any mixture of banks and widths, predicates included. */
function mixed({ js }: Lowered, put: OperandWriter, take: readonly OperandReader[], lanes: number): Step {
  const run = js as (a: Bits, b?: Bits, c?: Bits, e?: Bits, f?: Bits) => Bits;
  const [a, b, c, e, f] = take;
  if (a === undefined) throw new Error("an operation without operands");
  return (warp) => {
    const { active } = warp;
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1)
        put(warp, lane, run(a(warp, lane), b?.(warp, lane), c?.(warp, lane), e?.(warp, lane), f?.(warp, lane)));
  };
}

/** Reads a register's low bits, as many as the operation needs. */
export function read(operand: Operand, width: Width, lanes: number): OperandReader {
  if (operand.kind === "predicate") {
    const { slot, negated } = operand;
    const flip = negated ? 1 : 0;
    return ({ p }, lane) => ((p[slot]! >>> lane) & 1) ^ flip;
  }
  if (operand.kind !== "slot") throw new Error(`an operation cannot read a ${operand.kind}`);
  const base = operand.slot * lanes;
  if (width === 64) {
    if (operand.bank === "q") return ({ q }, lane) => q[base + lane]!;
    return ({ r }, lane) => BigInt(r[base + lane]!);
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  if (operand.bank === "q") return ({ w }, lane) => (w[2 * (base + lane)]! & mask) >>> 0;
  return ({ r }, lane) => (r[base + lane]! & mask) >>> 0;
}

/** Writes a result to a register that may be wider: extended to its width, then zero-extended to the bank's. */
export function write(
  operand: Operand,
  width: Width,
  extend: "sign" | "zero" | undefined,
  lanes: number,
): OperandWriter {
  if (operand.kind === "sink") return () => {};
  if (operand.kind === "predicate") {
    const { slot } = operand;
    return ({ p }, lane, bits) => {
      p[slot] = bits ? p[slot]! | (1 << lane) : p[slot]! & ~(1 << lane);
    };
  }
  if (operand.kind !== "slot") throw new Error(`an operation cannot write a ${operand.kind}`);
  const base = operand.slot * lanes;
  const { bits: register, bank } = operand;
  const sign = extend === "sign" && register > width;
  if (bank === "q") {
    if (width === 64)
      return ({ q }, lane, bits) => {
        q[base + lane] = bits as bigint;
      };
    if (sign)
      return ({ q }, lane, bits) => {
        q[base + lane] = BigInt.asIntN(width, BigInt(bits));
      };
    return ({ q }, lane, bits) => {
      q[base + lane] = BigInt(bits);
    };
  }
  const mask = register >= 32 ? -1 : (1 << register) - 1;
  const up = 32 - width;
  return ({ r }, lane, bits) => {
    r[base + lane] = (sign ? ((bits as number) << up) >> up : Number(bits)) & mask;
  };
}
