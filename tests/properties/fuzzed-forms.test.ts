import { expect, test } from "vitest";
import { table } from "../../src/isa/index.ts";
import { isStructural } from "../fuzz/executors/alone.ts";
import { formsIn } from "../fuzz/executors/coverage.ts";
import { drawProgram } from "../fuzz/executors/program.ts";
import { drawnForms } from "../fuzz/executors/protocols/index.ts";
import { resolveMended } from "../fuzz/executors/resolve.ts";
import { share } from "../share.ts";

test("a program may be about every form that has a meaning", () => {
  const known = new Set(drawnForms);
  const meant = table.flatMap(({ forms }) => forms).filter(({ executable }) => executable);
  expect(meant.filter((form) => !known.has(form)).map(({ syntax }) => syntax)).toEqual([]);
});

test.each(
  share(
    drawnForms.filter((form) => !isStructural(form)),
    24,
  ),
)("a program about $syntax has it", (form) => {
  const has = (seed: number): boolean => {
    const resolved = resolveMended(drawProgram(seed, form).lines);
    return resolved !== undefined && formsIn(resolved.lines).has(form.syntax);
  };
  expect([1, 2, 3, 4, 5, 6, 7, 8].some((at) => has(at))).toBe(true);
});
