import { describe, expect, it } from "vitest";
import { readView, sizeOf } from "../../../src/launch/dump/view.ts";
import { readArgument, readAssignment } from "../../../src/launch/value/assignment.ts";
import { bufferContents } from "../../../src/launch/value/buffer.ts";
import { readChecks } from "../../../src/launch/value/checks.ts";
import { valueForm } from "../../../src/launch/value/form.ts";
import { readFloat, readNumber } from "../../../src/launch/value/number.ts";
import {
  readBytesCount,
  readCount,
  readExtent,
  readJobs,
  readThread,
  readTime,
} from "../../../src/launch/value/quantity.ts";
import { fills } from "../../../src/launch/value/recipe.ts";
import { registerBits, scalars } from "../../../src/launch/value/scalar.ts";
import { readMoving, readSchedule, readSeed, readSeeds } from "../../../src/launch/value/schedule.ts";
import { tensorMapForm } from "../../../src/launch/value/tensor-map-form.ts";
import { readTolerance } from "../../../src/launch/value/tolerance.ts";
import { memoryFile, readMemoryWord, weakOf, weakProblems, weakSeed } from "../../../src/launch/value/weak.ts";
import { e2m1, e4m3, e5m2 } from "../../../src/numeric/format/format.ts";
import { widthOf } from "../../../src/numeric/format/value-type.ts";
import { Source } from "../../../src/source/source.ts";

/** What each of some texts is read as. */
const all = <T>(read: (text: string) => T, ...texts: string[]): T[] => texts.map((text) => read(text));

