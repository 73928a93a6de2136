import {
  abs,
  and,
  argument,
  as,
  bits,
  carry,
  choose,
  clamp,
  concat,
  divided,
  max,
  min,
  minus,
  negated,
  not,
  nth,
  ones,
  operation,
  or,
  plus,
  predicate,
  relation,
  remainder,
  reversed,
  select,
  shl,
  shr,
  signedSlice,
  slice,
  times,
  wrap,
  xor,
  zerosAbove,
} from "../../../src/numeric/operation/build.ts";
import type { Expression, IntegerRelation } from "../../../src/numeric/operation/expression.ts";
import type { Operation, Result } from "../../../src/numeric/operation/operation.ts";
import { type TypeName, widthOf } from "../../../src/numeric/operation/type.ts";

/** Numbers that look random and come again with the same seed. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = (seed ^ 0x9e37_79b9) | 1;
    for (let i = 0; i < 4; i++) this.word();
  }

  word(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x | 0;
    return x >>> 0;
  }

  below(limit: number): number {
    return this.word() % limit;
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }
}

const types: readonly TypeName[] = [
  "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "b8", "b16", "b32", "b64", "pred", "f32",
]; // biome-ignore format: by width
const results: readonly TypeName[] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "b32", "b64"];
const relations: readonly IntegerRelation[] = ["eq", "ne", "lt", "le", "gt", "ge"];

/** An operation of integers with every node that they have, its operands of `narrow` types up to 32 bits. */
export function randomOperation(seed: number, { narrow = false, depth = 3 } = {}): Operation {
  const random = new Random(seed);
  const may = narrow ? types.filter((type) => widthOf(type) <= 32) : types;
  const takes = Object.fromEntries(["a", "b", "c"].map((name) => [name, random.one(may)]));
  const gives = random.one(narrow ? results.filter((type) => widthOf(type) <= 32) : results);
  const make = new Maker(random, takes);
  const result = make.result(gives, depth);
  return operation(takes, gives === "u8" && random.below(4) === 0 ? "pred" : gives, result);
}

class Maker {
  readonly random: Random;
  readonly takes: Readonly<Record<string, TypeName>>;
  constructor(random: Random, takes: Readonly<Record<string, TypeName>>) {
    this.random = random;
    this.takes = takes;
  }

  result(type: TypeName, depth: number): Result {
    const { random } = this;
    switch (random.below(8)) {
      case 0:
        return clamp(type, this.any(depth));
      case 1:
        return predicate(this.any(depth));
      case 2:
        return choose(this.any(1), this.result(type, depth - 1), this.result(type, depth - 1));
      case 3:
        return carry(type, this.any(depth), { out: false });
      default:
        return wrap(type, this.any(depth));
    }
  }

  /** Any integer, of nodes so deep. */
  any(depth: number): Expression {
    const { random } = this;
    if (depth <= 0) return this.leaf();
    const next = (): Expression => this.any(depth - 1 - random.below(2));
    const narrow = (width: number): Expression => slice(next(), this.amount(1), width);
    switch (random.below(22)) {
      case 0:
        return plus(next(), next());
      case 1:
        return minus(next(), next());
      case 2:
        return times(next(), next());
      case 3:
        return divided(next(), or(narrow(random.one([8, 16, 32, 64])), 1));
      case 4:
        return remainder(next(), or(narrow(random.one([8, 16, 32, 64])), 1));
      case 5:
        return and(next(), next());
      case 6:
        return or(next(), next());
      case 7:
        return xor(next(), next());
      case 8:
        return min(next(), next());
      case 9:
        return max(next(), next());
      case 10:
        return negated(next());
      case 11:
        return abs(next());
      case 12:
        return not(next());
      case 13:
        return ones(narrow(random.one([8, 16, 32, 64])));
      case 14:
        return shl(next(), this.amount(depth - 1));
      case 15:
        return shr(next(), this.amount(depth - 1));
      case 16: {
        const width = random.one([8, 16, 32, 64]);
        return random.below(2) === 0 ? zerosAbove(width, narrow(width)) : reversed(width, narrow(width));
      }
      case 17:
        return random.below(2) === 0
          ? slice(next(), this.amount(depth - 1), this.amount(1))
          : signedSlice(next(), this.amount(depth - 1), this.amount(1));
      case 18: {
        const widths = [random.one([1, 8, 16, 24, 32]), random.one([8, 16, 32]), random.one([3, 32])];
        return concat(...widths.map((width) => [narrow(width), width] as const));
      }
      case 19:
        return relation(random.one(relations), next(), next());
      case 20:
        return select(next(), next(), next());
      default:
        return random.below(3) === 0
          ? nth(next(), signedSlice(next(), 0, 6), signedSlice(next(), 0, 4))
          : as(random.one(results), next());
    }
  }

  leaf(): Expression {
    const { random } = this;
    const name = random.one(Object.keys(this.takes));
    const type = this.takes[name]!;
    if (type === "f32") return bits(argument(name));
    switch (random.below(8)) {
      case 0:
        return bits(argument(name));
      case 1:
        return { node: "integer", value: BigInt(random.one([0, 1, -1, 2, 31, 32, 255, -128, 65535, 0x7fff_ffff])) };
      case 2:
        return { node: "integer", value: random.one([0xffff_ffffn, 1n << 63n, -(1n << 63n), (1n << 64n) - 1n]) };
      default:
        return argument(name);
    }
  }

  /** A number to shift by: what is not negative and not too large. */
  amount(depth: number): Expression {
    const { random } = this;
    switch (random.below(4)) {
      case 0:
        return { node: "integer", value: BigInt(random.one([0, 1, 7, 8, 16, 31, 32, 33, 63, 64, 65])) };
      case 1:
        return min(abs(this.any(depth - 1)), random.one([31, 32, 63, 64, 70]));
      default:
        return slice(this.any(depth - 1), 0, random.one([3, 5, 6, 7, 8]));
    }
  }
}

const edges = [0n, 1n, 2n, 31n, 32n, 33n, 63n, 64n, 127n, 128n, 255n, 0x7fffn, 0x8000n, 0xffffn];
const wide = [0x7fff_ffffn, 0x8000_0000n, 0xffff_ffffn, 1n << 32n, (1n << 53n) + 1n, (1n << 63n) - 1n, 1n << 63n];

/** Bits for each operand of an operation: corners, and whatever comes. */
export function randomBits({ takes }: Operation, random: Random): bigint[] {
  return takes.map(({ type }) => {
    const any = (BigInt(random.word()) << 32n) | BigInt(random.word());
    const bits = random.below(2) === 0 ? any : random.one([...edges, ...wide, (1n << 64n) - 1n, any >> 40n]);
    return BigInt.asUintN(widthOf(type), random.below(5) === 0 ? ~bits : bits);
  });
}
