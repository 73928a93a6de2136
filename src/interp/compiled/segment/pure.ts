import type { Operation } from "../../../numeric/operation/operation.ts";
import { widthOf } from "../../../numeric/operation/type.ts";
import { carryOf, vectorOf } from "../../../numeric/vector/lower.ts";
import { isWide, type Value, type Vector, type Wide } from "../../../numeric/vector/vector.ts";
import { type Operand, predicate } from "../../contract/operand.ts";
import type { PlanShape, PredicateOp } from "../../contract/plan/plan.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Instruction } from "../../contract/program.ts";
import { genericHigh, windows } from "../../contract/window.ts";
import { moved, packed, unpacked } from "./moves.ts";
import type { SegmentRegisters } from "./registers.ts";
import type { Write } from "./write.ts";

/** What plans of a shape write, from what registers hold; undefined if no rule applies. */
type Lowering<S extends PlanShape> = (
  plan: PlanOf<S>,
  operands: Instruction["operands"],
  registers: SegmentRegisters,
  guard: Instruction["guard"],
) => readonly Write[] | undefined;

/** What an instruction writes that touches only registers; undefined if it has no rule here. */
export function pureWrites(
  { plan, operands, guard }: Instruction,
  registers: SegmentRegisters,
): readonly Write[] | undefined {
  // TypeScript does not see that an entry accepts the plans of its key's shape.
  const lowering = lowerings[plan.shape] as Lowering<PlanShape> | undefined;
  return lowering?.(plan as never, operands, registers, guard);
}

