import { describe, expect, test } from "vitest";
import { textOf } from "../../../src/numeric/operation/text.ts";
import { parseSnippet } from "../../../src/parser/index.ts";
import { resolveSnippet } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";

function resolve(text: string) {
  const source = new Source("test", text);
  const parsed = parseSnippet(source);
  const { value, diagnostics } = resolveSnippet(source, parsed.value, {});
  const said = [...parsed.diagnostics, ...diagnostics].map(({ code, message, expected, span }) => ({
    code,
    at: source.text.slice(span.start, span.end),
    text: `${message} | ${expected ?? ""}`,
  }));
  const [first] = value?.code ?? [];
  const operation = first?.plan.shape === "compute" ? first.plan.op : undefined;
  const plan = operation && textOf(operation);
  return { plan, said, registers: value?.registers.map(({ name, type }) => `${type} ${name}`) };
}

describe("selectors and signs of operands", () => {
  test.each([
    ["vadd.s32.u32.s32 d.h1, a.b3, b, c;", "d = wrap.u32({signed((a[31:24] + b)[32:0])[15:0], c[15:0]})"],
    ["vadd.s32.u32.s32 d, a, b;", "d = wrap.u32(signed((a + b)[32:0]))"],
    ["vmad.s32.s32.u32 d, -a.b0, b.h1, c;", "d = wrap.s32(signed((~(signed(a[7:0]) * b[31:16]) + s32(c) + 1)[63:0]))"],
    ["vmad.s32.s32.u32 d, -a, -b, c;", "d = wrap.s32(signed((a * b + s32(c))[63:0]))"],
    ["vmad.s32.s32.u32 d, a, b, -c;", "d = wrap.s32(signed((a * b + s32((~c)[31:0]) + 1)[63:0]))"],
    ["vmad.s32.s32.u32 d, -5, b, c;", "d = wrap.s32(signed((a * b + s32(c))[63:0]))"],
    ["vmad.s32.s32.u32 d, -WARP_SZ, b, c;", "d = wrap.s32(signed((a * b + s32(c))[63:0]))"],
    [
      "vadd4.u32.u32.u32 d.b31, a.b7654, b.b0000, c;",
      "d = wrap.u32({(b[31:24] + a[7:0])[7:0], c[23:16], (b[15:8] + a[7:0])[7:0], c[7:0]})",
    ],
  ])("%s chooses its operation", (text, meaning) => {
    const { plan, said } = resolve(text);
    expect(said.map(({ text: message }) => message)).toEqual([]);
    expect(plan).toBe(meaning);
  });

  test("a register with a selector is inferred as one of 32 bits, not as a vector", () => {
    expect(resolve("vadd.u32.u32.u32 d, a.b0, b.h1;").registers).toEqual(["b32 d", "b32 a", "b32 b"]);
  });

  test.each([
    [
      "vadd.u32.u32.u32 d, a.b4, b;",
      "PTX1308",
      ".b4",
      /not a selector of a here \| \.b0, \.b1, \.b2, \.b3, \.h0, \.h1$/,
    ],
    ["vadd.u32.u32.u32 d, a.h10, b;", "PTX1308", ".h10", /not a selector of a/],
    ["vadd2.u32.u32.u32 d, a.h40, b, c;", "PTX1308", ".h40", /one like \.h00, \.h01/],
    ["vadd2.u32.u32.u32 d.h01, a, b, c;", "PTX1308", ".h01", /not a selector of d here \| \.h0, \.h1, \.h10/],
    ["vadd.u32.u32.u32 d.h0, a, b, c.h0;", "PTX1308", ".h0", /c is a scalar/],
    ["vadd.u32.u32.u32.add d.h0, a, b, c;", "PTX1308", ".h0", /d is a scalar/],
    ["vadd.u32.u32.u32 d.h0, a, b;", "PTX1308", ".h0", /d is a scalar/],
    ["vadd.u32.u32.u32 d, a, -b;", "PTX1310", "-b", /cannot be negated here/],
    ["vadd2.u32.u32.u32 d, a, 5, c;", "PTX1303", "5", /no constant/],
    ["vmad.u32.u32.u32 d, -a, b, -c;", "PTX1310", "-c", /-c cannot be combined with a negated product \| c as it is/],
    ["vmad.u32.u32.u32.po d, -a, b, c;", "PTX1310", "-a", /cannot be combined with \.po/],
    ["vmad.u32.u32.u32.po d, a, -b, c;", "PTX1310", "-b", /cannot be combined with \.po/],
    ["vmad.u32.u32.u32.po d, a, b, -c;", "PTX1310", "-c", /cannot be combined with \.po/],
  ])("%s is %s", (text, code, at, says) => {
    const { said } = resolve(`.reg .b32 a, b, c, d; ${text}`);
    expect(said.map((each) => [each.code, each.at])).toEqual([[code, at]]);
    expect(said[0]?.text).toMatch(says);
  });
});
