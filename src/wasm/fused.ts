import { Code } from "./code.ts";
import { compileModule, instantiate } from "./engine.ts";
import { ModuleWriter } from "./module.ts";

let known: boolean | undefined;

/**
 * Whether `f32x4.relaxed_madd` and `f64x2.relaxed_madd` are there and round a * b + c once, to nearest even: the
 * specification lets an engine round the product before, or have neither. Tried once; a module that uses them must not be
 * given to another machine.
 */
export function fusesMultiplyAdd(): boolean {
  known ??= tried();
  return known;
}

function tried(): boolean {
  try {
    const module = new ModuleWriter();
    for (const type of ["f32", "f64"] as const) {
      const lanes = type === "f32" ? "f32x4" : "f64x2";
      const code = new Code(3);
      for (let operand = 0; operand < 3; operand++) code.get(operand).vector(`${lanes}.splat`);
      code.vector(`${lanes}.relaxed_madd`).lane(`${lanes}.extract_lane`, 1);
      module.function({ takes: [type, type, type], gives: [type] }, code, type);
    }
    const { f32, f64 } = instantiate(compileModule(module.result()), {}) as Readonly<Record<"f32" | "f64", Fused>>;
    return smallest(f32, 2 ** -12) && smallest(f64, 2 ** -30);
  } catch {
    return false;
  }
}

type Fused = (a: number, b: number, c: number) => number;

/** (1 + d)^2 - (1 + 2d) is d^2, which a product that is rounded has lost. */
const smallest = (fused: Fused, d: number): boolean => fused(1 + d, 1 + d, -(1 + 2 * d)) === d * d;
