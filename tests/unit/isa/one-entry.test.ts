import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keyOf } from "../../../src/numeric/operation/key.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { sourceFiles } from "../../folders.ts";
import { loadAnew } from "../../sources.ts";

// CONTRIBUTING.md promises that an instruction is one entry in one file, its meaning included: here are all that ptxrun has, and one.
const INTEGER = "src/isa/integer/integer.ts";
const made = {
  isa: "src/isa/index.ts",
  scalar: "src/numeric/lower/scalar.ts",
  reference: "src/numeric/operation/reference.ts",
  world: "tests/unit/cli/world.ts",
  example: "tests/conformance/example.ts",
};
const load = await loadAnew(Object.values(made), { [INTEGER]: "tests/unit/isa/one-entry.ts" });
const { formsOf, table } = load<typeof import("../../../src/isa/index.ts")>(made.isa);
const { scalarOf } = load<typeof import("../../../src/numeric/lower/scalar.ts")>(made.scalar);
const { reference } = load<typeof import("../../../src/numeric/operation/reference.ts")>(made.reference);
const { World } = load<typeof import("../cli/world.ts")>(made.world);
const { runCheck } = load<typeof import("../../conformance/example.ts")>(made.example);

describe("an instruction with a meaning of its own, written as one entry", () => {
  const world = new World();
  afterAll(() => world.remove());
  const [form] = formsOf("hamming");
  if (form === undefined) throw new Error("the entry is not in the table");
  const plan = form.plan({ type: "u32" });
  if (plan.shape !== "compute") throw new Error("it computes");
  const { op: operation } = plan;

  it("means what no other entry means", () => {
    const same = operationsOf(table.flatMap(({ forms }) => forms.filter(({ mnemonic }) => mnemonic !== "hamming")));
    expect(same.size).toBeGreaterThan(200);
    expect(same.has(keyOf(operation))).toBe(false);
  });

  it("runs", async () => {
    const given = ["-r", "a=0xff", "-r", "b=0x0f", "-r", "c=1"];
    const { exit, out } = await world.ptxrun(["-e", "hamming.u32 d, a, b, c;", ...given]);
    expect([exit, out.split("\n")[0]]).toEqual([0, "d  b32  0x0000000d  13"]);
  });

  it("runs in a kernel, in lanes that take part", async () => {
    const kernel = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %q; .reg .b32 %r<5>; .reg .b64 %a<3>;
  mov.u32 %r1, %tid.x; ld.param.u64 %a1, [p]; mad.wide.u32 %a2, %r1, 4, %a1;
  mov.u32 %r2, 7; setp.ne.u32 %q, %r1, 1;
  @%q hamming.u32 %r2, %r1, 0, 20;
  st.global.u32 [%a2], %r2; ret; }`;
    world.write("k.ptx", kernel);
    const { exit, out } = await world.ptxrun(["k.ptx", "--block", "4", "--arg", "p=u32x4"]);
    expect([exit, out.split("\n")[0]]).toEqual([0, "p  u32x4  20 7 23 26"]);
  });

  it("is listed, with its meaning, its facts and its worked examples", async () => {
    const { exit, out } = await world.ptxrun(["isa", "hamming"]);
    expect(exit).toBe(0);
    for (const line of [
      /^hamming\.type d, a, b, c$/m,
      /^ +does +d = wrap\.u16\(max\(3 \* distance \+ c, 10\)\)\n +distance = popc\(a \^ b\)$/m,
      /^ +unspecified +at least 10, because nobody says/m,
      /^ +since +PTX 8\.0, sm_90$/m,
      /^ +check +hamming\.u32: a=0xff b=0xf c=0x1 -> d=0xd$/m,
    ])
      expect(out).toMatch(line);
  });

  it("is explained, every step with its value", async () => {
    const { exit, out } = await world.ptxrun(["explain", "hamming.u32", "a=0xff", "b=0x0f", "c=1"]);
    expect(exit).toBe(0);
    for (const line of [
      /^ +a \^ b +0000_0000_0000_0000_0000_0000_1111_0000 +0x000000f0$/m,
      /^ +distance +4: popc\(a \^ b\)$/m,
      /^ +3 \* distance +12$/m,
      /^ +3 \* distance \+ c +13$/m,
      /^ +max\(3 \* distance \+ c, 10\) +13: 13 > 10$/m,
      /^ +d +u32 0x0000000d = 13$/m,
    ])
      expect(out).toMatch(line);
  });

  it("is checked", async () => {
    world.write(
      "k.ptx",
      "hamming.u32 d, a, 1.5, c;\nhamming.sat.u32 d, a, b, c;\nhamming.s32 d, a, b, c;\nhaming.u32 d, a, b, c;\n",
    );
    const { exit, err } = await world.ptxrun(["lint", "k.ptx"]);
    expect(exit).toBe(3);
    expect(err).toMatch(
      /PTX1303[\s\S]*PTX1206: hamming\.u32 has no \.sat[\s\S]*PTX12\d\d: [^\n]*s32[\s\S]*PTX1201[\s\S]*did you mean hamming/,
    );
  });

  it("is held to its worked examples by the conformance test", () => {
    expect(form.check.flatMap((check) => runCheck(form, check))).toEqual([]);
    const [first] = form.check;
    if (first === undefined || !("operands" in first)) throw new Error("an example with operands");
    const wrong = { ...first, operands: { ...first.operands, d: 14 } };
    expect(runCheck(form, wrong)).toEqual(["hamming.u32: d is 0xd, not 0xe"]);
  });

  it("is computed by what is fast as by the reference", () => {
    for (const type of ["u16", "u32", "u64"] as const) {
      const { op } = form.plan({ type }) as typeof plan;
      const meaning: Operation = op;
      const scalar = scalarOf(meaning);
      const width = Number(type.slice(1));
      const ones = (1n << BigInt(width)) - 1n;
      const words = [0n, 1n, 10n, ones, ones - 1n, ones >> 1n, 0x5555n].map((word) => word & ones);
      for (const x of words)
        for (const y of words)
          for (const z of words) {
            const given = [x, y, z].map((word) => (width === 64 ? word : Number(word)));
            expect(BigInt(scalar(...given))).toBe(reference(meaning, [x, y, z]));
          }
    }
  });
});

describe("a meaning stands once", () => {
  const root = resolve(import.meta.dirname, "../../..");
  /** Code without its comments, by file. */
  const code = new Map(
    sourceFiles.map((file) => {
      const text = readFileSync(resolve(root, file), "utf8");
      return [file, text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")] as const;
    }),
  );
  const says = (file: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(code.get(file) ?? "");
  const files = [...code.keys()];
  const language = files.filter((file) => file.startsWith("src/numeric/operation/"));
  /** Sections whose instructions have names of their own: what is called as the expression's words are is left out. */
  const names = table
    .filter(({ name }) => ["integer", "extended-precision", "logic-shift", "video"].includes(name))
    .flatMap(({ forms }) => forms.map(({ mnemonic }) => mnemonic))
    .filter((name, at, all) => all.indexOf(name) === at && name !== "hamming")
    .filter((name) => !language.some((file) => says(file, name)));

  it("is asked of many", () => {
    expect(names).toEqual(expect.arrayContaining(["sad", "mad24", "bfind", "fns", "dp4a", "lop3", "shf", "vadd4"]));
  });

  it.each(names)("%s is in no file but its entries'", (name) => {
    // Another language's instructions, texts of diagnostics, and what other assemblers call PTX's.
    const others = /^packages\/visa\/|^src\/source\/codes\/|^src\/isa\/match\/other-assemblers|\.generated\.ts$/;
    const where = files.filter((file) => !others.test(file) && says(file, name));
    expect(where.filter((file) => !/^src\/isa\/(?!form\/|match\/)[^/]+\//.test(file))).toEqual([]);
  });
});

/** What the entries compute, by content: of each, with the first word of each set. */
function operationsOf(forms: readonly (typeof table)[number]["forms"][number][]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const form of forms.filter(({ executable }) => executable)) {
    const words = form.modifiers.map(({ name, choices, flag, optional }) => [name, flag ? !optional : choices[0]]);
    const plan = form.plan(Object.fromEntries(words));
    if (plan.shape === "compute" || plan.shape === "carry") keys.add(keyOf(plan.op));
  }
  return keys;
}
