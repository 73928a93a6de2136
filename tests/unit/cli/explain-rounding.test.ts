import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/explain-1.json" with { type: "json" };
import { violations } from "./json-schema.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const explain = async (...words: string[]) => {
  const { exit, out, err } = await world.ptxrun(["explain", ...words]);
  return { exit, out, err };
};
const json = async (...words: string[]) => {
  const { exit, out } = await explain(...words, "--json");
  expect(exit).toBe(0);
  const value = JSON.parse(out);
  expect(violations(value, schema)).toEqual([]);
  return value;
};

/** A finite f32 as a whole number of 2^-149, by the host's own arithmetic: shares no code with ptxrun. */
const view = new DataView(new ArrayBuffer(8));
function wholeOf(bits: number): bigint {
  view.setUint32(0, bits);
  view.setFloat64(0, view.getFloat32(0));
  const word = view.getBigUint64(0);
  const field = Number((word >> 52n) & 0x7ffn);
  if (field === 0) return 0n;
  const sig = (word & 0xf_ffff_ffff_ffffn) | (1n << 52n);
  const shift = field - 1075 + 149;
  const size = shift >= 0 ? sig << BigInt(shift) : sig >> BigInt(-shift);
  return word >> 63n === 0n ? size : -size;
}

/** The f32 numbers around a size of 2^-149, by halving; the same one twice where it is one. */
function bracket(size: bigint): readonly [number, number] {
  let [low, high] = [0, 0x7f7f_ffff];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (wholeOf(middle) <= size) low = middle;
    else high = middle;
  }
  if (wholeOf(low) === size) return [low, low];
  return wholeOf(high) <= size ? [high, high] : [low, high];
}

/** a + b by each rounding, where the sum is not zero and within the range. */
function sums(a: number, b: number): Record<string, string> | undefined {
  const sum = wholeOf(a) + wholeOf(b);
  const size = sum < 0n ? -sum : sum;
  if (sum === 0n || size > wholeOf(0x7f7f_ffff)) return undefined;
  const [toward, away] = bracket(size);
  const twice = 2n * size - wholeOf(toward) - wholeOf(away);
  const even = toward % 2 === 0 ? toward : away;
  const near = twice < 0n ? toward : twice > 0n ? away : even;
  const sign = sum < 0n ? 0x8000_0000 : 0;
  const shown = (bits: number): string => `0x${(bits + sign).toString(16)}`;
  return {
    rn: shown(near),
    rz: shown(toward),
    rm: shown(sum < 0n ? away : toward),
    rp: shown(sum < 0n ? toward : away),
  };
}

describe("explain NUMBER --rnd", () => {
  it("rounds to each format in each way, with the error", async () => {
    const { out } = await explain("0.1", "--as", "e4m3,bf16", "--rnd", "rn,rz");
    // 0.1 lies a fifth below 13 * 2^-7, and a fifth below 205 * 2^-11.
    expect(out).toBe(
      [
        "e4m3  rn  0x1d    0.1015625    +0.200 ulp",
        "e4m3  rz  0x1c    0.09375      -0.800 ulp",
        "bf16  rn  0x3dcd  0.1          +0.200 ulp",
        "bf16  rz  0x3dcc  0.099609375  -0.800 ulp",
        "",
      ].join("\n"),
    );
    const { readings } = await json("1.5", "-0.1", "--rnd", "all");
    expect(readings).toHaveLength(2 * 3 * 5);
    expect(readings[0]).toMatchObject({ text: "1.5", type: "f16", rnd: "rn", bits: "0x3e00", error: "exact" });
  });

  it.each([
    [["0.1", "--as", "bf61", "--rnd", "rn"], "did you mean bf16?"],
    [["0.1", "--as", "s32", "--rnd", "rn"], ".s32 is no float format"],
    [["0.1", "--rnd", "rzi"], "rzi rounds to an integer"],
    [["0.1", "--rnd", "rq"], "rq is not a rounding"],
  ])("%j is refused", async (words, message) => expect((await explain(...words)).err).toContain(message));
});

