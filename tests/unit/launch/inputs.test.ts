import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { writeNpy } from "../../../src/launch/input/npy.ts";
import { zlib } from "../../../src/system/files.ts";
import { type Given, run } from "./once.ts";

/** Each block of four threads stores what it was given: word by word, from `y` on. */
const giving = `.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 seen[4] = {1, 2, 3, 4};
.global .align 8 .u64 where;
.global .align 4 .f32 half;
.visible .entry giving(.param .u64 x, .param .u64 y, .param .u32 n, .param .align 4 .b8 bytes[8])
{
  .reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [y];
  ld.param.u32 %r2, [n];
  ld.param.u32 %r3, [bytes+4];
  setp.ne.s64 %p1, %rd1, 0;
  @%p1 st.global.v2.u32 [%rd1], {%r2, %r3};
  ret;
}
.visible .entry other() { ret; }
`;
const snippet = "add.u32 d, a, b;\nadd.cc.u32 e, a, b;\naddc.u32 f, a, 0;\nld.global.u32 g, [p];\n";

const given = {
  "five.bin": Uint8Array.of(1, 2, 3, 4, 5),
  "two.npy": writeNpy(Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0), "u32"),
};
const module = (options: Given) => run(giving, { entry: "giving", block: [4, 1, 1], ...options }, given);
const bitsOf = async (options: Given, name: string) =>
  (await module(options)).buffers?.find((each) => each.name === name)?.bits;

/** Doubles `n` halves as nvcc writes it: the loads and stores are of .u16, and the buffers' types are in the arithmetic. */
const halves = `.version 8.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 twice_param_0, .param .u64 twice_param_1, .param .u64 twice_param_2)
{
  .reg .b16 %h<3>; .reg .b32 %r<2>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [twice_param_0];
  ld.param.u64 %rd2, [twice_param_1];
  ld.param.u64 %rd8, [twice_param_2];
  cvta.to.global.u64 %rd3, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 2;
  add.s64 %rd5, %rd3, %rd4;
  setp.eq.s64 %p1, %rd1, 0;
  ld.global.u16 %h1, [%rd5];
  { add.f16 %h2, %h1, %h1; }
  add.s64 %rd6, %rd2, %rd4;
  @!%p1 st.global.u16 [%rd6], %h2;
  st.global.u32 [%rd8], %r1;
  ret;
}
`;

describe("a list of numbers for a pointer", () => {
  it.each([
    ["1,2,3,4", "f16x4:1,2,3,4", "f16x4:fill=0"],
    ["1=[1, 2.5]", "1=f16x2:1,2.5", "f16x4:fill=0"],
    ["2=1,2", "2=u32x2:1,2", "u32x4:fill=0"],
    ["2=1,2.5", "2=f32x2:1,2.5", "u32x4:fill=0"],
    ["2=0x1e,2", "2=u32x2:0x1e,2", "u32x4:fill=0"],
  ])("for %s, %s is proposed: the type that the kernel accesses", async (arg, meant, buffer) => {
    const { said } = await run(halves, { arg: [arg] });
    expect(said).toMatchObject([{ help: [`write ${meant}`] }]);
    expect(said[0]?.expected).toContain(`a buffer such as ${buffer}`);
  });

  it("names that type for a pointer without a value", async () => {
    const { said } = await run(halves, { arg: ["1=f16x1", "2=u32x1"] });
    const note = said.find(({ code }) => code === "PTX2205");
    expect(note?.help).toContain("a pointer takes a buffer, such as f16x64:iota");
  });
});

describe("a buffer of another width than the kernel reads", () => {
  const noted = async (first: string, third: string) => {
    const { said } = await run(halves, { arg: [`0=${first}`, "1=f16x1", `2=${third}`] });
    return said.filter(({ code }) => code === "PTX2214").flatMap(({ help }) => help ?? []);
  };

  it("is noted, with the way to write it", async () => {
    expect(await noted("f32x4:iota", "f64x1")).toEqual(["write 0=f16x4:iota", "write 2=u32x1"]);
  });

  it("is no note for the same width, for bytes, and for what a wider integer may hold several of", async () => {
    for (const [first, third] of [
      ["f16x1:1", "u32x1"],
      ["u16x1:1", "f32x1"],
      ["b16x1", "s32x1"],
      ["f16x2x1", "b32x1"],
      ["u8x2", "u16x2"],
      ["b8x2", "f16x2x1"],
    ] as const)
      expect(await noted(first, third)).toEqual([]);
  });
});

