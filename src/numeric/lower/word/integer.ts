import type { Operation } from "../../operation/operation.ts";
import { widthOf } from "../../operation/type.ts";
import { wideScalar } from "../exact/bigint.ts";
import { type PrimitiveName, primitives } from "../primitive.ts";
import type { Scalar, ScalarRule } from "../rule.ts";
import { type Steps, sizeOf } from "../steps.ts";
import { narrowSteps } from "./narrow.ts";

/** Steps as a function of the operands' bits; the two words of a 64-bit operand are of no use here. */
type Closure = (a: number, b: number, c: number, e: number, f: number) => number;

/** Above this a chain of calls is no faster than bigints. */
const LARGEST = 40;

/** A function on numbers for an operation of integers on up to five operands of up to 32 bits. */
export function narrowScalar(operation: Operation): Scalar | undefined {
  const { takes } = operation;
  if (takes.length > 5 || takes.some(({ type }) => widthOf(type) > 32)) return undefined;
  const steps = narrowSteps(operation);
  return steps === undefined || sizeOf(steps) > LARGEST ? undefined : (closureOf(steps) as Scalar);
}

function closureOf(x: Steps): Closure {
  switch (x.step) {
    case "number": {
      const { value } = x;
      return () => value;
    }
    case "operand":
      return x.view === "signed" ? signedOperands[x.at]! : operands[x.at]!;
    case "choose": {
      const [when, yes, no] = x.parts.map(closureOf) as [Closure, Closure, Closure];
      return (a, b, c, e, f) => (when(a, b, c, e, f) !== 0 ? yes(a, b, c, e, f) : no(a, b, c, e, f));
    }
    default:
      return stepClosure(x.step, x.parts);
  }
}

const operands: readonly Closure[] = [
  (a) => a,
  (_, b) => b,
  (_, __, c) => c,
  (_, __, ___, e) => e,
  (_, __, ___, ____, f) => f,
];
const signedOperands: readonly Closure[] = operands.map((operand): Closure => {
  return (a, b, c, e, f) => operand(a, b, c, e, f) | 0;
});

const isBits = (x: Steps | undefined, at: number): boolean =>
  x?.step === "operand" && x.at === at && x.view !== "signed";

/** One step: without a call for each operand where they are the first ones, as they are, or a number. */
function stepClosure(step: PrimitiveName, parts: readonly Steps[]): Closure {
  const [x, y, z] = parts;
  const inner = x?.step === "number" || x?.step === "operand" ? undefined : x;
  if (step === "unsigned" && inner !== undefined && inner.parts.length === 2) {
    const fused = isBits(inner.parts[0], 0) && isBits(inner.parts[1], 1) ? unsignedOf[inner.step] : undefined;
    if (fused !== undefined) return fused;
  }
  const run = primitives[step][0] as (...parts: number[]) => number;
  if (z !== undefined) {
    const [p, q, r] = parts.map(closureOf) as [Closure, Closure, Closure];
    return (a, b, c, e, f) => run(p(a, b, c, e, f), q(a, b, c, e, f), r(a, b, c, e, f));
  }
  if (y === undefined) return unaryClosure(step, x!, run);
  if (isBits(x, 0) && isBits(y, 1)) return run;
  if (y.step === "number") return withNumber(step, closureOf(x!), y.value);
  const [p, q] = [closureOf(x!), closureOf(y)];
  const own = twoClosures[step];
  return own === undefined ? (a, b, c, e, f) => run(p(a, b, c, e, f), q(a, b, c, e, f)) : own(p, q);
}

function unaryClosure(step: PrimitiveName, x: Steps, run: (a: number) => number): Closure {
  if (isBits(x, 0)) return run;
  const p = closureOf(x);
  if (step === "unsigned") return (a, b, c, e, f) => p(a, b, c, e, f) >>> 0;
  if (step === "signed") return (a, b, c, e, f) => p(a, b, c, e, f) | 0;
  return (a, b, c, e, f) => run(p(a, b, c, e, f));
}

type Two = (p: Closure, q: Closure) => Closure;

/** The frequent steps on two parts, written out so that the engine can inline them. */
const twoClosures: Partial<Record<PrimitiveName, Two>> = {
  add: (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) + q(a, b, c, e, f),
  sub: (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) - q(a, b, c, e, f),
  imul: (p, q) => (a, b, c, e, f) => Math.imul(p(a, b, c, e, f), q(a, b, c, e, f)),
  or: (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) | q(a, b, c, e, f),
  and: (p, q) => (a, b, c, e, f) => p(a, b, c, e, f) & q(a, b, c, e, f),
  lt: (p, q) => (a, b, c, e, f) => (p(a, b, c, e, f) < q(a, b, c, e, f) ? 1 : 0),
  le: (p, q) => (a, b, c, e, f) => (p(a, b, c, e, f) <= q(a, b, c, e, f) ? 1 : 0),
};

/** A step whose second part is a number. */
function withNumber(step: PrimitiveName, p: Closure, by: number): Closure {
  switch (step) {
    case "and":
      return (a, b, c, e, f) => p(a, b, c, e, f) & by;
    case "shl":
      return (a, b, c, e, f) => p(a, b, c, e, f) << by;
    case "shr":
      return (a, b, c, e, f) => p(a, b, c, e, f) >>> by;
    case "sar":
      return (a, b, c, e, f) => p(a, b, c, e, f) >> by;
    default: {
      const run = primitives[step][0] as (...parts: number[]) => number;
      return (a, b, c, e, f) => run(p(a, b, c, e, f), by);
    }
  }
}

/** `wrap(a + b)` and its like in one call. */
const unsignedOf: Partial<Record<PrimitiveName, Closure>> = {
  add: (a, b) => (a + b) >>> 0,
  sub: (a, b) => (a - b) >>> 0,
  imul: (a, b) => Math.imul(a, b) >>> 0,
  and: (a, b) => (a & b) >>> 0,
  or: (a, b) => (a | b) >>> 0,
  xor: (a, b) => (a ^ b) >>> 0,
};

/** Operations of integers alone: on numbers where their values fit, else on bigints. */
export const integers: ScalarRule = (operation) => narrowScalar(operation) ?? wideScalar(operation);
