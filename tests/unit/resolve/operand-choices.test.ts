import { describe, expect, it, test } from "vitest";
import { lint } from "../../../src/index.ts";
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

describe("an undeclared register beside one that is written and never read", () => {
  const helps = (body: string) =>
    lint(`.version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 out) {\n${body}\nret; }`).flatMap(
      (each) =>
        each.code === "PTX1320" ? (each.help ?? []).map(({ message, replace }) => [message, replace?.text]) : [],
    );
  const head =
    ".reg .f32 %f<9>; .reg .b64 %rd<4>; .reg .f32 total; .reg .pred %p;\nld.param.u64 %rd1, [out];\nmov.f32 %f1, 0f3F800000;\n";

  it("is that one, by its number or its name, and may be declared", () => {
    expect(helps(`${head}add.f32 %f2, %f1, %f1;\nst.global.f32 [%rd1], %g2;`)).toEqual([
      ["did you mean %f2, which is written on line 8 and never read?", "%f2"],
      ["or declare it: .reg .f32 %g2;", undefined],
    ]);
    expect(helps(`${head}@%p add.f32 total, %f1, %f1; st.global.f32 [%rd1], totel;`)[0]).toEqual([
      "did you mean total, which is written on line 8 and never read?",
      "total",
    ]);
  });

  it.each([
    ["the other is read as well", "add.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f2; st.global.f32 [%rd1], %g2;"],
    ["the other is written later", "st.global.f32 [%rd1], %g2; add.f32 %f2, %f1, %f1;"],
    ["the other is read only", "add.f32 %f3, %f1, %f2; st.global.f32 [%rd1], %g2;"],
    ["the other is stored to only", "st.global.f32 [%rd1], %f2; add.f32 %f3, %f1, %g2;"],
    ["the other has another number", "add.f32 %f2, %f1, %f1; st.global.f32 [%rd1], %g3;"],
    ["it is written", "add.f32 %f2, %f1, %f1; mov.f32 %g2, %f1;"],
  ])("is not where %s", (_, body) => {
    expect(helps(head + body).map(([message]) => message)).toEqual([expect.stringMatching(/^declare it first/)]);
  });
});