describe("the end of a parameter's name", () => {
  it("names it where no other ends so, in -a and in --dump", async () => {
    const arg = ["param_0=f16x1:1", "param_1=f16x1", "param_2=u32x1"];
    const { buffers } = await run(halves, { arg, dump: ["param_1"] });
    expect(buffers?.map(({ name, bits }) => [name, ...(bits ?? [])])).toEqual([["twice_param_1", 0x4000n]]);
  });

  it.each(["aram_1", "param", "ce_param_1"])("is a whole part between underscores: %s is none", async (name) => {
    const { said } = await run(halves, { arg: [`${name}=f16x1`] });
    expect(said).toMatchObject([{ code: "PTX2202" }]);
  });
});

describe("what a launch is given", () => {
  it.each<[given: Given, name: string, bits: readonly bigint[]]>([
    [{ arg: ["y=u32x2", "n=7", "bytes=hex:0000000009000000"] }, "y", [7n, 9n]],
    [{ arg: ["1=u32x2:iota", "2=7"] }, "y", [7n, 0n]],
    [{ arg: ["u32x1", "u32x3:5,6,8", "4"] }, "y", [4n, 0n, 8n]],
    [{ arg: ["x=u32x2", "y==x", "n=3"] }, "x", [3n, 0n]],
    [{ arg: ["y==0", "x=u32x2", "n=3"] }, "x", [3n, 0n]],
    [{ arg: ["y=u32x2", "bytes=u32x2:1,2"] }, "y", [0n, 2n]],
    [{ arg: ["n:s32=-1", "y=u32x2"] }, "y", [0xffff_ffffn, 0n]],
    [{ arg: ["x=@two.npy"] }, "x", [1n, 2n]],
    [{ arg: ["x:f32=@two.npy"] }, "x", [1n, 2n]],
    [{ arg: ["x=@five.bin"] }, "x", [1n, 2n, 3n, 4n, 5n]],
    [{ global: ["seen=9,8"], dump: ["seen"] }, "seen", [9n, 8n, 3n, 4n]],
    [{ global: ["seen=u32x4:iota"], dump: ["global:seen"] }, "seen", [0n, 1n, 2n, 3n]],
    [{ global: ["seen=hex:ff"], dump: ["seen"] }, "seen", [255n, 2n, 3n, 4n]],
    [{ global: ["half=0.5"], dump: ["half"] }, "half", [0x3f00_0000n]],
    [{ global: ["half:u32=5"], dump: ["half"] }, "half", [5n]],
  ])("%j makes %s hold its values", async (given, name, bits) => {
    expect([...((await bitsOf(given, name)) ?? [])].slice(0, bits.length)).toEqual(bits);
  });

  it.each<[given: Given, code: string, message: RegExp, at: string, expected: string | undefined]>([
    [{ arg: ["n=1", "n=2"] }, "PTX2004", /^n is given twice$/, "n", "one value"],
    [{ arg: ["x=u32x1", "y==x", "y=u32x1"] }, "PTX2004", /^y is given twice$/, "y", "one value"],
    [{ arg: ["x==y"] }, "PTX2103", /^y names no parameter with a buffer$/, "=y", "=NAME of one"],
    [{ arg: ["m=1"] }, "PTX2202", /m/, "m", undefined],
    [{ arg: ["4=1"] }, "PTX2202", /4/, "4", undefined],
    [{ arg: ["n=1,2"] }, "PTX2102", /^\.u32 has no lane type$/, "1,2", undefined],
    [{ arg: ["n=1,2,3"] }, "PTX2102", /^1,2,3 is not one value of \.u32$/, "1,2,3", "1 value"],
    [{ arg: ["n=u32x4"] }, "PTX2206", /^n is a \.u32, which cannot hold an address$/, "u32x4", "a value"],
    [{ arg: ["n=hex:00"] }, "PTX2206", /^1 bytes for n, which has 4$/, "hex:00", "4 bytes"],
    [{ arg: ["n=hex:0"] }, "PTX2101", /^not pairs of hexadecimal digits$/, "hex:0", "hex:00ff"],
    [{ arg: ["bytes=7"] }, "PTX2206", /^bytes is an aggregate$/, "7", "hex:... or @FILE.bin"],
    [{ arg: ["bytes=u32x3:iota"] }, "PTX2206", /^12 bytes for bytes, which has 8$/, "u32x3:iota", "8 bytes"],
    [{ arg: ["bytes=u32x2"] }, "PTX2206", /^bytes is a \.b8, which cannot hold an address$/, "u32x2", "a value"],
    [{ arg: ["x=u32xx"] }, "PTX2101", /./, "u32xx", undefined],
    [{ arg: ["x=u33x4"] }, "PTX2103", /^u33 is not a type of elements$/, "u33x4", "f32, u8 or the like"],
    [
      { arg: ["x=multimem:0:u8x1"] },
      "PTX2103",
      /^multimem:0:u8x1 is not multimem memory$/,
      "multimem:0:u8x1",
      undefined,
    ],
    [{ arg: ["x=multimem:65:u8x1"] }, "PTX2103", /is not multimem memory$/, "multimem:65:u8x1", undefined],
    [{ arg: ["x=multimem:2:7"] }, "PTX2103", /is not multimem memory$/, "multimem:2:7", undefined],
    [
      { arg: ["n=multimem:2:u8x1"] },
      "PTX2206",
      /^n is a \.u32, which cannot hold an address$/,
      "multimem:2:u8x1",
      "a value",
    ],
    [
      { arg: ["n=image:u8:4"] },
      "PTX2206",
      /^n is a \.u32, which holds no handle of a \.texref$/,
      "image:u8:4",
      "a value",
    ],
    [{ arg: ["x=u8x70000"], maxMem: 65536 }, "PTX6003", /^no room for x, 70000 bytes$/, "u8x70000", undefined],
    [{ arg: ["x=u8x3000000000"] }, "PTX2103", /^3000000000 bytes are too many$/, "u8x3000000000", "2 GiB at most"],
    [{ arg: ["x=u32x2:1,2,3"] }, "PTX2103", /^3 values for 2 elements$/, "u32x2:1,2,3", "2 values, or fill=VALUE"],
    [{ arg: ["x=u32x2:1"] }, "PTX2103", /^1 value for 2 elements$/, "u32x2:1", "2 values, or fill=VALUE"],
    [{ arg: ["x=u8x257:iota"] }, "PTX2103", /^\.u8 does not hold 256$/, "u8x257:iota", "fewer elements"],
    [{ arg: ["x=u8x2:fill=256"] }, "PTX2102", /./, "256", undefined],
    [{ arg: ["x=@none.npy"] }, "PTX2011", /none\.npy/, "@none.npy", undefined],
    [{ arg: ["x:f33=@five.bin"] }, "PTX2014", /^five\.bin: \.f33 is not a type of elements$/, "@five.bin", undefined],
    [
      { arg: ["x:f32=@five.bin"] },
      "PTX2014",
      /^five\.bin: 5 bytes are not a whole number of \.f32$/,
      "@five.bin",
      undefined,
    ],
    [{ arg: ["x:f64=@two.npy"] }, "PTX2014", /^two\.npy: its elements are \.u32, not \.f64$/, "@two.npy", undefined],
    [{ arg: ["x=tensormap:64"] }, "PTX2220", /^tensormap:64 names no tensor$/, "tensormap:64", undefined],
    [{ arg: ["x=tensormap:64:7"] }, "PTX2220", /^7 is not a tensor$/, "7", "f32x64:iota, @FILE.npy or =NAME"],
    [{ arg: ["x=tensormap:64:"] }, "PTX2220", /^nothing is not a tensor$/, "", "f32x64:iota, @FILE.npy or =NAME"],
    [{ arg: ["x=tensormap:64:f33x4"] }, "PTX2220", /^f33 is not a type of elements$/, "f33x4", "f32, u8 or the like"],
    [{ arg: ["x=tensormap:64,box=32:u8x3000000000"] }, "PTX2103", /^3000000000 bytes/, "u8x3000000000", undefined],
    [
      { arg: ["x=tensormap:64,box=32:=y"] },
      "PTX2103",
      /^y names no parameter with a buffer$/,
      undefined as never,
      undefined,
    ],
    [
      { arg: ["n=tensormap:64,box=32:f32x64"] },
      "PTX2206",
      /^n has 4 bytes, and a tensor map 128$/,
      undefined as never,
      undefined,
    ],
    [{ global: ["half:pred=1"] }, "PTX2101", /^\.pred is not a type of elements$/, "pred", "f32, u8 or the like"],
    [{ global: ["sen=1"] }, "PTX2209", /^the module has no variable sen$/, "sen", undefined],
    [{ global: ["seen=1,2,3,4,5"] }, "PTX2206", /^20 bytes for a variable of 16$/, "1,2,3,4,5", "16 bytes at most"],
    [{ global: ["seen=hex:0"] }, "PTX2101", /^not pairs of hexadecimal digits$/, "hex:0", "hex:00ff"],
    [
      { global: ["seen==x"] },
      "PTX2103",
      /^contents of a variable come as/,
      "=x",
      "1.5, f32x4:1,2,3,4, @FILE or hex:00ff",
    ],
    [{ global: ["seen"] }, "PTX2101", /^seen sets nothing$/, "seen", "NAME=VALUE"],
    [{ dump: ["sen"] }, "PTX2210", /^there is no sen to dump$/, "sen", undefined],
    [{ dump: ["seen:f33"] }, "PTX2210", /^f33 is not a view of a buffer$/, "f33", undefined],
    [{ dump: ["seen:2x4"] }, "PTX2210", /^2x4 elements are 32 bytes, and seen has 16$/, "2x4", "at most 4 elements"],
    [{ dump: ["%r1=@r.npy"] }, "PTX2210", /^%r1 is a register, which is not written to a file$/, "=@r.npy", "a buffer"],
    [{ thread: [1, 0] }, "PTX2003", /^--thread 1\/0 is not a thread of this launch$/, "", "0/0 to 0/3"],
    [{ thread: [0, 4] }, "PTX2003", /^--thread 0\/4 is not a thread of this launch$/, "", "0/0 to 0/3"],
    [{ entry: "none" }, "PTX2203", /none/, "", undefined],
    [{ entry: undefined } as never, "PTX2204", /^t\.ptx has 2 kernels$/, "", "--entry giving, --entry other"],
    [{ platform: "DG2" as never }, "PTX2003", /^--platform is for vISA, and t\.ptx is PTX$/, "", "no --platform"],
    [{ grf: 64 }, "PTX2003", /^--grf is for vISA, and t\.ptx is PTX$/, "", "no --grf"],
  ])("%j is refused, where it is wrong", async (given, code, message, at, expected) => {
    const { said, exit } = await module(given);
    const found = said.find((each) => each.severity === "error");
    expect(found).toMatchObject({ code, message: expect.stringMatching(message) });
    if (at) expect(found?.at).toBe(at);
    if (expected !== undefined) expect(found?.expected).toBe(expected);
    expect(exit).toBeGreaterThan(0);
  });

  it("is 0 where it is missing, which a note says, with what would give it", async () => {
    const { said, exit } = await module({ arg: ["y=u32x2"] });
    expect(exit).toBe(0);
    expect(said).toMatchObject([
      {
        code: "PTX2205",
        severity: "note",
        message: "x, n and bytes are 0, because no value was given",
        help: [
          expect.stringMatching(/^give them with -a '?x=VALUE'? -a '?n=VALUE'? -a '?bytes=VALUE'?$/),
          "a pointer takes a buffer, such as f32x64:iota",
        ],
      },
    ]);
    const one = await module({ arg: ["x=u32x1", "y=u32x2", "bytes=hex:0000000000000000"] });
    expect(one.said[0]).toMatchObject({
      message: "n is 0, because no value was given",
      help: [expect.stringMatching(/^give it with -a/)],
    });
    const many = Array.from({ length: 9 }, (_, at) => `add.u32 d${at}, a${at}, 1;`).join("\n");
    expect((await run(many, {})).said[0]?.message).toBe(
      "a0, a1, a2, a3, a4, a5, a6, a7 and 1 more are 0, because no value was given",
    );
  });
});

