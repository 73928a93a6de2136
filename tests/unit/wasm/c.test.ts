import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { systemCompiler } from "../../../src/system/native-compiler.ts";
import { operandsOf, scalarRule } from "../../../src/wasm/c/operations.ts";
import { Code } from "../../../src/wasm/code.ts";
import { compileModule, instantiate, sharedMemory } from "../../../src/wasm/engine.ts";
import {
  accessInstructions,
  laneAccessInstructions,
  laneInstructions,
  saturatingInstructions,
  scalarInstructions,
  vectorAccessInstructions,
  vectorInstructions,
} from "../../../src/wasm/instructions.ts";
import { ModuleWriter } from "../../../src/wasm/module.ts";

// Each instruction that modules may have, by the engine and as C: on bits that are special to it, and on drawn ones. What C
// does on v256 is compared with what the engine does on each half.

const folder = mkdtempSync(join(tmpdir(), "ptxrun-c-"));
const compiler = systemCompiler({ ...process.env, XDG_CACHE_HOME: folder, HOME: folder });
afterAll(() => rmSync(folder, { recursive: true }));

/** Operands are 32 bytes each, from 0 on; results are stored behind them. */
const [WIDTH, RESULT, ROUNDS] = [32, 256, 80];

/** A function that reads operands, of `half` or of both, and stores what it computes. */
interface Case {
  readonly name: string;
  readonly write: (code: Code, half: 0 | 1, wide: boolean) => void;
  /** The elements of the result, if they may be NaN, whose bits engines are free to choose. */
  readonly floats?: "f32" | "f64";
  readonly vectors: boolean;
}

type Scalar = "i32" | "i64" | "f32" | "f64";

function scalarCase(name: string): Case {
  const { takes, compute } = scalarRule(name);
  const [type, operation] = name.split(".") as [Scalar, string];
  const given = (/_([if]\d\d)(_[su])?$/.exec(operation)?.[1] ?? type) as Scalar;
  const result = compute("a", "b").type as Scalar;
  return {
    name,
    vectors: false,
    ...(result[0] === "f" && { floats: result as "f32" }),
    write(code) {
      code.i32(RESULT);
      for (let at = 0; at < takes; at++) {
        code.i32(at * WIDTH).access(given.endsWith("64") ? "i64.load" : "i32.load");
        if (given === "f32") code.scalar("f32.reinterpret_i32");
        if (given === "f64") code.scalar("f64.reinterpret_i64");
      }
      code.scalar(name as "i32.add");
      if (result === "f32") code.scalar("i32.reinterpret_f32");
      if (result === "f64") code.scalar("i64.reinterpret_f64");
      code.access(result.endsWith("64") ? "i64.store" : "i32.store");
    },
  };
}

/** Where the result of a half goes, or of both. */
const place = (half: number): number => RESULT + 16 * half;

/** Pushes an operand. */
const push = (code: Code, at: number, half: number): Code => code.i32(at * WIDTH + 16 * half).access("v128.load");

function vectorCase(name: string): Case {
  const [shape, operation] = name.split(".") as [string, string];
  const scalar = /^(any_true|all_true|bitmask)$/.test(operation);
  const arithmetic = /^f/.test(shape) && !/^(eq|ne|lt|gt|le|ge|abs|neg|pmin|pmax|splat)$/.test(operation);
  return {
    name,
    vectors: !scalar && operation !== "splat",
    ...(arithmetic && { floats: shape.slice(0, 3) as "f32" }),
    write(code, half) {
      code.i32(place(half));
      if (operation === "splat") {
        code.i32(0).access(shape.startsWith("i64") || shape.startsWith("f64") ? "i64.load" : "i32.load");
        if (shape === "f32x4") code.scalar("f32.reinterpret_i32");
        if (shape === "f64x2") code.scalar("f64.reinterpret_i64");
      } else push(code, 0, half);
      const shift = /^sh[lr]/.test(operation);
      if (shift) code.i32(WIDTH).access("i32.load");
      else for (let at = 1; at < operandsOf(name); at++) push(code, at, half);
      code.vector(name as "i32x4.add");
      code.access(scalar ? "i32.store" : "v128.store");
    },
  };
}

