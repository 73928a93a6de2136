import type { Bits } from "../../../numeric/bits.ts";
import { type Lowered, lower } from "../../../numeric/lower/lowered.ts";
import type { Operation } from "../../../numeric/operation/operation.ts";
import { textOf } from "../../../numeric/operation/text.ts";
import { FULL } from "../../contract/launch/lane-mask.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { Plan, PredicateOp } from "../../contract/plan/plan.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { compareLoopOf } from "../find-loop.ts";
import { read, write } from "./compute.ts";

/** Compares a with b in the active lanes and returns a mask of those for which the relation holds. */
export type Holds = (warp: Warp) => number;

/** `p{|q}, a, b{, {!}c}`: p = combine(a op b, c), q = combine(!(a op b), c) or as `second` has it. */
export function compare(
  { op, second: other, combine }: Plan & { shape: "compare" },
  [p, q, a, b, c]: readonly (Operand | undefined)[],
  lanes: number,
): Step {
  if (a === undefined || b === undefined) throw new Error(`${textOf(op)} lacks an operand`);
  const holds = holdsWhere(op, a, b, lanes);
  const first = target(p);
  const second = target(q);
  const opposite = other === undefined ? undefined : holdsWhere(other, a, b, lanes);
  if (combine === undefined)
    return (warp) => {
      const held = holds(warp);
      const also = opposite === undefined ? ~held : opposite(warp);
      first(warp, held);
      second(warp, also);
    };
  const third = mask(c);
  const merge = masks[combine];
  return (warp) => {
    const held = holds(warp);
    const also = opposite === undefined ? ~held : opposite(warp);
    const with_ = third(warp);
    first(warp, merge(held, with_));
    second(warp, merge(also, with_));
  };
}

/** `d|p, a, b, c, e, {!}q`: d = op(a, b, c, e), p = combine(d != 0, q). */
export function test(
  plan: Plan & { shape: "test" },
  [d, p, ...rest]: readonly (Operand | undefined)[],
  lanes: number,
): Step {
  const { combine } = plan;
  const op = lower(plan.op);
  const inputs = rest.slice(0, op.takes.length);
  if (d === undefined || inputs.length < op.takes.length) throw new Error(`${textOf(plan.op)} lacks an operand`);
  const run = op.js as (a: Bits, b?: Bits, c?: Bits, e?: Bits) => Bits;
  const [a, b, c, e] = inputs.map((operand, at) => read(operand!, op.takes[at]!, lanes));
  if (a === undefined) throw new Error("an operation without operands");
  const put = write(d, op.gives, undefined, lanes);
  const to = target(p);
  const other = mask(rest[op.takes.length]);
  const merge = masks[combine];
  return (warp) => {
    const { active } = warp;
    let held = 0;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const value = run(a(warp, lane), b?.(warp, lane), c?.(warp, lane), e?.(warp, lane));
      put(warp, lane, value);
      if (value) held |= 1 << lane;
    }
    to(warp, merge(held, other(warp)));
  };
}

/** The operation's generated loop if the registers have its width, else the general one. */
function holdsWhere(operation: Operation, a: Operand, b: Operand, lanes: number): Holds {
  const op = lower(operation);
  const plain = [a, b].every((operand, at) => operand.kind === "slot" && operand.bits === op.takes[at]);
  const loop = plain ? compareLoopOf(operation) : undefined;
  if (loop !== undefined) return loop(lanes, slot(a).slot * lanes, slot(b).slot * lanes);
  return general(op, a, b, lanes);
}

function general({ js, takes }: Lowered, left: Operand, right: Operand, lanes: number): Holds {
  const run = js as (a: Bits, b: Bits) => Bits;
  const a = read(left, takes[0]!, lanes);
  const b = read(right, takes[1]!, lanes);
  return (warp) => {
    const { active } = warp;
    let held = 0;
    for (let lane = 0; lane < lanes; lane++)
      if ((active >>> lane) & 1 && run(a(warp, lane), b(warp, lane))) held |= 1 << lane;
    return held;
  };
}

/** Writes a mask to a predicate register, in the active lanes only, or nowhere. */
function target(operand: Operand | undefined): (warp: Warp, value: number) => void {
  if (operand === undefined || operand.kind === "sink") return () => {};
  const { slot } = predicate(operand);
  return ({ p, active }, value) => {
    p[slot] = (p[slot]! & ~active) | (value & active);
  };
}

function mask(operand: Operand | undefined): (warp: Warp) => number {
  const { slot, negated } = predicate(operand);
  return negated ? ({ p }) => ~p[slot]! : ({ p }) => p[slot]!;
}

const masks: Readonly<Record<PredicateOp, (a: number, b: number) => number>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

/** `p, q{, r}` on predicates, all lanes at once. */
export function logic({ op }: Plan & { shape: "logic" }, [p, q, r]: readonly (Operand | undefined)[]): Step {
  const to = target(p);
  const a = mask(q);
  if (op === "not") return (warp) => to(warp, ~a(warp));
  const b = mask(r);
  const merge = masks[op];
  return (warp) => to(warp, merge(a(warp), b(warp)));
}

/** `d, a, b, p`: d = p ? a : b. */
export function select([d, a, b, c]: readonly (Operand | undefined)[], lanes: number): Step {
  const to = slot(d);
  const [x, y] = [slot(a), slot(b)];
  if (to.bank !== x.bank || to.bank !== y.bank) throw new Error("select mixes banks");
  const chosen = mask(c);
  const [base, yes, no] = [to.slot * lanes, x.slot * lanes, y.slot * lanes];
  if (to.bank === "r")
    return (warp) => {
      const { s, active } = warp;
      const which = chosen(warp);
      if (active === FULL)
        for (let lane = 0; lane < 32; lane++) s[base + lane] = s[((which >>> lane) & 1 ? yes : no) + lane]!;
      else
        for (let lane = 0; lane < lanes; lane++)
          if ((active >>> lane) & 1) s[base + lane] = s[((which >>> lane) & 1 ? yes : no) + lane]!;
    };
  return (warp) => {
    const { q, active } = warp;
    const which = chosen(warp);
    if (active === FULL)
      for (let lane = 0; lane < 32; lane++) q[base + lane] = q[((which >>> lane) & 1 ? yes : no) + lane]!;
    else
      for (let lane = 0; lane < lanes; lane++)
        if ((active >>> lane) & 1) q[base + lane] = q[((which >>> lane) & 1 ? yes : no) + lane]!;
  };
}
