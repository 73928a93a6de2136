import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chapters } from "../../../src/isa/chapters.ts";
import { of, to } from "../../../src/isa/form/classes.ts";
import { type Form, form, type Section } from "../../../src/isa/form/define.ts";
import type { OperandClass } from "../../../src/isa/form/operands.ts";
import { match } from "../../../src/isa/match/match.ts";
import { component, specialRegisters } from "../../../src/isa/special-registers.ts";
import { formsOf, mnemonics, table } from "../../../src/isa/table.ts";

/** The instructions of PTX ISA, from the index of its chapter 9.7. */
const manualIndex = `
  abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
  clmad clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fabric fence
  fma
  fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier
  membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red
  redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct spcompress spdecompress sqrt st
  stackrestore stacksave stmatrix
  sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd
  vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4
  wgmma wmma xor`;

const folder = new URL("../../../src/isa/", import.meta.url);
const forms = table.flatMap((section) => section.forms);

const isSection = (value: unknown): value is Section =>
  typeof value === "object" && value !== null && "forms" in value && "anchor" in value;
const isForms = (value: unknown): value is readonly Form[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each?.syntax === "string");

test("every section and every list of forms in the folder is in the table", async () => {
  const listed = new Set(forms.map(({ syntax, operands }) => `${syntax} ${operands}`));
  let sections = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  )) {
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

test("sections stand in the order of the manual's chapters, under names and titles of their own", () => {
  expect(table.map(({ name, number }) => `${number} ${name}`)).toEqual([
    "9.7.1 integer",
    "9.7.2 extended-precision",
    "9.7.3 floating-point",
    "9.7.4 half-precision",
    "9.7.5 mixed-precision",
    "9.7.6 alternate-floating-point",
    "9.7.7 comparison-selection",
    "9.7.9 logic-shift",
    "9.7.10 data-movement",
    "9.7.10 async-memory",
    "9.7.10 async-copy",
    "9.7.10 bulk-copy",
    "9.7.10 multimem-tensormap",
    "9.7.11 fabric",
    "9.7.12 texture-surface",
    "9.7.14 control-flow",
    "9.7.15 synchronization",
    "9.7.15 mbarrier",
    "9.7.16 matrix",
    "9.7.18 tensor-memory",
    "9.7.19 stack",
    "9.7.20 video",
    "9.7.21 miscellaneous",
  ]);
  expect(new Set(table.map(({ title }) => title)).size).toBe(table.length);
  const anchors = Object.values(chapters).map(({ anchor }) => anchor);
  for (const { anchor } of table) expect(anchors).toContain(anchor);
  expect(formsOf("add").every(({ manual }) => /-add(-cc)?$/.test(manual))).toBe(true);
});

test.each([
  ["9.0", 19],
  ["9.3", 20],
  ["9.4", 21],
] as const)("the chapters of %s are numbered without a gap", (version, count) => {
  const numbers = Object.values(chapters).flatMap(({ numbers }) => numbers[version] ?? []);
  expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1));
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
    const made = form("add.type d, a", {
      where: { type: ["u32"] },
      operands: { d: to("u32"), a: of("u32") },
      since: { ptx: 10, sm: 10 },
    });
    for (const each of [made, ...forms.filter(({ executable }) => !executable)]) {
      expect(each.executable).toBe(false);
      expect(each.check).toEqual([]);
      expect(each.plan({})).toEqual({ shape: "gap", form: each.syntax });
    }
  });

  test("every instruction of the manual's index has forms, and nothing else has", () => {
    expect([...mnemonics].sort()).toEqual(manualIndex.trim().split(/\s+/).sort());
    expect(match("mmma", ["sync"])).toEqual({ kind: "unknown" });
  });
});

describe("special registers", () => {
  test("have their widths and moments", () => {
    expect(specialRegisters.get("tid")).toMatchObject({ type: "u32", vector: true, fixed: true });
    expect(specialRegisters.get("clock64")).toMatchObject({ type: "u64", vector: false, fixed: false });
    expect(specialRegisters.get("envreg31")).toMatchObject({ type: "u32", fixed: true });
    expect(specialRegisters.get("lanemask_gt")?.since).toEqual({ ptx: 20, sm: 20 });
    expect(specialRegisters.has("envreg32")).toBe(false);
    expect(specialRegisters.size).toBe(87);
  });

  test("have components by place and by colour", () => {
    expect(["x", "r", "w", "a", "q"].map(component)).toEqual(["x", "x", "w", "w", undefined]);
  });
});