describe("quantities", () => {
  it("have units in either case, of 1024 for bytes and of 1000 for counts, and none that is too large", () => {
    expect(
      all(readBytesCount, "0x10", "2k", "3M", "1kb", "1KIB", "7B", "1T", "K", "", "1.5K", "9007199254740991"),
    ).toEqual([
      16,
      2048,
      3 * 2 ** 20,
      1024,
      1024,
      7,
      undefined,
      undefined,
      undefined,
      undefined,
      Number.MAX_SAFE_INTEGER,
    ]);
    expect(all(readBytesCount, "9007199254740992", "8388608G", "8388607G")).toEqual([
      undefined,
      undefined,
      8388607 * 2 ** 30,
    ]);
    expect(all(readCount, "2k", "2K", "3G", "0", "9007199254741G", "x", "1KB")).toEqual([
      2000,
      2000,
      3e9,
      0,
      undefined,
      undefined,
      undefined,
    ]);
    expect(all(readTime, "1.5s", ".5s", "0.25m", "7ms", "1h", "1.", "")).toEqual([
      1500,
      undefined,
      15_000,
      7,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are whole where they are sizes, threads, jobs, seeds", () => {
    expect(all(readExtent, "0", "1,2,3,4", "1,,2", "-1")).toEqual([[0, 1, 1], undefined, undefined, undefined]);
    expect(all(readThread, "3/4", "3/", "/4", "3/4/5", "ALL")).toEqual([
      [3, 4],
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(all(readJobs, "auto", "1", "64", "0", "65", "1.5", "+1", "")).toEqual([
      "auto",
      1,
      64,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(all(readSeed, "0", "4294967295", "4294967296", "", "-1", "00000000001")).toEqual([
      0,
      0xffff_ffff,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(all(readSeeds, "0..99", "7..7", "8..7", "0..4294967296", "1..", "..1", "1...2")).toEqual([
      [0, 99],
      [7, 7],
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(all(readSchedule, "fixed", "random:7", "random:", "random", "xrandom:7")).toEqual([
      "fixed",
      { seed: 7 },
      undefined,
      undefined,
      undefined,
    ]);
    expect(all(readMoving, "late", "early", "random:3", "fixed", "random:x")).toEqual([
      { when: "late" },
      { when: "early" },
      { when: "random", seed: 3 },
      undefined,
      undefined,
    ]);
  });

  it("are a tolerance of places or a part of 1", () => {
    expect(
      all(readTolerance, "4ulp", "1ulps", "0ulp", "0", "0.999", "1e-6", "1", "-1e-9", "", " ", "x", "ulp"),
    ).toEqual([
      { ulps: 4n },
      { ulps: 1n },
      { ulps: 0n },
      { part: 0 },
      { part: 0.999 },
      { part: 1e-6 },
      ...Array(6).fill(undefined),
    ]);
  });

  it("are checks by name, or none", () => {
    const no = { mem: false, init: false, sync: false, race: false, bounds: false };
    expect(all(readChecks, "none", "mem", "race,init", "sync", "mem,none", "", "all")).toEqual([
      no,
      { ...no, mem: true },
      { ...no, race: true, init: true },
      { ...no, sync: true },
      undefined,
      undefined,
      { mem: true, init: true, sync: true, race: true, bounds: true },
    ]);
    const usual = { ...no, mem: true, init: true, sync: true };
    expect(
      all(readChecks, "+race", "-init", "+race,-init", "all,-race", "-mem,-init,-sync", "+none", "-", "+"),
    ).toEqual([
      { ...usual, race: true },
      { ...usual, init: false },
      { ...usual, init: false, race: true },
      { ...usual, bounds: true },
      no,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are views of types and shapes", () => {
    expect(
      all(readView, "all", "f16x2", "f16x2x3", "4x4", "e4m3", "e2m1x2x7", "f32x4x0", "4", "x4", "1x1x1x1x1x1x1x1x1"),
    ).toEqual([
      { all: true },
      { type: "f16x2", ofRegisters: "f16x2" },
      { type: "f16x2", shape: [3] },
      { shape: [4, 4] },
      { type: "e4m3", ofRegisters: "e4m3" },
      { type: "e2m1x2", shape: [7] },
      ...Array(4).fill(undefined),
    ]);
    expect(readView("1x1x1x1x1x1x1x1")?.shape?.length).toBe(8);
    expect(all(sizeOf, "e4m3", "f16x2", "f64")).toEqual([1, 4, 8]);
  });
});

describe("a memory that is weak", () => {
  it("is a word, and all else a file", () => {
    expect(all(readMemoryWord, "", "weak", "weak:random", "weak:", "weak:x", "x.mem")).toEqual([
      undefined,
      "weak",
      "weak:random",
      undefined,
      undefined,
      "x.mem",
    ]);
    const words = ["weak", "weak:random", "./weak"];
    expect(words.map((memory) => weakOf({ memory }))).toEqual(["every", "random", undefined]);
    expect(words.map((memory) => memoryFile({ memory }))).toEqual([undefined, undefined, "./weak"]);
    expect([weakOf({}), memoryFile({})]).toEqual([undefined, undefined]);
    const memory = "weak:random";
    expect([
      weakSeed({ memory }),
      weakSeed({ memory, seed: 4 }),
      weakSeed({ memory, schedule: { seed: 5 } }),
      weakSeed({ memory, schedule: { seed: 5 }, seed: 0 }),
      weakSeed({ memory: "weak", seed: 4 }),
    ]).toEqual([0, 4, 5, 0, undefined]);
  });

  it("has options that go with it and others that do not", () => {
    const said = (options: Parameters<typeof weakProblems>[0], lists = true) =>
      weakProblems(options, lists)[0]?.message;
    const [every, random] = [{ memory: "weak" }, { memory: "weak:random" }];
    expect([
      said({}),
      said(every),
      said(random, false),
      said({ ...random, seeds: [0, 3] }),
      said({ seeds: [0, 3] }),
    ]).toEqual(Array(5).fill(undefined));
    expect(said({ seed: 1 })).toBe("--seed is for --memory weak:random");
    expect(said({ ...every, seed: 1 })).toBe("--seed is for --memory weak:random");
    expect(said({ ...random, seed: 1 })).toBeUndefined();
    expect(said({ ...random, seed: 1, seeds: [0, 3] })).toBe("--seed 1 and --seeds 0..3 cannot both be given");
    expect(said({ ...every, seeds: [0, 3] })).toBe("--seeds is for --memory weak:random");
    expect(said(every, false)).toBe("--memory weak lists many outcomes, and this shows one run");
    for (const weak of [every, random])
      expect(said({ ...weak, executor: "wasm" })).toBe("--executor wasm runs no weak memory");
    expect([said({ executor: "wasm" }), said({ ...random, executor: "js" })]).toEqual([undefined, undefined]);
  });
});

describe("a number", () => {
  const bits = (text: string, type: string) => {
    const reading = readNumber(text, type);
    return "bits" in reading ? reading.bits : [reading.message, reading.expected, reading.fits];
  };

  it("may be as small and as large as its type, and no more", () => {
    for (const width of [8, 16, 32, 64, 128])
      for (const kind of ["u", "s", "b"]) {
        const least = kind === "u" ? 0n : -(2n ** BigInt(width - 1));
        const most = 2n ** BigInt(kind === "s" ? width - 1 : width) - 1n;
        const type = `${kind}${width}`;
        expect([bits(`${least}`, type), bits(`+${most}`, type)]).toEqual([BigInt.asUintN(width, least), most]);
        for (const beyond of [least - 1n, most + 1n])
          expect(bits(`${beyond}`, type)).toEqual([`.${type} does not hold ${beyond}`, `${least} to ${most}`, false]);
        expect(bits(`0x${"f".repeat(width / 4)}`, type)).toBe(2n ** BigInt(width) - 1n);
        expect(bits(`0x1${"0".repeat(width / 4)}`, type)).toMatchObject({ 2: false });
      }
  });

  it("is a number of a float where it is whole and held, and bits where it is written so", () => {
    expect([
      bits("2048", "f16"),
      bits("-2048", "f16"),
      bits("0b1_1", "b8"),
      bits("1_000", "u16"),
      bits("1e3", "f32"),
    ]).toEqual([0x6800n, 0xe800n, 3n, 1000n, 0x447a0000n]);
    expect(bits("-2049", "f16")).toEqual([
      ".f16 does not hold -2049 exactly",
      "-2049.0 for the nearest (0xe800)",
      false,
    ]);
    expect(bits("70001", "f16")).toEqual(["70001 is too large for .f16", "inf for infinity", false]);
    expect(bits("16777217", "f32")).toEqual([
      ".f32 does not hold 16777217 exactly",
      "16777217.0 for the nearest (0x4b800000), or 0x1000001 for the bits",
      false,
    ]);
    expect(bits("65504.0", "f16")).toBe(0x7bffn);
    expect(bits("65519.9", "f16")).toBe(0x7bffn);
    expect(bits("65520.0", "f16")).toMatchObject({ 0: "65520.0 is too large for .f16" });
    expect(bits("0d3ff0000000000000", "f32")).toEqual([
      "0d3ff0000000000000 has 64 bits, and .f32 has 32",
      "32 bits",
      false,
    ]);
    expect(bits("2.0", "u32")).toEqual([
      "2.0 is not an integer, and .u32 is not a float type",
      ":f32=2.0 for a number, or digits without a point for an integer",
      false,
    ]);
    expect(bits("2.5", "u8")).toEqual(["2.5 is not an integer, and .u8 is not a float type", "0x.. for bits", false]);
    expect(bits("inf", "u64")).toMatchObject({ 1: ":f64=inf for a number, or 0x.. for bits" });
  });

  it("is told from nothing, and from a buffer that was meant", () => {
    expect(bits("", "u32")).toEqual(["nothing after the =", "a number, or 0x.. for bits", true]);
    expect(bits("f32[4]", "u32")).toMatchObject({
      1: "a whole number, or 0x.. for bits; or a buffer such as f32x4:fill=0",
    });
    expect(bits("float", "u32")).toMatchObject({
      1: "a whole number, or 0x.. for bits; or a buffer such as f32x4:fill=0",
    });
    expect(bits("floaty", "u32")).toMatchObject({ 1: "a whole number, or 0x.. for bits" });
    expect([bits("TRUE", "pred"), bits("False", "pred"), bits("0x1", "pred")]).toMatchObject([1n, 0n, { 1: "0 or 1" }]);
    expect(["pred", "f16x2", "bf16", "b128", "e4m3", "e2m1x4", "ue8m0x2"].map(widthOf)).toEqual([
      1, 32, 16, 128, 8, 16, 16,
    ]);
  });

  it("of a small format may have no infinity, and no NaN", () => {
    const read = (text: string, format: typeof e4m3, width = 8) => {
      const reading = readFloat(text, format, width);
      return "bits" in reading ? reading.bits : [reading.message, reading.expected];
    };
    expect([read("1.5", e4m3), read("448", e4m3), read("nan", e4m3), read("inf", e5m2), read("nan", e5m2)]).toEqual([
      0x3cn,
      0x7en,
      0x7fn,
      0x7cn,
      e5m2.nan,
    ]);
    expect(read("inf", e4m3)).toEqual([".e4m3 has no infinity", "a number"]);
    expect(read("nan", e2m1, 4)).toEqual([".e2m1 has no NaN", "a number"]);
    expect([read("0xf", e2m1, 4), read("6", e2m1, 4), read("-0.5", e2m1, 4)]).toEqual([15n, 7n, 9n]);
    expect(read("0x10", e2m1, 4)).toEqual(["0x10 has 5 bits, and .e2m1 has 4", "4 bits"]);
    expect(read("x", e2m1, 4)).toEqual(["x is not a value", "0x.., a number, inf or nan"]);
    expect(read("1000.0", e4m3)).toEqual([
      "1000.0 is too large for .e4m3",
      "a smaller number: the type has no infinity",
    ]);
  });
});

describe("values of a register", () => {
  const source = new Source("--reg", "0123456789");
  const spanned = (text: string, start = 0) => ({ text, span: { start, end: start + text.length } });
  const read = (text: string, type: string, count?: number) => {
    const { value, diagnostics } = scalars(spanned(text, 3), type, source, count, spanned("TYPE", 1));
    return value ?? diagnostics.map(({ message, expected, span }) => [message, expected, span?.start, span?.end]);
  };

  it("are told apart by their place", () => {
    expect(read("1,x,3", "u8")).toEqual([["x is not a value", "a whole number, or 0x.. for bits", 5, 6]]);
    expect(read("1,2,300", "u8")).toEqual([[".u8 does not hold 300", "0 to 255", 7, 10]]);
    expect(read("1", "u7")).toEqual([[".u7 is not a type", "f16, b32, u64 or the like", 1, 5]]);
  });

  it("are as many as there must be, as lanes or as bits", () => {
    expect(read("1,2", "u8", 3)).toEqual([["1,2 is not one value of .u8", "3 values", 3, 6]]);
    expect(read("1,2", "u8", 1)).toEqual([["1,2 is not one value of .u8", "1 value", 3, 6]]);
    expect(read("1,2", "b32", 1)).toEqual([
      [".b32 has no lane type", "name the type of the lanes: NAME:f16x2=1,2", 3, 6],
    ]);
    expect(read("1,2,3", "f16x2", 2)).toEqual([
      ["1,2,3 is not one value of .f16x2 (3 lanes)", "4 lanes, or 0x.. for the bits", 3, 8],
    ]);
    expect(read("1", "f16x2")).toEqual([
      ["1 is not one value of .f16x2 (1 lane)", "2 lanes, or 0x.. for the bits", 3, 4],
    ]);
    expect(read("0x1,0x2", "u16x2", 1)).toEqual([0x0002_0001n]);
    expect(read("0x1,0x2", "u16x2")).toEqual([1n, 2n]);
    expect(read("0b1_1", "u16x2")).toEqual([3n]);
    expect(read("0x1.8p3,1", "f16x2")).toEqual([0x3c00_4a00n]);
  });

  it("are read as another type of the same width alone", () => {
    const register = { name: "r", bits: 32, elements: 1, type: "b32" } as Parameters<typeof registerBits>[1];
    const as = (text: string, type?: string) => {
      const { value, diagnostics } = registerBits(
        spanned(text),
        register,
        type === undefined ? undefined : spanned(type),
        source,
        { code: [], registers: [], functions: [] } as unknown as Parameters<typeof registerBits>[4],
      );
      return value ?? [diagnostics[0]?.message, diagnostics[0]?.expected];
    };
    expect([as("7"), as("1", "f32"), as("1,2", "f16x2")]).toEqual([[7n], [0x3f80_0000n], [0x4000_3c00n]]);
    expect(as("1", "f16")).toEqual([".f16 has 16 bits, and r has 32", "a type of 32 bits"]);
    expect(as("1", "f99")).toEqual([".f99 is not a type", "f16, b32, u64 or the like"]);
  });
});

describe("what is given", () => {
  it("is a value alone, or has a name, and a type where a single colon is", () => {
    const read = (text: string) => {
      const { value } = readArgument(new Source("--arg", text));
      return value && [value.name.text, value.type?.text, value.value.text, value.value.span.start];
    };
    expect(
      all(
        read,
        "4",
        "f32x8:fill=1",
        "@x.npy",
        "a=1",
        "a:f32=1",
        "=y",
        "f32x8:",
        "image:x:filter=linear",
        "multimem:2:f32x8:fill=1",
        "",
      ),
    ).toEqual([
      ["", undefined, "4", 0],
      ["", undefined, "f32x8:fill=1", 0],
      ["", undefined, "@x.npy", 0],
      ["a", undefined, "1", 2],
      ["a", "f32", "1", 6],
      ["", undefined, "y", 1],
      ["", undefined, "f32x8:", 0],
      ["", undefined, "image:x:filter=linear", 0],
      ["", undefined, "multimem:2:f32x8:fill=1", 0],
      undefined,
    ]);
    const { value } = readAssignment(new Source("--arg", "x ns::a:u8=5 y"), { start: 2, end: 12 });
    expect([value?.name, value?.type, value?.value]).toEqual([
      { text: "ns::a", span: { start: 2, end: 7 } },
      { text: "u8", span: { start: 8, end: 10 } },
      { text: "5", span: { start: 11, end: 12 } },
    ]);
  });

  it("is a buffer by its type and its sizes", () => {
    expect(
      all(
        valueForm,
        "f32x4x5",
        "f16x2x4x3",
        "bf16x2",
        "surface:u8:4",
        "tensormap:4:f32x4",
        "multimem:2:f32x8",
        "f32x0",
      ),
    ).toMatchObject([
      { kind: "buffer", type: "f32", count: 20 },
      { kind: "buffer", type: "f16x2", count: 12 },
      { kind: "buffer", type: "bf16", count: 2 },
      { kind: "image" },
      { kind: "tensormap" },
      { kind: "multimem", devices: 2, rest: "f32x8" },
      { kind: "buffer", count: 0 },
    ]);
    expect(all(valueForm, "f32x0x4", "f32x4q", "f32x99999999999999999", "f32x2:*")).toEqual([
      { kind: "wrong", message: "f32x0 is not a type of elements", expected: "f32, u8 or the like" },
      { kind: "wrong", message: "q does not belong here", expected: "a colon, or nothing" },
      { kind: "wrong", message: "99999999999999999 elements are too many", expected: "fewer" },
      { kind: "wrong", message: "* fills no buffer", expected: fills },
    ]);
    expect(all(valueForm, "f32x2:-1,2", "f32x2:.5,2")).toMatchObject([
      { fill: { text: "-1,2", at: 6 } },
      { fill: { text: ".5,2" } },
    ]);
  });

  it("fills a buffer with a value, a list, or its indices", () => {
    const contents = (text: string, maxBytes?: number) => {
      const source = new Source("--arg", text);
      const span = { start: 0, end: text.length };
      const assignment = { source, span, name: { text: "b", span }, value: { text, span } };
      const form = valueForm(text) as Parameters<typeof bufferContents>[0];
      const reach = { ...(maxBytes && { maxBytes }) } as Parameters<typeof bufferContents>[2];
      const { value, diagnostics } = bufferContents(form, assignment, reach);
      if (value === undefined) return diagnostics.map(({ code, message, expected }) => [code, message, expected]);
      return typeof value.contents === "number" ? value.contents : Buffer.from(value.contents).toString("hex");
    };
    expect(all(contents, "f32x3", "f16x2:fill=1", "u8x3:fill=7", "u16x2:1,258", "f16x2x1:1,2")).toEqual([
      12,
      "003c003c",
      "070707",
      "01000201",
      "003c0040",
    ]);
    expect(
      all(contents, "u8x3:iota", "u16x2:iota", "u64x2:iota", "f32x2:iota", "f64x2:iota", "f16x3:iota", "bf16x2:iota"),
    ).toEqual([
      "000102",
      "00000100",
      "00000000000000000100000000000000",
      "000000000000803f",
      "0000000000000000000000000000f03f",
      "0000003c0040",
      "0000803f",
    ]);
    expect(contents("u8x256:iota")).toHaveLength(512);
    expect(contents("s8x128:iota")).toHaveLength(256);
    expect(contents("u8x257:iota")).toEqual([["PTX2103", ".u8 does not hold 256", "fewer elements"]]);
    expect(contents("s8x129:iota")).toEqual([["PTX2103", ".s8 does not hold 128", "fewer elements"]]);
    expect(contents("u8x0:iota")).toBe("");
    expect(contents("u8x3:1,2")).toEqual([["PTX2103", "2 values for 3 elements", "3 values, or fill=VALUE"]]);
    expect(contents("u8x2:1")).toEqual([["PTX2103", "1 value for 2 elements", "2 values, or fill=VALUE"]]);
    expect(contents("u8x2:fill=1,2")).toMatchObject([["PTX2102", "1,2 is not one value of .u8", "1 value"]]);
    expect(contents("u8x2:fill=x")).toMatchObject([
      ["PTX2101", "x is not a value", "a whole number, or 0x.. for bits"],
    ]);
    expect(contents("u8x2147483649")).toEqual([["PTX2103", "2147483649 bytes are too many", "2 GiB at most"]]);
    expect(contents("u8x2147483648")).toBe(2 ** 31);
    expect(contents("u8x100", 100)).toBe(100);
    expect(contents("u8x101", 100)).toEqual([["PTX6003", "no room for b, 101 bytes", "100 bytes at most"]]);
  });
});

describe("a tensor map", () => {
  it("has its dimensions, options and the tensor behind them", () => {
    expect(
      tensorMapForm("tensormap:64x32,box=32x8,type=f16,swizzle=128B,steps=1x2,strides=256,offset=16:f16x64:iota"),
    ).toEqual({
      options: {
        dims: [64, 32],
        box: [32, 8],
        type: "f16",
        swizzle: "128B",
        steps: [1, 2],
        strides: [256],
        offset: 16,
      },
      tensor: { text: "f16x64:iota", at: 79 },
    });
    expect(tensorMapForm("tensormap:4,interleave=16B,l2=128B,fill=nan:=x")).toEqual({
      options: { dims: [4], interleave: "16B", l2: "128B", fill: "nan" },
      tensor: { text: "=x", at: 44 },
    });
    const im2col = "tensormap:4x4x4,lower=-1,upper=-1,channels=16,pixels=64";
    const made = { lower: [-1], upper: [-1], channels: 16, pixels: 64 };
    expect(tensorMapForm(`${im2col}:=x`)).toMatchObject({ options: { im2col: { ...made, wide: false } } });
    expect(tensorMapForm(`${im2col},wide:=x`)).toMatchObject({ options: { im2col: { ...made, wide: true } } });
  });

  it.each([
    ["4", "tensormap:4 names no tensor"],
    ["4y:=x", "4y are not dimensions"],
    [":=x", " are not dimensions"],
    ["4,boks=3:=x", "a tensor map has no boks"],
    ["4,:=x", "a tensor map has no option without a name"],
    ["4,box=2,box=2:=x", "box is given twice"],
    ["4,wide=1:=x", "wide takes no value"],
    ["4,box:=x", "box has no value"],
    ["4,box=2xa:=x", "box=2xa is not a list of numbers"],
    ["4,offset=-1:=x", "offset=-1 is not a number"],
    ["4,lower=1,upper=1,channels=1:=x", "an im2col map needs lower, upper, channels and pixels"],
    ["4,wide:=x", "wide is for im2col maps"],
  ])("is refused in words: %s", (text, message) => {
    expect(tensorMapForm(`tensormap:${text}`)).toMatchObject({ message });
  });
});
