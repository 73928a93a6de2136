import { describe, expect, it } from "vitest";
import type { Program } from "../../../src/interp/contract/program.ts";
import { createSession, Memory } from "../../../src/interp/index.ts";
import { parseSnippet } from "../../../src/parser/index.ts";
import { workInstruction } from "../../../src/present/working/instruction.ts";
import { resolveSnippet } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";

const thread = { block: 0, warp: 0, lane: 0 };

/** The working of the instruction at `pc`, after those before it have run. */
function workAt(pc: number, text: string, given: Readonly<Record<string, bigint>> = {}, carry: 0 | 1 = 0): string {
  const source = new Source("snippet", text);
  const { value: program } = resolveSnippet(source, parseSnippet(source).value, { target: "sm_100a", version: "9.0" });
  if (program === undefined) throw new Error("no program");
  const session = createSession({
    program,
    memory: new Memory({ limit: 1 << 20 }),
    carry,
    grid: [1, 1, 1],
    block: [1, 1, 1],
    parameters: new Uint8Array(0),
    addressOf: () => 0n,
    registers: new Map(Object.entries(given).map(([name, bits]) => [name, [bits]])),
  });
  for (let at = 0; at < pc; at++) session.run({ stepping: "into" });
  const lines = workInstruction(
    program as Program,
    pc,
    (operand) => session.operand(thread, operand),
    session.carry(thread),
  );
  return lines.join("\n");
}

describe("the instruction that comes next", () => {
  it("is worked through with the registers' values and names", () => {
    const text = workAt(1, ".reg .f32 %f<3>; add.f32 %f1, %f0, %f0; mul.rz.f32 %f2, %f1, 0f3dcccccd;", {
      "%f0": 0x3f800000n,
    });
    expect(text).toMatch(
      /^mul\.rz\.f32 %f2, %f1, 0f3dcccccd;\n {2}does +%f2 = round\.rz\.f32\(%f1 \* b\)\n {2}%f1 +f32 0x40000000 /,
    );
    expect(text).toMatch(/\n {2}b +f32 0x3dcccccd /);
    expect(text).toMatch(/\n {2}%f2 +f32 0x3e4ccccd /);
  });

  it("does nothing for a thread that its guard leaves out", () => {
    const text = ".reg .pred %p; .reg .b32 %r; @!%p add.u32 %r, %r, 1;";
    expect(workAt(0, text, { "%p": 1n })).toMatch(/\n {2}!%p keeps this thread from it: nothing happens$/);
    expect(workAt(0, text, { "%p": 0n })).toMatch(/\n {2}%r +u32 0x00000001 = 1$/);
  });

  it("takes carries, vectors, special registers and sinks as they are", () => {
    expect(workAt(0, "addc.u32 d, a, b;", { a: 1n, b: 2n }, 1)).toContain("CF          1, CC.CF before");
    expect(workAt(0, ".reg .b64 d; .reg .b32 a, b; mov.b64 d, {a, b};", { a: 1n, b: 2n })).toContain(
      "0x0000000200000001",
    );
    expect(workAt(0, "mov.u32 d, %laneid;")).toContain("%laneid");
    expect(workAt(0, ".reg .pred p; .reg .b32 a, b, c; lop3.or.b32 _|p, a, b, c, 0xfe, !p;", { a: 4n })).toContain(
      "_ is not 0, or !p = 1",
    );
    expect(workAt(0, ".reg .b64 a; .reg .b32 d; ld.global.b32 d, [a+4];", { a: 256n })).toContain(
      "[a]   0x0000000000000104",
    );
  });

  it("has nothing to say behind the end", () => {
    expect(workAt(7, "add.u32 d, a, b;")).toBe("");
  });
});
