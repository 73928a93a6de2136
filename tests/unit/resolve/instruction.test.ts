import { describe, expect, test } from "vitest";
import { parseSnippet } from "../../../src/parser/index.ts";
import { resolveSnippet, type SnippetTarget } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";

const declared =
  ".reg .b16 h0, h1, h2; .reg .b32 r0, r1, r2; .reg .b64 l0, l1; .reg .f32 f0, f1; .reg .f64 x0, x1; " +
  ".reg .pred p, q; .reg .v4 .b32 v; .reg .v2 .f32 w; .shared .b32 s; .local .b32 l; ";

function resolve(line: string, target: SnippetTarget = {}) {
  const source = new Source("test", `${declared}${line}`);
  const parsed = parseSnippet(source);
  const { value, diagnostics } = resolveSnippet(source, parsed.value, target);
  const all = [...parsed.diagnostics, ...diagnostics];
  const said = all.map(({ code, message, expected, help, span }) => ({
    code,
    at: source.text.slice(span.start, span.end),
    text: [message, expected, ...(help ?? []).map((each) => each.message)].filter(Boolean).join(" | "),
  }));
  return { program: value, said };
}

/** What is wrong with a line, where, and what the message says. */
const wrong: readonly (readonly [line: string, code: string, at: string, says: RegExp])[] = [
  ["ad.u32 r0, r1, r2;", "PTX1201", "ad", /did you mean add/],
  ["ADD.u32 r0, r1, r2;", "PTX1201", "ADD", /did you mean add/],
  ["min.nAn.f16 h0, h1, h2;", "PTX1202", ".nAn", /did you mean \.NaN/],
  ["wgmma.fence.synk.aligned;", "PTX1202", ".synk", /did you mean \.sync/],
  ["add.rz.f16 h0, h1, h2;", "PTX1203", ".rz", /not a rounding of add\.f16 \| \.rn \| write \.rn$/],
  ["fma.rp.bf16 h0, h1, h2, h0;", "PTX1203", ".rp", /code ptxas makes is wrong/],
  ["fma.f16 h0, h1, h2, h0;", "PTX1204", "fma", /fma\.f16 needs a rounding \| \.rn/],
  ["add.rn.rz.f32 f0, f1, f1;", "PTX1205", ".rz", /second rounding beside \.rn/],
  ["add.sat.bf16 h0, h1, h2;", "PTX1206", ".sat", /add\.bf16 has no \.sat/],
  ["mad.u32.lo r0, r1, r2, r0;", "PTX1206", ".lo", /right after mad/],
  ["fma.rn.sat.relu.f16 h0, h1, h2, h0;", "PTX1207", ".relu", /cannot be combined with \.sat/],
  [".reg .b128 wide; ld.global.v4.b128 {wide, wide, wide, wide}, [l0];", "PTX1207", ".v4", /at most 128 bits/],
  ["add.ftz.ftz.f16 h0, h1, h2;", "PTX1208", ".ftz", /given twice/],
  ["tanh.f16 h0, h1;", "PTX1209", "tanh", /needs \.approx/],
  ["mul.u32 r0, r1, r2;", "PTX1209", "mul", /\.lo, \.hi or \.wide/],
  ["neg.u32 r0, r1;", "PTX1210", ".u32", /\.s32, \.s8x4/],
  ["add r0, r1, r2;", "PTX1210", "add", /needs a type/],
  ["cvt.f32.f64 f0, x0;", "PTX1204", "cvt", /cvt\.f32\.f64 needs a rounding/],
  ["min.xorsign.f16 h0, h1, h2;", "PTX1211", ".xorsign", /needs \.abs/],
  ["add.f16 h0, h1;", "PTX1301", "add.f16 h0, h1;", /2 operands where add takes 3/],
  ["ld.global.L2::cache_hint.u32 r0, [l0];", "PTX1301", "ld.global.L2::cache_hint.u32 r0, [l0];", /policy is missing/],
  ["cvta.global.u64 l0, s;", "PTX1314", "s", /a variable in \.global/],
  ["ld.shared.v2.b32 {r0, l0}, [s];", "PTX1307", "{r0, l0}", /one width/],
  ["setp.lt.f16 p|q, h0, h1;", "PTX1318", "q", /another type/],
  ["ld.global.L2::evict_last.u32 r0, [l0];", "PTX1207", ".L2::evict_last", /less than 256 bits/],
  ["ld.shared.L2::128B.u32 r0, [s];", "PTX1207", ".L2::128B", /global memory/],
  ["ld.acquire.gpu.local.u32 r0, [l];", "PTX1207", ".acquire", /threads share/],
  ["add.u32 r0, r1, r2, r0;", "PTX1301", "r0", /4 operands/],
  ["add.f16 h0, h1, r0;", "PTX1302", "r0", /r0 is \.b32 \| \.b16 or \.f16/],
  ["add.u32 r0, r1, f0;", "PTX1302", "f0", /f0 is \.f32/],
  ["add.f16 h0, h1, 1.0;", "PTX1303", "1.0", /half instructions take no immediates \| .*register first/],
  ["add.f32 f0, f1, 1;", "PTX1303", "1", /an integer is used where a float is needed/],
  ["add.u32 r0, r1, 1.0;", "PTX1303", "1.0", /a float is used where an integer is needed/],
  ["add.u32 5, r1, r2;", "PTX1304", "5", /where the result goes/],
  ["add.u32 _, r1, r2;", "PTX1305", "_", /_ cannot take the whole result/],
  ["mov.b32 r0, _;", "PTX1305", "_", /nothing can be read/],
  ["add.u32 r0, %tid.x, 1;", "PTX1306", "%tid.x", /only be read by mov/],
  [
    "mov.v4.u32 {r0, r1, r2, r0}, {r0, %clock, r1, r2};",
    "PTX1306",
    "%clock",
    /changes, .* mov of it alone \|.*register first/,
  ],
  ["cvt.u16.u32 h0, %globaltimer_lo;", "PTX1306", "%globaltimer_lo", /changes, .* mov of it alone/],
  ["cvt.rn.f16.u32 h0, %globaltimer_lo;", "PTX1306", "%globaltimer_lo", /only be read by mov/],
  ["cvt.rn.f32.u32 f0, %tid.x;", "PTX1306", "%tid.x", /a register/],
  ["cvt.sat.u32.u16 r0, h0;", "PTX1207", ".sat", /a \.u32 result, which holds every \.u16/],
  ["cvt.sat.s16.u8 h0, r0;", "PTX1207", ".sat", /a \.s16 result, which holds every \.u8/],
  ["cvt.rni.sat.s32.bf16 r0, h0;", "PTX1207", ".sat", /a \.bf16 source/],
  ["cvt.rn.sat.f16.bf16 h0, h1;", "PTX1207", ".sat", /a \.bf16 source/],
  ["cvt.sat.f32.bf16 f0, h1;", "PTX1206", ".sat", /no \.sat/],
  ["cvt.rni.s8.bf16 r0, h0;", "PTX1302", "r0", /\.s8, \.b8 or \.u8 \|/],
  ["cvt.rn.bf16.u8 h0, h1;", "PTX1302", "h1", /\.u8, \.b8 or \.s8 \|/],
  ["cvt.rn.f16.f32 f0, f1;", "PTX1302", "f0", /\.b16, \.f16 or wider bits/],
  ["ld.volatile.const.u32 r0, [l0];", "PTX1207", ".const", /\.volatile/],
  ["mov.f32 f0, %globaltimer_hi;", "PTX1302", "%globaltimer_hi", /a mov\.u32/],
  ["mov.f32 f0, %clock;", "PTX1302", "%clock", /a mov\.u32/],
  ["mov.f64 x0, %clock64;", "PTX1302", "%clock64", /a mov\.u64/],
  ["mov.u32 %tid.x, r0;", "PTX1306", "%tid.x", /can only be read/],
  ["add.u32 r0, {r1, r2}, r0;", "PTX1307", "{r1, r2}", /vector/],
  ["mov.u32 r0, v;", "PTX1307", "v", /v\.x/],
  ["mov.u32 r0, %tid;", "PTX1307", "%tid", /four components/],
  ["ld.global.v2.b32 {r0, r1, r2}, [l0];", "PTX1307", "{r0, r1, r2}", /3 elements where 2/],
  ["add.u32 r0, r1.h0, r2;", "PTX1308", ".h0", /scalar/],
  ["@r0 add.u32 r0, r1, r2;", "PTX1309", "r0", /r0 is \.b32 \| a \.pred register/],
  ["selp.b32 r0, r1, r2, r0;", "PTX1309", "r0", /\.pred/],
  ["add.f16 h0, -h1, h2;", "PTX1310", "-h1", /negate it with neg/],
  ["setp.eq.b32 !q, r0, r1;", "PTX1310", "!q", /cannot be negated/],
  ["add.u32 r0|p, r1, r2;", "PTX1311", "r0|p", /pair/],
  ["add.u32 r0, r1, [l0];", "PTX1312", "[l0]", /load it/],
  ["add.u32 r0, r1, s;", "PTX1312", "s", /ld\.shared reads it/],
  ["add.f32 f0, f1+1, f2;", "PTX1313", "f1+1", /arithmetic on f1/],
  ["ld.global.u32 r0, [s];", "PTX1314", "s", /s is in \.shared/],
  ["ld.param.u32 r0, [l];", "PTX1314", "l", /name the state space/],
  ["ld.shared.u32 r0, [64];", "PTX1315", "64", /\.local only/],
  ["ld.global.u32 r0, l0;", "PTX1315", "l0", /\[l0\]/],
  ["ld.global.u32 r0, [f0];", "PTX1315", "f0", /cannot hold an address/],
  ["ld.global.u32 r0, [r1];", "PTX1315", "r1", /64 bits/],
  ["st.global.u32 r0, [l0];", "PTX1315", "r0", /takes the address first/],
  ["bra 5;", "PTX1316", "5", /label/],
  ["bra r0;", "PTX1316", "r0", /is a register/],
  ["ld.global.u32 r0, [l0], l1;", "PTX1318", "l1", /\.L2::cache_hint/],
  ["bfe.u32 r0, r1, 256, 1;", "PTX1303", "256", /out of range/],
  ["bfi.b32 r0, r1, r2, 0, -1;", "PTX1303", "-1", /out of range/],
];

