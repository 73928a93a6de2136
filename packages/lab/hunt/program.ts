import type { IntegerType, Scalar, StructType, Type, Value, VectorType } from "./type.ts";

/** A module that is drawn: its programs are compiled and loaded together, and run apart. */
export interface Module {
  readonly seed: number;
  readonly programs: readonly Program[];
}

/**
 * A kernel and the functions that it calls. Nothing in it is undefined: divisors are made odd or positive, shifts are
 * masked, memory is written before it is read, and all threads arrive at what needs all of them.
 */
export interface Program {
  /** Its name in the module. */
  readonly name: string;
  /** Threads of its one block. */
  readonly threads: number;
  /** Values that the launch gives, the same for all threads. */
  readonly parameters: readonly Parameter[];
  readonly functions: readonly Callee[];
  readonly body: readonly Instruction[];
  /** Values that each thread stores at the end. */
  readonly outputs: readonly number[];
}

export interface Parameter {
  readonly type: Type;
  readonly value: Value;
}

/** A function that is never inlined, so that its parameters travel as the ABI has it. */
export interface Callee {
  readonly name: string;
  /** The first instructions of `body`, each a `parameter`. */
  readonly body: readonly Instruction[];
  readonly result: number;
}

/** A part of a program with one way in and one value as its result. */
export interface Region {
  readonly body: readonly Instruction[];
  readonly result: number;
}

/** Makes one value, whose name is its number. */
export interface Instruction {
  readonly id: number;
  readonly name: string;
  readonly type: Type;
  /** Numbers of its operands. */
  readonly args: readonly number[];
  /** What chooses among instructions of a name: a comparison, a reduction. */
  readonly word?: string;
  /** Places, masks, offsets. */
  readonly at?: readonly number[];
  /** Of a constant. */
  readonly value?: Value;
  readonly regions?: readonly Region[];
}

/** Bytes of input that each thread has. */
export const INPUT_BYTES = 64;

/** All instructions, those of regions too. */
export function* instructionsOf(body: readonly Instruction[]): Generator<Instruction> {
  for (const each of body) {
    yield each;
    for (const { body } of each.regions ?? []) yield* instructionsOf(body);
  }
}

export type Plain = Scalar | VectorType;
export type { IntegerType, StructType };
