import { Code } from "../../wasm/code.ts";
import { type CompiledModule, compileModule, hasVectors, instantiate } from "../../wasm/engine.ts";
import { ModuleWriter } from "../../wasm/module.ts";
import type { Linear } from "./linear.ts";
import { type Scan, scanFunctions } from "./scan-code.ts";

/** Bytes that are worked on together, and their vectors. */
export const STRIDE = 64;
const vectors = [0, 16, 32, 48];

/**
 * What is done to the words of a range of a buffer, many times faster than JavaScript does it. `at` is an offset in the buffer, `bytes`
 * is a multiple of `STRIDE`, and not 0.
 */
export interface Marks extends Scan {
  /** Sets the bits of `word` in all of them; where they are set, the range is only read. */
  mark(at: number, bytes: number, word: number): void;
  /** Leaves of each the bits of `word`. */
  keep(at: number, bytes: number, word: number): void;
  /** The bits that are set in any of them. */
  union(at: number, bytes: number): number;
}

/** By code of WebAssembly, where there is any. */
export function marksOf({ wasm, buffer }: Linear): Marks {
  if (wasm === undefined || !hasVectors()) return slowMarks(new Int32Array(buffer));
  const pages = buffer.byteLength / 65536;
  const module = modules.get(pages) ?? moduleFor(pages);
  modules.set(pages, module);
  return instantiate(module, { memory: wasm }) as unknown as Marks;
}

/** By pages of memory. */
const modules = new Map<number, CompiledModule>();

function moduleFor(pages: number): CompiledModule {
  const module = new ModuleWriter(pages);
  module.function({ takes: ["i32", "i32", "i32"], gives: [] }, markCode(), "mark");
  module.function({ takes: ["i32", "i32", "i32"], gives: [] }, keepCode(), "keep");
  module.function({ takes: ["i32", "i32"], gives: ["i32"] }, unionCode(), "union");
  scanFunctions(module);
  return compileModule(module.result());
}

const [at, bytes, word] = [0, 1, 2];

/** Ends a loop over the strides of a range. */
const nextStride = (code: Code): Code => {
  code.get(at).i32(STRIDE).scalar("i32.add").set(at);
  return code.get(bytes).i32(STRIDE).scalar("i32.sub").tee(bytes).branchIf(0).end();
};

function markCode(): Code {
  const code = new Code(3);
  const bits = code.local("v128");
  code.get(word).vector("i32x4.splat").set(bits).loop();
  for (const [index, offset] of vectors.entries()) {
    code.get(at).access("v128.load", offset);
    if (index > 0) code.vector("v128.and");
  }
  code.get(bits).vector("v128.and").get(bits).vector("v128.xor").vector("v128.any_true").if();
  for (const offset of vectors)
    code.get(at).get(at).access("v128.load", offset).get(bits).vector("v128.or").access("v128.store", offset);
  code.end();
  return nextStride(code);
}

function keepCode(): Code {
  const code = new Code(3);
  const bits = code.local("v128");
  code.get(word).vector("i32x4.splat").set(bits).loop();
  for (const offset of vectors)
    code.get(at).get(at).access("v128.load", offset).get(bits).vector("v128.and").access("v128.store", offset);
  return nextStride(code);
}

function unionCode(): Code {
  const code = new Code(2);
  const bits = code.local("v128");
  code.v128([0, 0, 0, 0]).set(bits).loop();
  for (const offset of vectors) code.get(at).access("v128.load", offset).get(bits).vector("v128.or").set(bits);
  nextStride(code);
  for (const lane of [0, 1, 2, 3]) {
    code.get(bits).lane("i32x4.extract_lane", lane);
    if (lane > 0) code.scalar("i32.or");
  }
  return code;
}

function slowMarks(words: Int32Array): Marks {
  const change = (at: number, bytes: number, to: (word: number) => number): void => {
    for (let word = at >>> 2; word < (at + bytes) >>> 2; word++) words[word] = to(words[word]!);
  };
  /** How many of the words from one on, or before it, are right. */
  const scan = (at: number, bytes: number, mask: number, want: number, step: 1 | -1): number => {
    let done = 0;
    for (
      let word = step === 1 ? at >>> 2 : (at >>> 2) - 1;
      done < bytes && (words[word]! & mask) === want;
      word += step
    )
      done += 4;
    return done;
  };
  return {
    mark: (at, bytes, word) => change(at, bytes, (each) => each | word),
    keep: (at, bytes, word) => change(at, bytes, (each) => each & word),
    union: (at, bytes) => words.subarray(at >>> 2, (at + bytes) >>> 2).reduce((all, each) => all | each, 0),
    above: (at, bytes, mask, want) => scan(at, bytes, mask, want, 1),
    below: (at, bytes, mask, want) => scan(at, bytes, mask, want, -1),
  };
}
