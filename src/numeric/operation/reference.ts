import type { Exact } from "../exact/exact.ts";
import { type Environment, evaluate, integerOf, roundInto } from "./evaluate.ts";
import type { LanesResult, Operation, Result } from "./operation.ts";
import { rangeOf, type TypeName, widthOf } from "./type.ts";

/**
 * The result of an operation for the bits of its operands, by exact arithmetic and one step from number to bits. All
 * faster code must agree with this bit for bit. An operation with carry-out returns one bit more than its width:
 * CC.CF.
 */
export const reference = ({ takes, result }: Operation, bits: readonly bigint[]): bigint =>
  intoBits(result, { takes, bits, rnd: "rn" });

/** The bits that a result is. */
export function intoBits(result: Result, env: Environment): bigint {
  switch (result.into) {
    case "wrap":
      return BigInt.asUintN(widthOf(result.type), integerOf(result.of, env));
    case "clamp":
      return clamped(result.type, evaluate(result.of, env));
    case "carry": {
      const width = widthOf(result.type);
      return BigInt.asUintN(result.out ? width + 1 : width, integerOf(result.of, env));
    }
    case "round":
      return roundInto(result, env);
    case "predicate":
      return integerOf(result.of, env) !== 0n ? 1n : 0n;
    case "choose":
      return intoBits(integerOf(result.when, env) !== 0n ? result.yes : result.no, env);
    case "lanes":
      return ofLanes(result, env);
  }
}

/** The nearest number of an integer type, as its bits. */
function clamped(type: TypeName, value: bigint | Exact): bigint {
  const [least, greatest] = rangeOf(type);
  const bits = (x: bigint): bigint => BigInt.asUintN(widthOf(type), x);
  if (typeof value !== "bigint" && value.kind === "nan") throw new Error("NaN is no integer, and a choice must say so");
  if (typeof value !== "bigint" && value.kind === "inf") return bits(value.neg ? least : greatest);
  const whole = typeof value === "bigint" ? value : wholeOf(value);
  if (whole < least) return bits(least);
  if (whole > greatest) return bits(greatest);
  return bits(whole);
}

function wholeOf(x: Exact & { kind: "finite" }): bigint {
  const size = x.exp >= 0 ? x.sig << BigInt(x.exp) : x.sig >> BigInt(-x.exp);
  return x.neg ? -size : size;
}

function ofLanes({ lanes, onto }: LanesResult, env: Environment): bigint {
  let all = onto === undefined ? 0n : integerOf(onto, env);
  for (const { operation, takes, low, bits } of lanes) {
    const slices = takes.map(({ of, low, bits }) => {
      const at = env.takes.findIndex(({ name }) => name === of);
      return BigInt.asUintN(bits, (env.bits[at] ?? 0n) >> BigInt(low));
    });
    const place = ((1n << BigInt(bits)) - 1n) << BigInt(low);
    all = (all & ~place) | ((reference(operation, slices) << BigInt(low)) & place);
  }
  return all;
}
