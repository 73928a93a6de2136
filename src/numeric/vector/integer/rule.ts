import { ofBits } from "../../lower/exact/interval.ts";
import type { Expression } from "../../operation/expression.ts";
import { rangeOf, type TypeName, widthOf } from "../../operation/type.ts";
import type { VectorRule } from "../rule.ts";
import type { Value, Vector } from "../vector.ts";
import { IntegerVectors } from "./integers.ts";
import { knownIn } from "./known.ts";
import { fits, type Integers, signed32, unlabelled } from "./lowering.ts";
import { cut } from "./rules/slices.ts";

/** Operations of integers, bits and predicates of up to 64 bits. */
export const integers: VectorRule = ({ takes, gives, result }, operands, make, lower) => {
  if (result.into === "round" || result.into === "choose" || result.into === "lanes") return undefined;
  const of = knownIn(takes, operands)?.(result.of) ?? result.of;
  const real = (x: Expression): Vector | undefined =>
    x === unlabelled(of)
      ? undefined
      : (lower({ takes, gives: "pred", result: { into: "predicate", of: x } }, operands) as Vector | undefined);
  const vectors = new IntegerVectors({ takes, operands, make, real });
  if (result.into === "predicate") return gives === "pred" ? vectors.mask(of) : undefined;
  if (widthOf(result.type) !== widthOf(gives)) return undefined;
  if (result.into === "clamp") return clamped(vectors, result.type, of);
  return result.into === "carry" && result.out ? undefined : wrapped(vectors, result.type, of);
};

/** An integer modulo 2^width. */
export function wrapped(integers: Integers, type: TypeName, x: Expression): Value | undefined {
  const width = widthOf(type);
  if (width > 64) return undefined;
  if (width === 64) return integers.pair(x);
  if (width === 32 || fits(integers, x, ofBits(BigInt(width), false))) return integers.word(x);
  const word = integers.word(x, width);
  return word && cut(integers.make, word, width, false);
}

/** The nearest number of the type. */
function clamped(integers: Integers, type: TypeName, x: Expression): Value | undefined {
  const sum = type === "s32" ? saturatedSum(integers, x) : undefined;
  if (sum !== undefined) return sum;
  const [least, greatest] = rangeOf(type);
  const own = integers.interval(x);
  if (own === undefined) return undefined;
  const above: Expression = own.least >= least ? x : { node: "max", a: x, b: { node: "integer", value: least } };
  return wrapped(
    integers,
    type,
    own.greatest <= greatest ? above : { node: "min", a: above, b: { node: "integer", value: greatest } },
  );
}

/** A sum of two words with sign has the wrong sign where it leaves their range. */
function saturatedSum(integers: Integers, x: Expression): Vector | undefined {
  const of = unlabelled(x);
  if ((of.node !== "add" && of.node !== "sub") || fits(integers, of, signed32)) return undefined;
  if (!fits(integers, of.a, signed32) || !fits(integers, of.b, signed32)) return undefined;
  const { make } = integers;
  const [a, b, sum] = [integers.word(of.a), integers.word(of.b), integers.word(of)];
  if (a === undefined || b === undefined || sum === undefined) return undefined;
  const apart = of.node === "add" ? make.xor(b, sum) : make.xor(a, b);
  const left = make.shift("i32x4.shr_s", make.and(make.xor(a, sum), apart), 31);
  const end = make.xor(make.shift("i32x4.shr_s", sum, 31), make.all32(-0x8000_0000));
  return make.choose(left, end, sum);
}
