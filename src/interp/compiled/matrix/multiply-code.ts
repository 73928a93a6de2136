import { chunkOf, type MatrixOperation, tileSpecOf } from "../../../numeric/operation/matrix.ts";
import { hasBlockSums, writeBlockSums } from "../../../numeric/tensor/block-sums.ts";
import { hasDoubleSums, writeDoubleSums } from "../../../numeric/tensor/double-sums.ts";
import { isFloatElement } from "../../../numeric/tensor/element.ts";
import { integerSums } from "../../../numeric/tensor/integer-sums.ts";
import { ruleOf } from "../../../numeric/tensor/rules.ts";
import type { TileSpec } from "../../../numeric/tensor/spec.ts";
import { hasVectorSums, type ScaledPlaces, type SumsPlaces, writeSums } from "../../../numeric/tensor/vector-sums.ts";
import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { constantValue } from "../../contract/constant.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import type { Fragment } from "../../contract/matrix/fragment.ts";
import { fragmentsOf, type MatrixFragments } from "../../contract/matrix/matrix-fragments.ts";
import { elements, type Operand } from "../../contract/operand.ts";
import type { Program } from "../../contract/program.ts";
import { placesIn } from "../../javascript/matrix/gather.ts";
import { MATRIX_ROOM } from "../../state/context.ts";
import {
  address,
  elementsOf,
  pairing,
  ROOM,
  readScales,
  type ScaleChoice,
  STORED,
  spread,
  unpacking,
} from "./operands-code.ts";