test.each(wrong)("%s is %s at %s", (line, code, at, says) => {
  const { said, program } = resolve(line);
  expect(program).toBeUndefined();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({ code, at });
  expect(said[0]?.text).toMatch(says);
});

describe("what needs a newer target or version", () => {
  test.each([
    ["add.bf16 h0, h1, h2;", { target: "sm_80", version: "7.8" }, "PTX1212", /needs sm_90, the target is sm_80/],
    ["abs.f16 h0, h1;", { target: "sm_53", version: "6.4" }, "PTX1213", /needs PTX 6\.5/],
    ["mov.u32 r0, %clusterid.x;", { target: "sm_80", version: "8.0" }, "PTX1212", /%clusterid needs sm_90/],
    ["cvt.rs.f16x2.f32 r0, f0, f1, r1;", { target: "sm_100", version: "9.0" }, "PTX1212", /needs sm_100a/],
    ["mbarrier.arrive.shared.b64 _, [s];", { target: "sm_80", version: "7.0" }, "PTX1213", /state needs PTX 7\.1/],
    [
      ".reg .u32 n; st.bulk.shared::cta [r0], n, 0;",
      { target: "sm_100", version: "8.8" },
      "PTX1213",
      /the operand n needs PTX 9\.0/,
    ],
    [
      "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [r0], [l0, {r1}], [r2];",
      { target: "sm_90", version: "8.5" },
      "PTX1213",
      /needs PTX 8\.6/,
    ],
    [
      "tex.grad.cube.v4.f32.f32 {f0, f0, f0, f0}, [l0, {f0, f0, f0, f0}], {f0, f0, f0, f0}, {f0, f0, f0, f0};",
      { target: "sm_30", version: "4.2" },
      "PTX1213",
      /needs PTX 4\.3/,
    ],
    ["set.eq.ftz.u32.f32 r0, f0, f1;", { target: "sm_13", version: "1.3" }, "PTX1213", /needs PTX 1\.4/],
  ])("%s", (line, target, code, says) => {
    const { said } = resolve(line, target);
    expect(said).toHaveLength(1);
    expect(said[0]?.code).toBe(code);
    expect(said[0]?.text).toMatch(says);
  });
});

