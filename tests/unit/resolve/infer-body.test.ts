import { describe, expect, it } from "vitest";
import { header, load } from "./load.ts";

const codes = (text: string): string[] => load(header + text).diagnostics.map(({ code }) => code);

/** The registers of kernel k, `NAME TYPE` each; a vector's type with its number of elements. */
function registers(text: string): string[] {
  const { value, diagnostics } = load(header + text).image.kernel("k");
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return (value?.registers ?? []).map(
    ({ name, type, elements }) => `${name} ${elements > 1 ? `v${elements}.` : ""}${type}`,
  );
}

describe("a kernel without .reg lines", () => {
  it("has the registers that its uses ask for", () => {
    const body = `
      mov.u32 %r1, %tid.x;
      setp.lt.s32 %p1, %r1, 4;
      @%p1 bra L;
      ld.param.u64 %rd1, [x];
      ld.global.v2.f64 {%fd1, %fd2}, [%rd1];
      add.f64 %fd3, %fd1, %fd2;
      L: ret;`;
    expect(registers(`.entry k(.param .u64 x){${body}}`)).toEqual([
      "%r1 b32",
      "%p1 pred",
      "%rd1 b64",
      "%fd1 f64",
      "%fd2 f64",
      "%fd3 f64",
    ]);
  });

  it("asks the name where the uses leave the type open", () => {
    const body = "mov.b32 %f1, %r1; ld.u8 %rs1, [%rd1]; ld.u8 %r2, [%rd1]; cvt.u32.u8 %r3, %rs1; mov.b16 %h1, %rs2;";
    expect(registers(`.entry k(){${body} ret;}`)).toEqual([
      "%f1 f32",
      "%r1 b32",
      "%rs1 b16",
      "%rd1 b64",
      "%r2 b32",
      "%r3 b32",
      "%h1 f16",
      "%rs2 b16",
    ]);
  });

  it("passes its registers to functions by their parameters", () => {
    const f = ".func (.reg .f64 r) f(.reg .pred p, .reg .u16 n) { mov.f64 r, 0d0000000000000000; ret; }\n";
    expect(registers(`${f}.entry k(){call (d), f, (q, m); setp.eq.f64 q, d, d; mov.u16 m, 1; ret;}`)).toEqual([
      "d f64",
      "q pred",
      "m b16",
    ]);
  });

  it("is said once, however many bodies there are", () => {
    const f = ".func f(){ mov.u32 %r1, 1; ret; }\n";
    expect(codes(`${f}.entry k(){mov.u32 %r1, 1; call f; ret;}`)).toEqual(["PTX9011"]);
    expect(
      load(`${header}${f}.entry k(){mov.u32 %r1, 1; call f; ret;}`)
        .image.kernel("k")
        .diagnostics.map(({ code }) => code),
    ).toEqual(["PTX9011"]);
  });

  it("may declare variables, and see those of the module", () => {
    const text = ".global .u32 g;\n.entry k(){.shared .b32 s[4]; mov.u64 %rd1, s; ld.global.u32 %r1, [g]; ret;}";
    expect(registers(text)).toEqual(["%rd1 b64", "%r1 b32"]);
  });

  it("still has no variable, function or label that nobody declares", () => {
    expect(codes(".entry k(){mov.u32 %r1, buf; ret;}")).toContain("PTX1320");
    expect(codes(".entry k(){ld.global.u32 %r1, [buf]; ret;}")).toContain("PTX1320");
    expect(codes(".entry k(){mov.u32 %r1, 1; bra L; ret;}")).toContain("PTX1320");
    expect(codes(".entry k(){mov.u32 %r1, 1; call f, (%r1); ret;}")).toContain("PTX1421");
  });

  it("is told of uses that do not agree, once", () => {
    expect(codes(".entry k(){mov.u32 %r1, 1; mov.u64 %r1, 2; ret;}")).toEqual(["PTX1430"]);
  });
});

describe("a kernel with some .reg lines", () => {
  it("is taken at its word", () => {
    const { diagnostics } = load(`${header}.entry k(){.reg .b32 total; mov.u32 totl, 1; add.u32 total, totl, 1; ret;}`);
    expect(diagnostics.map(({ code, help }) => [code, help?.[0]?.message])).toEqual([
      ["PTX1320", "did you mean total?"],
      ["PTX1320", "did you mean total, which is written on line 4 and never read?"],
    ]);
    expect(codes(".entry k(){.reg .b32 %r<2>; mov.u32 %r2, 1; ret;}")).toEqual(["PTX1320"]);
    expect(codes(".entry k(){.reg .b32 %r<2>; @%p1 mov.u32 %r1, 1; ret;}")).toEqual(["PTX1320"]);
  });

  it("may lack the line of a whole kind of registers", () => {
    const body = ".reg .b32 %r<3>; mov.u32 %r1, 1; setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r2, 1; ret;";
    expect(registers(`.entry k(){${body}}`)).toEqual(["%r1 b32", "%r2 b32", "%p1 pred"]);
    expect(codes(`.entry k(){${body}}`)).toEqual(["PTX9011"]);
  });
});
