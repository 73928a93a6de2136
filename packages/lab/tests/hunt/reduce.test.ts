import { describe, expect, it } from "vitest";
import { draws } from "../../../../tests/share.ts";
import { drawModule, inputFor } from "../../hunt/draw.ts";
import { evaluate, valuesIn } from "../../hunt/evaluate.ts";
import { llvmText } from "../../hunt/llvm.ts";
import { instructionsOf, type Program } from "../../hunt/program.ts";
import { reduce, withoutDead } from "../../hunt/reduce.ts";

const all = ({ body, functions }: Program) => [body, ...functions.map((each) => each.body)].flatMap((each) => [...instructionsOf(each)]); // biome-ignore format: one line

/** Reduces a program of a seed as long as an instruction of a name is left, and can be evaluated each time. */
async function reduced(seed: number, name: string, most: number) {
  const [program] = drawModule(seed, 40).programs.filter((each) =>
    all(withoutDead(each)).some((one) => one.name === name),
  );
  if (program === undefined) throw new Error(`no ${name} with seed ${seed}`);
  const input = inputFor(seed, 0, program.threads);
  let tried = 0;
  const small = await reduce(
    program,
    async (smaller) => {
      tried++;
      evaluate(smaller, input);
      expect(llvmText({ seed, programs: [smaller] }, false)).not.toContain("undefined");
      return all(smaller).some((one) => one.name === name);
    },
    (each) => valuesIn(each, input, 0),
    most,
  );
  return { program, small, tried };
}

describe("a program is reduced", () => {
  it.each(["fshl", "loop", "exchange"].slice(0, draws(2, 3)))("to one %s with what it needs", async (name) => {
    const { small, program } = await reduced(7, name, 2000);
    expect(all(small).filter((each) => each.name === name)).toHaveLength(1);
    expect(all(small).length).toBeLessThan(12);
    expect(all(small).length).toBeLessThan(all(program).length / 3);
    expect(small.outputs).toHaveLength(1);
    expect(small.functions.length).toBeLessThanOrEqual(1);
  });

  it("within so many trials", async () => {
    const { tried } = await reduced(8, "shuffle", 9);
    expect(tried).toBe(9);
  });

  it("to itself where nothing smaller is interesting", async () => {
    const [program] = drawModule(9, 1).programs as [Program];
    const input = inputFor(9, 0, program.threads);
    expect(await reduce(program, async () => false, (each) => valuesIn(each, input, 0), 50)).toEqual(program); // biome-ignore format: one line
  });
});
