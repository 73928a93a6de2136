import { codes, type Format } from "../../format/format.ts";
import { floatOperand } from "../../lower/operand.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument, Operation } from "../../operation/operation.ts";
import { formatOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type Value, type Vector } from "../vector.ts";

/**
 * neg, abs, min and max of 16-bit floats: on their codes, so that two halves of each lane are computed at once. A result
 * is never rounded, and a NaN is the canonical one.
 */
export const halfCodes: VectorRule = (operation, operands, make) =>
  ofCodes(operation, operands, new Halves(make, false));

/** The same on both halves of packed operands. */
export const packedCodes: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "lanes" || result.onto !== undefined || result.lanes.length !== 2) return undefined;
  const [first, second] = result.lanes;
  const same = [first, second].every(
    (lane, at) =>
      lane?.operation === first?.operation &&
      lane?.low === 16 * at &&
      lane.bits === 16 &&
      lane.takes.length === takes.length &&
      lane.takes.every(({ of, low, bits }, index) => of === takes[index]?.name && low === 16 * at && bits === 16),
  );
  return first && same ? ofCodes(first.operation, operands, new Halves(make, true)) : undefined;
};

/** Instructions on the low halves of lanes, with constants that leave the others 0, or on all halves. */
class Halves {
  readonly make: VectorMaker;
  readonly #both: boolean;
  constructor(make: VectorMaker, both: boolean) {
    this.make = make;
    this.#both = both;
  }

  all(half: number): Vector {
    return this.make.all32(this.#both ? half * 0x1_0001 : half);
  }
}

function ofCodes({ takes, result }: Operation, operands: readonly Value[], halves: Halves): Value | undefined {
  if (result.into !== "round" || result.rnd === "rs" || result.satfinite || result.sat || result.relu || result.pzo)
    return undefined;
  const f = formatOf(result.format);
  if (f.width !== 16 || f.specials !== "ieee") return undefined;
  const { make } = halves;
  const { infinity, nan } = codes(f);
  const read = new Reader(f, takes, operands, halves);
  const code = read.operand(result.of);
  if (code !== undefined) {
    if (result.ftz && !code.flushed) return undefined;
    const isNan = make.op("i16x8.gt_s", make.and(code.of, halves.all(0x7fff)), halves.all(infinity));
    return make.choose(isNan, halves.all(nan), code.of);
  }
  const signed = result.of.node === "signed" ? result.of : undefined;
  const extremum = read.extremum(signed?.a ?? result.of);
  if (extremum === undefined || (result.ftz && !extremum.flushed)) return undefined;
  const { rank, nanRank } = extremum;
  const isNan = make.op("i16x8.eq", rank, halves.all(nanRank));
  if (signed === undefined) return make.choose(isNan, halves.all(nan), codeOf(rank, make));
  const sign = read.signs(signed.negative);
  // The order of sizes is that of their codes.
  return sign && extremum.sizes ? make.choose(isNan, halves.all(nan), make.or(rank, sign)) : undefined;
}

/** Sign and magnitude to an integer in the order of the numbers, with -0 just below +0; and back. */
const codeOf = (rank: Vector, make: VectorMaker): Vector =>
  make.xor(rank, make.shift("i16x8.shr_u", make.shift("i16x8.shr_s", rank, 15), 1));

interface Extremum {
  readonly rank: Vector;
  /** The rank that NaN has: above or below all numbers. */
  readonly nanRank: number;
  readonly flushed: boolean;
  /** Are all operands without their signs? */
  readonly sizes: boolean;
}

class Reader {
  readonly #format: Format;
  readonly #takes: readonly Argument[];
  readonly #operands: readonly Value[];
  readonly #halves: Halves;

  constructor(format: Format, takes: readonly Argument[], operands: readonly Value[], halves: Halves) {
    this.#format = format;
    this.#takes = takes;
    this.#operands = operands;
    this.#halves = halves;
  }

  /** The code of an operand, flushed and with its sign; of a NaN, that of some NaN. */
  operand(x: Expression): { readonly of: Vector; readonly flushed: boolean; readonly isSize: boolean } | undefined {
    const operand = floatOperand(x, this.#takes);
    const value = operand && this.#operands[operand.at];
    if (operand?.format !== this.#format || value === undefined || isWide(value)) return undefined;
    const { make } = this.#halves;
    const sign = this.#halves.all(0x8000);
    const flushed = operand.flush ? this.#flushed(value) : value;
    const isSize = operand.sign === "plus";
    const of = {
      kept: () => flushed,
      turned: () => make.xor(flushed, sign),
      plus: () => make.op("v128.andnot", flushed, sign),
      minus: () => make.or(flushed, sign),
    }[operand.sign]();
    return { of, flushed: operand.flush, isSize };
  }

  /** min and max, also of more than two. */
  extremum(x: Expression): Extremum | undefined {
    if (x.node === "label") return this.extremum(x.a);
    if (x.node !== "min" && x.node !== "max") return undefined;
    const { make } = this.#halves;
    // A NaN is chosen always, or never as long as there is a number.
    const nanRank = (x.node === "max") === (x.propagate === true) ? 0x7fff : 0x8000;
    const [left, right] = [this.#ranked(x.a, nanRank), this.#ranked(x.b, nanRank)];
    if (!left || !right || left.nanRank !== nanRank || right.nanRank !== nanRank) return undefined;
    return {
      rank: make.op(x.node === "min" ? "i16x8.min_s" : "i16x8.max_s", left.rank, right.rank),
      nanRank,
      flushed: left.flushed && right.flushed,
      sizes: left.sizes && right.sizes,
    };
  }

  /** The sign bits that the XOR of two operands' signs is. */
  signs(x: Expression): Vector | undefined {
    const { make } = this.#halves;
    if (x.node !== "xor") return undefined;
    const [a, b] = [this.#signed(x.a), this.#signed(x.b)];
    return a && b && make.and(make.xor(a, b), this.#halves.all(0x8000));
  }

  #signed(x: Expression): Vector | undefined {
    if (x.node !== "slice" || x.a.node !== "bits" || x.low.node !== "integer" || x.bits.node !== "integer")
      return undefined;
    const { name } = x.a;
    const value = this.#operands[this.#takes.findIndex((taken) => taken.name === name)];
    return x.low.value === 15n && x.bits.value === 1n && value && !isWide(value) ? value : undefined;
  }

  #ranked(x: Expression, nanRank: number): Extremum | undefined {
    const operand = this.operand(x);
    if (operand === undefined) return this.extremum(x);
    const { make } = this.#halves;
    const { infinity } = codes(this.#format);
    const isNan = make.op("i16x8.gt_s", make.and(operand.of, this.#halves.all(0x7fff)), this.#halves.all(infinity));
    const rank = operand.isSize ? operand.of : codeOf(operand.of, make);
    return {
      rank: make.choose(isNan, this.#halves.all(nanRank), rank),
      nanRank,
      flushed: operand.flushed,
      sizes: operand.isSize,
    };
  }

  #flushed(code: Vector): Vector {
    const { make } = this.#halves;
    const size = make.and(code, this.#halves.all(0x7fff));
    const small = make.op("i16x8.lt_s", size, this.#halves.all(codes(this.#format).normal));
    return make.op("v128.andnot", code, make.and(small, this.#halves.all(0x7fff)));
  }
}
