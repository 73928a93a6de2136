import { toF64 } from "../../binary64/double.ts";
import { f64 } from "../../format/format.ts";
import { floatOperand } from "../../lower/operand.ts";
import { formatOf } from "../../operation/type.ts";
import { promoted } from "../float/widen.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type Vector, type Wide } from "../vector.ts";
import { narrowed } from "./narrow.ts";
import { oddF32 } from "./odd.ts";
import { readF32 } from "./widen.ts";

/**
 * ex2 and tanh of formats of 16 bits: in f64 to 40 bits or more, of which a format keeps 11 at most. That no number lies so
 * close to a midpoint that the rest decides is known from trying all 65,536 of them, as the tests do.
 */
export const halfFunction: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "round" || result.rnd !== "rn" || result.of.node !== "function") return undefined;
  const { name, a } = result.of;
  const operand = floatOperand(a, takes);
  const code = operand && operands[operand.at];
  if (operand?.format.width !== 16 || formatOf(result.format) !== operand.format || !code || isWide(code))
    return undefined;
  if (name !== "ex2" && name !== "tanh") return undefined;
  const number = readF32(operand, code, make);
  const of = new Doubles(make);
  const [first, second] = promoted(number, make);
  const values: Wide = [of[name](first), of[name](second)];
  const odd = oddF32(values, make);
  return narrowed(result, name === "tanh" ? withSign(odd, number, make) : odd, make);
};

const SIGN = 0x8000_0000;
const withSign = (size: Vector, number: Vector, make: VectorMaker): Vector =>
  make.or(size, make.and(number, make.all32(SIGN)));

/** 2^f - 1 is f times the sum of these times powers of f: ln(2)^k / k!. From 11 on they are less than 2^-41 of it. */
const series = Array.from({ length: 10 }, (_, at) =>
  Array.from({ length: at + 1 }, (_, k) => Math.LN2 / (k + 1)).reduce((product, factor) => product * factor, 1),
);

class Doubles {
  readonly #make: VectorMaker;
  constructor(make: VectorMaker) {
    this.#make = make;
  }

  /** 2^x; from 2^300 on, and down to 2^-300, any number will do. */
  ex2(x: Vector): Vector {
    const { whole, lessOne } = this.#split(this.#within(x, 300));
    return this.#do("mul", this.#power(whole), this.#do("add", lessOne, this.#number(1)));
  }

  /** The size of tanh(x), (e^2x - 1) / (e^2x - 1 + 2) for the size of x; from 20 on it is 1 as far as can be seen. */
  tanh(x: Vector): Vector {
    const size = this.#make.op("f64x2.abs", x);
    const { whole, lessOne } = this.#split(this.#do("mul", this.#within(size, 20), this.#number(2 * Math.LOG2E)));
    const power = this.#power(whole);
    // Both parts are exact where the number is small, and the 1 cancels.
    const part = this.#do("sub", power, this.#number(1));
    const minusOne = this.#do("add", this.#do("mul", power, lessOne), part);
    return this.#do("div", minusOne, this.#do("add", minusOne, this.#number(2)));
  }

  /** x as an integer and a rest f up to a half: the integer, and 2^f - 1. */
  #split(x: Vector): { readonly whole: Vector; readonly lessOne: Vector } {
    const whole = this.#make.op("f64x2.nearest", x);
    const rest = this.#do("sub", x, whole);
    const sum = series.reduceRight<Vector | undefined>(
      (above, factor) =>
        above ? this.#do("add", this.#do("mul", above, rest), this.#number(factor)) : this.#number(factor),
      undefined,
    );
    return { whole, lessOne: this.#do("mul", sum ?? rest, rest) };
  }

  /** 2 to an integer: 2^52 + 2^51 more, and it lies in the low bits. */
  #power(whole: Vector): Vector {
    const bits = this.#do("add", whole, this.#number(2 ** 52 + 2 ** 51 + f64.bias));
    return this.#make.shift("i64x2.shl", bits, f64.frac);
  }

  /** Between -most and most; a NaN stays. */
  #within(x: Vector, most: number): Vector {
    const above = this.#make.op("f64x2.max", x, this.#number(-most));
    return this.#make.op("f64x2.min", above, this.#number(most));
  }

  #do(what: "add" | "sub" | "mul" | "div", a: Vector, b: Vector): Vector {
    return this.#make.op(`f64x2.${what}`, a, b);
  }

  #number(value: number): Vector {
    return this.#make.all64(toF64(value, f64.nan));
  }
}