/** A multiplication that a function of the module does. */
export interface Multiplication {
  /** Its index: (base, room, where each register lies from the base) returns not 0 where it has done nothing. */
  readonly index: number;
  /** Those registers, all of one bank: of A, B, C and D, metadata, scales of A and B. */
  readonly bank: "r" | "q";
  readonly slots: readonly number[];
}

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
  of(
    op: MatrixOperation,
    operands: readonly (Operand | undefined)[],
    program: Pick<Program, "constants">,
  ): Multiplication | undefined {
    const choice = choiceOf(op, operands, program);
    if (choice === undefined) return undefined;
    const key = JSON.stringify([op, choice]);
    if (!this.#made.has(key)) this.#made.set(key, this.#make(op, choice));
    const index = this.#made.get(key);
    const bank = op.a === "f64" ? "q" : "r";
    const slots = index === undefined ? undefined : slotsOf(op, operands, bank);
    return slots && { index: index!, bank, slots };
  }

  #make(op: MatrixOperation, { selector, scaleA, scaleB }: Choice): number | undefined {
    if (op.a === "f64") return this.#doubles(op);
    if (op.quadPairs !== undefined) return undefined;
    const layout = fragmentsOf(op);
    const [asA, asB] = [elementsOf(op, "a"), elementsOf(op, "b")];
    const [inA, inB] = [unpacking(layout.a, "rows", asA), unpacking(layout.b, "columns", asB)];
    const [inC, inD] = [pairing(layout.c), pairing(layout.d)];
    if (!inA || !inB || !inC || !inD) return undefined;
    const found = this.#sums(op);
    if (found === undefined) return undefined;
    const { index: sums, places } = found;
    const { code, takes, firsts, metadata, scales } = begun(layout);
    if (layout.metadata) {
      inA(code, firsts[0]!, STORED);
      spread(code, op, layout.metadata, { selector, register: metadata, to: places.a, bytes: asA.bytes });
    } else inA(code, firsts[0]!, places.a);
    inB(code, firsts[1]!, places.b);
    inC.read(code, firsts[2]!, places.c);
    if (op.scale && "scaleA" in places) {
      const { vector } = op.scale;
      readScales(code, "a", { register: scales, choice: scaleA, vector, to: places.scaleA });
      readScales(code, "b", { register: scales + 1, choice: scaleB, vector, to: places.scaleB });
    }
    code.get(ROOM).call(sums).if().i32(1).scalar("return").end();
    inD.write(code, firsts[3]!, places.d);
    code.i32(0);
    return this.#module.function({ takes: Array.from({ length: takes }, () => "i32"), gives: ["i32"] }, code);
  }

  /** The sums of an operation, for which a sparse A lies with its zeros. */
  #sums(op: MatrixOperation): { readonly index: number; readonly places: SumsPlaces | ScaledPlaces } | undefined {
    const { a, k, scale, satfinite, sparse } = op;
    const stored = tileSpecOf(op);
    const spec = sparse && scale ? { ...stored, scale: { ...stored.scale!, block: k / scale.vector } } : stored;
    const whole = { ...spec, k } as TileSpec;
    const chunk = sparse && chunkOf(op);
    const room = sparse ? STORED : MATRIX_ROOM;
    if (!isFloatElement(a)) return integerSums.has(whole, room) ? integerSums.write(this.#module, whole) : undefined;
    if (scale?.kind === "mxf4")
      return hasBlockSums(whole, room) ? writeBlockSums(this.#module, whole, chunk) : undefined;
    const rule = ruleOf(this.#target, stored);
    const has = satfinite !== true && hasVectorSums(whole, rule, room);
    return has ? writeSums(this.#module, whole, rule, chunk) : undefined;
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
}

/** What an instruction says of metadata and scales, known when code is made: where those of a group's threads are that count. */
interface Choice {
  readonly selector: number;
  readonly scaleA: ScaleChoice;
  readonly scaleB: ScaleChoice;
}

/** Which byte of the scales' register is the first, of which thread. */
/** Undefined where it is not known, or not allowed: JavaScript says so. */
function choiceOf(
  { sparse, scale }: MatrixOperation,
  operands: readonly (Operand | undefined)[],
  program: Pick<Program, "constants">,
): Choice | undefined {
  const numberOf = (operand: Operand | undefined): number | undefined => {
    const value = constantValue(operand, program);
    return value === undefined ? undefined : Number(value & 0xffffn);
  };
  const selector = sparse === undefined ? 0 : (numberOf(operands[5]) ?? 0);
  const behind = sparse === undefined ? 4 : 6;
  const vector = scale?.vector ?? 1;
  const ofScale = (operand: Operand | undefined, most: number): ScaleChoice | undefined => {
    const [byte, thread] = scale === undefined ? [0, 0] : elements(operand).map(numberOf);
    if (byte === undefined || thread === undefined) return undefined;
    return byte % vector === 0 && byte <= 4 - vector && thread <= most ? { byte, thread } : undefined;
  };
  const [scaleA, scaleB] = [ofScale(operands[behind + 1], 1), ofScale(operands[behind + 3], 3)];
  return scaleA && scaleB && { selector, scaleA, scaleB };
}

/** The beginning of a function, and the parameters where each operand's registers begin. */
function begun({ a, b, c, d, metadata, scaleA }: MatrixFragments): {
  readonly code: Code;
  readonly takes: number;
  readonly firsts: readonly number[];
  /** The parameters of metadata, and of the first of two scales. */
  readonly metadata: number;
  readonly scales: number;
} {
  const registers = [a, b, c, d].map((one) => placesIn(one, "rows").registers);
  const last = 2 + registers.reduce((sum, count) => sum + count);
  const scales = last + (metadata ? 1 : 0);
  const takes = scales + (scaleA ? 2 : 0);
  const code = new Code(takes);
  const firsts = registers.map((_, at) => 2 + registers.slice(0, at).reduce((sum, count) => sum + count, 0));
  // There may have been no memory for it.
  code.get(ROOM).scalar("i32.eqz").if().i32(1).scalar("return").end();
  return { code, takes, firsts, metadata: last, scales };
}

/** The registers of all fragments in turn; undefined where one is no register of the bank. */
function slotsOf(
  op: MatrixOperation,
  operands: readonly (Operand | undefined)[],
  bank: "r" | "q",
): readonly number[] | undefined {
  const { a, b, c, d, metadata, scaleA } = fragmentsOf(op);
  const slots: number[] = [];
  const behind = metadata ? 6 : 4;
  for (const [registers, operand] of [
    [placesIn(a, "rows").registers, operands[1]],
    [placesIn(b, "rows").registers, operands[2]],
    [placesIn(c, "rows").registers, operands[3]],
    [placesIn(d, "rows").registers, operands[0]],
    [metadata ? 1 : 0, operands[4]],
    [scaleA ? 1 : 0, operands[behind]],
    [scaleA ? 1 : 0, operands[behind + 2]],
  ] as const)
    for (const part of registers === 0 ? [] : elements(operand).slice(0, registers)) {
      if (part.kind !== "slot" || part.bank !== bank) return undefined;
      slots.push(part.slot);
    }
  return slots;
}
