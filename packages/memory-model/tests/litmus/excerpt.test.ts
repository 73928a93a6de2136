import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "../../../../tests/unit/cli/world.ts";

const world = new World();
afterAll(() => world.remove());

/** Kernels of CUDA beside this test, compiled by nvcc 13.0 -arch=sm_80, and one of the examples. */
const compiled = (name: string): string => join(import.meta.dirname, "compiled", `${name}.ptx`);
const example = (name: string): string => resolve(import.meta.dirname, "../../../../examples", name);

const zero = (...types: string[]): string[] => types.flatMap((type, at) => ["-a", `${at}=${type}:fill=0`]);

/** The test that `litmus --from` prints, and what `litmus` says of it. */
async function asked(...words: string[]) {
  const { exit, out, err } = await world.ptxrun(["litmus", "--from", ...words]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  world.write("excerpt.ptx", out);
  const verdict = await world.ptxrun(["litmus", "excerpt.ptx", "--why"]);
  return { test: out, said: verdict.out, exit: verdict.exit };
}

describe("litmus --from", () => {
  it("asks what a flag orders: a message without fences, by weak stores and by a volatile flag", async () => {
    const { test, said, exit } = await asked(compiled("flag"), "--grid", "2", ...zero("u32x1", "u32x1", "u32x1"));
    expect(test.split("\n").filter((line) => !line.startsWith("//@ litmus"))).toEqual([
      '//@ "threads B0T0 and B1T0 of pass, --grid 2,1,1 --block 1,1,1"',
      "// Left out: other threads, computation, branches, and what values depend on: each store has the value of the run.",
      ".global .b32 pass_param_0;",
      ".global .b32 pass_param_1;",
      "//@ thread B0T0 cta 0 cluster 0 warp 0",
      "st.global.b32 [pass_param_0], 42; // line 48",
      "st.volatile.global.b32 [pass_param_1], 1; // line 50",
      "//@ thread B1T0 cta 1 cluster 1 warp 0",
      "ld.volatile.global.b32 r0, [pass_param_1]; // line 38",
      "ld.global.b32 r1, [pass_param_0]; // line 42",
      "//@ filter B1T0:r0 == 1",
      "//@ forall B1T0:r1 == 42",
      "",
    ]);
    expect(exit).toBe(1);
    expect(said).toContain("B1T0: .acquire.gpu at `ld.volatile.global.b32 r0, [pass_param_1]`");
  });

  it("finds the threads that a missing __syncthreads lets race", async () => {
    const { test, said, exit } = await asked(
      compiled("reduce"),
      "--block",
      "64",
      "-a",
      "0=f32x64:iota",
      "-a",
      "1=f32x1:fill=0",
    );
    expect(test).toContain(".shared .b32 s_64;");
    expect(test).toMatch(/st\.shared\.b32 \[s_64\], 1115684864; \/\/ line 49\n\/\/@ forall T0:r0 == 1115684864\n$/);
    expect(said).toContain("not as stated");
    expect(exit).toBe(1);
  });

  it("asks what a ticket lock protects, of which fences order all", async () => {
    const { test, said, exit } = await asked(
      compiled("ticket"),
      "--grid",
      "3",
      "--block",
      "32",
      ...zero("u32x2", "u32x1"),
    );
    expect(test).toContain("atom.global.add.u32 r0, [count_param_0], 1; // line 33");
    expect(test.match(/fence\.sc\.gpu;/g)).toHaveLength(4);
    expect(test).toContain("//@ filter B0T0:r0 == 0 /\\ B1T0:r0 == 1 /\\ B1T0:r1 == 1\n//@ forall B1T0:r2 == 1\n");
    expect(said).toContain("forall B1T0:r2 == 1: as stated");
    expect(exit).toBe(0);
  });

  it("asks what a block that looks back finds", async () => {
    const args = ["-a", "0=u32x4:fill=5", ...["1", "2", "3", "4"].flatMap((at) => ["-a", `${at}=u32x4:fill=0`])];
    const { test, said, exit } = await asked(compiled("scan"), "--grid", "4", ...args);
    expect(test).toContain("st.volatile.global.b32 [scan_param_1], 2;");
    expect(test).toMatch(/\/\/@ filter B1T0:r0 == 2\n\/\/@ forall B1T0:r1 == 5\n$/);
    expect(said).toContain("forall B1T0:r1 == 5: as stated");
    expect(exit).toBe(0);
  });

  it("keeps the barriers of a block, and says what it leaves out", async () => {
    const words = [example("gallery/bitonic.ptx"), "--block", "8", "-a", "0=u32x16:iota", "-a", "1=16"];
    const { test, said, exit } = await asked(...words);
    expect(test).toMatch(/^\/\/ Left out: \d more pairs of instructions by which they meet\.$/m);
    expect(test.match(/barrier\.sync 0;/g)!.length).toBeGreaterThan(4);
    expect(said).toContain("as stated");
    expect(exit).toBe(0);
    // Without its barriers the same test is wrong.
    world.write("bare.ptx", test.replaceAll("barrier.sync 0;\n", ""));
    expect((await world.ptxrun(["litmus", "bare.ptx"])).exit).toBe(1);
  });

  it("takes vectors, atomic operations on floats, clusters and lanes of a warp", async () => {
    world.write(
      "mixed.ptx",
      `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .u64 %p; .reg .u32 %r<6>; .reg .f32 %f<2>; .reg .pred %q;
  .shared .align 8 .b32 s[2];
  ld.param.u64 %p, [p];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %cluster_ctarank;
  setp.ne.u32 %q, %r1, 0;
  @%q bra READER;
  setp.ne.u32 %q, %r0, 0;
  mov.f32 %f0, 0f3FC00000;
  atom.global.add.f32 %f1, [%p+8], %f0;
  bar.warp.sync 3;
  @!%q st.global.v2.u32 [%p], {%r1, 7};
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
READER:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ld.global.v2.u32 {%r2, %r3}, [%p];
  atom.global.add.f32 %f1, [%p+8], 0f00000000;
  ret;
}
`
        .replace("{%r1, 7}", "{%r5, %r4}")
        .replace("bar.warp.sync 3;", "bar.warp.sync 3;\n  mov.u32 %r4, 7;\n  mov.u32 %r5, 6;"),
    );
    const { test, said, exit } = await asked(
      "mixed.ptx",
      "--grid",
      "2",
      "--block",
      "2",
      "--cluster",
      "2",
      ...zero("u32x3"),
    );
    expect(test).toContain("st.global.v2.b32 [p], {6, 7};");
    expect(test).toMatch(/mov\.b32 (v\d+_0), 1069547520;\natom\.global\.add\.f32 r0, \[p_8\], \1;/);
    expect(test).toMatch(/cta 1 cluster 0 warp 0 lane 0\nbarrier\.cluster\.arrive;\nbarrier\.cluster\.wait;\n/);
    expect(said).toContain("as stated");
    expect(exit).toBe(0);
  });

  it("has no question about threads that share nothing, and needs a kernel or a test alone", async () => {
    const alone = await world.ptxrun([
      "litmus",
      "--from",
      example("kernels/collatz.ptx"),
      "--block",
      "4",
      "-a",
      "0=4",
      "-a",
      "1=u32x4:iota",
      "-a",
      "2=u32x4:fill=0",
    ]);
    expect({ exit: alone.exit, code: /PTX\d+/.exec(alone.err)?.[0] }).toEqual({ exit: 3, code: "PTX1919" });
    expect((await world.ptxrun(["litmus"])).err).toContain("ptxrun litmus needs a path");
    expect((await world.ptxrun(["litmus", "--from", compiled("flag"), "more.ptx"])).err).toContain(
      "one argument too many",
    );
  });
});
