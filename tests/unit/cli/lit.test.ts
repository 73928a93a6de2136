import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

// What llc makes of two functions and a kernel.
const ptx = `.version 7.0
.target sm_80
.address_size 64
.visible .func (.param .b32 func_retval0) add(.param .b32 add_param_0, .param .b32 add_param_1)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [add_param_0];
  ld.param.u32 %r2, [add_param_1];
  add.s32 %r3, %r1, %r2;
  st.param.b32 [func_retval0+0], %r3;
  ret;
}
.visible .func (.param .b32 func_retval0) half(.param .b32 half_param_0)
{
  .reg .f32 %f<3>;
  ld.param.f32 %f1, [half_param_0];
  mul.rn.f32 %f2, %f1, 0f3F000000;
  st.param.f32 [func_retval0+0], %f2;
  ret;
}
.visible .entry scale(.param .u64 scale_param_0, .param .f32 scale_param_1)
{
  .reg .b32 %r<2>; .reg .b64 %rd<3>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.f32 %f1, [scale_param_1];
  mov.u32 %r1, %tid.x;
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.f32 %f2, [%rd1];
  mul.rn.f32 %f3, %f2, %f1;
  st.global.f32 [%rd1], %f3;
  ret;
}
`;

const world = new World().write("test.ptx", ptx);
afterAll(() => world.remove());

/** Runs the PTX with these comments, from standard input. */
const lit = (comments: readonly string[], ...words: readonly string[]) => {
  world.write("test.ll", `; RUN: llc < %s | ptxrun lit %s\n${comments.join("\n")}\n`);
  return world.ptxrun(["lit", "test.ll", ...words], { stdin: ptx });
};

describe("lit", () => {
  it("runs calls of functions, and the directives of check", async () => {
    const { exit, out, err } = await lit([
      "; PTXTEST: add(3, 4) -> 7",
      "; PTXRUN: add(-3, 1) -> -2",
      "; PTXRUN: half(1.5) -> 0.75",
      "; PTXRUN: half(-inf) -> func_retval0:f32=-inf",
      "; PTXRUN: args: --entry scale --block 4",
      "; PTXRUN: case four: 0=f32x4:1,2,3,4 1=2.0 -> 0=2,4,6,8",
      "; PTXRUN: 0=f32x4:iota 1=3.0 -> 0[2]=6.0",
      "; PTXRUN: 0=f32x3:iota 1=3.0 -> fault mem",
    ]);
    expect([exit, out, err]).toEqual([0, "7 of 7 passed\n", ""]);
  });

  it("says each failure in a line", async () => {
    const { exit, out } = await lit([
      "; PTXRUN: add(3, 4) -> 8",
      "; PTXRUN: add(1, 2, 3) -> 6",
      "; PTXRUN: args: --entry scale --block 4",
      "; PTXRUN: 0=f32x3:iota 1=3.0 -> 0[2]=6.0",
      "; PTXRUN: add(1, 1) -> 2",
    ]);
    expect([exit, out.split("\n")]).toEqual([
      1,
      [
        "test.ll:2: add(3, 4): func_retval0 is 0x00000007 (7)",
        expect.stringMatching(/^test\.ll:3: add\(1, 2, 3\): .*no parameter 2/),
        expect.stringMatching(/^test\.ll:5: line 5: PTX3002, ld\.global\.f32 reads 4 bytes .* in thread \(3,0,0\)/),
        "1 of 4 passed",
        "",
      ],
    ]);
  });

  it("takes another mark, and a file for the PTX", async () => {
    const { exit, out } = await lit(["# CHECK-RUN: add(1, 2) -> 3"], "test.ptx", "--mark", "CHECK-RUN:");
    expect([exit, out]).toEqual([0, "1 of 1 passed\n"]);
    expect((await lit(["; PTXRUN: add(1, 2) -> 3"], "-q")).out).toBe("");
  });

  it.each([
    ["no comment", "; nothing", 2, "PTX7001"],
    ["no function of that name", "; PTXRUN: nope(1) -> 2", 2, "PTX2203"],
    ["nothing expected", "; PTXRUN: add(1, 2)", 1, "PTX7002"],
  ])("is an error for %s", async (_, comment, exit, code) => {
    const result = await lit([comment]);
    expect([result.exit, result.out, result.err]).toEqual([exit, "", expect.stringContaining(code)]);
  });

  it("is an error for PTX that is rejected", async () => {
    world.write("wrong.ptx", ptx.replace("add.s32 %r3", "add.s33 %r3"));
    expect((await lit(["; PTXRUN: add(1, 2) -> 3"], "wrong.ptx")).exit).not.toBe(0);
  });
});

describe("examples/lit, which docs/lit.md shows", () => {
  const read = (path: string) => readFileSync(resolve(import.meta.dirname, "../../..", path), "utf8");
  const [page, test] = [read("docs/lit.md"), read("examples/lit/add.ll")];

  it("is what the page shows", () => {
    expect(page).toContain(`\`\`\`llvm\n${test}\`\`\``);
    expect(page).toContain(`\`\`\`python\n${read("examples/lit/lit.cfg.py")}\`\`\``);
  });

  it.runIf(spawnSync("llc", ["--version"]).status === 0)("passes with llc, and fails as the page says", async () => {
    const [, options = ""] = /RUN: llc (.*) < %s \| ptxrun/.exec(test) ?? [];
    const stdin = execFileSync("llc", options.split(" "), { input: test, encoding: "utf8" });
    const ran = (text: string) => world.write("add.ll", text).ptxrun(["lit", "add.ll"], { stdin });
    const passed = await ran(test);
    expect([passed.exit, page]).toEqual([0, expect.stringContaining(`\`\`\`text\n${passed.out}\`\`\``)]);
    const failed = await ran(test.replace("-> -2", "-> -1"));
    expect([failed.exit, page]).toEqual([1, expect.stringContaining(`\`${failed.out.split("\n")[0]}\``)]);
  });
});
