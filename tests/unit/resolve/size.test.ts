import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { parse } from "../../../src/parser/index.ts";
import { loadModule } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";
import { draws } from "../../share.ts";
import { data, HEADER } from "../parser/read.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const imageOf = (text: string) => {
  const source = new Source("t.ptx", text);
  return loadModule(source, parse(source, { bodies: "index" }).value).value;
};
const programOf = (text: string): Program => {
  const { value, diagnostics } = imageOf(text).kernel("k");
  expect(diagnostics).toEqual([]);
  return value as Program;
};

/** The kernels of one module, again and again under other names, until there are so many instructions. */
function repeated(file: string, instructions: number): string {
  const text = data(file);
  const begin = text.indexOf(".visible .entry");
  const kernels = text.slice(begin);
  const parts = [text.slice(0, begin)];
  const each = kernels.split(";").length;
  const names = [...kernels.matchAll(/\.entry (\w+)/g)].map(([, found]) => found);
  const name = new RegExp(`\\b(${names.join("|")})(_param_\\d+)?\\b`, "g");
  for (let at = 0; at * each < instructions; at++)
    parts.push(kernels.replaceAll(name, (_, kernel, parameter) => `${kernel}_${at}${parameter ?? ""}`));
  return parts.join("");
}

/** Bytes of the heap that the module and its programs take, and their instructions. */
function sizeOf(text: string): { readonly bytes: number; readonly instructions: number } {
  collect();
  const before = process.memoryUsage().heapUsed;
  const image = imageOf(text);
  const programs = image.entries.map((name) => image.kernel(name).value);
  collect();
  const bytes = process.memoryUsage().heapUsed - before;
  return { bytes, instructions: programs.reduce((sum, each) => sum + (each?.code.length ?? 0), 0) };
}

describe("a program's size", () => {
  test("is at most 800 bytes an instruction, however many there are", () => {
    sizeOf(repeated("kernels/layers.sm_80.O3.ptx.gz", 1000));
    for (const count of [draws(1000, 5000), draws(4000, 20_000)]) {
      const { bytes, instructions } = sizeOf(repeated("kernels/layers.sm_80.O3.ptx.gz", count));
      expect(instructions).toBeGreaterThan(count * 0.8);
      expect(bytes / instructions).toBeLessThan(800);
    }
  });
});

describe("what is the same is one object", () => {
  const text = (body: string) =>
    `${HEADER}.entry k(.param .u64 p)\n{\n.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n${body}\nret;\n}\n`;
  const [first, second] = ["%r1, %r2", "%r2, %r3"].map((registers) =>
    programOf(
      text(
        `L: add.s32 ${registers}, 7; @%p1 add.s32 %r4, %r2, 8; ld.param.u64 %rd1, [p]; add.s32 %r5, %r2, 7; @!%p1 bra L;`,
      ),
    ),
  ) as [Program, Program];
  const read = (program: Program, at: number): readonly (Operand | undefined)[] => program.code[at]?.operands ?? [];

  test("the plan and the opcode of a spelling, in all programs", () => {
    for (const [at, { plan, opcode }] of first.code.entries()) {
      expect(second.code[at]?.plan).toBe(plan);
      expect(second.code[at]?.opcode).toBe(opcode);
    }
    expect(first.code[1]?.plan).toBe(first.code[0]?.plan);
  });

  test("the operand of a register and of a constant, in one program", () => {
    expect(read(first, 3)[1]).toBe(read(first, 1)[1]);
    expect(read(first, 3)[2]).toEqual(read(first, 0)[2]);
  });
});
