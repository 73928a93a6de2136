import type { Compile, Compiler } from "../../hunt/compiler.ts";
import { textFor } from "../../hunt/compiler.ts";
import { inputFor } from "../../hunt/draw.ts";
import { evaluate } from "../../hunt/evaluate.ts";
import { rowOf } from "../../hunt/llvm.ts";
import { instructionsOf, type Program } from "../../hunt/program.ts";
import { withoutDead } from "../../hunt/reduce.ts";
import { outputsOf } from "../../hunt/run.ts";
import { sizeOf, toBytes, type Value } from "../../hunt/type.ts";

/** A compiler for tests. */
export const named = (name: string, version: string): Compiler => ({
  name: `${name} -O0`,
  version,
  kind: "llc",
  level: "O0",
  typed: false,
  steps: [],
});

/** Whether a program needs an instruction, in its own body. */
export const has = (program: Program, name: string): boolean =>
  [...instructionsOf(withoutDead(program).body)].some((each) => each.name === name);

/**
 * Stands in for a compiler: its programs copy what they should give from a table. `harm` does something to a program's text.
 * The input is not looked at: what is given is right for the inputs of one seed and place.
 */
export const standIn =
  (
    seed: number,
    harm: (compiler: Compiler, program: Program, text: string) => string | { readonly failed: string },
  ): Compile =>
  async (compiler, module) => {
    const texts: string[] = [".version 7.0\n.target sm_80\n.address_size 64\n"];
    for (const program of module.programs) {
      const made = harm(compiler, program, copying(program, seed));
      if (typeof made !== "string") return made;
      texts.push(made);
    }
    // The real text is made too, which is to say nothing strange.
    if (textFor(compiler, module).includes("undefined")) return { failed: "a text with holes" };
    return { ptx: texts.join("\n") };
  };

function copying(program: Program, seed: number): string {
  const { name, threads, parameters } = program;
  const input = inputFor(seed, Number(name.slice(1)), threads);
  const types = outputsOf(program);
  const row = rowOf(types);
  const bytes = new Uint8Array(row.bytes * threads).fill(0xa5);
  for (const [thread, values] of evaluate(program, input).entries())
    for (const [at, value] of values.entries())
      bytes.set(toBytes(types[at] as never, value as Value), thread * row.bytes + (row.offsets[at] ?? 0));
  const given = parameters.map(({ type }, at) => `, .param .align 16 .b8 p${at}[${sizeOf(type)}]`);
  const words = Array.from(new Uint32Array(bytes.buffer), String).join(", ");
  return `.global .align 16 .b32 ${name}_t[${bytes.length / 4}] = {${words}};
.visible .entry ${name}(.param .u64 in, .param .u64 out${given.length === 0 ? "" : given.join("")}) {
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, ${row.bytes};
  add.u64 %rd1, %rd1, %rd2;
  mov.u64 %rd3, ${name}_t;
  add.u64 %rd3, %rd3, %rd2;
  mov.u32 %r2, 0;
again:
  ld.global.b32 %r3, [%rd3];
  st.global.b32 [%rd1], %r3;
  add.u64 %rd1, %rd1, 4;
  add.u64 %rd3, %rd3, 4;
  add.u32 %r2, %r2, 4;
  setp.lt.u32 %p, %r2, ${row.bytes};
  @%p bra again;
  ret;
}`;
}
