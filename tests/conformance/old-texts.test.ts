import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, lint, must } from "../../src/index.ts";

/** What texts of the first versions and targets may leave unsaid, as ptxas 13.0 takes them. */

const registers = `.reg .f32 f<5>; .reg .f64 d<5>; .reg .b32 r<5>; .reg .b64 l; .reg .b16 h; .reg .pred p;`;
const kernel = (version: string, target: string, body: string, around = ""): string =>
  `.version ${version}\n.target ${target}\n${around}\n.entry k\n{ ${registers} ${body} exit; }\n`;
const errors = (text: string) =>
  lint(text)
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code);

/** What a kernel without parameters leaves in the words of `g`, which held these before. */
function left(
  version: string,
  target: string,
  given: readonly number[],
  body: string,
  around = "",
  launch: Omit<LaunchOptions, "args"> = {},
): number[] {
  const text = kernel(
    version,
    target,
    body,
    `.global .align 8 .b32 g[${given.length}] = {${given.join()}};\n${around}`,
  );
  const module = must(new Device().module({ name: "old.ptx", text }));
  const session = must(must(module.kernel("k")).launch({ ...launch, args: [] }));
  expect(session.stop).toMatchObject({ reason: "exit" });
  const bytes = module.variable("g")?.read() ?? new Uint8Array();
  return [...new Uint32Array(bytes.buffer, bytes.byteOffset, given.length)];
}

/** Which of the lines each header takes: + or -. A line is a kernel, so that one lint judges them all. */
function verdicts(headers: readonly string[], lines: readonly string[], around = ""): string[] {
  const taken = headers.map((header) => {
    const text = `.version ${header.replace(" ", "\n.target ")}\n${around}\n${lines
      .map((line, at) => `.entry k${at} { ${registers} ${line} exit; }`)
      .join("\n")}\n`;
    const bad = new Set<number>();
    for (const { severity, span } of lint(text))
      if (severity === "error") bad.add(text.slice(0, span.start).split("\n").length - (around.split("\n").length + 3));
    return lines.map((_, at) => (bad.has(at) ? "-" : "+"));
  });
  return lines.map((line, at) => `${taken.map((each) => each[at]).join("")} ${line}`);
}