const shuffles: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23],
  [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7],
  [31, 0, 30, 1, 29, 2, 28, 3, 27, 4, 26, 5, 25, 6, 24, 7],
  [2, 3, 0, 1, 18, 19, 16, 17, 6, 7, 4, 5, 22, 23, 20, 21],
];

const laneCases = Object.keys(laneInstructions).flatMap((name): Case[] => {
  const [shape, operation] = name.split(".") as [string, string];
  const wide = shape.includes("64");
  const value = shape.includes("64") ? "i64.load" : "i32.load";
  return [0, 1].map((lane) => ({
    name: `${name} ${lane}`,
    vectors: false,
    write(code) {
      code.i32(RESULT);
      push(code, 0, 0);
      if (operation.startsWith("replace")) {
        code.i32(WIDTH).access(value);
        if (shape === "f32x4") code.scalar("f32.reinterpret_i32");
        if (shape === "f64x2") code.scalar("f64.reinterpret_i64");
        code.lane(name as "i32x4.replace_lane", lane).access("v128.store");
        return;
      }
      code.lane(name as "i32x4.extract_lane", lane);
      if (shape === "f32x4") code.scalar("i32.reinterpret_f32");
      if (shape === "f64x2") code.scalar("i64.reinterpret_f64");
      code.access(wide ? "i64.store" : "i32.store");
    },
  }));
});

const cases: readonly Case[] = [
  ...[...Object.keys(scalarInstructions), ...Object.keys(saturatingInstructions)]
    // Those that trap are asked for where they do not, see below.
    .filter((name) => name.includes(".") && !/\.(div|rem)_[su]$/.test(name))
    .map(scalarCase),
  ...Object.keys(vectorInstructions)
    .filter((name) => !name.includes("relaxed"))
    .map(vectorCase),
  ...shuffles.map(
    (bytes): Case => ({
      name: `shuffle ${bytes.join()}`,
      vectors: true,
      write: (code, half) => {
        push(push(code.i32(place(half)), 0, half), 1, half)
          .shuffle(bytes)
          .access("v128.store");
      },
    }),
  ),
  ...laneCases,
  ...Object.keys(accessInstructions).map(
    (name): Case => ({
      name,
      vectors: false,
      write(code) {
        const long = name.startsWith("i64");
        if (name.includes("store"))
          code
            .i32(RESULT)
            .i32(0)
            .access(long ? "i64.load" : "i32.load")
            .access(name as "i32.store8", 3);
        else
          code
            .i32(RESULT)
            .i32(1)
            .access(name as "i32.load", 2)
            .access(long ? "i64.store" : "i32.store");
      },
    }),
  ),
  ...Object.keys(vectorAccessInstructions)
    .filter((name) => name.includes("load"))
    .map(
      (name): Case => ({
        name,
        // What the halves of v256 are loaded from lies 16 bytes apart, but splats have one place.
        vectors: !name.includes("splat"),
        write: (code, half) => {
          code
            .i32(place(half))
            .i32(16 * half)
            .access(name as "v128.load", 5)
            .access("v128.store");
        },
      }),
    ),
  ...Object.keys(laneAccessInstructions).map(
    (name): Case => ({
      name,
      vectors: false,
      write(code) {
        const store = name.includes("store");
        if (!store) code.i32(RESULT);
        push(code.i32(store ? RESULT : 3), 0, 0).laneAccess(name as "v128.load8_lane", 1, 2);
        if (!store) code.access("v128.store");
      },
    }),
  ),
];

