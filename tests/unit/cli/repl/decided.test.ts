import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { answer } from "../conversation.ts";
import { World } from "../world.ts";

const world = new World();
world.write("negative.ptx", readFileSync(join(import.meta.dirname, "negative.ptx")));
afterAll(() => world.remove());

const said = async (...lines: string[]) => (await answer(world, ["negative.ptx", "-q"], "step 2", ...lines)).join("\n");

describe("a comparison that the type decides", () => {
  it.each([
    ["watch %r3 if %r3 < 0", "%r3 is .b32 and compares unsigned: never < 0", "write %r3:s32"],
    ["break 11 if 0 > %r2", "%r2 is .b32 and compares unsigned: never < 0", "write %r2:s32"],
    ["print %r2 >= 0", "always >= 0", "write %r2:s32"],
    ["display %r2 == -210 || %r1 == 4", "%r2 is .b32 and compares unsigned: never == -210", "write %r2:s32"],
    ["print %r2 != -1", "always != -1", "write %r2:s32"],
    ["print %r2 < -0.5", "never < -0.5", "write %r2:s32"],
    ["print %rd1 < 0", "%rd1 is .b64 and compares unsigned: never < 0", "write %rd1:s64"],
    ["print %r2:u32 < 0", "%r2:u32 is .u32 and compares unsigned", "write %r2:s32"],
    ["print %r2 > 0xffffffff", "never > 0xffffffff", ""],
    ["print %r2:s32 < 0x80000000", "%r2:s32 is .s32: always < 0x80000000", ""],
    ["print %r2:s32 >= -2147483648", "always >= -2147483648", ""],
  ])("%s", async (line, warning, help) => {
    const text = await said(line);
    expect(text).toContain("warning PTX2403: ");
    expect(text).toContain(warning);
    if (help === "") expect(text).not.toContain("help");
    else expect(text).toContain(`= help: ${help}\n`);
  });

  it.each([
    "watch %r3 if %r3:s32 < 0",
    "print %r2 > 0",
    "print %r2 - 215 < 0",
    "print %r2 <= 0xfffffffe",
    "print %r2 < 0xffffffff",
    "print %r2:s32 > -2147483648",
    "print %r2:s32 < 2147483647.5 - 1",
    "print %rd1 == -1",
    "print %rd1 < 0xffffffffffffffff",
    "print %r2:f32 < 0",
    "print -1 < 0",
  ])("%s may be either", async (line) => expect(await said(line)).not.toContain("warning"));

  it("stops where the type is given", async () => {
    expect(await said("watch %r3 if %r3:s32 < 0", "continue")).toContain("%r3");
  });
});

describe("a register of bits alone", () => {
  it("is printed as why reads it", async () => {
    expect(await said("print %r2")).toBe("$1 = -210 (s32 0xffffff2e)");
    expect(await said("print %r2", "print $1")).toBe("$2 = -210 (s32 0xffffff2e)");
    expect(await said("display %r2")).toBe("1: %r2 = -210 (s32 0xffffff2e)");
    expect(await said("why %r2")).toMatch(/^%r2 = -210\n/);
    expect(await said("print %r1")).toBe("$1 = 5 (b32 0x00000005)");
    expect(await said("print/u %r2")).toBe("$1 = 4294967086");
  });

  it("is left as bits where the instructions that write it differ", async () => {
    const differing = readFileSync(join(import.meta.dirname, "negative.ptx"), "utf8").replace(
      "  mov.b64",
      "  @!%p1 cvt.rn.f32.s32 %r2, %r1;\n  @!%p1 neg.f32 %r3, %r3;\n  mov.b64",
    );
    world.write("differing.ptx", differing.replace("%rd<2>;", "%rd<2>; .reg .pred %p1; setp.eq.u32 %p1, 0, 0;"));
    const text = (await answer(world, ["differing.ptx", "-q"], "step 3", "print %r2")).join("\n");
    expect(text).toContain("$1 = 4294967086 (b32 0xffffff2e)");
  });
});

describe("a value in every format", () => {
  const rows = (text: string) => text.split("\n").flatMap((line) => /^ {2}(\w+) +(.+)$/.exec(line)?.slice(1) ?? []);

  it("begins with the register's likely use", async () => {
    const printed = rows(await said("print/all %r2"));
    expect(printed.slice(0, 2)).toEqual(["d", "-210"]);
    for (const format of ["x", "u", "t", "f16", "bf16", "f32", "tf32", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "ue8m0"])
      expect(printed).toContain(format);
    expect(printed).not.toContain("f64");
    // 0x2e, 0xff: exponent 5 of bias 7 and fraction 6 of 8, and NaN.
    expect(printed[printed.indexOf("e4m3") + 1]).toBe("0.4375, nan, nan, nan");
  });

  it("follows the fields that explain shows", async () => {
    const text = await said("explain %r2");
    expect(text).toMatch(/^0xffffff2e as s32: -210\n\n {2}d {6}-210\n {2}x /);
    expect(rows(text)).toContain("bf16");
    expect(await said("explain %r2 --as s32,u32")).toBe("0xffffff2e as s32: -210\n\n0xffffff2e as u32: 4294967086");
    expect(await said("explain %r2:f32")).toMatch(/^0xffffff2e as f32: nan\n/);
    expect(await said("explain 0x3c00 --as f16")).toMatch(/^0x3c00 as f16: 1\.0\n/);
  });

  it("has one list of formats", async () => {
    const [list = ""] = /expected (.*)/.exec(await said("print/q %r2"))?.slice(1) ?? [];
    const help = (await said("help print")).replaceAll(/\s+/g, " ");
    expect(help).toContain(`FORMAT: ${list.replaceAll(",", "")};`);
  });
});