describe("what becomes of operands", () => {
  const plans = (line: string) => resolve(line).program?.code.map(({ plan }) => plan.shape);
  const operands = (line: string) => resolve(line).program?.code[0]?.operands;
  const constants = (line: string) => resolve(line).program?.constants.map(({ value }) => value);

  test("constants are cut to the operation's width", () => {
    expect(constants("add.u16 h0, h1, -1;")).toEqual([0xffffn]);
    expect(constants("add.u64 l0, l1, -1;")).toEqual([0xffff_ffff_ffff_ffffn]);
  });

  test("float constants take the operand's width; 0f is bits", () => {
    expect(constants("add.f32 f0, f1, 1.5;")).toEqual([0x3fc0_0000n]);
    expect(constants("add.f32 f0, f1, 0d3FF8000000000000;")).toEqual([0x3fc0_0000n]);
    expect(constants("add.f64 x0, x1, 0f3f800000;")).toEqual([0x3f80_0000n]);
  });

  test("an address is a register and an offset, or a place in its window", () => {
    expect(operands("ld.global.u32 r0, [l0+8];")?.[1]).toMatchObject({
      kind: "address",
      offset: 8n,
      base: { bank: "q" },
    });
    expect(operands("ld.shared.u32 r0, [s];")?.[1]).toEqual({ kind: "address", offset: 0n });
    expect(operands("ld.local.u32 r0, [64];")?.[1]).toEqual({ kind: "address", offset: 64n });
    expect(operands("ld.u32 r0, [s];")?.[1]).toEqual({ kind: "address", offset: 0x4f01_0000_0000n });
  });

  test("an index counts elements, also one in a register; mov of such an element is a gap", () => {
    expect(operands(".shared .b32 t[4]; ld.shared.b32 r0, t[2];")?.[1]).toEqual({ kind: "address", offset: 12n });
    expect(constants(".shared .b32 t[4]; mov.b32 r0, t[3];")).toEqual([16n]);
    expect(operands(".shared .b32 t[4]; ld.shared.b32 r0, t[r1+2];")?.[1]).toMatchObject({
      kind: "address",
      offset: 4n,
      index: { of: { bank: "r" }, plus: 2, scale: 4 },
    });
    expect(plans(".shared .b32 t[4]; mov.b32 r0, t[r1];")).toEqual(["gap", "exit"]);
  });

  test("an operand that may be missing leaves a hole", () => {
    expect(operands("setp.lt.s32 p, r0, r1;")).toHaveLength(4);
    expect(operands("setp.lt.s32 p, r0, r1;")?.[1]).toBeUndefined();
    expect(operands("setp.lt.and.s32 p|_, r0, r1, !q;")).toMatchObject([
      { kind: "predicate" },
      { kind: "sink" },
      { kind: "slot" },
      { kind: "slot" },
      { kind: "predicate", negated: true },
    ]);
  });

  test("a special register that changes is read when the instruction runs", () => {
    expect(plans("mov.u32 r0, %clock;")).toEqual(["special", "exit"]);
    expect(plans("mov.s32 r0, %globaltimer_hi;")).toEqual(["special", "exit"]);
    expect(plans("mov.b32 f0, %clock;")).toEqual(["special", "exit"]);
    expect(plans("mov.u32 r0, %tid.x;")).toEqual(["move", "exit"]);
    expect(resolve("mov.u32 r0, %tid.x;").program?.specials).toMatchObject([{ name: "tid.x" }]);
  });

  test("a register may take the name of a special register", () => {
    expect(resolve(".reg .u32 %laneid; add.u32 r0, %laneid, 1;").said).toEqual([]);
  });

  test("valid PTX without a meaning here is a gap that names itself", () => {
    const { program, said } = resolve(".shared .b32 t[4]; mov.b32 r0, t[r1];");
    expect(said.filter(({ code }) => !code.startsWith("PTX9"))).toEqual([]);
    expect(program?.code[0]?.plan).toEqual({
      shape: "gap",
      form: "mov.b32 of an element whose index is a register",
      names: ["r0", "t", "r1"],
    });
  });

  test("a wider register is read, and written with its extension", () => {
    expect(resolve("cvt.s16.s32 r0, r1;").program?.code[0]?.plan).toMatchObject({ shape: "compute", extend: "sign" });
    expect(resolve("ld.shared.u8 r0, [s];").said).toEqual([]);
  });
});

test("a missing word is named beside another mistake, too", () => {
  const { said } = resolve("szext.s64 l0, l1, r0;");
  expect(said.map(({ code, text }) => `${code} ${text}`)).toEqual([
    expect.stringMatching(/^PTX1210 szext has no type \.s64/),
    "PTX1209 szext needs .clamp or .wrap | .clamp or .wrap",
  ]);
});
