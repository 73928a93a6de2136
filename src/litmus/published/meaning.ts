import type { Computation, Test, Update } from "./instruction.ts";

/** What an instruction of the published format computes; registers have 64 bits and wrap. */
export function computed(by: Computation, [a = 0n, b = 0n]: readonly bigint[]): bigint {
  switch (by) {
    case "mov":
      return a;
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "min":
      return a < b ? a : b;
    case "max":
      return a > b ? a : b;
  }
}

/** What an atomic operation leaves in memory (PTX ISA 9.7.14.5); undefined where it writes nothing. */
export function updated(update: Update, old: bigint, [a = 0n, b = 0n]: readonly bigint[]): bigint | undefined {
  switch (update) {
    case "exch":
      return a;
    case "cas":
      return old === BigInt.asUintN(64, a) ? b : undefined;
    case "inc":
      return old >= a ? 0n : old + 1n;
    case "dec":
      return old === 0n || old > a ? a : old - 1n;
    default:
      return computed(update, [old, a]);
  }
}

/** Whether a branch is taken. */
export function taken(when: Test | "always", left: bigint, right: bigint): boolean {
  const a = BigInt.asIntN(64, left);
  const b = BigInt.asIntN(64, right);
  switch (when) {
    case "always":
      return true;
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "lt":
      return a < b;
    case "le":
      return a <= b;
    case "gt":
      return a > b;
    case "ge":
      return a >= b;
  }
}