describe("explain --rnd", () => {
  it("agrees with sums of whole numbers", async () => {
    const float = fc.tuple(fc.integer({ min: 100, max: 140 }), fc.nat(0x7f_ffff), fc.boolean());
    const bitsOf = ([exp, frac, negative]: [number, number, boolean]): number =>
      ((negative ? 0x8000_0000 : 0) + exp * 0x80_0000 + frac) >>> 0;
    await fc.assert(
      fc.asyncProperty(float, float, async (x, y) => {
        const [a, b] = [bitsOf(x), bitsOf(y)];
        const expected = sums(a, b);
        fc.pre(expected !== undefined);
        const { roundings } = await json("add.f32", `a=0x${a.toString(16)}`, `b=0x${b.toString(16)}`, "--rnd", "all");
        const found = roundings.map(({ rnd, bits }: { rnd: string; bits: string }) => [rnd, bits]);
        expect(Object.fromEntries(found)).toEqual(expected);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("finds the place of the word", async () => {
    const { out } = await explain("cvt.f16.f32", "a=0.1", "--rnd", "rz,rp");
    expect(out.startsWith("cvt.rz.f16.f32 d, a\n")).toBe(true);
    expect(out.split("by rounding\n")[1]).toBe(
      "  .rz   0x2e66 (0.0999755859375)\n  .rp   0x2e67 (0.10003662109375)  1 ulp\n",
    );
  });

  it("counts from the result of the spelling itself", async () => {
    const { out } = await explain("cvt.rpi.s32.f32", "a=2.5", "--rnd", "all");
    expect(out.split("by rounding\n")[1]).toBe(
      "  .rni  0x00000002 (2)  1 apart\n  .rzi  0x00000002 (2)  1 apart\n  .rmi  0x00000002 (2)  1 apart\n  .rpi  0x00000003 (3)\n",
    );
  });

  const mma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  it.each([
    [["add.u32", "a=1", "--rnd", "all"], "add.u32 is not rounded in any way that can be chosen"],
    [["fma.rn.f16", "a=1", "--rnd", "rn,rz"], "fma.rn.f16 is not rounded in rz"],
    [["add.f32", "a=1", "--rnd", "rq"], "rq is not a rounding"],
    [["add.f32", "a=1", "--rnd", ""], "nothing is not a rounding"],
    [["0x3c00", "--rnd", "rn"], "--rnd says how an instruction rounds, and 0x3c00 is none"],
    [["PTX2003", "--rnd", "rn"], "--rnd says how an instruction rounds, and PTX2003 is none"],
    [["visa.add", "--rnd", "rn"], "--rnd says how an instruction rounds, and visa.add is none"],
    [[mma, "a=1", "--rnd", "rn"], `--rnd says how an instruction rounds, and ${mma} leaves no choice`],
  ])("refuses %j", async (words, message) => {
    const { exit, out, err } = await explain(...words);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(`: ${message}\n`);
  });
});

describe("explain of values", () => {
  it("takes the lanes of a packed value, low bits first", async () => {
    const { readings } = await json("0x3e94,1.0", "--as", "f16x2");
    const [{ bits, lanes }] = readings;
    expect([bits, lanes[0].bits, lanes[1].value]).toEqual(["0x3c003e94", "0x3e94", "1.0"]);
    expect((await explain("1,2,3,4", "--as", "e4m3x4")).out).toContain("lane 3: 0x48 as e4m3: 4.0");
    expect((await explain("0x3e94,0x3c00")).out).toContain("lane 0: 0x3e94 as bf16: 0.2890625");
    expect((await explain("0x21", "--as", "e2m1x2")).out).toMatch(/lane 0: 0x0?1 as e2m1: 0\.5/);
  });

  it("says how far several are apart", async () => {
    const { readings, distances } = await json("1.0", "0x3c03", "nan", "--as", "f16");
    expect(readings.map(({ value }: { value: string }) => value)).toEqual(["1.0", "1.003", "nan"]);
    expect(distances.map(({ apart }: { apart: unknown }) => apart)).toEqual([["3"], [null]]);
    expect((await explain("0", "-0", "--as", "f32")).out).toContain(
      "distance    0x00000000 to 0x80000000: zeros of other signs",
    );
    expect((await explain("5,7", "--as", "u32")).out).toContain("0x00000005 to 0x00000007: 2 apart");
  });

  it.each([
    [["1,2,3", "--as", "f16x2"], "1,2,3 has 3 lanes, and .f16x2 has 2"],
    [["1,x", "--as", "f16x2"], "x is not a value"],
    [["1", "--as", "f64x8"], ".f64x8 is not a type"],
    [["0x10000,1", "--as", "f16x2"], "0x10000 has 17 bits, and .f16 has 16"],
  ])("refuses %j", async (words, message) => {
    const { exit, err } = await explain(...words);
    expect(exit).toBe(2);
    expect(err).toContain(message);
  });
});

describe("explain --json", () => {
  it.each([
    ["a code", ["PTX2003"], "code"],
    ["a value", ["0x3c00"], "value"],
    ["a value of a small format", ["0x3c", "--as", "ue8m0"], "value"],
    ["a form", ["fma.rn.f16"], "forms"],
    ["an incomplete form", ["fma.rn"], "forms"],
    ["a form of vISA", ["visa.add"], "forms"],
    ["a form at work", ["add.f16x2", "a=1,2", "b=3,4"], "working"],
    ["a carry", ["addc.cc.u32", "a=0xffffffff", "cc.cf=1"], "working"],
    ["a comparison", ["setp.lt.f32", "a=1", "b=nan"], "working"],
    ["a matrix", ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a=1,2", "b=3,4", "c=1"], "working"],
  ])("of %s fits schema/explain-1.json", async (_, words, kind) => {
    const value = await json(...words);
    expect(value.kind).toBe(kind);
    expect(violations({ ...value, more: 1 }, schema)).not.toEqual([]);
  });

  it("has the bits of operands and result", async () => {
    const { operands, result } = await json("fma.rn.f16", "a=0x3e94", "b=0x134c", "c=0x3e22");
    expect(operands).toEqual([
      { name: "a", type: "f16", bits: ["0x3e94"] },
      { name: "b", type: "f16", bits: ["0x134c"] },
      { name: "c", type: "f16", bits: ["0x3e22"] },
    ]);
    expect(result).toEqual({ name: "d", type: "f16", bits: "0x3e23" });
  });

  it("prints nothing of what is wrong", async () => {
    const { exit, out, err } = await explain("add.f23", "--json");
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain("PTX2301");
  });
});
