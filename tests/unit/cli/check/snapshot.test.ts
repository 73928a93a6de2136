import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { twice, World } from "../world.ts";

const world = new World();
afterAll(() => world.remove());
const add = "add.f16 d, a, b;\n";
const kernel = `//@ args: --block 2\n//@ snapshot: x=f32x2:1,2 y=f32x2 n=2\n${twice}`;

describe("//@ snapshot", () => {
  it("compares all that the command which repeats it prints", async () => {
    const text = `//@ snapshot one: a=1 b=1\n//@ snapshot two: a=1 b=2\n${add}`;
    world.write("s/a.ptx", text);
    expect((await world.ptxrun(["check", "s/a.ptx"])).out).toContain("there is no s/a.one.snap");
    const written = await world.ptxrun(["check", "s/a.ptx", "--update"]);
    expect(written.out).toContain("updated s/a.two.snap: two, the whole file");
    expect(written.exit).toBe(0);
    const snap = readFileSync(join(world.folder, "s/a.two.snap"), "utf8");
    expect(snap).toBe("d  f16  0x4200  3.0\na  f16  0x3c00  1.0\nb  f16  0x4000  2.0\n");
    expect((await world.ptxrun(["check", "s/a.ptx"])).exit).toBe(0);
    world.write("s/a.ptx", text.replace("b=2", "b=3"));
    const { exit, out } = await world.ptxrun(["check", "s/a.ptx"]);
    expect(exit).toBe(1);
    expect(out).toContain("PTX7014: case two: line 1 of the final state is d  f16  0x4400  4.0");
    expect(out).toContain("s/a.two.snap:1:1");
    const [, command = ""] = /repeat: ptxrun (.*)\n/.exec(out) ?? [];
    const again = await world.ptxrun(command.split(" "));
    expect(again.out).toBe("d  f16  0x4400  4.0\na  f16  0x3c00  1.0\nb  f16  0x4200  3.0\n");
  });

  it("shows buffers whole, line ends of either kind", async () => {
    world
      .write("m.ptx", kernel)
      .write("m.snap", "x  f32x2\r\n  [0] 0x3f800000 0x40000000  1.0 2.0\r\n\r\ny  f32x2\r\n");
    const { out } = await world.ptxrun(["check", "m.ptx"]);
    expect(out).toContain("line 3 of the final state is y  f32x2");
    await world.ptxrun(["check", "m.ptx", "--update"]);
    const snap = readFileSync(join(world.folder, "m.snap"), "utf8");
    expect(snap).toBe(
      "x  f32x2\n  [0] 0x3f800000 0x40000000  1.0 2.0\ny  f32x2\n  [0] 0x40000000 0x40800000  2.0 4.0\n",
    );
    world.write("m.snap", snap.replaceAll("\n", "\r\n"));
    expect((await world.ptxrun(["check", "m.ptx"])).exit).toBe(0);
  });

  it("notices a line more and a line less", async () => {
    world.write("l.ptx", `//@ snapshot: a=1 b=1\n${add}`).write("l.snap", "d  f16  0x4000  2.0\n");
    expect((await world.ptxrun(["check", "l.ptx"])).out).toContain("line 2 of the final state is a  f16  0x3c00  1.0");
    world.write("l.snap", "d  f16  0x4000  2.0\na  f16  0x3c00  1.0\nb  f16  0x3c00  1.0\nmore\n");
    expect((await world.ptxrun(["check", "l.ptx"])).out).toContain("expected more");
  });

  it("does not hold when the run faults", async () => {
    world.write("t.ptx", "//@ snapshot\ntrap;\n").write("t.snap", "");
    const { exit, out } = await world.ptxrun(["check", "t.ptx", "--update"]);
    expect([exit, readFileSync(join(world.folder, "t.snap"), "utf8")]).toEqual([1, ""]);
    expect(out).toContain("PTX3004");
  });

  it("neither reads nor writes through a link", async () => {
    world.write("deep/k.ptx", `//@ snapshot: a=1 b=1\n${add}`).write("secret.txt", "secret\n");
    symlinkSync("../secret.txt", join(world.folder, "deep/k.snap"));
    const { exit, out } = await world.ptxrun(["check", "deep/k.ptx", "--update"]);
    expect(out).toContain("PTX7009");
    expect(out).not.toContain("secret\n");
    expect([exit, readFileSync(join(world.folder, "secret.txt"), "utf8")]).toEqual([1, "secret\n"]);
  });

  it.each([["snapshot ../x: a=1"], ["snapshot a b: a=1"], ["snapshot a=1"]])("%s cannot be read", async (line) => {
    world.write("w.ptx", `//@ ${line}\n${add}`);
    expect((await world.ptxrun(["check", "w.ptx"])).out).toContain("a snapshot that cannot be read");
  });
});
