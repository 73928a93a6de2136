import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/sweep-1.json" with { type: "json" };
import { float } from "../../../tests/conformance/float-oracle.ts";
import { decode, encode, formats, integral, isNan, signOf } from "../../../tests/conformance/rational-oracle.ts";
import { violations } from "../../../tests/unit/cli/json-schema.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { everything, random } from "../sweep/draw.ts";

const world = new World();
afterAll(() => world.remove());
const sweep = (...words: string[]) => world.ptxrun(["sweep", ...words]);
const found = async (...words: string[]) => {
  const { exit, out, err } = await sweep(...words, "--json");
  expect(err).toBe("");
  return { exit, ...JSON.parse(out) };
};

const binary = (name: string) => {
  const judge = formats.get(name);
  if (judge === undefined) throw new Error(name);
  return judge;
};

/** Steps between two numbers, counted on codes. */
function apart(name: string, a: bigint, b: bigint): bigint {
  const sign = signOf(binary(name));
  const place = (x: bigint): bigint => ((x & sign) === 0n ? x : -(x & (sign - 1n)));
  const steps = place(a) - place(b);
  return steps < 0n ? -steps : steps;
}

/** What a sweep should say, of results that oracles of tests/conformance computed. */
function expected(name: string, results: readonly (readonly [bigint, bigint])[]) {
  const judge = binary(name);
  let [differ, nan, zeroSign, worst] = [0, 0, 0, 0n];
  for (const [a, b] of results) {
    const nans = Number(isNan(judge, a)) + Number(isNan(judge, b));
    if (a === b || nans === 2) continue;
    differ++;
    if (nans === 1) nan++;
    else if (apart(name, a, b) === 0n) zeroSign++;
    else if (apart(name, a, b) > worst) worst = apart(name, a, b);
  }
  return { differ, nan, zeroSign, worst };
}

describe("sweep --json", () => {
  it.each([
    ["random inputs", ["add.f32", "--against", "sub", "--count", "100"]],
    ["all inputs", ["cvt.rzi.f16.f16", "--against", "cvt.rmi.f16.f16"]],
    ["a shard", ["fma.rn.f16", "--count", "10", "--shard", "1/2"]],
  ])("of %s fits schema/sweep-1.json", async (_, words) => {
    const value = JSON.parse((await sweep(...words, "--json")).out);
    expect(violations(value, schema)).toEqual([]);
    expect(violations({ ...value, more: 1 }, schema)).not.toEqual([]);
  });
});

