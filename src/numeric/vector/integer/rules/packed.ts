import { type Interval, intervals, ofBits, within } from "../../../lower/exact/interval.ts";
import type { Expression } from "../../../operation/expression.ts";
import type { Lane, Operation } from "../../../operation/operation.ts";
import { isFloat, isSignedType, widthOf } from "../../../operation/type.ts";
import type { VectorMaker } from "../../maker.ts";
import type { VectorRule } from "../../rule.ts";
import { isWide, type PureInstruction, type Vector } from "../../vector.ts";
import { mapped } from "../lowering.ts";

/** All halves or bytes of packed words at once, where instructions on as many lanes say all of the operation. */
export const packedIntegers: VectorRule = ({ takes, gives, result }, operands, make) => {
  if (result.into !== "lanes" || result.onto !== undefined || gives !== "b32") return undefined;
  const count = result.lanes.length;
  const [first] = result.lanes;
  if (first === undefined || (count !== 2 && count !== 4)) return undefined;
  const bits = 32 / count;
  if (!result.lanes.every((lane, at) => lane.operation === first.operation && isLane(lane, takes, at * bits, bits)))
    return undefined;
  const { operation } = first;
  if (operation.takes.some(({ type }) => isFloat(type) || type === "pred")) return undefined;
  const values = operands.filter((value) => !isWide(value)) as Vector[];
  return values.length === takes.length ? new Lanes(operation, values, make, bits as 8 | 16).result() : undefined;
};

/** Are its operands those bits from bit `at` on, and its result as well? */
const isLane = (lane: Lane, takes: Operation["takes"], at: number, width: number): boolean =>
  lane.low === at &&
  lane.bits === width &&
  lane.takes.length === takes.length &&
  lane.takes.every(({ of, low, bits }, index) => of === takes[index]?.name && low === at && bits === width);

const orders = { eq: true, ne: true, lt: true, le: true, gt: true, ge: true } as const;
const isOrder = (relation: string): relation is keyof typeof orders => relation in orders;

/** Expressions modulo 2^bits. */
class Lanes {
  readonly #operation: Operation;
  readonly #values: readonly Vector[];
  readonly #make: VectorMaker;
  readonly #bits: 8 | 16;
  readonly #shape: "i8x16" | "i16x8";
  readonly #interval: (x: Expression) => Interval | undefined;

  constructor(operation: Operation, values: readonly Vector[], make: VectorMaker, bits: 8 | 16) {
    this.#operation = operation;
    this.#values = values;
    this.#make = make;
    this.#bits = bits;
    this.#shape = bits === 8 ? "i8x16" : "i16x8";
    this.#interval = intervals(operation.takes);
  }

  result(): Vector | undefined {
    const { result } = this.#operation;
    if (result.into === "wrap") return this.#of(result.of);
    if (result.into !== "clamp" || widthOf(result.type) !== this.#bits) return undefined;
    const { of } = result;
    if (of.node !== "add" && of.node !== "sub") return undefined;
    const sign = this.#signOf(of.a, of.b);
    if (sign === undefined || (sign === "s") !== isSignedType(result.type)) return undefined;
    return this.#two(`${this.#shape}.${of.node}_sat_${sign}`, of.a, of.b);
  }

  #of(x: Expression): Vector | undefined {
    switch (x.node) {
      case "argument":
      case "bits":
        return this.#values[this.#operation.takes.findIndex(({ name }) => name === x.name)];
      case "integer": {
        const lane = Number(BigInt.asUintN(this.#bits, x.value));
        return this.#make.all32(lane * (this.#bits === 8 ? 0x0101_0101 : 0x0001_0001));
      }
      case "label":
        return this.#of(x.a);
      case "neg":
        return mapped(this.#of(x.a), (a) => this.#make.op(`${this.#shape}.neg`, a));
      case "mul":
        return this.#shape === "i16x8" ? this.#two("i16x8.mul", x.a, x.b) : undefined;
      case "add":
      case "sub":
        return this.#two(`${this.#shape}.${x.node}`, x.a, x.b);
      case "and":
      case "or":
      case "xor":
        return this.#two(`v128.${x.node}`, x.a, x.b);
      case "min":
      case "max":
        return mapped(this.#signOf(x.a, x.b), (sign) => this.#two(`${this.#shape}.${x.node}_${sign}`, x.a, x.b));
      case "select":
        return this.#select(x);
      default:
        return undefined;
    }
  }

  /** All ones where a relation holds, else 0: the mask that compares. */
  #select({ when, yes, no }: Expression & { readonly node: "select" }): Vector | undefined {
    if (when.node !== "relation" || yes.node !== "integer" || no.node !== "integer" || no.value !== 0n)
      return undefined;
    const { relation, a, b } = when;
    if (!isOrder(relation) || BigInt.asIntN(this.#bits, yes.value) !== -1n) return undefined;
    const sign = this.#signOf(a, b);
    if (sign === undefined) return undefined;
    return this.#two(
      relation === "eq" || relation === "ne" ? `${this.#shape}.${relation}` : `${this.#shape}.${relation}_${sign}`,
      a,
      b,
    );
  }

  /** How both are read so that their lanes hold them. */
  #signOf(a: Expression, b: Expression): "s" | "u" | undefined {
    for (const sign of ["s", "u"] as const) {
      const outer = ofBits(BigInt(this.#bits), sign === "s");
      if ([a, b].every((x) => mapped(this.#interval(x), (own) => within(own, outer)))) return sign;
    }
    return undefined;
  }

  #two(name: PureInstruction, a: Expression, b: Expression): Vector | undefined {
    const [x, y] = [this.#of(a), this.#of(b)];
    return x && y && this.#make.op(name, x, y);
  }
}
