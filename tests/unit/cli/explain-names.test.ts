import { afterAll, describe, expect, it } from "vitest";
import { meanings } from "../../../src/explain/modifiers.ts";
import { table } from "../../../src/isa/index.ts";
import { specialRegisters } from "../../../src/isa/special-registers.ts";
import { formats } from "../../../src/numeric/format/named.ts";
import { targets } from "../../../src/resolve/module/header/target.ts";
import { sample } from "../../share.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const said = async (...words: string[]): Promise<string> => {
  const { exit, out, err } = await world.ptxrun(["explain", ...words]);
  expect([words, exit, err]).toEqual([words, 0, ""]);
  return out;
};
const MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#";

describe("explain", () => {
  it("tells a special register from the table, with or without its sign and a component", async () => {
    const text = await said("%laneid");
    for (const part of ["the lane of the thread in its warp", ".u32", "the same for all", "PTX 1.3, sm_10"])
      expect(text).toContain(part);
    expect(text).toContain(`${MANUAL}special-registers\n`);
    expect(await said("laneid")).toBe(text);
    expect(await said("%tid.x")).toMatch(/^%tid\.x\n[\s\S]*the thread within its block/);
    expect(await said("%clock64")).toContain("it changes while the program runs");
  });

  it("tells of a whole spelling what holds for it, and nothing of the form's other spellings", async () => {
    const text = await said("cvt.rn.bf16.f32");
    expect(text).toMatch(/\n {2}since {4}PTX 7\.0, sm_80, for \.bf16\n/);
    expect(text).toMatch(/the canonical one of f16 and bf16/);
    expect(text).not.toMatch(/f64 by|payload|check|sm_90/);
    expect(await said("cvt.rn.f64.bf16")).toMatch(/payload and becomes quiet\n[\s\S]*a NaN of 16 bits goes into f64/);
    expect(await said("fma.rn.bf16x2")).not.toContain(".relu makes");
    expect(await said("fma.rn.relu.bf16x2")).toContain(".relu makes +0 of -0");
    expect((await said("add.f32")).match(/check .*/g)).toEqual([
      "check  add.f32: a=0x3f800000 b=0x3f800000 -> d=0x40000000",
    ]);
    // An example with one word more is better than none.
    expect(await said("add.sat.f16")).toMatch(/check +add\.\S*sat/);
    // A spelling that lacks a word has a choice there, and nowhere else.
    expect(await said("cvt.bf16.f32")).toMatch(/^cvt\.bf16\.f32 is not complete[\s\S]*?\n {2}since +PTX 7\.0, sm_80\n/);
    expect((await said("atom.global.add")).match(/since +(.*)/)?.[1]).toBe(
      "PTX 1.0, sm_11; .b64 from PTX 1.2, sm_12; .u64 from PTX 1.2, sm_12; .s64 from PTX 1.2, sm_12; .f32 from PTX 2.0, sm_20; .f64 from PTX 5.0, sm_60",
    );
  });

  // ptxas 13.0 takes each for this target and no older one of those that it has.
  it.each([
    ["cvt.rn.bf16.f64", "PTX 7.8, sm_90"],
    ["cvt.rz.f32.bf16", "PTX 7.1, sm_80"],
    ["cvt.rn.relu.bf16x2.f32", "PTX 7.0, sm_80"],
    ["cvt.rn.satfinite.relu.f16.f32", "PTX 8.1, sm_80"],
    ["cvt.rna.satfinite.tf32.f32", "PTX 8.1, sm_80"],
    ["fma.rn.f16", "PTX 4.2, sm_53"],
    ["add.f32x2", "PTX 8.6, sm_100"],
    ["mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "PTX 7.0, sm_80"],
    ["ld.global.v8.f32", "PTX 8.8, sm_100"],
    ["ld.global.L2::128B.f32", "PTX 7.4, sm_75"],
    ["atom.global.add.noftz.bf16x2", "PTX 7.8, sm_90"],
    ["max.xorsign.abs.f32", "PTX 7.2, sm_86"],
    ["setmaxnreg.inc.sync.aligned.u32", "PTX 8.0, sm_90a or a later one that ends in a or f"],
  ])("knows since when there is %s", async (spelling, since) => {
    expect((await said(spelling)).match(/^ {2}since +(.*?)(?:, for [. \w:]+)?$/m)?.[1]).toBe(since);
  });

  it("tells what a target adds", async () => {
    const text = await said("sm_90");
    for (const part of ["PTX 7.8", "beside        sm_90a", "barrier.cluster.arrive", "atom with .cluster"])
      expect(text).toContain(part);
    expect(text).not.toContain("wgmma");
    const own = await said("sm_90a");
    expect(own).toContain("wgmma.mma_async.sync");
    expect(own).toMatch(/adds to sm_90 [\s\S]*setmaxnreg\.action\.sync/);
    const family = await said("sm_100f");
    expect(family).toMatch(/adds to sm_100 [\s\S]*setmaxnreg[\s\S]*tcgen05\.alloc/);
    expect(family).not.toContain("wgmma");
    const exact = await said("sm_100a");
    expect(exact).toMatch(/adds to sm_100f [\s\S]*tcgen05/);
    expect(exact).not.toMatch(/setmaxnreg|wgmma/);
    expect(own).toContain("one architecture");
    expect(await said("sm_70")).toContain("--arch sm_70");
    expect(await said("sm_61")).toContain("tensor cores  none");
    expect(await said("sm_121")).toContain("no instructions");
  });

  it("tells a word of instructions, and which have it", async () => {
    const text = await said(".relu");
    expect(text).toMatch(
      /negative results become 0[\s\S]*has it {2}min, max, fma, cvt\n[\s\S]*min\{\.relu\}\.s32 d, a, b/,
    );
    expect(await said("relu")).toBe(text);
    // Of one instruction the page is its own.
    expect(await said(".bfly")).toContain("instructions-shfl-sync\n");
    // A word without a text of its own has its places.
    expect(await said(".im2col")).toMatch(/^\.im2col\n {2}has it {2}cp/);
  });

  it.each([
    [
      "f16",
      ["a float of 16 bits: a sign, 5 bits of exponent (bias 15), 10 of fraction", "65504", "2^-24; normal from 2^-14"],
    ],
    ["tf32", ["13 unused", "3.4011621342146535e+38"]],
    ["e4m3", ["a NaN, and no infinity", "448"]],
    ["e2m1", ["a float of 4 bits", "neither infinities nor NaN", "largest  6\n"]],
    ["ue8m0", ["a float of 8 bits: 8 bits of exponent", "least    2^-127\n"]],
    [".s8", ["with sign of 8 bits, -128 to 127"]],
    ["u64", ["0 to 18446744073709551615"]],
    ["b128", ["128 bits"]],
    ["bf16x2", ["2 of .bf16 side by side"]],
  ])("tells the type %s", async (name, parts) => {
    const text = await said(name);
    for (const part of parts) expect(text).toContain(part);
  });

  it("prefers an instruction, a value and a code of the same name", async () => {
    expect(await said("min")).toContain("min.type d, a, b");
    expect(await said(".5")).toContain("0x3800 as f16: 0.5");
    expect(await said("nan")).toContain("0x7fff as f16: nan");
  });

  it.each([
    ["%lanid", "did you mean %laneid?"],
    ["%tid.q", "did you mean %tid?"],
    ["sm_99", "did you mean sm_90?"],
    [".rleu", "did you mean .relu?"],
    ["adx.f16", "did you mean add?"],
  ])("%s is nothing, and the nearest name is offered", async (name, help) => {
    const { exit, err } = await world.ptxrun(["explain", name]);
    expect([exit, err]).toEqual([2, expect.stringContaining(help)]);
  });

  it("prints a name as JSON", async () => {
    const value = JSON.parse(await said("%laneid", "--json"));
    expect(value).toMatchObject({ schema: "ptxrun.explain/1", kind: "name", name: "%laneid", says: { type: ".u32" } });
  });

  it.each([
    [["--rnd", "all"], "--rnd says how an instruction rounds"],
    [["--as", "f16"], "--as says how to read a value"],
  ])("refuses %j for a name", async (option, words) => {
    const { exit, err } = await world.ptxrun(["explain", "%laneid", ...option]);
    expect([exit, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it("has a page for every special register, target and format", async () => {
    const names = [...[...specialRegisters.keys()].map((each) => `%${each}`), ...targets];
    for (const name of sample(names, 8)) await said(name);
    const own = new Set(
      table.flatMap(({ forms }) => forms.flatMap(({ modifiers }) => modifiers.flatMap((m) => m.choices))),
    );
    for (const { name } of formats) if (own.has(name)) await said(name);
  });

  it("has no meaning of a word that no instruction has", () => {
    const words = new Set(
      table.flatMap(({ forms }) => forms.flatMap((form) => form.modifiers.flatMap((m) => m.choices))),
    );
    expect(Object.keys(meanings).filter((word) => !words.has(word))).toEqual([]);
  });
});

describe("isa", () => {
  it("tells each mode of an instruction, unless one is asked for", async () => {
    const { out } = await world.ptxrun(["isa", "shfl*"]);
    for (const mode of [".up: d = a of lane", ".down: d = a of lane", ".bfly: d", ".idx: d"])
      expect(out).toContain(mode);
    expect(out).toContain(`${MANUAL}data-movement-and-conversion-instructions-shfl\n`);
    expect((await world.ptxrun(["isa", "shfl.sync.up.b32"])).out).not.toContain(".down: ");
  });

  it("names the manual's address below a diagnostic", async () => {
    expect((await world.ptxrun(["-e", "add.rz.f16 d, a, b;"])).err).toContain(`= manual: ${MANUAL}half-precision-`);
  });
});
