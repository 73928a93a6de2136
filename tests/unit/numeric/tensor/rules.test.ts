import { describe, expect, it } from "vitest";
import type { ElementType } from "../../../../src/numeric/tensor/element.ts";
import {
  firstWithTensorCores,
  type Rule,
  ruleOf as ruleFor,
  targetNumber,
  tensorFacts,
  type Unit,
} from "../../../../src/numeric/tensor/rules.ts";
import { targets } from "../../../../src/resolve/module/header/target.ts";

const ruleOf = (target: string, unit: Unit, a: ElementType, b: ElementType = a): Rule =>
  ruleFor(target, { unit, a, b });

describe("the rule of a target", () => {
  it.each([
    ["sm_70", "mma", "f16", 4, 23, "rz", "hardware"],
    ["sm_75", "mma", "f16", 8, 24, "rz", "published"],
    ["sm_80", "mma", "bf16", 8, 24, "rz", "hardware"],
    ["sm_87", "mma", "tf32", 4, 24, "rz", "published"],
    ["sm_89", "mma", "e4m3", 16, 13, "e8m13", "hardware"],
    ["sm_90a", "wgmma", "e5m2", 32, 13, "e8m13", "hardware"],
    ["sm_90", "mma", "tf32", 8, 25, "rz", "hardware"],
    ["sm_100f", "tcgen05", "e2m1", 32, 25, "rz", "published"],
    ["sm_100a", "tcgen05", "e3m2", 32, 25, "rz", "unspecified"],
    ["sm_120a", "mma", "e5m2", 32, 25, "rz", "published"],
  ] as const)("%s %s %s", (target, unit, type, group, fraction, f32, grade) => {
    expect(ruleOf(target, unit, type)).toMatchObject({ way: "fused", group, fraction, f32, grade });
  });

  it.each([
    ["sm_72", "mma", "f16", 70],
    ["sm_88", "mma", "bf16", 86],
    ["sm_103a", "tcgen05", "f16", 100],
    ["sm_110f", "tcgen05", "e4m3", 100],
    ["sm_121a", "mma", "e4m3", 120],
    // What the cores of a target do not have.
    ["sm_75", "mma", "bf16", 80],
    ["sm_80", "mma", "e4m3", 89],
    ["sm_80", "wgmma", "f16", 90],
    ["sm_100a", "wgmma", "f16", 90],
  ] as const)("%s %s %s is that of sm_%i, and open", (target, unit, type, measured) => {
    expect(ruleOf(target, unit, type)).toMatchObject({ measured, grade: "unspecified", gradeF32: "unspecified" });
  });

  it("emulates fp8 by f16 where mma.sync has no cores for it", () => {
    expect(ruleOf("sm_90", "mma", "e4m3")).toMatchObject({ way: "halves", grade: "hardware", gradeF32: "ptxas" });
    expect(ruleOf("sm_100a", "mma", "e5m2", "e4m3")).toMatchObject({ way: "halves", gradeF32: "hardware" });
    expect(ruleOf("sm_100a", "mma", "e5m2", "e2m1")).toMatchObject({ way: "fused", measured: 120 });
  });

  it("is that of the code which ptxas writes for m8n8k4 where no tensor core has it", () => {
    const of = (target: string): Rule => ruleFor(target, { unit: "mma", shape: "m8n8k4", a: "f16", b: "f16" });
    expect(of("sm_75")).toMatchObject({ way: "fused", group: 8 });
    expect(of("sm_80")).toMatchObject({ way: "chain", gradeF32: "ptxas", grade: "unspecified" });
    expect(of("sm_120a")).toMatchObject({ way: "chain" });
  });

  it("is there for every target with tensor cores", () => {
    const having = targets.filter((target) => targetNumber(target) >= firstWithTensorCores);
    expect(having.length).toBeGreaterThan(25);
    for (const target of having) expect(ruleOf(target, "mma", "f16").group).toBeGreaterThan(3);
  });

  it("says what is open", () => {
    expect(tensorFacts.filter(({ grade }) => grade === "unspecified").length).toBeGreaterThan(2);
  });
});
