import { describe, expect, it } from "vitest";
import { header, load, wrongIn, wrongInBody } from "./load.ts";

const variables = (items: string) => load(`${header}${items}\n.entry k(){ret;}\n`).image.variables;

describe("variables", () => {
  it("have the size of their array and the alignment of their element", () => {
    const [a, b, c, d] = variables(
      ".global .f32 a[3][5]; .const .v4 .u8 b; .global .align 64 .b8 c[7]; .global .u64 d[] = {1, 2};",
    );
    expect(a).toMatchObject({ name: "a", space: "global", type: "f32", bytes: 60, align: 4 });
    expect(b).toMatchObject({ space: "const", bytes: 4, align: 4 });
    expect(c).toMatchObject({ bytes: 7, align: 64 });
    expect(d).toMatchObject({ bytes: 16 });
  });

  it("begin as their initialisers say, rows filled up with zeros", () => {
    const [g] = variables(".global .u8 g[2][3] = {{1}, {2, 3}};");
    expect(g?.initial.map(({ offset, bytes }) => [offset, [...bytes]])).toEqual([
      [0, [1]],
      [3, [2, 3]],
    ]);
  });

  it("hold vectors element by element and truncate integers", () => {
    const [v, w] = variables(".global .v2 .u16 v[2] = {{1, 65538}, {3, -1}}; .global .b128 w = -1;");
    expect([...(v?.initial[0]?.bytes ?? [])]).toEqual([1, 0, 2, 0, 3, 0, 255, 255]);
    // Only 64 bits of a constant exist; the upper half is zero (measured).
    expect([...(w?.initial[0]?.bytes ?? [])]).toEqual([...Array(8).fill(255), ...Array(8).fill(0)]);
  });

  it("hold addresses as relocations", () => {
    const [, p] = variables(".global .u32 x[4]; .global .u64 p[3] = {x, generic(x)+8, x+(-4)};");
    expect(p?.relocations).toEqual([
      { offset: 0, width: 8, variable: "x", addend: 0n, generic: false },
      { offset: 8, width: 8, variable: "x", addend: 8n, generic: true },
      { offset: 16, width: 8, variable: "x", addend: -4n, generic: false },
    ]);
  });

  it("hold single bytes of an address", () => {
    const [, p] = variables(".global .u32 x; .global .u8 p[2] = {0xFF(x), 0xFF00(x+4)};");
    expect(p?.relocations[1]).toEqual({
      offset: 1,
      width: 1,
      variable: "x",
      addend: 4n,
      mask: 0xff00n,
      generic: false,
    });
  });

  it("of a kernel's own live in the module under a name of their own", () => {
    const { image, diagnostics } = load(
      `${header}.global .u32 g = 1;\n.entry k(){ .global .u32 g = 2; .reg .u32 a; ld.global.u32 a, [g]; ret; }\n`,
    );
    expect(diagnostics).toEqual([]);
    expect(image.variables.map(({ name }) => name)).toEqual(["g", "k.g"]);
    const addresses = image.kernel("k").value?.constants.map(({ value }) => value);
    expect(addresses).toEqual([{ variable: "k.g", offset: 0n }]);
  });
});

describe("declarations that ptxas 13.0 takes", () => {
  it.each([
    ".global .u32 a; .global .u64 p = a+4*2;",
    ".global .u32 g[2][2] = {{1},{3}};",
    ".global .u32 g[][2] = {{1,2},{3,4}};",
    ".global .u32 g[4] = {};",
    ".global .u32 g[4U];",
    ".global .u32 g<4>; .global .u64 p = g3;",
    ".global .u8 g[9007199254740992];",
    ".extern .global .u32 a; .visible .global .u32 a;",
    ".extern .global .u32 a[]; .visible .global .u32 a[4];",
    ".extern .shared .u32 a[]; .extern .shared .f32 b[];",
    ".global .texref t = { width = 4 }; .global .surfref s;",
    ".func f(){ret;} .global .u64 p = f;",
    ".const .align 8 .b8 c[65536];",
    ".global .attribute(.managed) .u32 g;",
  ])("%s", (items) => expect(wrongIn(items)).toEqual([]));
});

