import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { isFloat, isSignedType, type TypeName, widthOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import { isWide, type Value, type Vector, type Wide } from "../vector.ts";
import { unlabelled } from "./lowering.ts";
import { cut } from "./rules/slices.ts";

/** The operands of an operation as expressions read them: as integers, or `plain`, as the bits that they are. */
export class Operands {
  readonly #takes: readonly Argument[];
  readonly #values: readonly Value[];
  readonly #make: VectorMaker;

  constructor(takes: readonly Argument[], values: readonly Value[], make: VectorMaker) {
    this.#takes = takes;
    this.#values = values;
    this.#make = make;
  }

  /** One of up to 32 bits as it is given. */
  given(name: string): Vector | undefined {
    const value = this.#values[this.#at(name)];
    return value === undefined || isWide(value) ? undefined : value;
  }

  isPredicate(name: string): boolean {
    return this.#typeOf(name) === "pred";
  }

  /** Is it 1 or 0, and has a mask at no cost? */
  isTruth(x: Expression): boolean {
    const of = unlabelled(x);
    return of.node === "relation" || (of.node === "argument" && this.isPredicate(of.name));
  }

  /** The words of one, right modulo 2^bits. */
  word(name: string, plain: boolean, bits: number): Vector | undefined {
    const type = this.#typeOf(name);
    if (isFloat(type) && !plain) return undefined;
    const width = widthOf(type);
    if (width === 64) {
      const pair = this.wide(name, plain);
      return pair && this.#make.low(pair);
    }
    const given = this.given(name);
    if (given === undefined || width > 32) return undefined;
    if (type === "pred") return this.#make.shift("i32x4.shr_u", given, 31);
    return isSignedType(type) && !plain && width < bits ? cut(this.#make, given, width, true) : given;
  }

  wide(name: string, plain: boolean): Wide | undefined {
    if (isFloat(this.#typeOf(name)) && !plain) return undefined;
    const value = this.#values[this.#at(name)];
    return value !== undefined && isWide(value) ? value : undefined;
  }

  #typeOf(name: string): TypeName {
    return this.#takes[this.#at(name)]!.type;
  }

  #at(name: string): number {
    const at = this.#takes.findIndex((each) => each.name === name);
    if (at < 0) throw new Error(`the operation takes no ${name}`);
    return at;
  }
}