describe("a tensor map", () => {
  it.each<[what: string, given: readonly string[], name: string]>([
    ["of a buffer that another parameter has", ["y=f32x64", "x=tensormap:64,box=32:=y"], "y"],
    [
      "of a tensor that another map has made, which may come later",
      ["x=tensormap:64,box=32:=y", "y=tensormap:64,box=32:f32x64"],
      "y",
    ],
  ])("may be %s", async (_, given, name) => {
    const { said, buffers } = await module({ arg: given, dump: [], entry: "giving" });
    expect(said.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(buffers?.map((each) => each.name)).toEqual([name]);
  });
});

it("a picture whose rows are not all there is refused with its name", async () => {
  // ISO/IEC 15948: two rows of two bytes, of which the data has one, without its filter's byte.
  const chunk = (kind: string, body: readonly number[]) => {
    const named = [...new TextEncoder().encode(kind), ...body];
    const words = new DataView(new ArrayBuffer(8));
    words.setUint32(0, body.length);
    words.setUint32(4, crc32(Uint8Array.from(named)));
    const [length, sum] = [new Uint8Array(words.buffer, 0, 4), new Uint8Array(words.buffer, 4)];
    return [...length, ...named, ...sum];
  };
  const file = Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", [...[0, 0, 0, 2, 0, 0, 0, 2], ...[8, 0, 0, 0, 0]]),
    ...chunk("IDAT", [...zlib.deflate(Uint8Array.of(0, 1, 2))]),
    ...chunk("IEND", []),
  ]);
  const { said, exit } = await run(giving, { entry: "giving", arg: ["x=image:@half.png"] }, { "half.png": file });
  expect(said.find(({ severity }) => severity === "error")).toMatchObject({
    code: "PTX2014",
    message: expect.stringMatching(/^half\.png: /),
    at: "image:@half.png",
    expected: "a picture, or an array with the axes of a texture",
  });
  expect(exit).toBeGreaterThan(0);
});

