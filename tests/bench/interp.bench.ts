import { bench, describe } from "vitest";
import { Memory } from "../../src/interp/index.ts";
import { f32, fadd, ffma, fmul, iadd, icompare, imul, shl } from "../../src/numeric/index.ts";
import type { Op } from "../../src/numeric/op.ts";
import { Build, message } from "../unit/interp/build.ts";

/**
 * The machine against the usual simple interpreter: a decoded `switch` a thread, registers as JavaScript values, and
 * BigInt for 64 bits. Both run the same kernel in the same run; only the ratio says anything.
 */
const THREADS = 1024;
const TRIPS = 64;

const compute = (op: Op) => ({ shape: "compute", op }) as const;

function machine(): () => void {
  const b = new Build();
  b.parameterBytes = 8;
  const [tid, i, n, p, k] = [b.special("tid.x"), b.reg("i"), b.constant(TRIPS), b.pred("p"), b.reg("k")];
  const [base, offset, at] = [b.reg("base", 64), b.reg("offset", 64), b.reg("at", 64)];
  const [x, y, s] = [b.reg("x"), b.reg("y"), b.reg("s")];
  b.load(base, "param", 64, undefined);
  b.do(compute(imul("u32", "wide")), offset, tid, b.constant(4));
  b.do(compute(iadd("u64")), at, base, offset);
  b.label("loop").load(x, "global", 32, at);
  b.do(compute(fmul(f32)), y, x, b.constant(0x3f7f_0000));
  b.do(compute(ffma(f32)), s, x, y, s).do(compute(fadd(f32)), x, y, b.constant(0x3f80_0000));
  b.store("global", 32, at, x);
  b.do(compute(shl(32)), k, i, b.constant(2)).do(compute(iadd("u32")), i, i, b.constant(1));
  b.do({ shape: "compare", op: icompare("u32", "lt") }, p, undefined, i, n)
    .when(p)
    .branch("loop");
  b.exit();
  const program = b.program();
  return () => {
    const memory = new Memory({ limit: 1 << 24 });
    const data = memory.allocate({ name: "data", bytes: 4 * THREADS, initialised: true })!;
    const parameters = new Uint8Array(new BigUint64Array([data]).buffer);
    const session = b.session({ program, memory, block: [THREADS, 1, 1], parameters });
    const stop = session.run();
    if (stop.reason !== "exit") throw new Error(message(stop));
  };
}

type Value = number | bigint | boolean;
function simple(): () => void {
  const code = [
    ["ld.param", "base"], ["mul.wide", "offset", "tid", 4], ["add.64", "at", "base", "offset"],
    ["ld.f32", "x", "at"], ["mul.f32", "y", "x", Math.fround(0.99609375)], ["fma.f32", "s", "x", "y", "s"],
    ["add.f32", "x", "y", 1], ["st.f32", "at", "x"], ["shl", "k", "i", 2], ["add.32", "i", "i", 1],
    ["lt", "p", "i", TRIPS], ["bra", "p", 3], ["exit"],
  ] as const; // biome-ignore format: a listing
  return () => {
    const memory = new DataView(new ArrayBuffer(4 * THREADS));
    for (let thread = 0; thread < THREADS; thread++) {
      const registers = new Map<string, Value>([["tid", thread], ["i", 0], ["s", 0]]); // biome-ignore format: short
      const get = (operand: Value | string | undefined): Value =>
        typeof operand === "string" ? registers.get(operand)! : operand!;
      for (let pc = 0; ; pc++) {
        const [name, d, a, b, c] = code[pc]! as readonly [string, ...(string | number)[]];
        const to = d as string;
        if (name === "exit") break;
        switch (name) {
          case "ld.param": registers.set(to, 0n); break;
          case "mul.wide": registers.set(to, BigInt(get(a) as number) * BigInt(get(b) as number)); break;
          case "add.64": registers.set(to, BigInt.asUintN(64, (get(a) as bigint) + (get(b) as bigint))); break;
          case "ld.f32": registers.set(to, memory.getFloat32(Number(get(a)), true)); break;
          case "st.f32": memory.setFloat32(Number(get(to)), get(a) as number, true); break;
          case "mul.f32": registers.set(to, Math.fround((get(a) as number) * (get(b) as number))); break;
          case "add.f32": registers.set(to, Math.fround((get(a) as number) + (get(b) as number))); break;
          case "fma.f32": registers.set(to, Math.fround((get(a) as number) * (get(b) as number) + (get(c) as number))); break;
          case "shl": registers.set(to, ((get(a) as number) << (get(b) as number)) >>> 0); break;
          case "add.32": registers.set(to, ((get(a) as number) + (get(b) as number)) >>> 0); break;
          case "lt": registers.set(to, (get(a) as number) < (get(b) as number)); break;
          case "bra": if (get(to)) pc = (a as number) - 1; break;
        } // biome-ignore format: a listing
      }
    }
  };
}

describe("1024 threads, a loop of nine instructions", () => {
  bench("decoded switch a thread", simple());
  bench("warps", machine());
});
