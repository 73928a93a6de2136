import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const demo = new Uint8Array(readFileSync(new URL("../../data/visa/demo.isa", import.meta.url)));

const text = `.version 4.1
.kernel "demo"
.decl V32 v_type=G type=f num_elts=16 align=GRF
.decl V33 v_type=G type=f num_elts=16 align=GRF
.decl V34 v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl A0 v_type=A num_elts=1
    (!P1.all) add.sat (M3, 8) V32(0,0)<1> (-)V33(0,0)<8;8,1> 0x3f000000:f
    ret (M1_NM, 1)
`;

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

const written = (path: string): Uint8Array => new Uint8Array(readFileSync(join(world.folder, path)));

describe("ptxrun visa", () => {
  it("disassembles an object to standard output or a file", async () => {
    world.write("demo.isa", demo);
    expect(await world.ptxrun(["visa", "disasm", "demo.isa"])).toEqual({ exit: 0, out: text, err: "" });
    expect(await world.ptxrun(["visa", "disasm", "demo.isa", "-o", "demo.visaasm"])).toEqual({
      exit: 0,
      out: "",
      err: "",
    });
    expect(Buffer.from(written("demo.visaasm")).toString()).toBe(text);
  });

  it("assembles a text to a file", async () => {
    world.write("demo.visaasm", text);
    expect(await world.ptxrun(["visa", "asm", "demo.visaasm", "-o", "demo.isa"])).toEqual({
      exit: 0,
      out: "",
      err: "",
    });
    expect(written("demo.isa")).toEqual(demo);
  });

  it("prints an object in hexadecimal", async () => {
    const { exit, out } = await world.ptxrun(["visa", "asm", "-"], { stdin: text });
    expect(exit).toBe(0);
    expect(out.split("\n")[0]).toBe("43 49 53 41 04 01 01 00 04 00 64 65 6d 6f 23 00");
    expect(Buffer.from(out.replace(/\s/g, ""), "hex")).toEqual(Buffer.from(demo));
  });

  it("writes other versions, of texts and of objects", async () => {
    world.write("demo.visaasm", text).write("demo.isa", demo);
    await world.ptxrun(["visa", "asm", "demo.visaasm", "--version", "3.6", "-o", "text.isa"]);
    await world.ptxrun(["visa", "asm", "demo.isa", "--version=3.6", "-o", "object.isa"]);
    // The name has a length of one byte.
    expect(written("text.isa").slice(0, 14)).toEqual(
      Uint8Array.from([...demo.slice(0, 4), 3, 6, 1, 0, 4, ...demo.slice(10, 14), 34]),
    );
    expect(written("object.isa")).toEqual(written("text.isa"));
    expect((await world.ptxrun(["visa", "asm", "demo.visaasm", "--version", "4.2"])).exit).toBe(2);
  });

  it("rejects what is wrong with exit code 3 and writes nothing", async () => {
    world.write("cut.isa", demo.slice(0, 100)).write("bad.visaasm", text.replace("V33(", "Nobody("));
    const cut = await world.ptxrun(["visa", "disasm", "cut.isa", "-o", "out"]);
    expect([cut.exit, cut.out, cut.err.split("\n")[0]]).toEqual([
      ...[3, "", "error PTX8505: kernel demo cannot lie at byte 35 with 150 bytes"],
    ]);
    const bad = await world.ptxrun(["visa", "asm", "bad.visaasm", "-o", "out"]);
    expect([bad.exit, bad.out, bad.err.split("\n")[0]]).toEqual([3, "", "error PTX8102: Nobody is not declared"]);
    expect(bad.err).toContain("bad.visaasm:8:");
    const none = await world.ptxrun(["visa", "disasm", "none.isa"]);
    expect([none.exit, none.err.split("\n")[0]]).toEqual([
      2,
      "error PTX2011: cannot read none.isa: there is no such file",
    ]);
    expect(() => written("out")).toThrow();
  });

  it("takes a text for no object", async () => {
    const { exit, err } = await world.ptxrun(["visa", "disasm", "-"], { stdin: text });
    expect([exit, err.split("\n")[0]]).toEqual([3, "error PTX8501: this is not a vISA object"]);
  });
});
