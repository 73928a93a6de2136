import type { Operation } from "../operation/operation.ts";
import { type Width, widthOf } from "../operation/type.ts";
import { type CarryScalar, type Scalar, scalarOf, withFlagLast } from "./scalar.ts";

/** An operation and the function that computes it on the bits of one lane, as an executor in JavaScript binds it. */
export interface Lowered {
  readonly operation: Operation;
  readonly takes: readonly Width[];
  readonly gives: Width;
  /** Takes and returns unsigned bits of these widths; a predicate is 0 or 1. Made on first use. */
  readonly js: Scalar;
}

const known = new WeakMap<Operation, Lowered>();

/** The function of an operation, with its widths. */
export function lower(operation: Operation): Lowered {
  const made = known.get(operation) ?? {
    operation,
    takes: operation.takes.map(({ type }) => widthOf(type)),
    gives: widthOf(operation.gives),
    // An instruction with a generated loop needs no function.
    get js() {
      return scalarOf(operation);
    },
  };
  known.set(operation, made);
  return made;
}

/**
 * The same for an operation that reads or writes CC.CF. Its function gets the flag (0 or 1) last, whether it reads it
 * or not, and gives one bit more than its width where the operation writes it: a number below 2^33, or a bigint below
 * 2^65.
 */
export interface LoweredCarry {
  readonly operation: Operation;
  /** Bits of the registers. */
  readonly width: 32 | 64;
  /** Operands but for the flag. */
  readonly arity: 2 | 3;
  readonly js: CarryScalar;
}

export function lowerCarry(operation: Operation): LoweredCarry {
  const inputs = operation.takes.filter(({ name }) => name !== "CF");
  const arity = inputs.length === 3 ? 3 : 2;
  return {
    operation,
    width: widthOf(operation.gives) === 64 ? 64 : 32,
    arity,
    get js() {
      return withFlagLast(scalarOf(operation), arity, inputs.length < operation.takes.length);
    },
  };
}
