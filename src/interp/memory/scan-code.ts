import { Code } from "../../wasm/code.ts";
import type { ModuleWriter } from "../../wasm/module.ts";

/** How many bytes from `at` on, or before it, are in words that hold `want` under `mask`; `bytes` at most. */
export interface Scan {
  above(at: number, bytes: number, mask: number, want: number): number;
  below(at: number, bytes: number, mask: number, want: number): number;
}

/** Bytes that are compared together, and their vectors. */
const STRIDE = 64;
const vectors = [0, 16, 32, 48];

/** Writes the functions of a `Scan`, whose offsets and bytes are multiples of four. Returns the number of `above`. */
export function scanFunctions(module: ModuleWriter): { readonly above: number } {
  const [above = 0] = (["above", "below"] as const).map((name) =>
    module.function({ takes: ["i32", "i32", "i32", "i32"], gives: ["i32"] }, scanCode(name === "above"), name),
  );
  return { above };
}

function scanCode(above: boolean): Code {
  const code = new Code(4);
  const [at, bytes, mask, want] = [0, 1, 2, 3];
  const [done, masks, wants] = [code.local("i32"), code.local("v128"), code.local("v128")];
  code.get(mask).vector("i32x4.splat").set(masks).get(want).vector("i32x4.splat").set(wants);
  /** Pushes the address of the next `count` bytes. */
  const next = (count: number): Code => {
    if (above) return code.get(at).get(done).scalar("i32.add");
    return code.get(at).get(done).scalar("i32.sub").i32(count).scalar("i32.sub");
  };
  const left = (count: number): Code =>
    code.get(bytes).get(done).scalar("i32.sub").i32(count).scalar("i32.lt_u").branchIf(1);
  const step = (count: number): Code => code.get(done).i32(count).scalar("i32.add").set(done).branch(0).end().end();
  const place = code.local("i32");
  code.block().loop();
  left(STRIDE);
  next(STRIDE).set(place);
  for (const [index, offset] of vectors.entries()) {
    code.get(place).access("v128.load", offset).get(masks).vector("v128.and").get(wants).vector("v128.xor");
    if (index > 0) code.vector("v128.or");
  }
  code.vector("v128.any_true").branchIf(1);
  step(STRIDE);
  // The remaining words, up to the first that does not match.
  code.block().loop();
  left(4);
  next(4).access("i32.load").get(mask).scalar("i32.and").get(want).scalar("i32.ne").branchIf(1);
  step(4);
  return code.get(done);
}
