import { Linear } from "../../../../src/interp/memory/linear.ts";
import type { Bits } from "../../../../src/numeric/bits.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import { VectorEmitter } from "../../../../src/numeric/vector/emit.ts";
import { VectorFunctions } from "../../../../src/numeric/vector/function-set.ts";
import { vectorOf } from "../../../../src/numeric/vector/lower.ts";
import { VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { isWide, type Value, type Vector } from "../../../../src/numeric/vector/vector.ts";
import { Code } from "../../../../src/wasm/code.ts";
import { compileModule, instantiate } from "../../../../src/wasm/engine.ts";
import { ModuleWriter } from "../../../../src/wasm/module.ts";

const PAGES = 64;
const { wasm } = new Linear((PAGES / 2) * 65536);
if (wasm === undefined) throw new Error("this system has no address space for WebAssembly");
const memory = wasm;
const u32 = new Uint32Array(memory.buffer);
const u64 = new BigUint64Array(memory.buffer);
/** Lanes of one call, and bytes from one operand's array to the next. */
const MOST = 16384;
const STRIDE = MOST * 8;

/** What an operation gives for arrays of operands, one entry a case. */
export type VectorRun = (operands: readonly (readonly Bits[])[]) => Bits[];

/** An operand that is the same in all cases, and known when the code is written. */
export type Known = Bits | undefined;

type Rule = (operands: readonly Value[], make: VectorMaker) => Value | undefined;

/**
 * Computes so many chunks of four lanes of an operation, from the operands' arrays into the one behind them;
 * undefined where no rule leads. Operands of which `known` says a value are constants in the code; `make` says what the
 * engine can do.
 */
export function vectorLoop(
  operation: Operation,
  known: readonly Known[] = [],
  rule: Rule = (operands, make) => vectorOf(operation, operands, make),
  make = new VectorMaker(),
): ((chunks: number) => void) | undefined {
  const operands = operation.takes.map(({ type }, at): Value => {
    const width = widthOf(type);
    const fixed = known[at];
    if (fixed !== undefined && width === 64) return [make.all64(BigInt(fixed)), make.all64(BigInt(fixed))];
    if (fixed !== undefined) return make.all32(width === 1 ? -Number(fixed) : Number(fixed));
    return width === 64 ? [make.input(2 * at), make.input(2 * at + 1)] : make.input(2 * at);
  });
  const result = rule(operands, make);
  if (result === undefined) return undefined;
  const given: readonly Vector[] = isWide(result) ? result : [result];
  const module = new ModuleWriter(PAGES);
  const functions = new VectorFunctions(module);
  const code = new Code(1);
  const [chunk, narrow, wide] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const emitter = new VectorEmitter(code, {
    input: (at, into) => {
      const isLong = widthOf(operation.takes[at >>> 1]!.type) === 64;
      into.get(isLong ? wide : narrow).access("v128.load", (at >>> 1) * STRIDE + (at & 1) * 16);
    },
    function: (of) => functions.index(of),
  });
  for (const each of given) emitter.expect(each);
  code.loop();
  code.get(chunk).i32(4).scalar("i32.shl").set(narrow).get(chunk).i32(5).scalar("i32.shl").set(wide);
  for (const [half, each] of given.entries()) {
    code.get(given.length === 2 ? wide : narrow);
    emitter.push(each);
    code.access("v128.store", operation.takes.length * STRIDE + half * 16);
  }
  code.get(chunk).i32(1).scalar("i32.add").tee(chunk).get(0).scalar("i32.lt_u").branchIf(0).end();
  module.function({ takes: ["i32"], gives: [] }, code, "run");
  return instantiate(compileModule(module.result()), { memory })["run"] as (chunks: number) => void;
}

/**
 * The operand at a place, or behind them the result, of up to 32 bits: 16,384 lanes, which `vectorLoop` reads and writes.
 *
 * @public `tests/sweep/vector.js` imports it by a text that knip does not read.
 */
export const wordsOf = (at: number): Uint32Array => u32.subarray((at * STRIDE) / 4, (at * STRIDE) / 4 + MOST);

/**
 * An operation as WebAssembly computes it, as a function on arrays; undefined where no rule leads. A carry is the bit
 * above the result: give it a rule with `value`.
 */
export function vectorRun(
  operation: Operation,
  known: readonly Known[] = [],
  rule: Rule = (operands, make) => vectorOf(operation, operands, make),
  make = new VectorMaker(),
): VectorRun | undefined {
  const run = vectorLoop(operation, known, rule, make);
  if (run === undefined) return undefined;
  const width = widthOf(operation.gives);
  return (cases) => {
    const count = Math.max(...cases.map((each) => each.length), 0);
    const out: Bits[] = [];
    for (let from = 0; from < count; from += MOST) {
      const lanes = Math.min(MOST, count - from);
      for (const [at, { type }] of operation.takes.entries()) {
        const bits = widthOf(type);
        for (let lane = 0; lane < lanes; lane++) {
          const value = cases[at]?.[from + lane] ?? 0;
          if (bits === 64) u64[(at * STRIDE) / 8 + lane] = BigInt(value);
          else u32[(at * STRIDE) / 4 + lane] = bits === 1 ? -Number(value) : Number(value);
        }
      }
      run(Math.ceil(lanes / 4));
      const start = operation.takes.length * STRIDE;
      for (let lane = 0; lane < lanes; lane++) {
        if (width === 64) out.push(u64[start / 8 + lane]!);
        else if (width === 1) out.push(maskBit(u32[start / 4 + lane]!));
        else out.push(u32[start / 4 + lane]!);
      }
    }
    return out;
  };
}

/** A mask has all bits of a lane or none. */
function maskBit(word: number): number {
  if (word !== 0 && word !== 0xffff_ffff) throw new Error(`0x${word.toString(16)} is no mask`);
  return word & 1;
}
