import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { twice, World } from "../world.ts";

const add = "add.f16 d, a, b;\n";
const worlds: World[] = [];
afterAll(() => {
  for (const world of worlds) world.remove();
});
const fresh = (): World => {
  const world = new World();
  worlds.push(world);
  return world;
};
const textOf = (world: World, path: string): string => readFileSync(join(world.folder, path), "utf8");
const module = (line: string) => `//@ args: --block 4\n//@ case it: ${line}\n${twice}`;

describe("check --update", () => {
  it.each([
    ["bits", `//@ case one: a=1 b=1 -> d=0x4001\n${add}`, "d=0x4001", "d=0x4000"],
    ["a number", `//@ case one: a=1 b=1 -> d=3.0\n${add}`, "d=3.0", "d=2.0"],
    ["bits that no number gives", "//@ case n: a=0x7e01 -> d:f16=1.0\nmov.b16 d, a;\n", "d:f16=1.0", "d:f16=0x7e01"],
    ["a tolerance", `//@ case one: a=1 b=1 -> d~0x5000 ulp 2\n${add}`, "d~0x5000 ulp 2", "d~0x4000 ulp 2"],
    [
      "lanes",
      "//@ case l: a:f16x2=1,2 b:f16x2=1,2 -> d:f16x2=2,5\nadd.f16x2 d, a, b;\n",
      "d:f16x2=2,5",
      "d:f16x2=2.0,4.0",
    ],
    ["the carry", "//@ case c: a=1 b=1 -> d=2 cc.cf=1\nadd.cc.u32 d, a, b;\n", "cc.cf=1", "cc.cf=0"],
    ["a buffer", module("x=f32x2:1,2 y=f32x2 n=2 -> y=2,5"), "y=2,5", "y=2.0,4.0"],
    ["an element", module("x=f32x2:1,2 y=f32x2 n=2 -> y[1]=0x1"), "y[1]=0x1", "y[1]=0x40800000"],
    [
      "a buffer with its type",
      module("x=f32x2:1,2 y=f32x2 n=2 -> y=f32x2:fill=0"),
      "y=f32x2:fill=0",
      "y=f32x2:2.0,4.0",
    ],
    ["too few values", module("x=f32x2:1,2 y=f32x2 n=2 -> y=2"), "y=2\n", "y=2.0,4.0\n"],
    ["another fault", module("x=f32x2:1,2 y=f32x8 n=3 -> fault trap"), "fault trap", "fault mem"],
    ["a fault by its code", "//@ case t: -> fault PTX3002\ntrap;\n", "fault PTX3002", "fault trap"],
    ["a line that is rejected for another cause", "add.rz.f16 d, a, b;  //~ error PTX1201\n", "PTX1201", "PTX1203"],
    ["a right side left open", `//@ case one: a=1 b=1 -> ?\n${add}`, "?", "d=0x4000"],
    ["a carry left open", "//@ case c: a=0xffffffff b=1 -> ?\nadd.cc.u32 d, a, b;\n", "?", "d=0x00000000 cc.cf=1"],
    ["an input that changes", "//@ case c: a=1 b=2 -> ?\nadd.u32 a, a, b;\n", "?", "a=0x00000003"],
    ["what stands beside ?", "//@ case c: a=1 b=2 -> d=3 ?\nadd.u32 d, a, b; sub.u32 e, b, a;\n", "?", "e=0x00000001"],
    ["buffers left open", module("x=f32x2:1,2 y=f32x2:fill=0 n=2 -> ?"), "?", "y=2.0,4.0"],
    [
      "a variable left open",
      `//@ case v: -> ?\n.version 8.0\n.target sm_80\n.address_size 64\n.global .u32 g;\n.entry k() { st.global.u32 [g], 7; ret; }\n`,
      "?",
      "g=7",
    ],
    ["a fault left open", module("x=f32x2:1,2 y=f32x8 n=3 -> ?"), "?", "fault mem"],
    ["one value left open", `//@ case one: a=1 b=1 -> d=?\n${add}`, "d=?", "d=2.0"],
    ["Windows line ends", `//@ case one: a=1 b=1 -> d=0x4001\r\n// two\r\n${add}`, "d=0x4001", "d=0x4000"],
  ])("rewrites %s, and that holds", async (_, text, before, after) => {
    const world = fresh().write("a.ptx", text);
    const { exit, out } = await world.ptxrun(["check", "a.ptx", "--update"]);
    expect(textOf(world, "a.ptx")).toBe(text.replace(before, after));
    expect(out).toMatch(/1 updated\n$/);
    expect(out).toContain("updated a.ptx:");
    expect(exit).toBe(0);
    expect((await world.ptxrun(["check", "a.ptx"])).exit).toBe(0);
    expect(readdirSync(world.folder)).toEqual(["a.ptx"]);
  });

  it("leaves alone what holds, and what other cases say", async () => {
    const text = `//@ case one: a=1 b=1 -> d=2\n//@ case two: a=1 b=1 -> d=3\n//@ case three: a=1 b=1 -> d=4\n${add}`;
    const world = fresh().write("a.ptx", text);
    const { exit, out } = await world.ptxrun(["check", "a.ptx", "--update", "--filter", "two"]);
    expect([exit, textOf(world, "a.ptx")]).toEqual([0, text.replace("d=3", "d=2.0")]);
    expect(out).toContain("updated a.ptx:2: two: 3 is now 2.0");
    expect((await world.ptxrun(["check", "a.ptx", "--update"])).exit).toBe(0);
    expect(textOf(world, "a.ptx")).toBe(text.replace("d=3", "d=2.0").replace("d=4", "d=2.0"));
  });

  it.each([
    ["a fault that did not come", `//@ case f: a=1 b=1 -> fault mem\n${add}`],
    ["a fault that nobody expects", "//@ case f: p=1 -> a=0\nld.global.u32 a, [p];\n"],
    ["a missing input", `//@ case f: a=1 -> d=2\n${add}`],
    ["a directive that cannot be read", `//@ cse f: a=1 -> d=2\n${add}`],
    [
      "a case without any output",
      `//@ case f: -> ?\n.version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n`,
    ],
  ])("writes nothing for %s", async (_, text) => {
    const world = fresh().write("a.ptx", text);
    expect((await world.ptxrun(["check", "a.ptx", "--update"])).exit).toBe(1);
    expect(textOf(world, "a.ptx")).toBe(text);
  });

  it("keeps the file's mode", async () => {
    const world = fresh().write("a.ptx", `//@ case one: a=1 b=1 -> d=3\n${add}`);
    chmodSync(join(world.folder, "a.ptx"), 0o640);
    await world.ptxrun(["check", "a.ptx", "--update"]);
    expect(statSync(join(world.folder, "a.ptx")).mode & 0o777).toBe(0o640);
  });

  it.each([
    ["1", 2],
    ["true", 2],
    ["false", 0],
    ["", 0],
  ])("with CI=%j ends with %d", async (CI, exit) => {
    const text = `//@ case one: a=1 b=1 -> d=3\n${add}`;
    const world = fresh().write("a.ptx", text);
    const outcome = await world.ptxrun(["check", "a.ptx", "--update"], { env: { CI } });
    expect(outcome.exit).toBe(exit);
    expect(textOf(world, "a.ptx") === text).toBe(exit === 2);
    if (exit === 2) expect(outcome.err).toContain("PTX7015");
  });

  it("writes through no link, to a file or in a folder", async () => {
    const text = `//@ case one: a=1 b=1 -> d=3\n${add}`;
    const world = fresh().write("real/a.ptx", text);
    symlinkSync("real/a.ptx", join(world.folder, "link.ptx"));
    symlinkSync("real", join(world.folder, "folder"));
    for (const path of ["link.ptx", "folder/a.ptx"]) {
      const { exit, out } = await world.ptxrun(["check", path, "--update"]);
      expect(out).toContain("PTX7015");
      expect(out).toContain("it is reached through a link");
      expect(exit).toBe(1);
      expect(textOf(world, "real/a.ptx")).toBe(text);
    }
  });
});
