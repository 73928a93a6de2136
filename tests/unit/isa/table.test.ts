import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Form, Section } from "../../../src/isa/define.ts";
import { match } from "../../../src/isa/match.ts";
import type { OperandClass } from "../../../src/isa/operands.ts";
import { component, specialRegisters } from "../../../src/isa/special.ts";
import { formsOf, mnemonics, table } from "../../../src/isa/table.ts";
import { manualIndex, otherWords } from "../../../src/isa/vocabulary.ts";

const folder = new URL("../../../src/isa/", import.meta.url);
const forms = table.flatMap((section) => section.forms);

const isSection = (value: unknown): value is Section =>
  typeof value === "object" && value !== null && "forms" in value && "anchor" in value;
const isForms = (value: unknown): value is readonly Form[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each?.syntax === "string");

test("every section and every list of forms in the folder is in the table", async () => {
  const listed = new Set(forms.map(({ syntax, operands }) => `${syntax} ${operands}`));
  let sections = 0;
  for (const file of readdirSync(folder)) {
    for (const value of Object.values((await import(new URL(file, folder).href)) as Record<string, unknown>)) {
      if (isSection(value)) {
        sections++;
        expect(table).toContain(value);
      } else if (isForms(value))
        for (const { syntax, operands } of value) expect(listed).toContain(`${syntax} ${operands}`);
    }
  }
  expect(sections).toBe(table.length);
});

test("sections stand in the manual's order under its anchors", () => {
  expect(table.map(({ number, anchor }) => `${number} ${anchor}`)).toEqual([
    "9.7.1 integer-arithmetic-instructions",
    "9.7.2 extended-precision-arithmetic-instructions",
    "9.7.3 floating-point-instructions",
    "9.7.4 half-precision-floating-point-instructions",
    "9.7.5 mixed-precision-floating-point-instructions",
    "9.7.6 comparison-and-selection-instructions",
    "9.7.8 logic-and-shift-instructions",
    "9.7.9 data-movement-and-conversion-instructions",
    "9.7.12 control-flow-instructions",
    "9.7.13 parallel-synchronization-and-communication-instructions",
  ]);
  expect(formsOf("add").every(({ manual }) => manual.endsWith("-add"))).toBe(true);
});

describe("the table agrees with itself", () => {
  test("forms of one line differ in their operands", () => {
    const seen = new Map<string, string>();
    for (const form of forms) {
      const mods = Object.fromEntries(
        form.modifiers.map(({ name, choices, flag, optional }) => [name, flag ? !optional : choices[0]]),
      );
      const shape = Object.values(form.operands(mods)).map((each: OperandClass) => JSON.stringify(each));
      const choices = form.modifiers.map((modifier) => modifier.choices.join());
      const key = `${form.syntax} ${choices} ${shape}`;
      expect(seen.get(key)).toBeUndefined();
      seen.set(key, form.syntax);
    }
  });

  test("a gap has no check and says which form it is", () => {
    for (const form of forms.filter(({ executable }) => !executable)) {
      expect(form.check).toEqual([]);
      expect(form.plan({})).toEqual({ shape: "gap", form: form.syntax });
    }
  });

  test("every instruction is in the manual's index, and what only the index has is a gap", () => {
    expect(mnemonics.filter((name) => !manualIndex.has(name))).toEqual([]);
    expect(match("mma", ["sync"])).toEqual({ kind: "gap" });
    expect(match("mmma", ["sync"])).toEqual({ kind: "unknown" });
    expect(formsOf("mma")).toEqual([]);
    expect(otherWords.has("")).toBe(false);
  });
});

describe("special registers", () => {
  test("have their widths and moments", () => {
    expect(specialRegisters.get("tid")).toMatchObject({ type: "u32", vector: true, fixed: true });
    expect(specialRegisters.get("clock64")).toMatchObject({ type: "u64", vector: false, fixed: false });
    expect(specialRegisters.get("envreg31")).toMatchObject({ type: "u32", fixed: true });
    expect(specialRegisters.get("lanemask_gt")?.since).toEqual({ ptx: 20, sm: 20 });
    expect(specialRegisters.has("envreg32")).toBe(false);
    expect(specialRegisters.size).toBe(85);
  });

  test("have components by place and by colour", () => {
    expect(["x", "r", "w", "a", "q"].map(component)).toEqual(["x", "x", "w", "w", undefined]);
  });
});
