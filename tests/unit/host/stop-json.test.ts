import { expect, it } from "vitest";
import { Device, lint, must } from "../../../src/index.ts";

const text = `${"// a line that nobody wants to see\n".repeat(100)}ld.global.u32 d, [p];\n`;

it("a stop as JSON says where it is, and does not print the program", () => {
  const { stop } = must(must(new Device().snippet({ name: "far.ptx", text })).launch());
  const shown = JSON.stringify(stop);
  expect(stop.reason).toBe("trap");
  expect(shown).not.toContain("nobody wants");
  expect(JSON.parse(shown)).toMatchObject({
    reason: "trap",
    at: { block: 0, warp: 0, lane: 0 },
    diagnostic: { code: "PTX3002", source: { name: "far.ptx" }, span: { start: expect.any(Number) } },
  });
});

it("nor does a diagnostic", () => {
  const [mistake] = lint({ name: "wrong.ptx", text: `${text}add.rz.f16 d, a, b;` });
  expect(JSON.stringify(mistake)).not.toContain("nobody wants");
  expect(JSON.parse(JSON.stringify(mistake)).source).toEqual({ name: "wrong.ptx" });
});
