import { type Interval, intervals, ofBits, within } from "../../../lower/exact/interval.ts";
import type { Expression } from "../../../operation/expression.ts";
import type { Lane, Operation } from "../../../operation/operation.ts";
import { isFloat } from "../../../operation/type.ts";
import type { VectorMaker } from "../../maker.ts";
import type { VectorRule } from "../../rule.ts";
import { isWide, type PureInstruction, type Vector } from "../../vector.ts";

/** Both halves of packed words at once, where instructions on eight halves say all of the operation. */
export const packedHalves: VectorRule = ({ takes, gives, result }, operands, make) => {
  if (result.into !== "lanes" || result.onto !== undefined || gives !== "b32") return undefined;
  const [low, high] = result.lanes;
  if (low === undefined || high === undefined || result.lanes.length !== 2) return undefined;
  if (low.operation !== high.operation || !isHalf(low, takes, 0) || !isHalf(high, takes, 16)) return undefined;
  const { operation } = low;
  if (operation.takes.some(({ type }) => isFloat(type)) || operation.result.into !== "wrap") return undefined;
  const values = operands.filter((value) => !isWide(value)) as Vector[];
  return values.length === takes.length ? new Halves(operation, values, make).of(operation.result.of) : undefined;
};

/** Are its operands the halves from bit `at` on, and its result as well? */
const isHalf = (lane: Lane, takes: Operation["takes"], at: number): boolean =>
  lane.low === at &&
  lane.bits === 16 &&
  lane.takes.length === takes.length &&
  lane.takes.every(({ of, low, bits }, index) => of === takes[index]?.name && low === at && bits === 16);

const signed16: Interval = ofBits(16n, true);
const unsigned16: Interval = ofBits(16n, false);

/** Expressions modulo 2^16. */
class Halves {
  readonly #takes: Operation["takes"];
  readonly #values: readonly Vector[];
  readonly #make: VectorMaker;
  readonly #interval: (x: Expression) => Interval | undefined;

  constructor({ takes }: Operation, values: readonly Vector[], make: VectorMaker) {
    this.#takes = takes;
    this.#values = values;
    this.#make = make;
    this.#interval = intervals(takes);
  }

  of(x: Expression): Vector | undefined {
    switch (x.node) {
      case "argument":
      case "bits":
        return this.#values[this.#takes.findIndex(({ name }) => name === x.name)];
      case "integer": {
        const half = Number(BigInt.asUintN(16, x.value));
        return this.#make.all32((half << 16) | half);
      }
      case "label":
        return this.of(x.a);
      case "add":
      case "sub":
      case "mul":
        return this.#two(`i16x8.${x.node}`, x.a, x.b);
      case "and":
      case "or":
      case "xor":
        return this.#two(`v128.${x.node}`, x.a, x.b);
      case "min":
      case "max": {
        if (this.#fits(x.a, signed16) && this.#fits(x.b, signed16)) return this.#two(`i16x8.${x.node}_s`, x.a, x.b);
        const fits = this.#fits(x.a, unsigned16) && this.#fits(x.b, unsigned16);
        return fits ? this.#two(`i16x8.${x.node}_u`, x.a, x.b) : undefined;
      }
      default:
        return undefined;
    }
  }

  #fits(x: Expression, outer: Interval): boolean {
    const own = this.#interval(x);
    return own !== undefined && within(own, outer);
  }

  #two(name: PureInstruction, a: Expression, b: Expression): Vector | undefined {
    const [x, y] = [this.of(a), this.of(b)];
    return x && y && this.#make.op(name, x, y);
  }
}