describe("a word that old texts leave out", () => {
  const headers = [
    "1.0 sm_10",
    "1.3 sm_13",
    "1.4 sm_13",
    "2.0 sm_13",
    "2.0 sm_20",
    "3.1 sm_30",
    "3.2 sm_13",
    "3.2 sm_30",
  ];

  it("is taken where ptxas 13.0 takes it", () => {
    const known = [
      "+++++++- mad.f32 f0, f1, f2, f3;",
      "+++++++- mad.sat.f32 f0, f1, f2, f3;",
      "--+++++- mad.ftz.f32 f0, f1, f2, f3;",
      "----++-+ mad.rn.f32 f0, f1, f2, f3;",
      "-------- fma.f32 f0, f1, f2, f3;",
      "++------ mad.f64 d0, d1, d2, d3;",
      "-------- fma.f64 d0, d1, d2, d3;",
      "++------ div.f64 d0, d1, d2;",
      "-------- rcp.f64 d0, d1;",
      "++------ sqrt.f64 d0, d1;",
      "++------ rsqrt.f64 d0, d1;",
      "++------ div.f32 f0, f1, f2;",
      "-------- div.ftz.f32 f0, f1, f2;",
      "-------- div.sat.f32 f0, f1, f2;",
      "--++++++ div.approx.f32 f0, f1, f2;",
      "++------ rcp.f32 f0, f1;",
      "-------- rcp.ftz.f32 f0, f1;",
      "++------ sqrt.f32 f0, f1;",
      "++------ rsqrt.f32 f0, f1;",
      "++------ sin.f32 f0, f1;",
      "--++++++ sin.approx.f32 f0, f1;",
      "++------ cos.f32 f0, f1;",
      "++------ lg2.f32 f0, f1;",
      "++------ ex2.f32 f0, f1;",
      "-------- ex2.sat.f32 f0, f1;",
    ];
    expect(
      verdicts(
        headers,
        known.map((each) => each.slice(9)),
      ),
    ).toEqual(known);
  });

  it("is asked for by name in newer texts", () => {
    expect(errors(kernel("1.4", "sm_13", "div.f32 f0, f1, f2;"))).toEqual(["PTX1209"]);
    expect(errors(kernel("3.2", "sm_30", "mad.f32 f0, f1, f2, f3;"))).toEqual(["PTX1204"]);
  });

  const one = 0x3f80_0000;
  const three = 0x4040_0000;
  it.each([
    ["div.f32 f0, f1, f2;", 0x3eaa_aaab], // 1 / 3
    ["rcp.f32 f0, f2;", 0x3eaa_aaab],
    ["sqrt.f32 f0, f2;", 0x3fdd_b3d7], // 1.7320508
    ["rsqrt.f32 f0, f2;", 0x3f13_cd3a], // 0.57735026
    ["sin.f32 f0, f1;", 0x3f57_6aa4], // 0.84147098
    ["cos.f32 f0, f1;", 0x3f0a_5140], // 0.54030230
    ["lg2.f32 f0, f2;", 0x3fca_e00d], // 1.58496250
    ["ex2.f32 f0, f2;", 0x4100_0000],
    ["mad.f32 f0, f2, f2, f1;", 0x4120_0000],
    ["mad.sat.f32 f0, f2, f2, f1;", 0x3f80_0000],
  ])("means what the manual says: %s", (line, result) => {
    const body = `ld.global.f32 f1, [g]; ld.global.f32 f2, [g+4]; ${line} st.global.f32 [g], f0;`;
    expect(left("1.3", "sm_13", [one, three], body)).toEqual([result, three]);
  });

  it.each([
    ["mad.f64 d0, d1, d1, d1;", 0x4028_0000_0000_0000n], // 12
    ["div.f64 d0, d1, d1;", 0x3ff0_0000_0000_0000n],
    ["sqrt.f64 d0, d1;", 0x3ffb_b67a_e858_4caan], // 1.7320508075688772
    ["rsqrt.f64 d0, d1;", 0x3fe2_79a7_4590_331cn], // 0.5773502691896258
  ])("means what the manual says: %s", (line, result) => {
    const body = `ld.global.f64 d1, [g]; ${line} st.global.f64 [g], d0;`;
    expect(left("1.3", "sm_13", [0, 0x4008_0000], body)).toEqual([
      Number(BigInt.asUintN(32, result)),
      Number(result >> 32n),
    ]);
  });

  it("is rounded once from sm_20 on, and keeps subnormal numbers there", () => {
    // (1 + 2^-12)^2 - 1 is 2^-11 + 2^-24, of which a product that is rounded first loses the end.
    const body = `mov.f32 f1, 0f3f800800; mov.f32 f2, 0fbf800000; mad.f32 f0, f1, f1, f2; st.global.f32 [g], f0;
      mov.f32 f1, 0f00000001; mov.f32 f2, 0f3f800000; mad.f32 f0, f1, f2, f1; st.global.f32 [g+4], f0;`;
    expect(left("3.1", "sm_20", [0, 0], body)).toEqual([0x3a00_0400, 2]);
    expect(left("3.1", "sm_13", [0, 0], body)).toEqual([0x3a00_0400, 0]);
  });
});

describe("f32 before sm_20", () => {
  const least = 0x8000_0001;
  const half = 0x3f00_0000;
  const small = 0x0080_0000; // the least normal number
  const load = "ld.global.f32 f1, [g]; ld.global.f32 f2, [g+4]; ld.global.f32 f3, [g+8];";
  const zero = 0x8000_0000;

  // ptxas 13.0 sets .FTZ in all of these for a text of sm_1x, and in none for one of sm_20.
  it.each([
    ["add.f32 f0, f1, f1;", zero, 0x8000_0002],
    ["sub.f32 f0, f1, f2;", 0xbf00_0000, 0xbf00_0000],
    ["mul.f32 f0, f2, f3;", 0, 0x0040_0000],
    ["neg.f32 f0, f1;", 0, 1],
    ["abs.f32 f0, f1;", 0, 1],
    ["min.f32 f0, f1, f2;", zero, 0x8000_0001],
    ["max.f32 f0, f1, f1;", zero, 0x8000_0001],
    ["cvt.f32.f32 f0, f1;", zero, 0x8000_0001],
    ["cvt.rmi.f32.f32 f0, f1;", zero, 0xbf80_0000],
    ["cvt.rmi.s32.f32 r0, f1; mov.b32 f0, r0;", 0, 0xffff_ffff],
    ["setp.lt.f32 p, f1, 0f00000000; selp.f32 f0, f2, f3, p;", small, half],
    ["set.lt.u32.f32 r0, f1, 0f00000000; mov.b32 f0, r0;", 0, 0xffff_ffff],
    ["slct.f32.f32 f0, f2, f3, f1;", half, small],
    ["mov.f32 f0, f1;", 0x8000_0001, 0x8000_0001],
  ])("%s flushes, whatever it says", (line, old, young) => {
    const body = `${load} ${line} st.global.f32 [g], f0;`;
    expect(left("1.4", "sm_13", [least, half, small], body)[0]).toBe(old);
    expect(left("4.3", "sm_10", [least, half, small], body)[0]).toBe(old);
    expect(left("2.0", "sm_20", [least, half, small], body)[0]).toBe(young);
  });

  // The manual's note on cvt: up to PTX 1.4 the conversions with 64 bits did not flush.
  it.each([
    ["cvt.f64.f32 d0, f1; st.global.f64 [g], d0;", [0, 0x8000_0000], [0, 0xb6a0_0000]],
    ["cvt.rmi.s64.f32 l, f1; st.global.s64 [g], l;", [0, 0], [0xffff_ffff, 0xffff_ffff]],
  ])("%s flushes from PTX 1.5 on", (line, flushed, kept) => {
    const given = [least, half, small];
    expect(left("1.4", "sm_13", given, load + line).slice(0, 2)).toEqual(kept);
    expect(left("1.5", "sm_13", given, load + line).slice(0, 2)).toEqual(flushed);
    expect(left("2.0", "sm_20", given, load + line).slice(0, 2)).toEqual(kept);
  });

  it("does not flush what comes from f16", () => {
    const body = "mov.b16 h, 1; cvt.f32.f16 f0, h; st.global.f32 [g], f0;";
    expect(left("4.3", "sm_13", [0], body)).toEqual([0x3380_0000]);
  });
});