const lowerings: { readonly [S in PlanShape]?: Lowering<S> } = {
  compute({ op, extend }, [d, ...from], registers) {
    const each = from.flatMap<Operand | undefined>((operand) =>
      operand?.kind === "vector" ? operand.items : [operand],
    );
    const value = operationOn(op, each, registers);
    return value && [{ to: d, value, width: widthOf(op.gives), extend }];
  },
  carry({ op, carryOut }, [d, ...from], registers) {
    const values: Value[] = [];
    for (const [at, { name, type }] of op.takes.entries()) {
      const operand = from[at];
      const value = name === "CF" ? registers.get("carry") : operand && registers.read(operand, widthOf(type));
      if (value === undefined) return undefined;
      values.push(value);
    }
    const width = widthOf(op.gives);
    if (!carryOut) {
      const value = vectorOf(op, values, registers.make);
      return value && [{ to: d, value, width }];
    }
    const sum = carryOf(op, values, registers.make);
    return (
      sum && [
        { to: d, value: sum.value, width },
        { to: undefined, value: sum.out, width: 1, carry: true },
      ]
    );
  },
  compare({ op, second, combine }, [p, q, a, b, c], registers) {
    const { make } = registers;
    const held = operationOn(op, [a, b], registers) as Vector | undefined;
    if (held === undefined) return undefined;
    const also = second === undefined ? make.not(held) : (operationOn(second, [a, b], registers) as Vector | undefined);
    if (also === undefined) return undefined;
    const [first, other] = [held, also].map((mask) => joined(mask, combine, c, registers));
    return [
      { to: p, value: first!, width: 1 },
      { to: q, value: other!, width: 1 },
    ];
  },
  test({ op, combine }, [d, p, ...rest], registers) {
    const { make } = registers;
    const value = operationOn(op, rest, registers);
    if (value === undefined || isWide(value)) return undefined;
    const held = make.not(make.op("i32x4.eq", value, make.all32(0)));
    return [
      { to: d, value, width: widthOf(op.gives) },
      { to: p, value: joined(held, combine, rest[op.takes.length], registers), width: 1 },
    ];
  },
  select(_, [d, a, b, c], registers) {
    if (d?.kind !== "slot" || a?.kind !== "slot" || b?.kind !== "slot") return undefined;
    const width = d.bank === "q" ? 64 : 32;
    const [yes, no] = [registers.read(a, width), registers.read(b, width)];
    if (yes === undefined || no === undefined || d.bits === 128) return undefined;
    return [{ to: d, value: select(registers, registers.mask(predicate(c)), yes, no), width }];
  },
  move(_, [d, a], registers) {
    if (d?.kind === "predicate" && a?.kind === "predicate") return [{ to: d, value: registers.mask(a), width: 1 }];
    if (d?.kind === "slot" && a?.kind === "slot" && d.bits === a.bits && d.bank === a.bank && d.bits !== 128) {
      const value = registers.read(a, d.bits);
      return value && [{ to: d, value, width: d.bits }];
    }
    return moved([d, a], registers);
  },
  pack: (_, operands, registers) => packed(operands, registers),
  unpack: (_, operands, registers) => unpacked(operands, registers),
  logic({ op }, [p, q, r], registers) {
    const { make } = registers;
    const a = registers.mask(predicate(q));
    if (op === "not") return [{ to: p, value: make.not(a), width: 1 }];
    return [{ to: p, value: masks[op](make, a, registers.mask(predicate(r))), width: 1 }];
  },
  address({ space, to, bits }, [d, a], registers) {
    const { make } = registers;
    const source = a?.kind === "address" ? a.base : a;
    const offset = a?.kind === "address" ? a.offset : 0n;
    if (source?.kind !== "slot" || d?.kind !== "slot") return undefined;
    const value = registers.read(source, bits);
    // Addresses have 64 bits.
    if (value === undefined || !isWide(value)) return undefined;
    const window = BigInt(genericHigh(space)) << 32n;
    const more = BigInt.asUintN(64, offset + (to === "generic" ? window : -window));
    if (more === 0n) return [{ to: d, value, width: 64 }];
    const [first, second] = value.map((half) => make.op("i64x2.add", half, make.all64(more)));
    return [{ to: d, value: [first!, second!], width: 64 }];
  },
  special({ name }, [d], registers, guard) {
    // Under a guard only the lanes that pass it are active.
    if (name !== "activemask" || guard !== undefined) return undefined;
    return [{ to: d, value: registers.input({ of: "lanes" }), width: 32 }];
  },
  within({ space }, [p, a], registers) {
    const { make } = registers;
    if (a?.kind !== "slot" || p === undefined) return undefined;
    // A 32-bit address names no window.
    if (a.bank === "r") return [{ to: p, value: make.all32(0), width: 1 }];
    const high = make.high(registers.read(a, 64) as Wide);
    const [found, also] = [windows[space], space === "global" ? windows.param : windows[space]].map((window) =>
      make.op("i32x4.eq", high, make.all32(window)),
    );
    return [{ to: p, value: make.or(found!, also!), width: 1 }];
  },
  nothing: () => [],
};

/** An operation on operands; undefined if no rule applies. */
function operationOn(
  op: Operation,
  operands: readonly (Operand | undefined)[],
  registers: SegmentRegisters,
): Value | undefined {
  const values: Value[] = [];
  for (const [at, { type }] of op.takes.entries()) {
    const operand = operands[at];
    const value = operand && registers.read(operand, widthOf(type));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return vectorOf(op, values, registers.make);
}

function select({ make }: SegmentRegisters, when: Vector, yes: Value, no: Value): Value {
  if (!isWide(yes) || !isWide(no)) return make.choose(when, yes as Vector, no as Vector);
  const [first, second] = make.widen(when);
  return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
}

type Maker = SegmentRegisters["make"];

const masks: Readonly<Record<PredicateOp, (make: Maker, a: Vector, b: Vector) => Vector>> = {
  and: (make, a, b) => make.and(a, b),
  or: (make, a, b) => make.or(a, b),
  xor: (make, a, b) => make.xor(a, b),
};

/** A mask together with the predicate that an instruction combines it with. */
function joined(
  mask: Vector,
  combine: PredicateOp | undefined,
  with_: Operand | undefined,
  registers: SegmentRegisters,
): Vector {
  return combine === undefined ? mask : masks[combine](registers.make, mask, registers.mask(predicate(with_)));
}
