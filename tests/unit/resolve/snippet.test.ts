import { describe, expect, it } from "vitest";
import { parseSnippet } from "../../../src/parser/index.ts";
import { liveInOf } from "../../../src/resolve/body/liveness.ts";
import { resolveSnippet, type SnippetTarget } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";

function resolve(text: string, options?: SnippetTarget) {
  const source = new Source("snippet", text);
  const parsed = parseSnippet(source);
  const { value, diagnostics } = resolveSnippet(source, parsed.value, options);
  return { program: value, diagnostics: [...parsed.diagnostics, ...diagnostics] };
}

const types = (text: string) =>
  Object.fromEntries((resolve(text).program?.registers ?? []).map(({ name, type }) => [name, type]));

describe("registers that nobody declared", () => {
  it.each([
    ["add.f16 d, a, b;", { d: "f16", a: "f16", b: "f16" }],
    ["add.bf16x2 d, a, b;", { d: "bf16x2", a: "bf16x2", b: "bf16x2" }],
    ["cvt.rna.tf32.f32 d, a;", { d: "tf32", a: "f32" }],
    ["cvt.rn.satfinite.e4m3x2.f32 d, a, b; mov.b16 e, d;", { d: "e4m3x2", a: "f32", b: "f32", e: "b16" }],
    ["cvt.rn.f16x2.e2m1x2 d, a;", { d: "f16x2", a: "e2m1x2" }],
    ["cvt.rs.satfinite.e5m2x4.f32 d, {a, a, a, a}, e;", { d: "e5m2x4", a: "f32", e: "b32" }],
    ["add.u16x2 d, a, b;", { d: "u16x2", a: "u16x2", b: "u16x2" }],
    // Two meanings, or an integer's beside a float's: only bits are left.
    ["add.bf16 d, a, a; add.u16 e, d, 1;", { d: "b16", a: "bf16", e: "b16" }],
    ["add.bf16 d, a, a; add.f16 d, d, a;", { d: "b16", a: "b16" }],
    ["add.f64 d, a, 1.0;", { d: "f64", a: "f64" }],
    ["@p add.cc.u64 d, a, b;", { p: "pred", d: "b64", a: "b64", b: "b64" }],
    ["ld.global.b32 d, [addr+4];", { d: "b32", addr: "b64" }],
    ["mov.b32 d, {h, l}; add.f16 h, h, l;", { d: "b32", h: "f16", l: "f16" }],
    ["add.f32 d, a, b; mov.b32 x, d;", { d: "f32", a: "f32", b: "f32", x: "b32" }],
    // One use says f16x2, another bf16x2: only bits are left.
    ["add.f16x2 d, a, a; neg.bf16x2 d, d;", { d: "b32", a: "f16x2" }],
    // A sign shows where every use that speaks of integers has it.
    ["sub.s32 d, a, b; and.b32 e, d, d;", { d: "s32", a: "s32", b: "s32", e: "b32" }],
    ["sub.s32 d, a, b; add.u32 e, d, 1;", { d: "b32", a: "s32", b: "s32", e: "b32" }],
    ["setp.lt.f32 p|q, a, b; @!q mov.u32 x, %tid.x;", { p: "pred", q: "pred", a: "f32", b: "f32", x: "b32" }],
  ])("%s", (text, expected) => expect(types(text)).toEqual(expected));

  describe("as addresses", () => {
    const memory = ".shared .align 8 .b8 buf[64]; .shared .u32 words[4]; .local .align 8 .b8 frame[64];";
    it.each([
      ["mov.u32 a, buf; st.shared.u32 [a], b;", { a: "b32", b: "b32" }],
      ["mov.u64 a, buf; st.shared.u32 [a], b;", { a: "b64", b: "b32" }],
      // Nothing else says how wide the address is.
      ["ld.shared.u32 b, [a+4];", { a: "b32", b: "b32" }],
      ["ld.local.u32 b, [a];", { a: "b64", b: "b32" }],
      ["ld.u32 b, [a];", { a: "b64", b: "b32" }],
      ["ld.shared.u32 b, [%rd1]; ld.local.u32 b, [%r1];", { b: "b32", "%rd1": "b64", "%r1": "b32" }],
      ["mov.u32 a, frame; ld.local.u32 b, [a];", { a: "b32", b: "b32" }],
      ["mad.lo.u32 a, i, 4, i; ld.local.u32 b, [a];", { a: "b32", b: "b32", i: "b32" }],
      ["cvta.to.shared.u64 a, g; ld.shared.u32 b, [a]; ld.u32 b, [g];", { a: "b64", b: "b32", g: "b64" }],
      ["cvta.shared.u64 g, a; ld.shared.u32 b, [a]; ld.u32 b, [g];", { a: "b64", b: "b32", g: "b64" }],
      ["mapa.shared::cluster.u32 a, c, 0; ld.shared::cluster.u32 b, [a];", { a: "b32", b: "b32", c: "b32" }],
      ["isspacep.shared p, a;", { a: "b64", p: "pred" }],
      ["isspacep.shared p, a; ld.shared.u32 b, [a];", { a: "b32", b: "b32", p: "pred" }],
      ["ld.global.u32 a, [g]; ld.shared.u32 b, [a];", { a: "b32", b: "b32", g: "b64" }],
      ["ld.shared.u64 a, [a];", { a: "b64" }],
      ["ld.shared.u8 a, [a];", { a: "b32" }],
      ["ld.shared.u32 b, words[i];", { b: "b32", i: "b32" }],
      ["ld.shared.u32 b, words[i+1]; add.u64 i, i, 1;", { b: "b32", i: "b64" }],
    ])("%s, in any order", (text, expected) => {
      const statements = text.split("; ").map((each) => each.replace(/;$/, ""));
      for (const order of [statements, statements.toReversed(), [...statements.slice(1), ...statements.slice(0, 1)]])
        expect(types(`${memory} ${order.join("; ")};`)).toEqual(expected);
    });

    it("conflict where memory of all kinds is addressed by 32 bits", () => {
      const { diagnostics } = resolve("mov.u32 a, %tid.x; ld.global.u32 b, [a];");
      expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
        "PTX1430 a is 64 bits for ld.global.u32, and 32 bits elsewhere",
      ]);
    });
  });

  it("keep what is declared", () => {
    expect(types(".reg .u32 a; add.u32 d, a, a;")).toEqual({ a: "u32", d: "b32" });
  });

  it("can be vectors", () => {
    const [v] = resolve("mov.f32 v.w, 1.0;").program?.registers ?? [];
    expect(v).toMatchObject({ name: "v", type: "f32", elements: 4 });
  });

  it("may be wider than a load", () => {
    expect(types("ld.local.u8 a, [0]; add.u32 a, a, 1;")).toEqual({ a: "b32" });
  });

  it("are not what is declared further down", () => {
    expect(resolve("mov.u32 a, 1; .reg .u32 a;").program).toBeUndefined();
  });

  it("conflict when their uses need two widths, and both are shown", () => {
    const { program, diagnostics } = resolve("add.f16 a, b, c;\nadd.f64 a, d, e;");
    expect(program).toBeUndefined();
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["PTX1430", "a is 64 bits for add.f64, and 16 bits elsewhere"],
    ]);
    expect(diagnostics[0]?.related?.[0]?.message).toBe("16 bits for add.f16");
  });
});

