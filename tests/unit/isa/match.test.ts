import { describe, expect, test } from "vitest";
import { completions } from "../../../src/isa/match/complete.ts";
import { clash, continuations, match, modifierWords } from "../../../src/isa/match/match.ts";
import { table } from "../../../src/isa/table.ts";

const find = (opcode: string) => {
  const [mnemonic = "", ...words] = opcode.split(".");
  return match(mnemonic, words);
};
const syntaxes = (opcode: string): readonly string[] => {
  const found = find(opcode);
  return found.kind === "forms" ? found.candidates.map(({ form }) => form.syntax) : [];
};
const problems = (opcode: string) => {
  const found = find(opcode);
  return found.kind === "none" ? found.problems : [];
};

describe("what matches", () => {
  test.each([
    ["add.rn.sat.f16x2", "add{.rnd}{.ftz}{.sat}.f16x2 d, a, b"],
    ["add.rz.f32.bf16.sat", "add{.rnd}{.sat}.f32.atype d, a, c"],
    ["fma.bf16.relu.oob.rn", "fma.rnd.oob{.relu}.bf16 d, a, b, c"],
    ["mad.lo.cc.u32", "mad.part.cc.type d, a, b, c"],
    ["cvt.rn.f16.f32", "cvt.frnd{.ftz}{.sat}.dtype.atype d, a"],
  ])("%s", (opcode, syntax) => {
    expect(syntaxes(opcode)).toEqual([syntax]);
  });

  test("forms that differ in operands share a spelling", () => {
    expect(syntaxes("mov.b32").length).toBe(5);
  });

  test("types keep their order, everything else is free", () => {
    expect(find("add.f16.f32").kind).toBe("none");
    expect(find("add.f32.rm.f16")).toMatchObject({ kind: "forms", unordered: [1] });
  });

  test("what may be repeated is reported apart", () => {
    expect(find("add.sat.sat.f16")).toMatchObject({ kind: "forms", repeated: [1] });
    expect(problems("add.ftz.ftz.f16")).toEqual([{ kind: "repeated", at: 1, first: 0 }]);
  });

  test("a placeholder has the chosen word, a flag is true or false", () => {
    const found = find("fma.rn.relu.f16");
    expect(found).toMatchObject({ kind: "forms", candidates: [{ mods: { rnd: "rn", ftz: false, relu: true } }] });
  });

  test("what PTX does not have is unknown, and a name of JavaScript's is nothing special", () => {
    expect(find("frob.u32").kind).toBe("unknown");
    expect(find("constructor").kind).toBe("unknown");
    expect(find("add.constructor.f16").kind).toBe("none");
  });
});

describe("what is wrong", () => {
  test.each([
    ["add.rz.f16", [{ kind: "foreign", at: 0 }]],
    ["fma.f16", [{ kind: "missing", modifier: { name: "rnd" } }]],
    ["add.rn.rz.f32", [{ kind: "several", at: 1, first: 0 }]],
    ["min.xorsign.f16", [{ kind: "incomplete", at: 0, modifier: { name: "abs" } }]],
    ["mad.u32.lo", [{ kind: "misplaced", at: 1 }]],
    ["ld.shared.v8.b32", [{ kind: "conflict", at: 1 }]],
    ["add.u32.s32", [{ kind: "type", at: 1 }]],
  ])("%s", (opcode, expected) => {
    expect(problems(opcode)).toMatchObject(expected);
  });

  test("the nearest form has the types that are written", () => {
    expect(find("add.oob.bf16")).toMatchObject({ form: { syntax: "add{.rnd}.bf16 d, a, b" } });
  });

  test("a word that another form of these types takes clashes with what that form refuses", () => {
    expect(clash("fma", ["rn", "sat", "relu", "f16"], 2)).toBe("sat");
    expect(clash("add", ["oob", "f16"], 0)).toBeUndefined();
  });
});

test("continuations are what could follow", () => {
  expect(continuations("add", ["rn", "ftz"])).toEqual(["sat", "f32", "f32x2", "f16", "f16x2"]);
  expect(continuations("tanh", [])).toContain("approx");
  expect(continuations("frob", [])).toEqual([]);
});

test("the vocabulary has the table's words and the rest of the manual's", () => {
  for (const word of ["rn", "f16x2", "NaN", "L2::cache_hint", "aligned", "m8n8", "ue8m0x2"])
    expect(modifierWords().has(word)).toBe(true);
  for (const word of ["foo", "nAn", "wide", "RN", "half", "v3", "__proto__"])
    expect(modifierWords().has(word)).toBe(false);
});

describe("words that lack others", () => {
  const forms = table.flatMap(({ forms }) => forms);

  test.each(forms.map((form) => [form.syntax, form] as const))("lead to %s", (_, form) => {
    const all = form.modifiers.map(({ choices }) => choices.at(-1) ?? "");
    expect(completions(form.mnemonic, all)).toContain(form);
    for (const [at, { choices }] of form.modifiers.entries()) {
      for (const choice of choices.slice(0, 100)) expect(completions(form.mnemonic, [choice])).toContain(form);
      expect(completions(form.mnemonic, all.toSpliced(at, 1))).toContain(form);
    }
  });

  test("stand in the order of types, and each in a place of its own", () => {
    const names = (opcode: string): string[] => {
      const [mnemonic = "", ...words] = opcode.split(".");
      return completions(mnemonic, words).map(({ syntax }) => syntax);
    };
    expect(names("add.cc")).toEqual(["add.cc.type d, a, b"]);
    expect(names("cvt.s8.u64").length).toBeGreaterThan(0);
    expect(names("fma.bf16.f32")).toEqual([]);
    expect(names("fma.f32.bf16")).toEqual(["fma.rnd{.sat}.f32.abtype d, a, b, c"]);
    expect(names("add.u32.u32")).toEqual([]);
    expect(names("mul.hi.lo")).toEqual([]);
    expect(names("frob.u32")).toEqual([]);
  });
});
