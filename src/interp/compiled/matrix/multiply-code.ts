import { type MatrixOperation, tileSpecOf } from "../../../numeric/operation/matrix.ts";
import { hasDoubleSums, writeDoubleSums } from "../../../numeric/tensor/double-sums.ts";
import { elementBits, isFloatElement } from "../../../numeric/tensor/element.ts";
import { integerSums } from "../../../numeric/tensor/integer-sums.ts";
import { ruleOf } from "../../../numeric/tensor/rules.ts";
import type { TileSpec } from "../../../numeric/tensor/spec.ts";
import { hasVectorSums, writeSums } from "../../../numeric/tensor/vector-sums.ts";
import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import type { Fragment } from "../../contract/matrix/fragment.ts";
import { fragmentsOf } from "../../contract/matrix/matrix-fragments.ts";
import { elements, type Operand } from "../../contract/operand.ts";
import { type Order, placesIn } from "../../javascript/matrix/gather.ts";
import { MATRIX_ROOM } from "../../state/context.ts";

/** A multiplication that a function of the module does. */
export interface Multiplication {
  /** Its index: (base, room, where each register of A, B, C and D lies from the base) returns not 0 where it has done nothing. */
  readonly index: number;
  /** Those registers, all of one bank. */
  readonly bank: "r" | "q";
  readonly slots: readonly number[];
}

/** Bytes of a vector, of four lanes of a register. */
const VECTOR = 16;

/** The functions of a module that multiply matrices of a full warp, made for each operation when it is first asked for. */
export class MultiplyFunctions {
  readonly #module: ModuleWriter;
  readonly #target: string;
  /** Whether what executes the module rounds a * b + c once. */
  readonly #fused: boolean;
  readonly #made = new Map<string, number | undefined>();

  constructor(module: ModuleWriter, target: string, fused: boolean) {
    this.#module = module;
    this.#target = target;
    this.#fused = fused;
  }

  /** The function for an instruction; undefined where only JavaScript multiplies so. */
  of(op: MatrixOperation, operands: readonly (Operand | undefined)[]): Multiplication | undefined {
    const key = JSON.stringify(op);
    if (!this.#made.has(key)) this.#made.set(key, this.#make(op));
    const index = this.#made.get(key);
    const bank = op.a === "f64" ? "q" : "r";
    const slots = index === undefined ? undefined : slotsOf(op, operands, bank);
    return slots && { index: index!, bank, slots };
  }

  #make(op: MatrixOperation): number | undefined {
    const { a, b, sparse, quadPairs, contained } = op;
    if (a === "f64") return this.#doubles(op);
    if (sparse !== undefined || quadPairs !== undefined) return undefined;
    if (contained && (elementBits(a) < 8 || elementBits(b) < 8)) return undefined;
    const spec = tileSpecOf(op);
    const layout = fragmentsOf(op);
    const { signs } = integerSums;
    const [inA, inB] = [unpacking(layout.a, "rows", signs[a]), unpacking(layout.b, "columns", signs[b])];
    const [inC, inD] = [pairing(layout.c), pairing(layout.d)];
    if (!inA || !inB || !inC || !inD) return undefined;
    const found = isFloatElement(a) ? this.#floats(op, spec) : this.#integers(spec);
    if (found === undefined) return undefined;
    const { index: sums, places } = found;
    const { code, takes, firsts } = begun(layout);
    inA(code, firsts[0]!, places.a);
    inB(code, firsts[1]!, places.b);
    inC.read(code, firsts[2]!, places.c);
    code.get(ROOM).call(sums).if().i32(1).scalar("return").end();
    inD.write(code, firsts[3]!, places.d);
    code.i32(0);
    return this.#module.function({ takes: Array.from({ length: takes }, () => "i32"), gives: ["i32"] }, code);
  }