describe("a name that is nearly a declared one", () => {
  it.each([
    [".reg .f16 x, three; mul.rn.f16 x, x, thre;", ["PTX1320 thre is not declared", "did you mean three?"]],
    // Numbers tell registers apart, short names are near by chance, and without declarations all are inputs.
    [".reg .f16 %f1; mul.rn.f16 %f1, %f2, %f2;", []],
    [".reg .f16 a, b; mul.rn.f16 a, b, c;", []],
    ["mul.rn.f16 three, thre, thre;", []],
  ])("%s", (text, said) => {
    const { program, diagnostics } = resolve(text);
    expect(program).toBeDefined();
    const told = diagnostics.flatMap(({ code, message, help = [] }) => [
      `${code} ${message}`,
      ...help.map((each) => each.message),
    ]);
    expect(told).toEqual(said);
  });
});

describe("a snippet", () => {
  it.each([
    ["add.f16 d, -a, b;", "PTX1310"],
    ["add.f32 d, a+1, b;", "PTX1313"],
  ])("%s: computes in no operand, also with names that nobody declared", (text, code) => {
    expect(resolve(text).diagnostics.map((each) => each.code)).toEqual([code]);
  });

  it("is a kernel without a name", () => {
    const { program } = resolve("add.f16 d, a, b;");
    expect(program?.name).toBe("");
    expect(program?.code.map(({ plan }) => plan.shape)).toEqual(["compute", "exit"]);
    expect(program && liveInOf(program).map(({ register }) => register.name)).toEqual(["a", "b"]);
  });

  it("has memory of its own, and no module variables", () => {
    expect(resolve(".shared .b32 s[4]; st.shared.b32 [s+4], a;").program?.sharedBytes).toBe(16);
    expect(resolve(".global .u32 g; ld.global.u32 a, [g];").diagnostics.map(({ code }) => code)).toContain("PTX1432");
    const test = "//@ litmus a\n.global .u32 g;\n//@ thread P0\nst.global.u32 [g], 1;\n//@ exists g == 1\n";
    expect(resolve(test).diagnostics[0]?.help?.[0]?.message).toBe(
      "this is a litmus test: ptxrun litmus lists its outcomes",
    );
  });

  it("is resolved for the newest target unless told otherwise", () => {
    expect(resolve("add.f32.f16 d, a, c;").program).toBeDefined();
    expect(resolve("add.f32.f16 d, a, c;", { target: "sm_90" }).program).toBeUndefined();
    expect(resolve("add.bf16 d, a, b;", { version: "7.0" }).diagnostics.map(({ code }) => code)).toEqual(["PTX1213"]);
    expect(resolve("add.bf16 d, a, b;", { version: "7.8" }).program).toBeDefined();
  });

  it.each([
    ["PTX1503", { version: "7.9" }],
    ["PTX1504", { target: "sm_91" }],
    ["PTX1505", { target: "sm_90a", version: "7.8" }],
  ] as const)("%s: %j", (code, options) => {
    expect(resolve("exit;", options).diagnostics.map((each) => each.code)).toEqual([code]);
  });
});