describe("variables that only old texts have", () => {
  const taken = (around: string, line: string) =>
    ["1.0 sm_10", "1.4 sm_13", "1.5 sm_13", "2.0 sm_20", "2.3 sm_20", "3.0 sm_20", "4.0 sm_30", "9.0 sm_90"].map(
      (header) => {
        const [version = "", target = ""] = header.split(" ");
        return errors(kernel(version, target, line, around))[0] ?? "+";
      },
    );

  // Up to 2.3 ptxas 13.0 warns that it does without a stack; from 3.0 on it refuses.
  it.each([
    [".local .u32 v[4];", "ld.local.u32 r0, [v+4];"],
    [".visible .local .align 8 .b8 v[4];", ""],
  ])(".local at module scope: %s", (around, line) => {
    const refused = ["PTX1408", "PTX1408", "PTX1408"];
    expect(taken(around, line).slice(0, 5)).toEqual(["+", "+", "+", "+", "+"]);
    expect(taken(around, "").slice(5)).toEqual(refused);
  });

  it(".local at module scope is each thread's own, and one for all its functions", () => {
    const around = `.local .u32 v[2]; .local .u32 w;
      .func add { .reg .u32 x; ld.local.u32 x, [v+4]; add.u32 x, x, 5; st.local.u32 [v+4], x; ret; }`;
    const body = `mov.u32 r0, %tid.x; st.local.u32 [v+4], r0; st.local.u32 [w], 9; call add; bar.sync 0;
      ld.local.u32 r1, [v+4]; .reg .b64 q; mul.wide.u32 l, r0, 4; mov.u64 q, g; add.u64 l, l, q; st.global.u32 [l], r1;`;
    expect(left("2.2", "sm_20", [0, 0, 0], body, around, { block: 3 })).toEqual([5, 6, 7]);
  });

  it.each([
    [".tex .u32 t;", "+"],
    [".tex .u64 t;", "+"],
    [".extern .tex .u32 t;", "+"],
    [".tex .b32 t;", "PTX1403"],
    [".tex .u32 t[2];", "PTX1403"],
    [".tex .texref t;", "PTX1403"],
  ])("%s up to PTX 1.4", (around, verdict) => {
    const [first, second, ...others] = taken(around, "");
    expect([first, second]).toEqual([verdict, verdict]);
    expect(new Set(others)).toEqual(new Set(["PTX1408"]));
  });

  it("a .tex variable is a texture with its sampler", () => {
    const text = kernel(
      "1.4",
      "sm_13",
      "mov.s32 r0, 2; tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [t, {r0, r0, r0, r0}]; st.global.f32 [g], f0;",
      ".tex .u32 t; .global .b32 g;",
    ).replaceAll(".b32 r<5>", ".s32 r<5>");
    const device = new Device();
    const module = must(device.module({ name: "old.ptx", text }));
    const array = device.array({ width: 4, format: "f32", channels: 1 });
    array.write(Float32Array.of(10, 20, 30, 40));
    expect(module.bind("t", device.texture(array))).toBe(true);
    must(must(module.kernel("k")).launch({ args: [] }));
    expect(new DataView(module.variable("g")?.read().buffer ?? new ArrayBuffer(4)).getFloat32(0, true)).toBe(30);
  });
});