describe("what a snippet is given", () => {
  const given = { reg: ["a=0xffffffff", "b=1", "p=u32x1:5"] };

  it("is registers, the carry, and buffers at their addresses", async () => {
    const { threads, said, exit } = await run(snippet, given);
    expect([exit, said]).toEqual([0, []]);
    expect(threads?.[0]?.registers).toMatchObject({ d: 0n, e: 0n, f: 0n, g: 5n });
    // The carry comes from the instruction before; what is given holds where none does.
    const before = "addc.u32 f, a, 0;\n";
    for (const [carry, sum] of [
      ["CC.CF=1", 2n],
      ["cc.cf=0", 1n],
    ] as const)
      expect((await run(before, { reg: ["a=1", carry] })).threads?.[0]?.registers["f"]).toBe(sum);
  });

  it.each<[reg: readonly string[], code: string, message: RegExp, at: string, help?: RegExp]>([
    [["a=1", "a=2"], "PTX2004", /^a is given twice$/, "a"],
    [["cc.cf=1", "cc.cf=1"], "PTX2004", /^cc\.cf is given twice$/, "cc.cf"],
    [["cc.cf=2"], "PTX2101", /^cc\.cf cannot be 2$/, "2"],
    [["z=1"], "PTX2201", /z/, "z"],
    [["a=u32x4"], "PTX2206", /^a has 32 bits, and an address 64$/, "u32x4"],
    [["a=image:u8:4"], "PTX2206", /^a has 32 bits, and a handle 64$/, "image:u8:4"],
    [["a=hex:00"], "PTX2103", /^a register takes a value or a new buffer$/, "hex:00"],
    [["a:f64=1"], "PTX2102", /^\.f64 has 64 bits, and a has 32$/, "f64"],
  ])("%j is refused", async (reg, code, message, at) => {
    const { said } = await run(snippet, { reg });
    const found = said.find((each) => each.severity === "error");
    expect(found).toMatchObject({ code, message: expect.stringMatching(message), at });
  });

  it("a register and a parameter that are taken for each other are put right", async () => {
    expect((await module({ reg: ["n=1"] })).said[0]?.help?.[0]).toMatch(/^n is a parameter: -a '?n=1'?$/);
    expect((await module({ arg: ["%r1=1"] })).said[0]?.help?.[0]).toMatch(/^%r1 is a register: -r '?%r1=1'?$/);
  });
});

