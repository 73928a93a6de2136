import { afterAll, describe, expect, it } from "vitest";
import { loadAnew } from "../../sources.ts";

// The comment of `integerWidths` promises that a width is one entry: here are all that ptxrun has, and one.
const world = "tests/unit/cli/world.ts";
const replaced = {
  "src/numeric/operation/type.ts": "tests/unit/numeric/one-width.ts",
  "src/isa/integer/integer.ts": "tests/unit/numeric/one-width-instructions.ts",
};

describe.each(["js", "wasm"])(
  "a width of integers that does not exist, written as one entry, executed by %s",
  async (executor) => {
    const load = await loadAnew([world], {
      ...replaced,
      "src/interp/default-executor.ts": `tests/executors/${executor}.ts`,
    });
    const { World } = load<typeof import("../cli/world.ts")>(world);
    const here = new World();
    afterAll(() => here.remove());
    const run = async (text: string, ...argv: string[]) => {
      const { exit, out } = await here.ptxrun(["-e", text, ...argv]);
      return [exit, ...out.trimEnd().split("\n")];
    };

    // 3a + b without bounds, at least 10, and of that the low 24 bits.
    it.each([
      ["u24", "b24", 0xffffff, 5, 3 * 0xffffff + 5],
      ["s24", "s24", -1, 5, 10],
      ["s24", "s24", 0x2fffff, 5, 3 * 0x2fffff + 5],
      ["s24", "s24", 0x7fffff, 0x7fffff, 4 * 0x7fffff],
    ])("is one in which instructions wrap: %s, shown as %s, of %i and %i", async (type, shown, a, b, exact) => {
      const bits = exact & 0xffffff;
      const number = type === "s24" ? (bits << 8) >> 8 : bits;
      const [exit, d] = await run(`least.${type} d, a, b;`, "-r", `a=${a}`, "-r", `b=${b}`);
      expect([exit, d]).toEqual([0, `d  ${shown}  0x${bits.toString(16).padStart(6, "0")}  ${number}`]);
    });

    it("is one of registers", async () => {
      const text = ".reg .s24 %a, %d; least.s24 %a, 4, 5; least.s24 %d, %a, -70;";
      expect(await run(text)).toEqual([0, "%a  s24  0x000011  17", "%d  s24  0x00000a  10"]);
      expect((await run(".reg .u32 %a; least.s24 %a, 4, 5;"))[0]).toBe(3);
    });

    it("is one of values that somebody gives", async () => {
      expect((await run("least.u24 d, a, 0;", "-r", "a=0x1000000"))[0]).toBe(2);
    });
  },
);
