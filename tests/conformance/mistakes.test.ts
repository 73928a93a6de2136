import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.ts";
import { mistakes } from "./mistakes.ts";

describe("the mistakes that people make first", () => {
  it("are at least fifty", () => {
    expect(Object.keys(mistakes).length).toBeGreaterThanOrEqual(50);
  });

  it.each(Object.entries(mistakes))("%s", (_, { ptx, code, at, says }) => {
    const found = lint({ name: "k.ptx", text: ptx }).filter(({ severity }) => severity === "error");
    const first = found[0];
    const text = [first?.message, first?.expected, ...(first?.help ?? []).map(({ message }) => message)].join("; ");
    expect({
      code: first?.code,
      at: ptx.slice(first?.span.start, first?.span.end),
      errors: found.length,
      text,
    }).toEqual({
      code,
      at,
      errors: 1,
      text,
    });
    for (const pattern of says) expect(text).toMatch(pattern);
  });
});