describe("sweep", () => {
  it.each(["rn.f32", "rz.ftz.f32", "rm.f64", "rn.f16", "rn.bf16"])(
    "counts what rationals count between fma.%s and mul;add",
    async (words) => {
      const name = words.split(".").at(-1) ?? "";
      const { bits } = binary(name);
      const inputs = ["a", "b", "c"].map((each) => ({ name: each, type: name, bits }));
      const per = bits === 64 ? 2 : 1;
      const count = 3000;
      const operands = random(inputs, 7).map((draw) => {
        const into = new Uint32Array(count * per);
        draw(into, 0, count);
        return into;
      });
      const value = (of: Uint32Array | undefined, at: number): bigint =>
        per === 1 ? BigInt(of?.[at] ?? 0) : BigInt(of?.[2 * at] ?? 0) | (BigInt(of?.[2 * at + 1] ?? 0) << 32n);
      const run = (mnemonic: string, given: bigint[]): bigint => float([mnemonic, ...words.split(".")], given) ?? -1n;
      const results = Array.from({ length: count }, (_, at): [bigint, bigint] => {
        const [a, b, c] = operands.map((of) => value(of, at)) as [bigint, bigint, bigint];
        return [run("fma", [a, b, c]), run("add", [run("mul", [a, b]), c])];
      });
      const { differ, nan, zeroSign, worst } = expected(name, results);
      const got = await found(`fma.${words}`, "--against", "mul;add", "--count", String(count), "--seed", "7");
      expect(differ).toBeGreaterThan(0);
      expect([got.exit, got.cases, got.differ, got.nan, got.zeroSign]).toEqual([1, count, differ, nan, zeroSign]);
      expect(got.worst.ulps).toBe(String(worst));
    },
  );

  it("takes all inputs of a 16-bit form", async () => {
    const f16 = binary("f16");
    const code = (at: number, direction: "rz" | "rp"): bigint => {
      const value = decode(f16, BigInt(at));
      if (value === "nan") return 0x7fffn;
      if ("infinite" in value) return BigInt(at);
      return encode(f16, { num: integral(value, direction), den: 1n, negative: value.negative }, "rn");
    };
    const results = Array.from({ length: 0x10000 }, (_, at): [bigint, bigint] => [code(at, "rz"), code(at, "rp")]);
    const { differ, worst } = expected("f16", results);
    const got = await found("cvt.rzi.f16.f16", "--against", "cvt.rpi.f16.f16");
    expect([got.inputs, got.cases, got.differ, got.worst.ulps]).toEqual(["all", 65536, differ, String(worst)]);
  });

  it("has registers of 8 bits for pairs of 4 bits, which go into no wider one", async () => {
    for (const form of ["cvt.rn.f16x2.e2m1x2", "cvt.rn.satfinite.e2m1x2.f32", "cvt.s16.u8"])
      expect(await found(form, "--count", "100")).toMatchObject({ exit: 0, cases: 100, differ: 0 });
  });

  it("has a scale where a word asks for one", async () => {
    const { exit, out } = await sweep("cvt.rn.bf16x2.e5m2x2", "--count", "9");
    expect([exit, out.includes("differ    0")]).toEqual([0, true]);
    const scaled = await sweep("cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f32", "--count", "99", "--json");
    expect(JSON.parse(scaled.out)).toMatchObject({ cases: 99, differ: 0 });
  });

  it("draws all inputs in order, the first operand on top", () => {
    const [a, b] = everything([
      { name: "a", type: "f16", bits: 16 },
      { name: "b", type: "f16", bits: 16 },
    ]).map((draw) => {
      const words = new Uint32Array(3);
      draw(words, 0xffff_fffd, 3);
      return [...words];
    });
    expect([a, b]).toEqual([
      [0xffff, 0xffff, 0xffff],
      [0xfffd, 0xfffe, 0xffff],
    ]);
  });

  it("has shards that are together the whole, and seeds that say all", async () => {
    const words = ["add.rn.f32", "--against", "add.rz.f32", "--count", "10000"];
    const whole = await found(...words);
    const parts = await Promise.all(["1/3", "2/3", "3/3"].map((shard) => found(...words, "--shard", shard)));
    const sum = (key: "cases" | "differ"): number => parts.reduce((total, part) => total + part[key], 0);
    expect([sum("cases"), sum("differ")]).toEqual([10000, whole.differ]);
    expect(await found(...words)).toEqual(whole);
    expect((await found(...words, "--seed", "1")).differ).not.toBe(whole.differ);
  });

  it.each([
    ["add.rn.f16x2"],
    ["cvt.rn.relu.bf16x2.f32"],
    ["cvt.rn.satfinite.e4m3x2.f32"],
    ["fma.rn.sat.f16"],
    ["mul.ftz.f32"],
    ["min.NaN.bf16x2"],
    ["setp.ltu.f32"],
    ["mad.wide.u16"],
    ["mul.hi.s64"],
    ["sad.u16"],
    ["popc.b64"],
    [
      "lop3.b32 d, a, b, c, 0xe8",
      "--against",
      "and.b32 t, a, b; and.b32 u, a, c; or.b32 t, t, u; and.b32 u, b, c; or.b32 d, t, u",
    ],
    ["neg.f32", "--against", "sub.f32 d, -0.0, a; neg.f32 d, a"],
    ["selp.b32", "--against", "selp.b32 d, b, a, c; selp.b32 d, a, b, c"],
    ["add.f16x2", "--against", "add.rn.f16x2 %d, %b, %a"],
  ])("finds nothing in %s", async (...words) => {
    const { exit, out, err } = await sweep(...words, ...(words.length > 1 ? ["--count", "5000"] : ["--count", "1000"]));
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toMatch(/differ +0\n$/);
  });

  it("counts NaN as the manual says: any two are the same, NaN and a number are not", async () => {
    const same = await found("neg.f32", "--against", "xor.b32 d, a, 0x80000000", "--count", "5000");
    expect([same.exit, same.differ, same.payload > 0]).toEqual([0, 0, true]);
    const other = await found("min.f32", "--against", "min.NaN.f32", "--count", "5000");
    expect([other.exit, other.differ, other.worst]).toEqual([1, other.nan, null]);
    expect(other.examples[0].ulps).toBe(null);
  });

  it("says how two packed results differ", async () => {
    const { exit, out } = await sweep("add.rn.f16x2", "--against", "sub", "--count", "1000", "--examples", "1");
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^add\.rn\.f16x2 {2}against {2}sub\.rn\.f16x2\n {2}inputs +1,000 random \(seed 0\)\n {2}differ +\d+ \(/,
    );
    expect(out).toMatch(
      /\n {2}worst +a=0x[\da-f]{8} \(\S+, \S+\) b=.*: 0x[\da-f]{8} \(.*\) and .*, \d+ ulps\n {2}first /,
    );
  });

  it.each([
    [["ld.global.u32"], "ld.global.u32 has no values to sweep", "not memory, control or other lanes"],
    [["bra"], "bra has no values to sweep", ""],
    [["mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"], "has no values to sweep", ""],
    [["lop3.b32"], "lop3.b32 needs its operands written here", "lop3.b32 d, a, b, c, immLut"],
    [["ad.f32"], "ad is not an instruction", "did you mean"],
    [["add.rz.f16"], "add.rz.f16 is not a form of add", "ptxrun isa add"],
    [["add.f32", "--against", "fma.rn.f32;add"], "takes more operands than are left", "at most a, b"],
    [["add.f32", "--against", "add.f64"], "a has 32 bits, and add.f64 takes 64 bits", ""],
    [["add.f32", "--against", "add.f32 d, a, q"], "q has no value", "a, b"],
    [["add.f32", "--against", "add.f32 a, a, b"], "add.f32 writes a, which is an input", ""],
    [["add.f32", "--against", "cvt.f64.f32"], "the results have 32 and 64 bits", ""],
    [["mul.f32;add.f32"], "takes more operands than are left", "written out"],
    [["mul.f32 t, a, b; add.f32 d, t, c"], "has no exact meaning in one step", "--against"],
    [[""], "the sweep holds no instruction", ""],
    [["add.f32", "--against", ";"], "--against holds no instruction", ""],
    [["fma.rn.f64", "--all"], "too many for --all", "--count"],
    [["add.f32", "--count", "none"], "--count cannot be none", "10M"],
    [["add.f32", "--shard", "3/2"], "--shard cannot be 3/2", "I/N"],
    [["add.f32", "--all", "--count", "1"], "cannot both be given", ""],
    [[], "needs an instruction", ""],
  ])("refuses %j", async (words, message, expectedText) => {
    const { exit, out, err } = await sweep(...words);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).toContain(expectedText);
  });

  it("shows what the assembler would refuse", async () => {
    const { exit, err } = await sweep("neg.f16", "--against", "mul.rn.f16 d, a, 0xbc00");
    expect(exit).toBe(3);
    expect(err).toContain("PTX1303: half instructions take no immediates");
  });
});
