import { describe, expect, it } from "vitest";
import { draws } from "../../../../tests/share.ts";
import { drawModule, inputFor } from "../../hunt/draw.ts";
import { evaluate } from "../../hunt/evaluate.ts";
import { llvmText } from "../../hunt/llvm.ts";
import { instructionsOf } from "../../hunt/program.ts";

const seeds = Array.from({ length: draws(3, 60) }, (_, at) => at + 1);

describe("a module", () => {
  it("is the same for a seed, and another for another", () => {
    const texts = [1, 1, 2].map((seed) => llvmText(drawModule(seed, 5), false));
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(texts[2]);
  });

  it("has programs whose every value is made before it is used", () => {
    for (const seed of seeds)
      for (const [at, program] of drawModule(seed, 6).programs.entries()) {
        const outputs = evaluate(program, inputFor(seed, at, program.threads));
        expect(outputs).toHaveLength(program.threads);
        for (const row of outputs) expect(row).toHaveLength(program.outputs.length);
      }
  });

  it("says in typed pointers what others say without", () => {
    const module = drawModule(5, 4);
    expect(llvmText(module, true)).not.toMatch(/\bptr\b/);
    expect(llvmText(module, false)).not.toMatch(/\w\*/);
  });

  it("takes turns at all that may go wrong", () => {
    const names = new Set<string>();
    for (let seed = 1; seed <= 12; seed++)
      for (const { body } of drawModule(seed, 12).programs)
        for (const { name } of instructionsOf(body)) names.add(name);
    for (const name of ["memory", "exchange", "lane", "ballot", "atomic", "gather", "exchangeIf", "loop", "if", "switch", "call", "fma", "bitcast", "extractAt", "sdiv"]) expect(names, name).toContain(name); // biome-ignore format: a list of names
  });
});