/** Numbers at the borders of formats, as words. */
const borders = [
  0, 1, -1, 0x7fff_ffff, -0x8000_0000, 0x7f80_0000, -0x0080_0000, 0x7fc0_0001, 0x7f7f_ffff, 0x0080_0000, 0x007f_ffff,
  0x3f80_0000, 0x3f00_0000, 0x4020_0000, 0x4f00_0000, 0x4eff_ffff, 0x4f80_0000, -0x3100_0000, 0x7ff0_0000, 0x41e0_0000,
  0x41ef_ffff, 0x43e0_0000, -0x3c20_0000, 0x3ff8_0000, 0x4004_0000, 0x8000_7fff | 0, 0x80ff_7f01 | 0, 31, 32, 33, 63,
]; // biome-ignore format: a table

/** Words of operands: borders, small numbers, any; of later operands often the first one's, or its negative. */
function fill(words: Int32Array, seed: number): void {
  let state = Math.imul(seed, 0x9e37_79b1) + 1;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 9) % below;
  };
  for (let at = 0; at < words.length; at++) {
    const before = at < WIDTH / 4 ? undefined : words[at % (WIDTH / 4)]!;
    const way = draw(before === undefined ? 3 : 5);
    if (way === 0) words[at] = borders[draw(borders.length)]!;
    else if (way === 1) words[at] = draw(256) - 128;
    else if (way === 2) words[at] = (draw(1 << 16) << 16) | draw(1 << 16);
    else words[at] = way === 3 ? before! : before! ^ -0x8000_0000;
  }
}

/** Bits, with one pattern for all NaN. */
function bitsOf(bytes: Uint8Array, floats: Case["floats"]): readonly (number | bigint)[] {
  const copy = bytes.slice().buffer;
  if (floats === "f32")
    return [...new Uint32Array(copy)].map((word) => ((word & 0x7fff_ffff) > 0x7f80_0000 ? 0x7fc0_0000 : word));
  if (floats === "f64")
    return [...new BigUint64Array(copy)].map((word) =>
      (word & 0x7fff_ffff_ffff_ffffn) > 0x7ff0_0000_0000_0000n ? 0x7ff8_0000_0000_0000n : word,
    );
  return [...new Uint8Array(copy)];
}

const moduleOf = (wide: boolean): ModuleWriter => {
  const module = new ModuleWriter(1);
  for (const { name, write, vectors } of cases) {
    const code = new Code(0);
    if (wide && vectors) {
      code.wide = true;
      write(code, 0, true);
      code.wide = false;
    } else {
      write(code, 0, false);
      if (vectors) write(code, 1, false);
    }
    module.function({ takes: [], gives: [] }, code, name);
  }
  return module;
};

test.runIf(compiler !== undefined)("each instruction as C, also on v256, gives what the engine's gives", () => {
  const [memory, ours] = [sharedMemory(1), sharedMemory(1)];
  const engine = instantiate(compileModule(moduleOf(false).result()), { memory });
  const asC = [false, true].map((wide) => compiler!.instantiate(compiler!.compile(moduleOf(wide)), ours.buffer, {}));
  const [bytes, own] = [memory, ours].map(({ buffer }) => new Uint8Array(buffer, 0, 512)) as [Uint8Array, Uint8Array];
  const given = new Int32Array(RESULT / 4);
  const differ = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    fill(given, round);
    for (const { name, floats } of cases) {
      bytes.fill(0x55, RESULT).set(new Uint8Array(given.buffer));
      (engine[name] as () => void)();
      for (const [way, exports] of asC.entries()) {
        own.fill(0x55, RESULT).set(new Uint8Array(given.buffer));
        (exports[name] as () => void)();
        const [want, got] = [bytes, own].map((each) => bitsOf(each.subarray(RESULT, RESULT + 64), floats).join());
        if (want !== got)
          differ.add(`${name}${way === 1 ? " on v256" : ""} of round ${round}: ${want} is wanted, not ${got}`);
      }
    }
  }
  expect([...differ].slice(0, 12)).toEqual([]);
});
