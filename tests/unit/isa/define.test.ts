import { describe, expect, test } from "vitest";
import { of, to } from "../../../src/isa/form/classes.ts";
import { compute, form } from "../../../src/isa/form/define.ts";
import { parseSyntax } from "../../../src/isa/form/syntax.ts";
import { f16 } from "../../../src/numeric/index.ts";
import { fadd } from "../numeric/float-entry.ts";

const since = { ptx: 42, sm: 53 };
const sum = fadd(f16, {}).operation;
const operands = { d: to("f16"), a: of("f16"), b: of("f16") };

describe("the types read the syntax line", () => {
  test("a sound entry compiles", () => {
    const sound = form("add{.rnd}{.ftz}.f16 d, a, b", {
      where: { rnd: ["rn"] },
      operands,
      since,
      run: ({ rnd = "rn", ftz }) => compute(fadd(f16, { rnd, ftz }).operation),
      check: [{ with: ["ftz"], a: 1, b: 2, d: 3 }],
    });
    expect(sound.check).toEqual([{ with: ["ftz"], operands: { a: 1, b: 2, d: 3 } }]);
    expect(sound.plan({ rnd: undefined, ftz: true })).toMatchObject({ shape: "compute" });
  });

  test("an entry that contradicts its line does not", () => {
    const probes = [
      () =>
        form("add{.ftz}.f16 d, a, b", {
          operands,
          since,
          // @ts-expect-error the line has no .sat
          run: ({ sat }) => compute(fadd(f16, { sat })),
        }),
      // @ts-expect-error operand b has no class
      () => form("add.f16 d, a, b", { operands: { d: to("f16"), a: of("f16") }, since }),
      // @ts-expect-error the line has no operand c
      () => form("add.f16 d, a, b", { operands: { ...operands, c: of("f16") }, since }),
      // @ts-expect-error the check says nothing of d
      () => form("add.f16 d, a, b", { operands, since, check: [{ a: 1, b: 2 }] }),
      // @ts-expect-error the line has no .sat to pick
      () => form("add{.ftz}.f16 d, a, b", { operands, since, check: [{ with: ["sat"], a: 1, b: 2, d: 3 }] }),
      // @ts-expect-error the line has no .rnd to choose for
      () => form("add{.ftz}.f16 d, a, b", { where: { rnd: ["rn"] }, operands, since }),
      () =>
        form("add.type d, a, b", {
          where: { type: ["u16", "u32"] },
          // @ts-expect-error the type is never f64
          operands: ({ type }) => (type === "f64" ? operands : operands),
          since,
        }),
      () =>
        form("vadd.u32 d, {-}a{.asel}, b", {
          where: { asel: ["b0"] },
          operands,
          since,
          // @ts-expect-error the selector is never h0, and b takes no sign
          run: ({ asel, "-a": minus, "-b": other }) => compute(asel === "h0" && minus && other ? sum : sum),
        }),
      // @ts-expect-error the line has no bsel to choose for
      () => form("vadd.u32 d, a{.asel}, b", { where: { bsel: ["b0"] }, operands, since }),
    ];
    for (const probe of probes) expect(probe).not.toThrow();
  });
});

describe("the manual's notation at run time", () => {
  const read = (line: string, where = {}) => parseSyntax(line, where);

  test("optional, fixed and chosen words", () => {
    const { mnemonic, modifiers } = read("add{.rnd}{.ftz}.f16x2 d", { rnd: ["rn", "rz"] });
    expect(mnemonic).toBe("add");
    expect(modifiers).toEqual([
      { name: "rnd", optional: true, choices: ["rn", "rz"], flag: false },
      { name: "ftz", optional: true, choices: ["ftz"], flag: true },
      { name: "f16x2", optional: false, choices: ["f16x2"], flag: true },
    ]);
  });

  test("words of one pair of braces belong together", () => {
    const [, xorsign, abs, type] = read("min{.NaN}{.xorsign.abs}.f16 d").modifiers;
    expect(xorsign?.group).toBeDefined();
    expect(abs?.group).toBe(xorsign?.group);
    expect(type?.group).toBeUndefined();
  });

  test("selectors and signs of operands", () => {
    expect(read("vmad.u32 d{.dsel}, {-}a{.asel}, {-}b{, c}", { asel: ["b0", "h1"] }).slots).toEqual([
      { name: "d", optional: false, selector: { name: "dsel", choices: new Set(["dsel"]) } },
      { name: "a", optional: false, selector: { name: "asel", choices: new Set(["b0", "h1"]) }, minus: true },
      { name: "b", optional: false, minus: true },
      { name: "c", optional: true },
    ]);
  });

  test("pairs, optional operands, negation and addresses", () => {
    expect(read("setp.lt.u32 p{|q}, a, {!}c").slots).toEqual([
      { name: "p", optional: false, second: { name: "q", optional: true } },
      { name: "a", optional: false },
      { name: "c", optional: false },
    ]);
    expect(read("ld.u32 d|p, [a]{, policy}").slots).toEqual([
      { name: "d", optional: false, second: { name: "p", optional: false } },
      { name: "a", optional: false },
      { name: "policy", optional: true },
    ]);
    expect(read("exit").slots).toEqual([]);
  });

  test("a line that is not the notation is a mistake in the table", () => {
    expect(() => read("add{.ftz d")).toThrow(/notation/);
    expect(() => read(".add d")).toThrow(/notation/);
  });
});
