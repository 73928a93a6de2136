import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/run-1.json" with { type: "json" };
import { readNpy } from "../../../src/launch/input/npy.ts";
import { repl } from "./conversation.ts";
import { violations } from "./json-schema.ts";
import { World } from "./world.ts";

/** Stores 100 + lane in column 0 and 200 + lane in column 1 of 64 columns, and frees them. */
const program = readFileSync(new URL("./repl/tensor.ptx", import.meta.url));
const world = new World()
  .write("tensor.ptx", program)
  .write("none.ptx", ".version 8.0\n.target sm_90\n.entry k() { ret; }");
afterAll(() => world.remove());

const dump = (...argv: string[]) => world.ptxrun(["tensor.ptx", "--block", "32", ...argv]);

describe("--dump tensor", () => {
  it("shows what was written, by lanes and columns, though it is free again", async () => {
    const { exit, out } = await dump("-d", "tensor");
    expect(exit).toBe(0);
    const lines = out.split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "tensor memory of block 0",
      "           column 0    column 1",
      "  lane 0   0x00000064  0x000000c8",
    ]);
    expect(lines[33]).toBe("  lane 31  0x00000083  0x000000e7");
    expect(lines.length).toBe(35);
  });

  it("shows the lanes and columns that it names, written or not", async () => {
    const { out } = await dump("-d", "tensor:31-32:1-2");
    expect(out).toContain("  lane 31  0x000000e7  -\n  lane 32  -           -\n");
    expect((await dump("-d", "tensor:40-50")).out).toBe("tensor memory of block 0: nothing was written\n");
  });

  it("is in --json, which fits the schema", async () => {
    const { out } = await dump("-d", "tensor:1:1-2", "--json");
    const value = JSON.parse(out);
    expect(value.tensor).toEqual([{ block: 0, lane: 1, column: 1, words: [["0x000000c9", null]] }]);
    expect(violations(value, schema)).toEqual([]);
    expect(JSON.parse((await dump("-d", "none", "--json")).out)).not.toHaveProperty("tensor");
  });

  it("is written to a file as NumPy reads it", async () => {
    expect((await dump("-d", "tensor=@all.npy", "-d", "tensor:2-3:0-1=@part.npy")).exit).toBe(0);
    const read = (name: string) => readNpy(readFileSync(join(world.folder, name)));
    expect(read("all.npy")).toMatchObject({ type: "u32", shape: [128, 512] });
    const part = read("part.npy");
    expect(part).toMatchObject({ type: "u32", shape: [2, 2] });
    const { bytes } = typeof part === "string" ? { bytes: [] } : part;
    expect([...bytes]).toEqual([102, 202, 103, 203].flatMap((word) => [word, 0, 0, 0]));
  });

  it("has the 576 columns of an exclusive allocation on sm_107", async () => {
    const text = program
      .toString()
      .replace("8.8", "9.4")
      .replace("sm_100a", "sm_107a")
      .replaceAll(/(alloc)(.*), 64;/g, "$1.exclusive$2, 576;")
      .replace("x2.b32 [%r1]", "x2.b32 [%r1+574]");
    world.write("exclusive.ptx", text);
    const wide = (what: string) => world.ptxrun(["exclusive.ptx", "--block", "32", "-d", what]);
    expect((await wide("tensor")).out).toContain("column 574  column 575\n  lane 0   0x00000064  0x000000c8\n");
    expect((await wide("tensor:3:575")).out).toContain("0x000000cb");
    expect((await wide("tensor:3:576")).err).toContain("576 names no columns of tensor memory");
    await wide("tensor=@wide.npy");
    expect(readNpy(readFileSync(join(world.folder, "wide.npy")))).toMatchObject({ shape: [128, 576] });
    const { text: told } = await repl(world, ["exclusive.ptx", "--block", "32"], ["until 15", "info tensor 3 574-575"]);
    expect(told).toMatch(/lane 3 +0x00000067 +0x000000cb/);
  });

  it.each([
    ["tensor:128", "128 names no lanes of tensor memory"],
    ["tensor:3-1", "3-1 names no lanes of tensor memory"],
    ["tensor:0:512", "512 names no columns of tensor memory"],
    ["tensor:0:0:0", "0 names no columns of tensor memory"],
    ["tensor:", " names no lanes of tensor memory"],
  ])("refuses %s", async (what, message) => {
    const { exit, err } = await dump("-d", what);
    expect(exit).toBe(2);
    expect(err).toContain(`error PTX2210: ${message}`);
    expect(err).toContain("expected tensor, tensor:LANES or tensor:LANES:COLUMNS");
  });

  it("says so where there is none", async () => {
    const { err } = await world.ptxrun(["none.ptx", "-d", "tensor"]);
    expect(err).toContain("error PTX2210: block 0 has no tensor memory");
  });
});

describe("an address of tensor memory in the REPL", () => {
  it.each(["x [tensor:0x800000]", "x/2xw [tensor:0x1ff]", "print [tensor:0x100000000]"])(
    "has its bounds: %s",
    async (line) => {
      const { text } = await repl(world, ["tensor.ptx", "--block", "32"], ["until 15", line]);
      expect(text).toContain("is outside tensor memory");
    },
  );

  it("can be watched", async () => {
    const { text } = await repl(
      world,
      ["tensor.ptx", "--block", "32"],
      ["watch [tensor:0x50001]", "continue", "last-write [tensor:0x50001]"],
    );
    expect(text).toContain("old: 0 (b32 0x00000000)");
    expect(text).toContain("new: 205 (b32 0x000000cd)");
  });
});