/** The manual's examples of the carry and half precision instructions, as they stand. */
describe("the manual's examples", () => {
  it.each([
    "@p  add.cc.u32   x1,y1,z1;   // extended-precision addition of\n@p  addc.cc.u32  x2,y2,z2;   // two 128-bit values\n@p  addc.cc.u32  x3,y3,z3;\n@p  addc.u32     x4,y4,z4;",
    "mul.lo.u32     r0,r4,r6;\nmul.hi.u32     r1,r4,r6;\nmad.lo.cc.u32  r1,r5,r6,r1;\nmadc.hi.u32    r2,r5,r6,0;\nmad.lo.cc.u32   r1,r4,r7,r1;\nmadc.hi.cc.u32  r2,r4,r7,r2;\naddc.u32        r3,0,0;\nmad.lo.cc.u32   r2,r5,r7,r2;\nmadc.hi.u32     r3,r5,r7,r3;",
    "// scalar f16 additions\nadd.f16        d0, a0, b0;\nadd.rn.f16     d1, a1, b1;\nadd.bf16       bd0, ba0, bb0;\nadd.rn.bf16    bd1, ba1, bb1;\ncvt.rn.f16.f32 h0, f0;\ncvt.rn.f16.f32 h1, f1;\ncvt.rn.f16.f32 h2, f2;\ncvt.rn.f16.f32 h3, f3;\nmov.b32  p1, {h0, h1};\nmov.b32  p2, {h2, h3};\nadd.f16x2  p3, p1, p2;\ncvt.rn.bf16x2.f32 p4, f4, f5;\ncvt.rn.bf16x2.f32 p5, f6, f7;\nadd.bf16x2  p6, p4, p5;\nld.global.b32   f0, [addr];\nld.global.b32   f1, [addr + 4];\nadd.f16x2       f2, f0, f1;\nld.global.b32   f3, [addr + 8];\nld.global.b32   f4, [addr + 12];\nadd.bf16x2      f5, f3, f4;",
    "fma.rn.f16         d0, a0, b0, c0;\nfma.rn.relu.f16    d1, a1, b1, c1;\nfma.rn.oob.f16      d1, a1, b1, c1;\nfma.rn.oob.relu.bf16  d1, a1, b1, c1;\nfma.rn.oob.relu.bf16x2  f2, f0, f1, f1;",
    "neg.ftz.f16  x,f0;\nneg.bf16     x,b0;\nneg.bf16x2   x1,b1;",
    "abs.ftz.f16  x,f0;\nabs.bf16     x,b0;\nabs.bf16x2   x1,b1;",
    "tanh.approx.f16    h1, h0;\ntanh.approx.f16x2  hd1, hd0;\ntanh.approx.bf16   b1, b0;\ntanh.approx.bf16x2 hb1, hb0;",
    "ex2.approx.f16         h1, h0;\nex2.approx.f16x2       hd1, hd0;\nex2.approx.ftz.bf16    b1, b2;\nex2.approx.ftz.bf16x2  hb1, hb2;",
  ])("%s", (text) => {
    const { program, diagnostics } = resolve(text);
    expect(diagnostics).toEqual([]);
    expect(program).toBeDefined();
  });

  it("may leave out the last semicolon, which draws a note", () => {
    const text =
      "min.NaN.bf16x2    b0, b1, b2;\n// scalar bf16 min with xorsign.abs\nmin.xorsign.abs.bf16 Rd, Ra, Rb // end\n";
    const { program, diagnostics } = resolve(text);
    expect(program?.code).toHaveLength(3);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["PTX9003", "note"]]);
    expect(resolve("mov.b32 a, 1\nmov.b32 b, 2;").diagnostics.map(({ code }) => code)).toEqual(["PTX1102"]);
  });

  it("lack no semicolon that an open comment may hide", () => {
    const { diagnostics } = resolve("add.u32 a, b, c/*");
    expect(diagnostics.map(({ code, span }) => [code, span.start, span.end])).toEqual([["PTX1006", 15, 17]]);
  });

  it("that use one name in two widths are rejected for that alone", () => {
    // mad.cc uses p as a predicate and as a factor, max Rd as 16 and as 32 bits.
    for (const text of [
      "@p  mad.lo.cc.u32 d,a,b,c;\n    mad.lo.cc.u32 r,p,q,r;",
      "max.xorsign.abs.f16 Rd, Ra, Rb;\nmax.xorsign.abs.bf16x2 Rd, Ra, Rb;",
    ])
      expect(new Set(resolve(text).diagnostics.map(({ code }) => code))).toEqual(new Set(["PTX1430"]));
  });
});