  /** Products of f64, whose elements have a register each. */
  #doubles(op: MatrixOperation): number | undefined {
    const spec = tileSpecOf(op);
    if (!this.#fused || !hasDoubleSums(spec, MATRIX_ROOM)) return undefined;
    const { index: sums, places } = writeDoubleSums(this.#module, spec);
    const layout = fragmentsOf(op);
    const { code, takes, firsts } = begun(layout);
    const move = (fragment: Fragment, first: number, at: number, back = false): void => {
      const { registers, places: elements } = placesIn(fragment, "rows");
      for (let register = 0; register < registers; register++)
        for (let lane = 0; lane < LANES; lane++) {
          const place = at + 8 * elements[register * LANES + lane]!;
          if (back)
            address(code, first + register)
              .get(ROOM)
              .access("i64.load", place)
              .access("i64.store", 8 * lane);
          else {
            code.get(ROOM);
            address(code, first + register)
              .access("i64.load", 8 * lane)
              .access("i64.store", place);
          }
        }
    };
    move(layout.a, firsts[0]!, places.a);
    move(layout.b, firsts[1]!, places.b);
    move(layout.c, firsts[2]!, places.d);
    code.get(ROOM).call(sums).scalar("drop");
    move(layout.d, firsts[3]!, places.d, true);
    code.i32(0);
    return this.#module.function({ takes: Array.from({ length: takes }, () => "i32"), gives: ["i32"] }, code);
  }

  #floats({ satfinite }: MatrixOperation, spec: TileSpec): ReturnType<typeof writeSums> | undefined {
    const rule = ruleOf(this.#target, spec);
    const has = satfinite !== true && hasVectorSums(spec, rule, MATRIX_ROOM);
    return has ? writeSums(this.#module, spec, rule) : undefined;
  }

  #integers(spec: TileSpec): ReturnType<typeof writeSums> | undefined {
    return integerSums.has(spec, MATRIX_ROOM) ? integerSums.write(this.#module, spec) : undefined;
  }
}

/** Parameters of the functions. */
const [BASE, ROOM] = [0, 1];

/** The beginning of a function, and the parameters where each operand's registers begin. */
function begun({ a, b, c, d }: ReturnType<typeof fragmentsOf>): {
  readonly code: Code;
  readonly takes: number;
  readonly firsts: readonly number[];
} {
  const registers = [a, b, c, d].map((one) => placesIn(one, "rows").registers);
  const takes = 2 + registers.reduce((sum, count) => sum + count);
  const code = new Code(takes);
  const firsts = registers.map((_, at) => 2 + registers.slice(0, at).reduce((sum, count) => sum + count, 0));
  // There may have been no memory for it.
  code.get(ROOM).scalar("i32.eqz").if().i32(1).scalar("return").end();
  return { code, takes, firsts };
}

/** The registers of A, B, C and D in turn; undefined where one is no register of the bank. */
function slotsOf(
  op: MatrixOperation,
  operands: readonly (Operand | undefined)[],
  bank: "r" | "q",
): readonly number[] | undefined {
  const { a, b, c, d } = fragmentsOf(op);
  const slots: number[] = [];
  for (const [fragment, operand] of [
    [a, operands[1]],
    [b, operands[2]],
    [c, operands[3]],
    [d, operands[0]],
  ] as const)
    for (const part of elements(operand).slice(0, placesIn(fragment, "rows").registers)) {
      if (part.kind !== "slot" || part.bank !== bank) return undefined;
      slots.push(part.slot);
    }
  return slots;
}

/** Pushes where four lanes of a register lie. */
const address = (code: Code, register: number): Code => code.get(BASE).get(register).scalar("i32.add");

/** Writes the elements of a fragment as words, from registers whose parameters begin at `first`, to `at` in the room. */
type Unpacking = (code: Code, first: number, at: number) => void;

/**
 * How A or B is unpacked: as words, or integers of 4 and 8 bits as halves of words, extended as `sign` says. Undefined where
 * neighbours in registers are none in the matrix.
 */
function unpacking(fragment: Fragment, order: Order, sign?: "s" | "u"): Unpacking | undefined {
  const { registers, each, places } = placesIn(fragment, order);
  const [count, bytes] = sign === undefined ? [4, 4] : [8, 2];
  const isRow = (from: number): boolean =>
    places.subarray(from, from + count).every((place, at) => place === places[from]! + at);
  for (let from = 0; from < places.length; from += count) if (!isRow(from)) return undefined;
  return (code, first, at) => {
    const [whole, half] = [code.local("v128"), code.local("v128")];
    let from = 0;
    const store = (push: () => void): void => {
      code.get(ROOM);
      push();
      code.access("v128.store", at + bytes * places[from]!);
      from += count;
    };
    const words = (of: number): void => {
      store(() => code.get(of).vector("i32x4.extend_low_i16x8_u"));
      store(() => code.get(of).vector("i32x4.extend_high_i16x8_u"));
    };
    const extended = (push: () => void, type: "s" | "u", then: () => void): void => {
      for (const part of ["low", "high"] as const) {
        push();
        code.vector(`i16x8.extend_${part}_i8x16_${type}`).set(half);
        then();
      }
    };
    const halves = (push: () => void): void => extended(push, sign!, () => store(() => code.get(half)));
    for (let register = 0; register < registers; register++)
      for (let chunk = 0; chunk < 8; chunk++) {
        address(code, first + register)
          .access("v128.load", VECTOR * chunk)
          .set(whole);
        if (each === 1) store(() => code.get(whole));
        else if (each === 2) words(whole);
        else if (sign === undefined)
          extended(
            () => code.get(whole),
            "u",
            () => words(half),
          );
        else if (each === 4) halves(() => code.get(whole));
        else for (const order of [FIRST_HALF, SECOND_HALF]) halves(() => digits(code, whole, order, sign));
      }
  };
}

/** The low and the high half of each byte of eight of them, one behind the other. */
const FIRST_HALF = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23];
const SECOND_HALF = FIRST_HALF.map((byte) => byte + 8);

/** Pushes 4-bit integers of a vector as bytes. */
function digits(code: Code, whole: number, order: readonly number[], sign: "s" | "u"): void {
  code.get(whole).i32(4).vector("i8x16.shl").i32(4).vector(`i8x16.shr_${sign}`);
  code.get(whole).i32(4).vector(`i8x16.shr_${sign}`).shuffle(order);
}

interface Pairing {
  /** Registers to words, and back. */
  readonly read: Unpacking;
  readonly write: Unpacking;
}

/** How C and D lie: two registers, or the halves of one, hold neighbouring columns; undefined where they do not. */
function pairing(fragment: Fragment): Pairing | undefined {
  const { registers, each, places } = placesIn(fragment, "rows");
  if (each === 2) {
    const read = unpacking(fragment, "rows");
    return read && { read, write: (code, first, at) => packHalves(code, first, at, registers, places) };
  }
  if (each !== 1 || registers % 2 !== 0) return undefined;
  const placeOf = (register: number, lane: number): number => places[register * 32 + lane]!;
  for (let register = 0; register < registers; register += 2)
    for (let lane = 0; lane < 32; lane++) {
      const place = placeOf(register, lane - (lane % 4)) + 2 * (lane % 4);
      if (placeOf(register, lane) !== place || placeOf(register + 1, lane) !== place + 1) return undefined;
    }
  const eachChunk = (body: (register: number, chunk: number, place: number) => void): void => {
    for (let register = 0; register < registers; register += 2)
      for (let chunk = 0; chunk < 8; chunk++) body(register, chunk, placeOf(register, 4 * chunk));
  };
  return {
    read: (code, first, at) => {
      const [even, odd] = [code.local("v128"), code.local("v128")];
      eachChunk((register, chunk, place) => {
        address(code, first + register)
          .access("v128.load", VECTOR * chunk)
          .set(even);
        address(code, first + register + 1)
          .access("v128.load", VECTOR * chunk)
          .set(odd);
        for (const [half, order] of [
          [0, 4, 1, 5],
          [2, 6, 3, 7],
        ].entries())
          code
            .get(ROOM)
            .get(even)
            .get(odd)
            .shuffleWords(order)
            .access("v128.store", at + 4 * place + VECTOR * half);
      });
    },
    write: (code, first, at) => {
      const [low, high] = [code.local("v128"), code.local("v128")];
      eachChunk((register, chunk, place) => {
        code
          .get(ROOM)
          .access("v128.load", at + 4 * place)
          .set(low);
        code
          .get(ROOM)
          .access("v128.load", at + 4 * place + VECTOR)
          .set(high);
        for (const [odd, order] of [
          [0, 2, 4, 6],
          [1, 3, 5, 7],
        ].entries())
          address(code, first + register + odd)
            .get(low)
            .get(high)
            .shuffleWords(order)
            .access("v128.store", VECTOR * chunk);
      });
    },
  };
}

/** Writes words below 2^16 to registers that hold two each. */
function packHalves(code: Code, first: number, at: number, registers: number, places: Int32Array): void {
  for (let register = 0; register < registers; register++)
    for (let chunk = 0; chunk < 8; chunk++) {
      const from = 8 * (8 * register + chunk);
      address(code, first + register);
      for (const half of [from, from + 4]) code.get(ROOM).access("v128.load", at + 4 * places[half]!);
      code.vector("i16x8.narrow_i32x4_u").access("v128.store", VECTOR * chunk);
    }
}
