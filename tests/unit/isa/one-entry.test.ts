import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { formsOf } from "../../../src/isa/index.ts";
import { World } from "../cli/world.ts";

/**
 * CONTRIBUTING.md promises that an instruction is one entry in one file, and shows it with sad. So the name stands in
 * one file of `src`, and every command knows the instruction. What an operation computes, whatever instruction it is in,
 * and how that is worked through step by step, are the business of the numeric core and of `present/working`.
 */
const src = resolve(import.meta.dirname, "../../../src");

describe("sad, an entry like any other", () => {
  const world = new World();
  afterAll(() => world.remove());

  it("stands in one file", () => {
    const files = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/^(numeric|present\/working)/.test(file))
      .filter((file) => /\bsad\b/.test(readFileSync(resolve(src, file), "utf8")));
    expect(files).toEqual(["isa/9.7.1-integer/integer.ts"]);
    expect(formsOf("sad").map(({ syntax }) => syntax)).toEqual(["sad.type d, a, b, c"]);
  });

  it("runs", async () => {
    const { exit, out } = await world.ptxrun(["-e", "sad.u32 d, a, b, c;", "-r", "a=3", "-r", "b=10", "-r", "c=100"]);
    expect([exit, out.split("\n")[0]]).toEqual([0, "d  b32  0x0000006b  107"]);
  });

  it("is listed and explained, with its worked examples", async () => {
    for (const argv of [
      ["isa", "sad"],
      ["explain", "sad.u32"],
    ]) {
      const { exit, out } = await world.ptxrun(argv);
      expect(exit).toBe(0);
      expect(out).toMatch(
        /sad\.type d, a, b, c[\s\S]*since +PTX 1\.0, sm_10[\s\S]*check +sad\.s32: a=0x3 b=0xffffffff c=0x1 -> d=0x5/,
      );
    }
  });

  it("is checked", async () => {
    world.write("k.ptx", "sad.u32 d, a, 1.5, c;\nsad.sat.u32 d, a, b, c;\nsda.u32 d, a, b, c;\n");
    const { exit, err } = await world.ptxrun(["lint", "k.ptx"]);
    expect(exit).toBe(3);
    expect(err).toMatch(/PTX1303[\s\S]*PTX1206: sad\.u32 has no \.sat[\s\S]*PTX1201[\s\S]*did you mean (sad|sub)/);
  });
});
