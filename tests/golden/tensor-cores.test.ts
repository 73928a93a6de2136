import { describe, expect, it } from "vitest";
import type { FloatElement } from "../../src/numeric/tensor/element.ts";
import { ruleOf, type Unit } from "../../src/numeric/tensor/rules.ts";
import { textOf } from "./pages.ts";

const cuts = { rz: "cut", e8m13: "cut to 13 fraction bits", rn: "" } as const;

describe("docs/tensor-cores.md", () => {
  const rows = textOf("docs/tensor-cores.md")
    .split("\n")
    .filter((line) => line.startsWith("| sm_"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  it("has a table", () => expect(rows.length).toBeGreaterThan(15));

  it.each(rows)("%s %s %s is computed as it says", (target, unit, types = "", group, bits, rounding, known) => {
    for (const type of types.split(", ") as FloatElement[]) {
      const rule = ruleOf(target ?? "", { unit: unit as Unit, a: type, b: type });
      const length = rule.way === "halves" ? "by f16, see below" : `${rule.group}`;
      const cells = [length, `${rule.fraction}`, cuts[rule.f32], rule.gradeF32];
      expect([group, bits, rounding, known]).toEqual(cells);
    }
  });
});
