import { describe, expect, it } from "vitest";
import type { FloatElement } from "../../src/numeric/tensor/element.ts";
import { ruleOf, type Unit } from "../../src/numeric/tensor/rules.ts";
import { textOf } from "./pages.ts";

describe("docs/tensor-cores.md", () => {
  const rows = textOf("docs/tensor-cores.md")
    .split("\n")
    .filter((line) => line.startsWith("| sm_"))
    .flatMap((line) => {
      const [on = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return on.split(", ").map((each) => [...each.split(" "), ...cells]);
    });

  it("has a table", () => expect(rows.length).toBeGreaterThan(15));

  it.each(rows)("%s %s %s is computed as it says", (target, unit, types = "", group, bits, known) => {
    for (const type of types.split(", ") as FloatElement[]) {
      const rule = ruleOf(target ?? "", { unit: unit as Unit, a: type, b: type });
      const length = rule.way === "halves" ? "by f16" : `${rule.group}`;
      expect([group, bits, known]).toEqual([length, `${rule.fraction}`, rule.gradeF32]);
      expect(rule.f32).toBe(rule.fraction === 13 ? "e8m13" : "rz");
    }
  });
});