describe("declarations that ptxas 13.0 does not take", () => {
  it.each([
    ["PTX1401", ".global .u32 a; .global .u32 a;"],
    ["PTX1401", ".global .u32 k; .entry k(){ret;}"],
    ["PTX1402", ".global .e4m3 t;"],
    ["PTX1403", ".shared .pred t;"],
    ["PTX1403", ".global .v4 .f64 g;"],
    ["PTX1403", ".const .texref t;"],
    ["PTX1405", ".global .align 3 .u32 g;"],
    ["PTX1405", ".global .align 0 .u32 g;"],
    ["PTX1406", ".shared .align 16 .b8 s[];"],
    ["PTX1406", ".global .u32 g[0];"],
    ["PTX1407", ".const .b8 c[65537];"],
    ["PTX1407", ".const .b8 c[60000]; .const .b8 d[6000];"],
    ["PTX1407", ".global .u32 g[100000][100000][100000][100000];"],
    ["PTX1407", ".global .u32 g<100000>;"],
    ["PTX1408", ".local .u32 l;"],
    ["PTX1408", ".reg .u32 r;"],
    ["PTX1408", ".param .b32 x;"],
    ["PTX1408", ".tex .u32 t;"],
    ["PTX1408", ".const[2] .u32 c;"],
    ["PTX1409", ".common .shared .u32 g;"],
    ["PTX1409", ".extern .global .u32 g; .global .u32 g;"],
    ["PTX1411", ".extern .global .u32 a; .visible .global .u64 a;"],
    ["PTX1411", ".extern .shared .u32 a[]; .extern .shared .f32 a[];"],
    ["PTX1418", ".global .samplerref s;"],
    ["PTX1610", ".global .u32 g = 1.0;"],
    ["PTX1610", ".global .f32 g = 1;"],
    ["PTX1610", ".global .u32 a; .global .b64 p = a;"],
    ["PTX1610", ".global .u32 a; .global .u16 p = 0xFF(a);"],
    ["PTX1611", ".global .u32 g[4] = {1,2,3,4,5};"],
    ["PTX1611", ".global .u32 g[2][2] = {{1,2,3},{3,4}};"],
    ["PTX1612", ".global .u32 g[4] = 5;"],
    ["PTX1612", ".global .u32 g = {5};"],
    ["PTX1612", ".global .u32 g[2][2] = {1};"],
    ["PTX1612", ".global .v2 .u32 g = {1};"],
    ["PTX1612", ".global .u32 g[] = {};"],
    ["PTX1613", ".shared .u32 s = 1;"],
    ["PTX1613", ".extern .global .u32 a = 4;"],
    ["PTX1613", ".global .f16 g = 0x3c00;"],
    ["PTX1614", ".global .u64 p = q;"],
    ["PTX1614", ".global .u64 p[2] = {a, 0}; .global .u32 a;"],
    ["PTX1614", ".shared .u32 a[4]; .global .u64 p = a;"],
    ["PTX1608", ".func f(){ret;} .global .u64 p = f+4;"],
  ])("%s: %s", (code, items) => expect(wrongIn(items)).toEqual([code]));
});

describe("declarations in a body", () => {
  it.each([
    ".reg .u32 a; { .reg .f32 a; mov.f32 a, 1.0; } mov.u32 a, 1;",
    ".reg .u32 r<4>; { .reg .f32 r<2>; mov.f32 r1, 1.0; mov.u32 r3, 1; }",
    ".reg .u32 r<5>; mov.u32 r0000000000000004, 1;",
    ".reg .u32 r<4>; r2: ret;",
    ".reg .u32 r<4>; .reg .f32 r1<4>;",
    "{ .reg .u32 kp; mov.u32 kp, 1; }",
    ".reg .u32 k; mov.u32 k, 1;",
    "L: { L: bra L; }",
    "bra L; { L: ret; } L:",
    ".reg .v2 .b32 v<4>; mov.b32 v3.x, 1;",
    ".reg .b32;",
    '.pragma "nounroll";',
  ])("%s", (statements) => expect(wrongInBody(statements)).toEqual([]));

  it.each([
    ["PTX1401", ".reg .u32 a; .reg .f32 a;"],
    ["PTX1401", ".reg .u32 r<10>; .reg .u32 r5;"],
    ["PTX1401", ".reg .u32 r5; .reg .f32 r<10>;"],
    ["PTX1401", ".reg .s32 r<2>; .reg .s32 r<3>;"],
    ["PTX1401", ".reg .u32 a; .shared .u32 a;"],
    ["PTX1401", ".reg .u32 kp;"],
    ["PTX1401", "L: L: ret;"],
    ["PTX1401", "a: .reg .u32 a;"],
    ["PTX1402", ".reg .tf32 a;"],
    ["PTX1403", ".reg .v2 .pred v;"],
    ["PTX1403", ".reg .v2 .b128 v;"],
    ["PTX1403", ".reg .texref t;"],
    ["PTX1403", ".shared .texref t;"],
    ["PTX1404", ".reg .u32 a[4];"],
    ["PTX1406", ".shared .u32 s[];"],
    ["PTX1407", ".reg .u32 r<4294967297>;"],
    ["PTX1613", ".reg .b32 c = 4;"],
    ["PTX1613", ".local .u32 l[4] = {1,2,3,4};"],
    ["PTX1416", "a: .branchtargets b;"],
    ["PTX1416", "a: .calltargets b;"],
  ])("%s: %s", (code, statements) => expect(wrongInBody(statements)).toEqual([code]));

  it("are seen only behind where they stand", () => {
    expect(wrongInBody("mov.u32 a, 1; .reg .u32 a;")).not.toEqual([]);
    expect(wrongInBody("{ .reg .u32 a; } mov.u32 a, 1;")).not.toEqual([]);
    expect(wrongInBody("bra L; { L: ret; }")).not.toEqual([]);
  });

  it("point back at the first declaration", () => {
    const { diagnostics } = load(`${header}.entry k(){\n.reg .u32 %r<10>;\n.reg .f32 %r5;\nret;}\n`);
    expect(diagnostics[0]?.related?.[0]?.message).toBe("declared here");
  });
});