describe("what a launch shows", () => {
  it.each<[options: Given, threads: readonly string[], registers: readonly string[]]>([
    [{ dump: ["%r1"], thread: [0, 2] }, ["0/2"], ["%r1"]],
    [{ dump: ["r1", "%r2"], thread: "all" }, ["0/0", "0/1", "0/2", "0/3"], ["%r1", "%r2"]],
    [{ dump: ["changed"], thread: [0, 1] }, ["0/1"], ["%r1"]],
    [{ dump: ["changed", "%r2"], thread: [0, 1] }, ["0/1"], ["%r2"]],
    [{ dump: ["%r2", "changed"], thread: [0, 1] }, ["0/1"], ["%r1"]],
    [{ dump: ["regs", "%r2"] }, ["0/0"], ["%p1", "%r1", "%r2", "%r3", "%rd1"]],
    [{ dump: ["none"] }, [], []],
    [{ dump: ["none", "%r3"], grid: [2, 1, 1], thread: [1, 3] }, ["1/3"], ["%r3"]],
    [{}, ["0/0"], []],
  ])("%j: threads %j, registers %j", async (options, threads, registers) => {
    const found = await module(options);
    expect(found.threads?.map(({ block, thread }) => `${block}/${thread}`)).toEqual(threads);
    expect(Object.keys(found.threads?.[0]?.registers ?? {}).sort()).toEqual(registers);
  });

  it("has the registers of each thread", async () => {
    const { threads } = await module({ dump: ["%r1"], thread: "all", block: [2, 1, 1], grid: [2, 1, 1] });
    expect(threads?.map(({ block, thread, registers }) => [block, thread, registers["%r1"]])).toEqual([
      [0, 0, 0n],
      [0, 1, 1n],
      [1, 0, 0n],
      [1, 1, 1n],
    ]);
  });

  it("has the beginning of the buffers that it was given, or all that is asked for", async () => {
    const arg = ["x=u32x9:iota"];
    expect((await module({ arg })).buffers).toMatchObject([{ name: "x", type: "u32", brief: true, length: 9 }]);
    const [whole] = (await module({ arg, dump: ["x"] })).buffers ?? [];
    expect(whole).toMatchObject({ name: "x", brief: false, bits: Array.from({ length: 9 }, (_, at) => BigInt(at)) });
    const [shaped] = (await module({ arg, dump: ["0:u16x3x2"] })).buffers ?? [];
    expect(shaped).toMatchObject({ type: "u16", brief: false, shape: [3, 2], bits: [0n, 0n, 1n, 0n, 2n, 0n] });
    const [typed] = (await module({ arg, as: { type: "u64" } })).buffers ?? [];
    expect(typed).toMatchObject({
      type: "u64",
      shape: [4],
      bits: [1n << 32n, 2n + (3n << 32n), 4n + (5n << 32n), 6n + (7n << 32n)],
    });
  });
});
